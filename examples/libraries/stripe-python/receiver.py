"""Verifies deliveries with stripe for Python."""

import os

import stripe
from flask import Flask, request

app = Flask(__name__)


@app.post("/webhooks")
def webhooks():
    header = request.headers.get("X-Service-Signature", "")
    try:
        stripe.Webhook.construct_event(request.get_data(), header, os.environ["WEBHOOK_SECRET"])
    except stripe.SignatureVerificationError as error:
        return "", 401 if "matching the expected signature" in str(error) else 400
    except ValueError:
        return "", 400
    return "", 200
