"""What can go wrong in the outside world, sorted by what is to be done about it."""

from __future__ import annotations

DEFAULT_RETRY_AFTER_S = 30.0
"""Long enough for a blip to pass, short enough that nobody notices the wait."""


class PrecedentError(Exception):
    """Something a person can read: `reason` is a slug, the message says what to do."""

    reason = "error"

    def __init__(self, sentence: str, *, reason: str | None = None) -> None:
        super().__init__(sentence)
        if reason is not None:
            self.reason = reason


class Transient(PrecedentError):  # noqa: N818 - names what to do, not what broke
    """It may work later: the event is rescheduled after `retry_after_s`. Nobody sleeps on it."""

    reason = "transient"
    charges_attempt = True

    def __init__(
        self,
        sentence: str,
        *,
        retry_after_s: float = DEFAULT_RETRY_AFTER_S,
        reason: str | None = None,
    ) -> None:
        super().__init__(sentence, reason=reason)
        self.retry_after_s = retry_after_s


class RateLimited(Transient):
    """A remote limit, which is nobody's fault: the event waits and no attempt is charged."""

    reason = "rate_limited"
    charges_attempt = False


class Permanent(PrecedentError):  # noqa: N818 - names what to do, not what broke
    """It will not work by trying again: somebody has to change something first."""

    reason = "permanent"


class Superseded(PrecedentError):  # noqa: N818 - names what to do, not what broke
    """The run is about something that is no longer current. Ends quietly, costs no attempt."""

    reason = "superseded"
