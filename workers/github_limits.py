"""What an answer of GitHub that is not a success means, and when to come back.

Nothing here waits: a limit becomes `Transient(retry_after_s)`, and the event is rescheduled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workers.errors import Permanent, PrecedentError, RateLimited, Transient

SECONDARY_LIMIT_S = 60.0
"""GitHub's documentation: wait at least a minute when a secondary limit names no time."""

MAX_RETRY_AFTER_S = 3_700.0
"""GitHub's longest window is an hour; a wrong clock must not park an event for days."""

UNAVAILABLE_S = 15.0
"""After a 5xx or a time-out. The list must have caught up when we look for what was posted."""

READS = frozenset({"GET", "HEAD"})


class GithubLimited(RateLimited):
    """A primary or secondary limit; nothing was done."""

    reason = "github_rate_limited"


class GithubUnavailable(Transient):
    """GitHub did not answer a read, or answered it with 5xx."""

    reason = "github_unavailable"


class DoubtfulWrite(Transient):
    """A write whose answer was lost: it may have been applied. Look before doing it again."""

    reason = "github_write_in_doubt"


class NotFound(Permanent):
    """404 or 410: it is not there, or the App may not see it."""

    reason = "github_not_found"


class Rejected(Permanent):
    """422 or 409: GitHub understood and refused. `detail` is GitHub's own text."""

    reason = "github_rejected"

    def __init__(self, sentence: str, *, detail: str = "", reason: str | None = None) -> None:
        super().__init__(sentence, reason=reason)
        self.detail = detail


class Unauthorized(Permanent):
    """401: the token is not accepted (any more)."""

    reason = "github_unauthorized"


class Forbidden(Permanent):
    """403 that is no limit: a permission is missing, or the place is closed."""

    reason = "github_forbidden"


class InstallationSuspended(Permanent):
    """The App's installation is suspended or removed; its events end here."""

    reason = "installation_suspended"


class RepositoryMoved(Permanent):
    """A redirect, or a write answered without an id: renamed or transferred under our feet."""

    reason = "repository_moved"


def classify(
    verb: str, status: int, headers: Mapping[str, Any], body: Any, *, now: float
) -> PrecedentError:
    """The error for one answer with status 300 or above. `now` is seconds since the epoch."""
    names = {str(name).lower(): str(value) for name, value in headers.items()}
    detail = error_text(body)
    if status == 429 or (status == 403 and is_limit(names, detail)):
        return limited(names, now=now)
    if status >= 500:
        return unanswered(verb, f"GitHub answered {status}", retry_after_s=_retry_after(names))
    if 300 <= status < 400:
        return RepositoryMoved(
            f"GitHub answered {status} to {verb}: the repository was renamed or moved. "
            "Check that the App is installed where it is now."
        )
    return _refusal(status, detail)


def unanswered(verb: str, what: str, *, retry_after_s: float | None = None) -> Transient:
    """A time-out, a broken connection or a 5xx: harmless for a read, a doubt for a write."""
    wait_s = UNAVAILABLE_S if retry_after_s is None else retry_after_s
    if verb in READS:
        return GithubUnavailable(f"{what}; it is tried again later.", retry_after_s=wait_s)
    return DoubtfulWrite(
        f"{what} to a write that may have been applied; it is looked for before it is repeated.",
        retry_after_s=wait_s,
    )


def is_limit(headers: Mapping[str, str], detail: str) -> bool:
    """Whether a 403 is a limit and not a refusal. Names of `headers` are lower-case."""
    text = detail.lower()
    return (
        "retry-after" in headers
        or headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in text
        or "abuse detection" in text
    )


def limited(headers: Mapping[str, str], *, now: float) -> GithubLimited:
    """The error for a limit: Retry-After first, then the reset of the window, then a minute."""
    wait_s = _retry_after(headers)
    if wait_s is None and headers.get("x-ratelimit-remaining") == "0":
        reset = _number(headers.get("x-ratelimit-reset"))
        # GitHub gives the reset in whole seconds and not which part of that second.
        wait_s = None if reset is None else max(reset - now, 0.0) + 1.0
    wait_s = SECONDARY_LIMIT_S if wait_s is None else min(wait_s, MAX_RETRY_AFTER_S)
    return GithubLimited(
        f"A rate limit of GitHub is used up; the event waits {wait_s:.0f} s.", retry_after_s=wait_s
    )


def error_text(body: Any) -> str:
    """GitHub's message with the messages of its `errors`, in one line."""
    if not isinstance(body, dict):
        return ""
    parts = [str(body.get("message") or body.get("data") or "")]
    errors = body.get("errors")
    parts += [
        str(error.get("message", error)) if isinstance(error, dict) else str(error)
        for error in (errors if isinstance(errors, list) else [])
    ]
    return "; ".join(part for part in parts if part)


def _refusal(status: int, detail: str) -> Permanent:
    text = detail.lower()
    if "suspended" in text:
        return InstallationSuspended(
            "The App's installation is suspended: unsuspend it in the organisation's settings "
            "under GitHub Apps."
        )
    if status == 401:
        return Unauthorized(
            "GitHub does not accept the App's credentials: check GITHUB_APP_ID, "
            "GITHUB_APP_PRIVATE_KEY and this machine's clock."
        )
    if status in (404, 410):
        return NotFound("Not there, or the App may not see it: check the installation's access.")
    if status in (409, 422):
        return Rejected(f"GitHub refused what was sent ({detail or status}).", detail=detail)
    return _forbidden(status, text, detail)


def _forbidden(status: int, text: str, detail: str) -> Forbidden:
    if "not accessible by integration" in text:
        return Forbidden(
            "The App lacks a permission for this: grant what deploy/'s App manifest lists and "
            "accept it in the installation."
        )
    if status == 451 or "access blocked" in text:
        return Forbidden(
            "GitHub has blocked access to the repository: its page there says why.",
            reason="repository_blocked",
        )
    if "archived" in text or "read-only" in text:
        return Forbidden(
            "The repository is archived: unarchive it to get reviews.", reason="repository_archived"
        )
    if re.search(r"\blocked\b", text):
        return Forbidden(
            "The conversation is locked: unlock it to get answers.", reason="conversation_locked"
        )
    return Forbidden(f"GitHub refused with {status} ({detail or 'no reason given'}).")


def _retry_after(headers: Mapping[str, str]) -> float | None:
    seconds = _number(headers.get("retry-after"))
    return None if seconds is None else min(max(seconds, 1.0), MAX_RETRY_AFTER_S)


def _number(value: str | None) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None
