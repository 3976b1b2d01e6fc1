"""Keeps the leases of this process alive while their events run."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from redis.exceptions import RedisError

from workers.inbox import Inbox, Lease

BEATS_A_LEASE = 3
"""Two beats may be missed."""

RETRY_S = 0.25

log = structlog.get_logger()


class Heartbeat:
    """One thread that renews all leases of this process in one call.

    Leases are known by token: when an event is over, a newer lease of its subject stays.
    """

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._held: dict[str, Lease] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def hold(self, lease: Lease) -> Iterator[None]:
        """Renew `lease` until the block ends, settlement included."""
        with self._lock:
            self._held[lease.token] = lease
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                del self._held[lease.token]

    def stop(self) -> None:
        """End the thread; leases that are still held are no longer renewed."""
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        pause_s = self._inbox.lease_s / BEATS_A_LEASE
        while not self._wake.wait(pause_s):
            with self._lock:
                held = list(self._held.values())
            pause_s = self._inbox.lease_s / BEATS_A_LEASE
            try:
                self._inbox.renew(held)
            except RedisError as error:
                log.warning("heartbeat.failed", error=type(error).__name__, leases=len(held))
                pause_s = min(pause_s, RETRY_S)
