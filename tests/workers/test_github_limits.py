"""What an answer of GitHub means, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from workers.errors import Permanent, PrecedentError, RateLimited, Transient
from workers.github_limits import (
    DoubtfulWrite,
    Forbidden,
    GithubUnavailable,
    InstallationSuspended,
    NotFound,
    Rejected,
    RepositoryMoved,
    Unauthorized,
    classify,
)

NOW = 1_800_000_000.0
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."


def _classify(
    status: int, message: str = "", verb: str = "GET", body: Any = None, **headers: str
) -> PrecedentError:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return classify(verb, status, names, body or {"message": message}, now=NOW)


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize(
    ("message", "headers", "seconds"),
    [
        (SECONDARY, {"Retry_After": "42"}, 42.0),
        (SECONDARY, {}, 60.0),
        ("API rate limit exceeded for installation ID 1.",
         {"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": str(int(NOW) + 1_200)}, 1_201.0),
        ("API rate limit exceeded",
         {"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": str(int(NOW) - 5)}, 1.0),
        ("anything", {"retry_after": "7"}, 7.0),
        ("anything", {"Retry_After": "0"}, 1.0),
        (SECONDARY, {"Retry_After": "soon"}, 60.0),
        (SECONDARY, {"Retry_After": "999999"}, 3_700.0),
        ("You have triggered an abuse detection mechanism.", {}, 60.0),
    ],
)  # fmt: skip
def test_limits_tell_when_to_come_back(
    status: int, message: str, headers: dict[str, str], seconds: float
) -> None:
    for verb in ("GET", "POST"):
        error = _classify(status, message, verb, **headers)
        assert isinstance(error, RateLimited)
        assert error.retry_after_s == pytest.approx(seconds)


def test_a_429_is_a_limit_without_any_hint() -> None:
    error = _classify(429)
    assert isinstance(error, RateLimited)
    assert error.retry_after_s == 60.0


@pytest.mark.parametrize(
    ("status", "message", "kind", "reason"),
    [
        (403, "Resource not accessible by integration", Forbidden, "github_forbidden"),
        (403, "This installation has been suspended", InstallationSuspended,
         "installation_suspended"),
        (403, "Repository was archived so is read-only.", Forbidden, "repository_archived"),
        (403, "Unable to create comment because issue is locked", Forbidden, "conversation_locked"),
        (451, "Repository access blocked", Forbidden, "repository_blocked"),
        (403, "Repository access blocked", Forbidden, "repository_blocked"),
        (401, "Bad credentials", Unauthorized, "github_unauthorized"),
        (404, "Not Found", NotFound, "github_not_found"),
        (410, "Issues are disabled", NotFound, "github_not_found"),
        (422, "Unprocessable Entity", Rejected, "github_rejected"),
        (307, "Moved", RepositoryMoved, "repository_moved"),
        (301, "Moved", RepositoryMoved, "repository_moved"),
    ],
)  # fmt: skip
def test_refusals_are_permanent_and_named(
    status: int, message: str, kind: type[Permanent], reason: str
) -> None:
    error = _classify(status, message, "POST")
    assert type(error) is kind
    assert error.reason == reason
    assert len(str(error)) > 20


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_5xx_is_a_doubt_for_writes_only(status: int) -> None:
    assert type(_classify(status)) is GithubUnavailable
    for verb in ("POST", "PATCH", "DELETE"):
        assert type(_classify(status, verb=verb)) is DoubtfulWrite
    limited = _classify(503, Retry_After="9")
    assert isinstance(limited, Transient)
    assert limited.retry_after_s == 9.0


def test_a_refusal_carries_githubs_own_text() -> None:
    body = {
        "message": "Unprocessable Entity",
        "errors": ["Line could not be resolved", {"message": "and a second one"}],
    }
    error = _classify(422, verb="POST", body=body)
    assert isinstance(error, Rejected)
    assert error.detail == ("Unprocessable Entity; Line could not be resolved; and a second one")


@pytest.mark.parametrize("body", [None, "<html>", [], {"message": None}, {"errors": "text"}])
def test_answers_of_any_shape_are_classified(body: Any) -> None:
    assert isinstance(classify("GET", 502, {}, body, now=NOW), Transient)
    assert isinstance(classify("GET", 422, {}, body, now=NOW), Rejected)
