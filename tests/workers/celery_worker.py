"""A worker process of the tests: the real application with a handler that writes to Redis.

Run as `celery -A tests.workers.celery_worker worker`; TEST_REDIS_URL names the Redis.
"""

from __future__ import annotations

import os
import time

from celery import Celery

from workers.app import create_celery
from workers.drain import Outcome
from workers.event import Event
from workers.inbox import Inbox, Lease
from workers.redis_connection import connect_redis
from workers.settings import Settings

LEASE_S = 2.0


def __getattr__(name: str) -> Celery:
    if name not in {"app", "celery"}:
        raise AttributeError(name)
    globals()[name] = build(os.environ["TEST_REDIS_URL"])
    return globals()[name]


def build(url: str) -> Celery:
    """What it counts is sent at its end only."""
    return create_celery(
        settings(url), handler=handle, inbox=inbox(url), send_counts_every_s=3_600.0
    )


def settings(url: str) -> Settings:
    return Settings(redis_url=url)


def inbox(url: str) -> Inbox:
    return Inbox(connect_redis(url), quiet_s=0.3, lease_s=LEASE_S, retry_after=lambda _: 0)


def handle(event: Event, lease: Lease) -> Outcome:
    """With the argument "wait" the event runs until the key test:go is there."""
    log = connect_redis(os.environ["TEST_REDIS_URL"], decode_responses=True)
    log.rpush("test:started", f"{event.id} {os.getpid()} {lease.attempt}")
    while "wait" in event.arguments and not log.exists("test:go"):
        time.sleep(0.05)
        lease.check()
    lease.check()
    log.rpush("test:done", f"{event.id} {os.getpid()} {lease.attempt}")
    log.close()
    return Outcome()
