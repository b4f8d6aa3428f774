"""Verifies deliveries of GitHub with django-github-app, in Django."""

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
    INSTALLED_APPS=["django_github_app"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ".venv/events.sqlite3"}},
    GITHUB_APP={"NAME": "example", "WEBHOOK_SECRET": os.environ["WEBHOOK_SECRET"]},
)
django.setup()
call_command("migrate", verbosity=0)

from django_github_app.views import AsyncWebhookView

urlpatterns = [path("webhooks", AsyncWebhookView.as_view())]
app = get_asgi_application()
