"""The right to run one event of one subject, for a while, and what ends it early."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from workers.errors import PrecedentError, Superseded
from workers.event import Event

DEADLINE_S = 15 * 60.0
"""One event's own limit; Celery's time limits do not work in a pool of threads."""

SAFETY_S = 1.0
"""With less validity than this left, a write might land after another worker took over."""

SAFETY_SHARE = 0.2
"""Of a lease that is shorter than usual."""

Verdict = Literal["ok", "lost", "cancelled", "superseded"]


class LeaseLost(PrecedentError):  # noqa: N818 - says what happened
    """Another worker may run this event by now: write nothing more."""

    reason = "lease_lost"


class Stopping(PrecedentError):  # noqa: N818 - says what happened
    """This process shuts down: hand the event over, free of charge."""

    reason = "stopping"


class Cancelled(PrecedentError):  # noqa: N818 - says what happened
    """Someone asked for this run to stop."""

    reason = "cancelled"


class DeadlineExceeded(PrecedentError):  # noqa: N818 - says what happened
    """The event ran longer than `DEADLINE_S`."""

    reason = "deadline_exceeded"


@dataclass
class Lease:
    """One claimed event. `fence` only ever rises: a smaller one is an older claim.

    `attempt` counts from 1 and includes this run; when `is_last_attempt` fails, the event is dead,
    so this is the time to tell people. `valid_until_s` is on this process's monotonic
    clock, counted from before the request that granted it, so it is never too long.
    """

    event: Event
    fence: int
    attempt: int
    token: str
    valid_until_s: float
    ask: Callable[[Lease], Verdict] = field(repr=False)
    stopping: threading.Event = field(repr=False)
    started_s: float = field(default_factory=time.monotonic)
    waited_s: float = 0.0
    deadline_s: float = DEADLINE_S
    safety_s: float = SAFETY_S
    is_last_attempt: bool = False

    @property
    def subject(self) -> str:
        return self.event.subject

    @property
    def is_valid(self) -> bool:
        """Whether this process may still write for the event, judged by its own clock."""
        return time.monotonic() < self.valid_until_s - self.safety_s

    def renew(self, valid_until_s: float) -> None:
        """The heartbeat was answered. Never shortens a lease."""
        self.valid_until_s = max(self.valid_until_s, valid_until_s)

    def lose(self) -> None:
        """Redis no longer knows this lease."""
        self.valid_until_s = float("-inf")

    def check(self) -> None:
        """Call between steps and right before each write.

        Raises LeaseLost, Stopping, DeadlineExceeded, Cancelled or Superseded. Waits through a
        short outage of Redis as long as the lease is valid.
        """
        if self.stopping.is_set():
            raise Stopping("This worker is shutting down; another one takes the event over.")
        if time.monotonic() - self.started_s > self.deadline_s:
            raise DeadlineExceeded(
                f"The event ran longer than {self.deadline_s:.0f} s; look at its dead letter."
            )
        verdict: Verdict = self.ask(self) if self.is_valid else "lost"
        if verdict == "lost" or not self.is_valid:
            raise LeaseLost("Another worker may have taken this event over; nothing was written.")
        if verdict == "cancelled":
            raise Cancelled("The run was cancelled.")
        if verdict == "superseded":
            raise Superseded("A newer push of this pull request is waiting.")
