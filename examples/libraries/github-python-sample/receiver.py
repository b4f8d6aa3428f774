"""Verifies deliveries of GitHub as its documentation shows for Python."""

import hashlib
import hmac
import os

from fastapi import FastAPI, HTTPException, Request

app = FastAPI()


@app.post("/webhooks")
async def webhooks(request: Request):
    signature = request.headers.get("x-hub-signature-256")
    if not signature:
        raise HTTPException(403, "the signature is missing")
    key = os.environ["WEBHOOK_SECRET"].encode()
    expected = "sha256=" + hmac.new(key, await request.body(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, signature):
        raise HTTPException(403, "the signature does not match")
