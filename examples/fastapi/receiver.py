"""Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once."""

import hashlib
import hmac
import json
import logging
import os
import re
import sqlite3
import threading
import time
from contextlib import closing
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request

SECRET = (os.getenv("HOOKPROOF_SECRET") or os.getenv("WEBHOOK_SECRET", "")).encode() or exit("HOOKPROOF_SECRET is not set")
WINDOW_SECONDS, MAX_BODY_BYTES = 300, 1024 * 1024
MONEY = re.compile(r"(?=.*[1-9])[0-9]+(\.[0-9]+)?")  # Any other amount is an anomaly for people to look at.
text_of = lambda value: value.encode(errors="replace").decode() if isinstance(value, str) else type(value).__name__
# Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
ADD = """INSERT INTO effect SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?3 = 'reversed'
    OR NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2) ON CONFLICT DO NOTHING"""
arrived, writing = threading.Event(), threading.Lock()  # SQLite keeps no queue: some writers would wait too long.


def connect():
    connection = sqlite3.connect(os.environ.get("DATABASE", "webhooks.sqlite"), timeout=10)
    connection.execute("PRAGMA synchronous = FULL")  # A 200 is a promise: it must survive a power cut.
    return closing(connection)


with connect() as connection:
    connection.executescript("""
        PRAGMA journal_mode = WAL;
        CREATE TABLE IF NOT EXISTS inbox (key TEXT PRIMARY KEY, body BLOB, done INT DEFAULT 0, due INT DEFAULT 0);
        CREATE INDEX IF NOT EXISTS pending ON inbox (due) WHERE done = 0;
        CREATE TABLE IF NOT EXISTS effect (
            payment_id, live, effect, event, amount TEXT, currency, PRIMARY KEY (payment_id, live, effect))""")
app = FastAPI()


async def verified_body(request: Request) -> bytes:
    """The raw bytes, if the header signs them. A parameter with a pydantic model would parse them."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise HTTPException(413, "the body is too large")
    entries = [entry.partition("=") for entry in request.headers.get("X-Service-Signature", "").split(",")]
    times = [value for label, _, value in entries if label == "t"]
    signatures = [value for label, _, value in entries if label == "v1" and value]  # Several during a rotation.
    if len(times) != 1 or not re.fullmatch("[0-9]{1,12}", times[0]) or not signatures:
        raise HTTPException(400, "the signature header needs one t, in seconds, and a v1")
    if abs(int(time.time()) - int(times[0])) > WINDOW_SECONDS:
        raise HTTPException(400, "t is more than 5 minutes from now")
    expected = hmac.new(SECRET, f"{times[0]}.".encode() + body, hashlib.sha256).hexdigest().encode()
    if not any(hmac.compare_digest(expected, given.encode()) for given in signatures):
        raise HTTPException(401, "the signature is wrong")
    return bytes(body)


@app.post("/webhooks")
def webhooks(body: Annotated[bytes, Depends(verified_body)]):  # Not async, because SQLite blocks.
    try:
        event = json.loads(body.decode())
        name = event.get("event") or (f"payment.{event.get('status')}" if event.get("test") is True else None)
        payment_id = event.get("payment_id") or event.get("id")
        # One payment can be partly paid several times, and both refunded and charged back.
        variant = {"payment.partial": event.get("amount_received"), "payment.refunded": event.get("type")}.get(name)
        live = event.get("livemode", True) is True and event.get("test") is not True
        if not (name and payment_id and isinstance(name, str) and isinstance(payment_id, str) and payment_id.encode()):
            raise ValueError
        key = json.dumps([payment_id, live, name, variant])  # Redeliveries have the same, whatever their bytes.
        with writing, connect() as connection, connection:
            connection.execute("INSERT INTO inbox (key, body) VALUES (?, ?) ON CONFLICT DO NOTHING", (key, body))
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise HTTPException(400, "the body is not an event") from None
    except sqlite3.Error as error:
        logging.error("not stored: %s", error)
        raise HTTPException(503, "try again later") from error
    arrived.set()
    return {"received": True}


def work():
    """Handles what is stored, also by an earlier process. What fails is tried again."""
    while True:
        arrived.clear()
        try:
            with connect() as connection:
                pending = "SELECT key, body FROM inbox WHERE done = 0 AND due <= unixepoch()"
                for key, body in connection.execute(pending).fetchall():
                    (payment_id, live, name, _), event = json.loads(key), json.loads(body)
                    try:
                        with connection:
                            amount, currency = text_of(event.get("amount")), text_of(event.get("currency"))
                            completed = "fulfilled" if MONEY.fullmatch(amount) else "anomaly"
                            if effect := {"payment.completed": completed, "payment.refunded": "reversed"}.get(name):
                                connection.execute(ADD, (payment_id, live, effect, name, amount, currency))
                            connection.execute("UPDATE inbox SET done = 1 WHERE key = ?", (key,))
                    except Exception:
                        logging.exception("%s stays pending", key)
                        with connection:
                            connection.execute("UPDATE inbox SET due = unixepoch() + 60 WHERE key = ?", (key,))
        except sqlite3.Error as error:  # Such as a locked database. It must not end the thread.
            logging.error("the inbox cannot be read: %s", error)
        arrived.wait(60)


threading.Thread(target=work, daemon=True).start()
if os.environ.get("OBSERVE") == "1":

    @app.get("/observe")
    def observe(payment_id: str):
        query = """SELECT event, effect, amount, currency, live FROM effect
            WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid"""
        with connect() as connection:
            rows = connection.execute(query, (payment_id,)).fetchall()
        return {"effects": [dict(event=a, effect=b, amount=c, currency=d, livemode=e == 1) for a, b, c, d, e in rows]}
