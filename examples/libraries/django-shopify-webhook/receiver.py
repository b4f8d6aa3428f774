"""Verifies deliveries of Shopify with the decorator of django-shopify-webhook."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from shopify_webhook.decorators import webhook

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    ROOT_URLCONF=__name__,
    SHOPIFY_APP_API_SECRET=os.environ["WEBHOOK_SECRET"],
)
app = get_asgi_application()


@csrf_exempt
@webhook
def webhooks(request):
    return HttpResponse("OK")


urlpatterns = [path("webhooks", webhooks)]
