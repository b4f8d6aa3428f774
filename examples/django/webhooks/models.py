from django.db import models
from django.utils import timezone


class Delivery(models.Model):
    """An event that was acknowledged. Its redeliveries have the same key."""

    key = models.TextField(primary_key=True)
    body = models.BinaryField()
    done = models.BooleanField(default=False)
    due = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["due"], name="pending", condition=models.Q(done=False))]


class Payment(models.Model):
    payment_id = models.TextField()
    live = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["payment_id", "live"], name="one_payment")]


class Effect(models.Model):
    """What was done for a payment: fulfilled once, reversed once. An anomaly is for people to look at."""

    payment = models.ForeignKey(Payment, models.CASCADE, related_name="effects")
    effect = models.TextField()
    event = models.TextField()
    amount = models.TextField(null=True)
    currency = models.TextField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["payment", "effect"], name="one_effect")]
