import os

SECRET_KEY = os.environ.get("SECRET_KEY", "only for a trial: no session or form is signed with it")
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "urls"
INSTALLED_APPS = ["webhooks"]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
]
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ.get("DATABASE", "webhooks.sqlite"),
        "OPTIONS": {
            "timeout": 10,
            "transaction_mode": "IMMEDIATE",
            # FULL: a 200 is a promise, so the row must survive a power cut.
            "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
        },
    }
}
WEBHOOK_SECRET = os.environ.get("HOOKPROOF_SECRET") or os.environ.get("WEBHOOK_SECRET", "")
OBSERVE = os.environ.get("OBSERVE") == "1"
