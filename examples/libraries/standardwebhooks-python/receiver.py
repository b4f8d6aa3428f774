"""Verifies deliveries of Standard Webhooks with standardwebhooks."""

import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)


@app.post("/webhooks")
def webhooks():
    try:
        Webhook(os.environ["WEBHOOK_SECRET"]).verify(request.get_data(), request.headers)
    except WebhookVerificationError:
        return "", 400
    return "", 204
