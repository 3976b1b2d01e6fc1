"""Where an event stands in the inbox: its track, and the key by which turns are shared out."""

from __future__ import annotations

from typing import Any, Literal

from workers.event import Event, EventKind, Lane

Track = Literal["sign", "message", "push", "background"]
Queue = Literal["express", "reviews", "background"]

MERGING: frozenset[EventKind] = frozenset({"index"})
"""Jobs that look at the current state, whoever asks: of those that wait the last one is run."""

QUEUES_OF_LANE: dict[Lane, tuple[Queue, ...]] = {
    "reviews": ("express", "reviews"),
    "background": ("background",),
}
"""First served first. Signs have a queue of their own, so a full repository can't delay them."""


def track_of(event: Event) -> Track:
    """Tracks of one subject, from the first served: signs, what people said, pushes, the rest."""
    if event.kind == "sign":
        return "sign"
    if event.lane == "background":
        return "background"
    return "push" if event.kind == "pull_request.push" else "message"


def fairness_key(event: Event) -> str:
    """Who shares one turn and one cap: the repository, else the installation, team or subject."""
    if event.repository_id is not None:
        return f"repo:{event.repository_id}"
    if event.installation_id is not None:
        return f"inst:{event.installation_id}"
    if event.slack is not None and event.slack.team:
        return f"team:{event.slack.team}"
    return f"subject:{event.subject}"


def placement(event: Event, *, delay_s: float = 0.0) -> dict[str, Any]:
    """What the scripts need to know of an event."""
    return {
        "id": event.id,
        "subject": event.subject,
        "track": track_of(event),
        "lane": event.lane,
        "fair": fairness_key(event),
        "head": event.head_sha or "",
        "merges": event.kind in MERGING,
        "delay_ms": int(delay_s * 1000),
        "body": event.to_json(),
    }
