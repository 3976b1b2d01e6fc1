"""The body of the Celery tasks: claim what is due, run it, settle it."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import structlog

from workers.errors import Permanent, PrecedentError, Superseded, Transient
from workers.event import Event, Lane
from workers.heartbeat import Heartbeat
from workers.inbox import Cancelled, Inbox, InboxUnavailable, Lease, LeaseLost, Stopping
from workers.logs import Redactor
from workers.metrics import Metrics
from workers.redis_connection import is_outage

OUTAGE_S = 10.0
"""After Redis was away: a failover or a restart is mostly over by then."""

MAX_EVENTS = 50
"""Events one ring may work off; then the thread goes back to the pool and rings for the rest."""

log = structlog.get_logger()


@dataclass(frozen=True)
class Outcome:
    """An event is done; `follow_up` jobs are stored with that fact, due in `follow_up_due_s`."""

    follow_up: tuple[Event, ...] = ()
    follow_up_due_s: float = 0.0


Handler = Callable[[Event, Lease], Outcome]
"""Runs one event. Calls `lease.check()` between steps and before writes, and lets what it raises
pass. Raises Transient to come back later, Permanent when that can't help."""


def slots_of(concurrency: int, lanes: tuple[Lane, ...]) -> dict[Lane, int]:
    """How many threads each lane may hold with long work; the rest stay free for signs.

    A sign must appear within seconds also when every review's slot is taken.
    """
    reserved = 0 if concurrency < 3 or "reviews" not in lanes else max(1, concurrency // 10)
    if len(lanes) == 1:
        return {lanes[0]: concurrency - reserved}
    background = max(1, concurrency // 4)
    return {"background": background, "reviews": max(1, concurrency - reserved - background)}


class Drain:
    """Works off the inbox in this process. Thread-safe: each pool thread calls it."""

    def __init__(
        self,
        inbox: Inbox,
        handle: Handler,
        *,
        slots: Mapping[Lane, int],
        metrics: Metrics | None = None,
        redactor: Redactor | None = None,
    ) -> None:
        self.inbox = inbox
        self.heartbeat = Heartbeat(inbox)
        self._handle = handle
        self._slots = {lane: threading.BoundedSemaphore(count) for lane, count in slots.items()}
        self._metrics = metrics or Metrics(inbox.redis)
        self._redactor = redactor or Redactor()

    def run(self, lane: Lane, *, max_events: int = MAX_EVENTS) -> int:
        """Run due events of `lane` until none is left, at most `max_events`. Answers how many."""
        for done in range(max_events):
            if not self._run_next(lane):
                return done
        return max_events

    def _run_next(self, lane: Lane) -> bool:
        with self._slot(lane) as has_slot:
            if not has_slot and lane != "reviews":
                return False
            lease = self.inbox.claim(lane, only_signs=not has_slot)
            if lease is None:
                return False
            with self.heartbeat.hold(lease), structlog.contextvars.bound_contextvars(**_ids(lease)):
                self._work(lease)
            return True

    @contextmanager
    def _slot(self, lane: Lane) -> Iterator[bool]:
        slot = self._slots.get(lane)
        has_slot = slot is None or slot.acquire(blocking=False)
        try:
            yield has_slot
        finally:
            if slot is not None and has_slot:
                slot.release()

    def _work(self, lease: Lease) -> None:
        event, started_s = lease.event, time.monotonic()
        self._metrics.observe("precedent_event_wait_seconds", lease.waited_s, lane=event.lane)
        try:
            outcome = self._run_and_settle(lease)
        except LeaseLost:
            outcome = _log_end("lease_lost")
        seconds = time.monotonic() - started_s
        self._metrics.observe("precedent_event_seconds", seconds, kind=event.kind, outcome=outcome)

    def _run_and_settle(self, lease: Lease) -> str:
        """The boundary: whatever the handler raises ends here. Raises LeaseLost only."""
        try:
            outcome = self._handle(lease.event, lease)
        except LeaseLost:
            raise
        except Superseded:
            self.inbox.drop(lease, reason="superseded")
            return _log_end("superseded")
        except Cancelled:
            self.inbox.drop(lease, reason="cancelled")
            return _log_end("cancelled")
        except Stopping:
            self.inbox.release(lease)
            return _log_end("released")
        except Transient as error:
            if error.charges_attempt:
                return self._fail(lease, error)
            self._metrics.count("precedent_limits_met_total", reason=error.reason)
            return self._defer(lease, error.reason, error.retry_after_s)
        except Exception as error:  # noqa: BLE001 - the boundary of one event
            # An outage is not the event's fault: as long as it was away it would die of it.
            if isinstance(error, InboxUnavailable) or is_outage(error):
                return self._defer(lease, "redis_unavailable", OUTAGE_S)
            return self._fail(lease, error)
        self.inbox.ack(lease, outcome.follow_up, outcome.follow_up_due_s)
        return _log_end("done")

    def _defer(self, lease: Lease, reason: str, retry_after_s: float) -> str:
        self.inbox.defer(lease, retry_after_s)
        return _log_end("deferred", reason=reason, retry_after_s=retry_after_s)

    def _fail(self, lease: Lease, error: Exception) -> str:
        reason = str(getattr(error, "reason", "")) or "crashed"
        settled = self.inbox.fail(
            lease,
            reason,
            self._redactor.text("".join(traceback.format_exception(error))),
            error.retry_after_s if isinstance(error, Transient) else None,
            permanent=isinstance(error, Permanent),
        )
        outcome = "dead" if settled == "dead" else "failed"
        is_ours = isinstance(error, PrecedentError)
        log.warning(
            "event.ended", outcome=outcome, reason=reason, exc_info=None if is_ours else error
        )
        return outcome


def _ids(lease: Lease) -> dict[str, str | int]:
    event = lease.event
    found = {
        "event_id": event.id,
        "kind": event.kind,
        "subject": event.subject,
        "repo": event.repository_id,
        "number": event.number,
        "fence": lease.fence,
        "attempt": lease.attempt,
    }
    return {name: value for name, value in found.items() if value is not None}


def _log_end(outcome: str, **details: str | float) -> str:
    log.info("event.ended", outcome=outcome, **details)
    return outcome
