"""Verifies deliveries of Stripe with stripe for Python, as its documentation shows for Flask."""

import os

from flask import Flask, request
from stripe import SignatureVerificationError, Webhook

app = Flask(__name__)


@app.post("/webhooks")
def webhooks():
    header = request.headers.get("Stripe-Signature")
    try:
        Webhook.construct_event(request.data, header, os.environ["WEBHOOK_SECRET"])
    except ValueError:
        return "Bad payload", 400
    except SignatureVerificationError:
        return "Bad signature", 400
    return "", 200
