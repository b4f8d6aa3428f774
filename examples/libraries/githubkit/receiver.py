"""Verifies deliveries of GitHub with GitHubKit."""

import os

from fastapi import FastAPI, HTTPException, Request
from githubkit.webhooks import verify

app = FastAPI()


@app.post("/webhooks")
async def webhooks(request: Request):
    signature = request.headers.get("X-Hub-Signature-256", "")
    if not verify(os.environ["WEBHOOK_SECRET"], await request.body(), signature):
        raise HTTPException(401, "Invalid signature")
