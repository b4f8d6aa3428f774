"""Verifies deliveries of GitHub with gidgethub, in a server of aiohttp."""

import os

from aiohttp import web
from gidgethub.sansio import Event


async def webhooks(request):
    body = await request.read()
    Event.from_http(request.headers, body, secret=os.environ["WEBHOOK_SECRET"])
    return web.Response(status=200)


app = web.Application()
app.router.add_post("/webhooks", webhooks)
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]))
