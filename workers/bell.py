"""The bell: tells the pool that something may be due. A lost or doubled ring does not matter."""

from __future__ import annotations

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from workers.event import Lane

TASK_OF_LANE: dict[Lane, str] = {
    "reviews": "precedent.drain_reviews",
    "background": "precedent.drain_background",
}
QUEUE_PREFIX = "precedent:celery:"
EXPIRES_S = 120
"""A ring that nobody heard for so long has been repeated by a sweeper many times."""


def queue_key(lane: Lane) -> str:
    """The Redis list in which Celery keeps the rings of `lane`."""
    return QUEUE_PREFIX + lane


class Bell:
    """Rings Celery. Never raises for a broker that is away: a sweeper rings again."""

    def __init__(self, celery: Celery) -> None:
        self._celery = celery

    def ring(self, lane: Lane) -> bool:
        """Whether the broker took it."""
        try:
            self._celery.send_task(TASK_OF_LANE[lane], queue=lane, expires=EXPIRES_S, retry=False)
        except (OperationalError, RedisError, OSError):
            return False
        return True
