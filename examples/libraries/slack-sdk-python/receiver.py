"""Verifies deliveries of Slack with the SignatureVerifier of slack_sdk, in Flask."""

import os

from flask import Flask, request
from slack_sdk.signature import SignatureVerifier

app = Flask(__name__)
verifier = SignatureVerifier(os.environ["WEBHOOK_SECRET"])


@app.post("/webhooks")
def webhooks():
    if not verifier.is_valid_request(request.get_data(), request.headers):
        return "", 401
    event = request.get_json(silent=True)
    if isinstance(event, dict) and event.get("type") == "url_verification":
        return event["challenge"]
    return ""
