from django.conf import settings
from django.urls import path

from webhooks import views

# Without a slash at the end: Django answers a POST to a path that only lacks the slash with an error.
urlpatterns = [path("webhooks", views.webhooks)]
if settings.OBSERVE:
    urlpatterns.append(path("observe", views.observe))
