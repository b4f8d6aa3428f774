import os
import threading

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
application = get_wsgi_application()

from webhooks.views import work  # noqa: E402  (It needs the application.)

threading.Thread(target=work, daemon=True).start()
