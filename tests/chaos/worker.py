"""The worker of the fault-injection run: the real application with a short lease.

Run as `celery -A tests.chaos.worker`. CHAOS_LEASE_S makes a killed worker's events come back in
seconds; CHAOS_MUTANT takes away one of the protections, to prove that the run would notice.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery

from workers import heartbeat, own_reviews, replies
from workers.app import create_celery
from workers.check_runs import CheckRuns
from workers.inbox import Inbox, Lease
from workers.redis_connection import connect_redis
from workers.settings import load_settings

MUTANTS = ("", "no-marks", "no-lease")
UNPROTECTED_LEASE_S = 0.25


def __getattr__(name: str) -> Celery:
    if name not in {"app", "celery"}:
        raise AttributeError(name)
    globals()[name] = build(os.environ.get("CHAOS_MUTANT", ""), os.environ["CHAOS_LEASE_S"])
    return globals()[name]


def build(mutant: str, lease_s: str) -> Celery:
    settings = load_settings("worker")
    if mutant == "no-marks":
        forget_marks()
    if mutant == "no-lease":
        forget_leases()
    inbox = Inbox(
        connect_redis(settings.redis_url),
        quiet_s=settings.review_quiet_s,
        max_wait_s=settings.review_max_wait_s,
        lease_s=UNPROTECTED_LEASE_S if mutant == "no-lease" else float(lease_s),
        retry_after=lambda attempt: float(attempt),
    )
    return create_celery(settings, inbox=inbox)


def forget_marks() -> None:
    """Nothing that was posted is ever recognised: what is in doubt is done again."""
    replies.Replies._find = _nothing  # type: ignore[method-assign]
    CheckRuns._find = _nothing  # type: ignore[method-assign]
    own_reviews.OwnReviews.of = lambda *_: []  # type: ignore[method-assign]


def forget_leases() -> None:
    """A lease ends long before its event, nobody renews it, and nobody looks."""
    Lease.check = _nothing  # type: ignore[method-assign]
    heartbeat.Heartbeat._run = _nothing  # type: ignore[method-assign]


def _nothing(*_: Any) -> None:
    return None
