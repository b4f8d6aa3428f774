"""Verifies deliveries of Stripe with dj-stripe, in Django."""

import os

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.management import call_command
from django.urls import path

settings.configure(
    SECRET_KEY="only for tests",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "djstripe"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ".venv/events.sqlite3"}},
    MIGRATION_MODULES={"djstripe": None},  # All its migrations take a minute.
    STRIPE_LIVE_MODE=False,
    STRIPE_TEST_SECRET_KEY="sk_test_example",
    DJSTRIPE_FOREIGN_KEY_TO_FIELD="id",
    # What its documentation shows for work that is done later.
    DJSTRIPE_WEBHOOK_EVENT_CALLBACK=lambda event, api_key: None,
)
django.setup()
call_command("migrate", run_syncdb=True, verbosity=0)

from djstripe.models import WebhookEndpoint
from djstripe.views import ProcessWebhookView

endpoint = {"url": "https://example.com", "enabled_events": ["*"], "secret": os.environ["WEBHOOK_SECRET"]}
uuid = WebhookEndpoint.objects.update_or_create(id="we_1", livemode=False, defaults=endpoint)[0].djstripe_uuid
urlpatterns = [path("webhooks", ProcessWebhookView.as_view(), {"uuid": uuid})]
app = get_asgi_application()
