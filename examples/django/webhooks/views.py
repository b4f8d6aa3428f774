"""Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once."""

import hashlib
import hmac
import json
import logging
import re
import threading
import time
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import Error, close_old_connections, transaction
from django.http import JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from .models import Delivery, Effect, Payment

if not settings.WEBHOOK_SECRET:
    raise ImproperlyConfigured("HOOKPROOF_SECRET is not set")
WINDOW_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024
MONEY = re.compile(r"(?=.*[1-9])[0-9]+(\.[0-9]+)?")  # Any other amount is an anomaly for people to look at.
text_of = lambda value: value.encode(errors="replace").decode() if isinstance(value, str) else type(value).__name__
log = logging.getLogger(__name__)
arrived, writing = threading.Event(), threading.Lock()  # SQLite keeps no queue: some writers would wait too long.


def refusal_of(header, body):
    """Why a delivery is refused: a status and a reason. None if the header signs these bytes."""
    entries = [entry.partition("=") for entry in header.split(",")]
    times = [value for label, _, value in entries if label == "t"]
    signatures = [value for label, _, value in entries if label == "v1" and value]  # Several during a rotation.
    if len(times) != 1 or not re.fullmatch("[0-9]{1,12}", times[0]) or not signatures:
        return 400, "the signature header needs one t, in seconds, and a v1"
    if abs(int(time.time()) - int(times[0])) > WINDOW_SECONDS:
        return 400, "t is more than 5 minutes from now"
    signed = f"{times[0]}.".encode() + body
    expected = hmac.new(settings.WEBHOOK_SECRET.encode(), signed, hashlib.sha256).hexdigest().encode()
    if not any(hmac.compare_digest(expected, given.encode()) for given in signatures):
        return 401, "the signature is wrong"
    return None


def key_of(body):
    """The key that an event shares with its redeliveries, whatever their bytes. Raises ValueError."""
    event = json.loads(body.decode())
    name = event.get("event") or (f"payment.{event.get('status')}" if event.get("test") is True else None)
    payment_id = event.get("payment_id") or event.get("id")
    if not (name and payment_id and isinstance(name, str) and isinstance(payment_id, str) and payment_id.encode()):
        raise ValueError("not an event")
    # One payment can be partly paid several times, and both refunded and charged back.
    variant = {"payment.partial": event.get("amount_received"), "payment.refunded": event.get("type")}.get(name)
    live = event.get("livemode", True) is True and event.get("test") is not True
    return json.dumps([payment_id, live, name, variant])


@csrf_exempt  # The service has no CSRF token: the signature protects this view.
@require_POST
def webhooks(request):
    # The raw bytes. Under WSGI, request.body is empty if the sender or a proxy sends no Content-Length.
    body = request.environ["wsgi.input"].read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        return JsonResponse({"error": "the body is larger than 1 MiB"}, status=413)
    if refusal := refusal_of(request.headers.get("X-Service-Signature", ""), body):
        return JsonResponse({"error": refusal[1]}, status=refusal[0])
    try:
        key = key_of(body)
    except (ValueError, AttributeError, RecursionError):
        return JsonResponse({"error": "the body is not an event"}, status=400)
    try:
        with writing:
            Delivery.objects.get_or_create(key=key, defaults={"body": body})
    except Error as error:
        log.error("%s", error)
        return JsonResponse({"error": "try again later"}, status=503)
    arrived.set()
    return JsonResponse({"received": True})


@transaction.atomic
def handle(delivery):
    (payment_id, live, name, _), event = json.loads(delivery.key), json.loads(delivery.body)
    record = {"event": name, "amount": text_of(event.get("amount")), "currency": text_of(event.get("currency"))}
    # The lock of the payment's row keeps another process from handling it at the same time.
    payment, _ = Payment.objects.select_for_update().get_or_create(payment_id=payment_id, live=live)
    # Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
    if name == "payment.completed" and not payment.effects.exists():
        payment.effects.create(effect="fulfilled" if MONEY.fullmatch(record["amount"]) else "anomaly", **record)
    if name == "payment.refunded":
        payment.effects.get_or_create(effect="reversed", defaults=record)
    Delivery.objects.filter(key=delivery.key).update(done=True)


def work():
    """Handles what is stored, also by an earlier process. What fails is tried again."""
    while True:
        arrived.clear()
        close_old_connections()
        try:
            for delivery in Delivery.objects.filter(done=False, due__lte=timezone.now()).order_by("due"):
                try:
                    handle(delivery)
                except Exception:
                    log.exception("%s stays pending", delivery.key)
                    later = timezone.now() + timedelta(minutes=1)
                    Delivery.objects.filter(key=delivery.key).update(due=later)
        except Error as error:  # Such as a lost connection. It must not end the thread.
            log.error("the inbox cannot be read: %s", error)
        arrived.wait(60)


def observe(request):
    effects = Effect.objects.filter(payment__payment_id=request.GET.get("payment_id", "")).order_by("id")
    fields = ("event", "effect", "amount", "currency")
    rows = effects.exclude(effect="anomaly").values(*fields, "payment__live")
    return JsonResponse({"effects": [{f: row[f] for f in fields} | {"livemode": row["payment__live"]} for row in rows]})
