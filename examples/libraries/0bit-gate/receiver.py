"""Verifies deliveries with 0bit-gate."""

import os

from flask import Flask, request
from zerobit.gate.errors import WebhookSignatureError
from zerobit.gate.webhooks import WebhooksResource

app = Flask(__name__)


@app.post("/webhooks")
def webhooks():
    header = request.headers.get("X-Service-Signature", "")
    try:
        WebhooksResource().construct_event(request.get_data(), header, os.environ["WEBHOOK_SECRET"])
    except WebhookSignatureError as error:
        return "", 401 if "verification failed" in str(error) else 400
    return "", 200
