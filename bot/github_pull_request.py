"""`pull_request` deliveries: what asks for a review, and the end of a pull request."""

from __future__ import annotations

from bot.decision import Accept, Decision, Ignore
from bot.github_payload import Payload
from workers.event import Event

REVIEWED_ACTIONS = frozenset(
    {"opened", "reopened", "synchronize", "ready_for_review", "edited", "labeled", "unlabeled"}
)
"""The pull request may need a review, or need one no longer; a worker reads its state."""

CHANGES_THAT_MATTER = frozenset({"base", "title", "body"})


def decide(payload: Payload) -> Decision:
    number = payload.number("pull_request", "number")
    head_sha = payload.sha("pull_request", "head", "sha")
    if number is None or payload.repository_id is None or payload.installation_id is None:
        return Ignore("incomplete_payload")
    subject = f"pr:{payload.repository_id}:{number}"
    if payload.action == "closed":
        closed = Event(
            kind="pull_request.closed", subject=subject, number=number, **payload.identity()
        )
        return Accept(closed)
    if payload.action not in REVIEWED_ACTIONS:
        return Ignore("action_not_used")
    changes = payload.get("changes")
    if payload.action == "edited" and not (
        isinstance(changes, dict) and CHANGES_THAT_MATTER & set(changes)
    ):
        return Ignore("edit_changes_nothing_reviewed")
    if head_sha is None:
        return Ignore("incomplete_payload")
    push = Event(
        kind="pull_request.push",
        subject=subject,
        number=number,
        head_sha=head_sha,
        **payload.identity(),
    )
    return Accept(push)
