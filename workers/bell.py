"""The bell: tells the pool that something may be due. A lost or doubled ring does not matter."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from celery import Celery
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

from workers.event import Lane

TASK_OF_LANE: dict[Lane, str] = {
    "reviews": "precedent.drain_reviews",
    "background": "precedent.drain_background",
}
QUEUE_PREFIX = "precedent:celery:"
ENOUGH_WAITING = 20
"""Rings that wait already wake every thread of a pool; a further one wakes nobody sooner, and costs
Celery a millisecond of processor time, which is what bounds how fast events are accepted."""

EXPIRES_S = 120
"""A ring that nobody heard for so long has been repeated by a sweeper many times."""


def queue_key(lane: Lane) -> str:
    """The Redis list in which Celery keeps the rings of `lane`."""
    return QUEUE_PREFIX + lane


class Bell:
    """Rings Celery. Never raises for a broker that is away: a sweeper rings again.

    With `redis`, the broker's own Redis, it looks first whether enough rings wait.
    """

    def __init__(self, celery: Celery, redis: Redis | None = None) -> None:
        self._celery = celery
        self._redis = redis
        self._asked: Counter[Lane] = Counter()
        self._asking = threading.Condition()
        self._ringer: threading.Thread | None = None

    def ring(self, lane: Lane, times: int = 1) -> bool:
        """Whether a ring waits now."""
        try:
            if self._redis is not None:
                times = min(times, ENOUGH_WAITING - _length(self._redis, lane))
            for _ in range(times):
                self._celery.send_task(
                    TASK_OF_LANE[lane], queue=lane, expires=EXPIRES_S, retry=False
                )
        except (OperationalError, RedisError, OSError):
            return False
        return True

    def ring_soon(self, lane: Lane) -> None:
        """Ring from the thread of `ringing`, so that nobody waits for it; without one, now."""
        if self._ringer is None or not self._ringer.is_alive():
            self.ring(lane)
            return
        with self._asking:
            self._asked[lane] += 1
            self._asking.notify()

    @contextmanager
    def ringing(self) -> Iterator[None]:
        """While this lasts a thread rings; what was asked for meanwhile is rung at once then."""
        is_ending = threading.Event()
        self._ringer = threading.Thread(
            target=self._ring_until, args=(is_ending,), name="bell", daemon=True
        )
        self._ringer.start()
        try:
            yield
        finally:
            with self._asking:
                is_ending.set()
                self._asking.notify()
            self._ringer.join()
            self._ringer = None

    def _ring_until(self, is_ending: threading.Event) -> None:
        while True:
            with self._asking:
                self._asking.wait_for(lambda: self._asked or is_ending.is_set())
                asked, self._asked = self._asked, Counter()
            for lane, times in asked.items():
                self.ring(lane, times)
            if not asked:
                return


def _length(redis: Redis, lane: Lane) -> int:
    return int(redis.llen(queue_key(lane)))
