"""Verifies deliveries of Slack with Bolt for Python, in Flask."""

import os
import re

from flask import Flask, request
from slack_bolt import App
from slack_bolt.adapter.flask import SlackRequestHandler
from slack_bolt.authorization import AuthorizeResult


def authorize(**_):
    return AuthorizeResult(enterprise_id=None, team_id=None, bot_id="B0001EXAMPLE", bot_user_id="U0002BOT")


bolt = App(signing_secret=os.environ["WEBHOOK_SECRET"], authorize=authorize)
handler = SlackRequestHandler(bolt)
app = Flask(__name__)


@bolt.event(re.compile(".*"))
def handle():
    pass


@app.post("/webhooks")
def webhooks():
    return handler.handle(request)
