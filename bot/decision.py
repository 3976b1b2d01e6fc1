"""What a request means: events to accept, or a reason to ignore it."""

from __future__ import annotations

from dataclasses import dataclass

from workers.event import Event


@dataclass(frozen=True)
class Accept:
    """`also_seen` are further ids of the same thing; `follow` is stored in the same step."""

    event: Event
    also_seen: tuple[str, ...] = ()
    follow: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Ignore:
    """`reason` is a slug that the sender sees in the answer."""

    reason: str


Decision = Accept | Ignore
