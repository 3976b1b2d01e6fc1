"""What model calls may cost: ceilings of one run, of a repository's day and of an installation's.

One record per run, overwritten when it is known better, so a retry is never counted twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from graph.store import ConventionStore, Namespace, Write

DAY_S = 86_400.0
KEPT_S = 2 * DAY_S


@dataclass(frozen=True)
class Limits:
    """Ceilings that the operator sets. A day is a UTC day; the repository sets its own for one.

    `code_context`: "auto" shows a part what it concerns in other files and lets it look up more,
    "brief" only shows it, "never" does neither.
    """

    max_units: int = 8
    max_unit_tokens: int = 12_000
    max_refuted: int = 16
    code_context: Literal["auto", "brief", "never"] = "auto"
    installation_daily_tokens: int = 20_000_000


@dataclass(frozen=True)
class Budget:
    """How many tokens are left today. `reason` says which ceiling it is, once they are used up."""

    left_tokens: int
    reason: str


class Spender(Protocol):
    """Whose day it is that a run's calls count against. `event_id` is the run's own record."""

    @property
    def installation_id(self) -> int: ...

    @property
    def repository_id(self) -> int: ...

    @property
    def event_id(self) -> str: ...

    @property
    def now(self) -> Callable[[], float]: ...


def left_today(
    store: ConventionStore, context: Spender, repository_tokens: int, limits: Limits
) -> Budget:
    """What this run may still spend; what it has reserved itself does not count against it."""
    repository, installation = _namespaces(context)
    of_repository = repository_tokens - _spent(store, repository, context.event_id)
    of_installation = limits.installation_daily_tokens - _spent(
        store, installation, context.event_id
    )
    if of_repository <= of_installation:
        reason = "the repository's tokens for today are used up (`review.daily_tokens`)"
        return Budget(max(0, of_repository), reason)
    return Budget(max(0, of_installation), "the installation's tokens for today are used up")


def set_spent(store: ConventionStore, context: Spender, tokens: int) -> None:
    """Reserve or settle what this run costs."""
    store.commit(
        [
            Write(namespace, context.event_id, {"tokens": tokens}, ttl_s=KEPT_S)
            for namespace in _namespaces(context)
        ]
    )


def seconds_left_today(now: float) -> float:
    """Until the day whose tokens are counted is over; `now` is seconds since the epoch."""
    return DAY_S - now % DAY_S


def tokens_of(usage: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Tokens in and out of several calls."""
    calls = list(usage)
    return (
        sum(int(call.get("input_tokens") or 0) for call in calls),
        sum(int(call.get("output_tokens") or 0) for call in calls),
    )


def _spent(store: ConventionStore, namespace: Namespace, but: str) -> int:
    return sum(int(i.value["tokens"]) for i in store.recall(namespace) if i.key != but)


def _namespaces(context: Spender) -> tuple[Namespace, Namespace]:
    day = datetime.fromtimestamp(context.now(), UTC).strftime("%Y-%m-%d")
    return (
        ("spending", "repository", str(context.repository_id), day),
        ("spending", "installation", str(context.installation_id), day),
    )
