"""Verifies deliveries of Standard Webhooks with openai for Python, as its documentation shows for Flask."""

import os

from flask import Flask, request
from openai import OpenAI

app = Flask(__name__)
client = OpenAI(api_key="unused", webhook_secret=os.environ["WEBHOOK_SECRET"])


@app.post("/webhooks")
def webhooks():
    try:
        client.webhooks.unwrap(request.get_data(as_text=True), request.headers)
    except Exception:
        return "Invalid signature", 400
    return "ok"
