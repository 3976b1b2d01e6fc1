"""The durable inbox: events wait here, in order per subject, until a worker has done them.

Every operation is one Lua script, so a process may die between any two of them.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, cast

from redis import Redis
from redis.exceptions import RedisError

from workers.errors import PrecedentError
from workers.event import Event, Lane
from workers.inbox import inspection
from workers.inbox.inspection import DeadLetter, InboxStatus, WaitingEvent
from workers.inbox.lease import SAFETY_S, SAFETY_SHARE, Lease, LeaseLost, Verdict
from workers.inbox.placement import QUEUES_OF_LANE, placement
from workers.inbox_scripts import source
from workers.redis_connection import text_of

SEEN_TTL_S = 7 * 24 * 3600
"""GitHub redelivers what is up to three days old."""

BACKOFF_S = 10.0
MAX_BACKOFF_S = 600.0
MAX_DEFERRED_S = 24 * 3600.0
"""A limit that lasts longer than a day is not a limit any more."""

RETRY_S = 0.25
"""Pause between two tries to reach Redis while a lease is still valid."""

MAX_TRACEBACK_CHARS = 8_000

Answer = TypeVar("Answer")
Settled = Literal["settled", "dead", "lost"]
Stopped = Literal["running", "waiting", "nothing"]


class InboxUnavailable(PrecedentError):  # noqa: N818 - says what happened
    """The event was not stored and its id is not claimed: the sender must deliver it again."""

    reason = "inbox_unavailable"


def backoff_s(attempt: int) -> float:
    """Seconds to wait after the failed attempt number `attempt` (from 1)."""
    return min(MAX_BACKOFF_S, BACKOFF_S * 2.0 ** (attempt - 1))


class Inbox:
    """Operations on the inbox in one Redis. Thread-safe; `stopping` ends leases and claims.

    `quiet_s` and `max_wait_s` are for pushes, `repository_cap` is how many events of one
    repository run at once in one queue. Only `accept` turns an outage into InboxUnavailable;
    the others raise redis' own errors, except where they can wait within a lease.
    """

    def __init__(
        self,
        redis: Redis,
        *,
        quiet_s: float = 20.0,
        max_wait_s: float = 90.0,
        lease_s: float = 30.0,
        max_attempts: int = 5,
        repository_cap: int = 4,
        retry_after: Callable[[int], float] = backoff_s,
    ) -> None:
        self.redis = redis
        self.lease_s = lease_s
        self.max_attempts = max_attempts
        self.repository_cap = repository_cap
        self.stopping = threading.Event()
        self._retry_after = retry_after
        self._waits = {"quiet_ms": int(quiet_s * 1000), "max_wait_ms": int(max_wait_s * 1000)}
        self._quiet_s = quiet_s
        self._scripts = {name: redis.register_script(source(name)) for name in SCRIPTS}

    def accept(
        self,
        event: Event,
        *,
        also_seen: Sequence[str] = (),
        follow: Sequence[Event] = (),
        quiet: bool = False,
    ) -> Literal["accepted", "duplicate"]:
        """Store `event` and `follow` together, unless one of the ids was claimed before.

        Pushes wait for the quiet period by themselves; `quiet` makes any other event wait for
        `quiet_s`. Raises InboxUnavailable when Redis can't store it; the ids are then unclaimed.
        """
        delay_s = self._quiet_s if quiet and event.kind != "pull_request.push" else 0.0
        request = {
            "seen": [event.id, *also_seen],
            "seen_ttl_ms": SEEN_TTL_S * 1000,
            "events": [placement(event, delay_s=delay_s), *map(placement, follow)],
            **self._waits,
        }
        try:
            is_new = self._call("accept", json.dumps(request))
        except RedisError as error:
            raise InboxUnavailable(
                "Redis did not store the event; check REDIS_URL and the Redis server, "
                "then let the sender deliver it again."
            ) from error
        return "accepted" if is_new else "duplicate"

    def claim(self, lane: Lane, *, only_signs: bool = False) -> Lease | None:
        """Lease the next due event of `lane`, or None when nothing is due within the caps."""
        if self.stopping.is_set():
            return None
        token = secrets.token_hex(8)
        request = {
            "queues": QUEUES_OF_LANE[lane][: 1 if only_signs else None],
            "token": token,
            "lease_ms": int(self.lease_s * 1000),
            "cap": self.repository_cap,
            "max_attempts": self.max_attempts,
        }
        asked_s = time.monotonic()
        answer = self._call("claim", json.dumps(request))
        if answer is None:
            return None
        record = json.loads(answer)
        return Lease(
            event=Event.from_json(record["body"]),
            fence=record["fence"],
            attempt=record["attempt"],
            token=token,
            valid_until_s=asked_s + self.lease_s,
            ask=self._verdict,
            stopping=self.stopping,
            waited_s=record["waited_ms"] / 1000,
            safety_s=min(SAFETY_S, SAFETY_SHARE * self.lease_s),
            is_last_attempt=record["attempt"] >= self.max_attempts,
        )

    def renew(self, leases: Sequence[Lease]) -> None:
        """Renew all these leases in one call; one that Redis no longer knows is marked lost."""
        if not leases:
            return
        arguments = [str(int(self.lease_s * 1000))]
        for lease in leases:
            arguments += [lease.subject, lease.token]
        asked_s = time.monotonic()
        for lease, is_held in zip(leases, self._call("renew", *arguments), strict=True):
            if is_held:
                lease.renew(asked_s + self.lease_s)
            else:
                lease.lose()

    def ack(
        self, lease: Lease, follow_up: Sequence[Event] = (), follow_up_due_s: float = 0.0
    ) -> None:
        """The event is done; store its follow-up jobs, due in `follow_up_due_s`, with it.

        A follow-up job whose id waits already is postponed instead of doubled. Raises LeaseLost.
        """
        events = [placement(event, delay_s=follow_up_due_s) for event in follow_up]
        self._settle(lease, "ack", events=events)

    def drop(self, lease: Lease, *, reason: Literal["superseded", "cancelled"]) -> None:
        """The event is no longer wanted. Raises LeaseLost."""
        self._settle(lease, "drop", reason=reason)

    def release(self, lease: Lease) -> None:
        """Give the event back, due at once, with its attempt. Raises LeaseLost."""
        self._settle(lease, "release")

    def defer(self, lease: Lease, delay_s: float) -> None:
        """Run the event again after `delay_s` without charging the attempt, for a day at most.

        Raises LeaseLost.
        """
        self._settle(
            lease,
            "defer",
            delay_ms=int(delay_s * 1000),
            max_deferred_ms=int(MAX_DEFERRED_S * 1000),
        )

    def fail(
        self,
        lease: Lease,
        reason: str,
        traceback_text: str,
        retry_after_s: float | None = None,
        *,
        permanent: bool = False,
    ) -> Settled:
        """The attempt failed. "dead" when it was the last one, or `permanent`. Raises LeaseLost."""
        delay_s = max(self._retry_after(lease.attempt), retry_after_s or 0.0)
        return self._settle(
            lease,
            "fail",
            reason=reason,
            traceback=traceback_text[-MAX_TRACEBACK_CHARS:],
            delay_ms=int(delay_s * 1000),
            permanent=permanent,
            max_attempts=self.max_attempts,
        )

    def cancel(
        self, subject: str, *, asked_by: str = ""
    ) -> Literal["running", "waiting", "nothing"]:
        """Drop the subject's waiting pushes and stop what runs, at its next check.

        `asked_by` is the id of the event that asks: it is not stopped if it is what runs.
        """
        return cast(
            "Literal['running', 'waiting', 'nothing']",
            text_of(self._call("cancel", subject, asked_by)),
        )

    def due_count(self, lane: Lane) -> int:
        """How many events of `lane` could be claimed now, within the caps."""
        return int(self._call("due", str(self.repository_cap), *QUEUES_OF_LANE[lane]))

    def replay(self, event_id: str) -> bool:
        """Give a dead letter new attempts in its old place. False when there is none.

        A push that a newer head has replaced in the meantime is dropped when its turn comes.
        """
        return bool(self._call("replay", event_id))

    def discard(self, event_id: str) -> bool:
        """Remove a dead letter or an event; a running one stops at its next check."""
        return bool(self._call("discard", event_id))

    def status(self) -> InboxStatus:
        """What waits, runs and died, for people."""
        return inspection.status(self.redis)

    def dead_letters(self, limit: int = 100) -> list[DeadLetter]:
        """The newest dead letters, newest first."""
        return inspection.dead_letters(self.redis, limit)

    def list_events(self, subject: str) -> list[WaitingEvent]:
        """The events of one subject in the order in which they would run."""
        return inspection.list_events(self.redis, subject)

    def purge_repository(self, repository_id: int) -> int:
        """Remove every event and dead letter of a repository; answers how many there were."""
        return self._purge(lambda event: event.repository_id == repository_id)

    def purge_installation(self, installation_id: int) -> int:
        """Remove every event and dead letter of an installation; answers how many there were."""
        return self._purge(lambda event: event.installation_id == installation_id)

    def purge_team(self, team: str) -> int:
        """Remove every event and dead letter of a Slack workspace; answers how many there were."""
        return self._purge(lambda event: event.slack is not None and event.slack.team == team)

    def _purge(self, is_meant: Callable[[Event], bool]) -> int:
        return sum(
            self.discard(event.id)
            for event in inspection.every_event(self.redis)
            if is_meant(event)
        )

    def _verdict(self, lease: Lease) -> Verdict:
        answer = self._while_valid(lease, lambda: self._call("check", lease.subject, lease.token))
        return cast("Verdict", text_of(answer))

    def _settle(self, lease: Lease, action: str, **details: Any) -> Settled:
        request = json.dumps(
            {
                "action": action,
                "subject": lease.subject,
                "token": lease.token,
                "events": [],
                **self._waits,
                **details,
            }
        )
        answer = cast(
            "Settled", text_of(self._while_valid(lease, lambda: self._call("settle", request)))
        )
        if answer == "lost":
            lease.lose()
            raise LeaseLost("The lease ended before its event did; another worker runs it again.")
        return answer

    def _while_valid(self, lease: Lease, ask: Callable[[], Answer]) -> Answer:
        """Sit out an outage of Redis for as long as the lease holds."""
        while True:
            try:
                return ask()
            except RedisError as error:
                if not lease.is_valid:
                    raise LeaseLost(
                        "Redis did not answer before the lease ended; the event runs again."
                    ) from error
            time.sleep(RETRY_S)

    def _call(self, script: str, *arguments: str) -> Any:
        return self._scripts[script](args=arguments)


SCRIPTS = (
    "accept", "claim", "renew", "check", "settle", "cancel", "due", "replay", "discard",
)  # fmt: skip
