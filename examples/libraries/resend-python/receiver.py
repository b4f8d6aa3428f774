"""Verifies deliveries of Standard Webhooks with resend for Python."""

import os

import resend
from fastapi import FastAPI, HTTPException, Request

app = FastAPI()


@app.post("/webhooks")
async def webhooks(request: Request):
    names = ("id", "timestamp", "signature")
    try:
        resend.Webhooks.verify(
            {
                "payload": (await request.body()).decode(),
                "headers": {name: request.headers.get(f"svix-{name}") for name in names},
                "webhook_secret": os.environ["WEBHOOK_SECRET"],
            }
        )
    except ValueError as error:
        raise HTTPException(400, "Invalid webhook") from error
