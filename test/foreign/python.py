"""A receiver with Python's standard library only, as a merchant might write it. Usage: python3 python.py PORT"""

import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SECRET = os.environ["HOOKPROOF_SECRET"].encode()
WINDOW_SECONDS = 300
LIMIT = 1024 * 1024

lock = threading.Lock()
seen = set()
ledger = {}


class Refusal(Exception):
    def __init__(self, status, message):
        self.status, self.message = status, message


def verify(body, values):
    entries = [entry.partition("=") for value in values for entry in value.split(",")]
    times = [value for label, sign, value in entries if label == "t" and sign]
    signatures = [value for label, sign, value in entries if label == "v1" and value]
    if len(times) != 1 or not signatures:
        raise Refusal(400, "t or v1 is missing, or t is repeated")
    if not re.fullmatch(r"[0-9]{1,12}", times[0]):
        raise Refusal(400, "t is not a Unix time")
    if abs(int(time.time()) - int(times[0])) > WINDOW_SECONDS:
        raise Refusal(400, "t is outside the window")
    expected = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    if not any(hmac.compare_digest(expected.encode(), value.encode()) for value in signatures):
        raise Refusal(401, "the signature is wrong")


def read_event(body):
    try:
        event = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "the body is not JSON") from error
    if not isinstance(event, dict):
        raise Refusal(400, "the body is not an event")
    name = event.get("event")
    if name is None and event.get("test") is True:
        name = f"payment.{event.get('status')}"
    payment = event.get("payment_id", event.get("id"))
    if not all(isinstance(text, str) and text for text in (name, payment)):
        raise Refusal(400, "the body is not an event")
    return name, payment, event


def take(name, payment, event):
    """Remembers the event and does its work; in one step here, since the store is memory."""
    key = (payment, name, event.get("amount_received"), event.get("type") if name == "payment.refunded" else None)
    with lock:
        if key in seen:
            return
        seen.add(key)
        effects = ledger.setdefault(payment, [])
        done = {effect["effect"] for effect in effects}
        if name == "payment.completed" and not done:
            effect = "fulfilled"
        elif name == "payment.refunded" and "reversed" not in done:
            effect = "reversed"
        else:
            return
        live = event.get("livemode", True) is True and event.get("test") is not True
        effects.append({
            "event": name,
            "effect": effect,
            "amount": event["amount"],
            "currency": event["currency"],
            "livemode": live,
        })


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            body = self.body()
            verify(body, self.headers.get_all("X-Service-Signature", []))
            take(*read_event(body))
            self.answer(200, {"received": True})
        except Refusal as refusal:
            self.answer(refusal.status, {"error": refusal.message})

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        with lock:
            effects = list(ledger.get(query.get("payment_id", [""])[0], []))
        self.answer(200, {"effects": effects})

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return self.chunks()
        length = int(self.headers.get("Content-Length", 0))
        if length > LIMIT:
            self.close_connection = True
            raise Refusal(413, "the body is too large")
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            raise Refusal(400, "the body ended too soon")
        return body

    def chunks(self):
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
            if len(body) > LIMIT:
                self.close_connection = True
                raise Refusal(413, "the body is too large")
        self.rfile.readline()
        return body

    def answer(self, status, content):
        payload = json.dumps(content).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(payload)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
