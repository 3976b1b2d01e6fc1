"""The buttons of a check run: "Re-run", "Re-run all checks", and our own "Review again"."""

from __future__ import annotations

from bot.decision import Accept, Decision, Ignore
from bot.github_payload import Payload
from workers.check_marks import REVIEW_AGAIN, number_in
from workers.event import Event


def decide_check_run(payload: Payload) -> Decision:
    """One run was asked for again. GitHub tells this only to the App that made the run."""
    if payload.action not in {"rerequested", "requested_action"}:
        return Ignore("action_not_used")
    button = payload.text("requested_action", "identifier")
    if payload.action == "requested_action" and button != REVIEW_AGAIN:
        return Ignore("button_not_ours")
    head_sha, run_id = payload.sha("check_run", "head_sha"), payload.number("check_run", "id")
    if head_sha is None or run_id is None or payload.repository_id is None:
        return Ignore("incomplete_payload")
    known = payload.text("check_run", "external_id") or ""
    number = number_in(known, payload.repository_id, head_sha) or payload.number(
        "check_run", "pull_requests", 0, "number"
    )
    if number is None:
        return Ignore("no_pull_request")
    return _asked_again(payload, f"pr:{payload.repository_id}:{number}", head_sha, number, run_id)


def decide_check_suite(payload: Payload) -> Decision:
    """All runs of a head at once; a worker finds out for which pull requests they were made."""
    if payload.action != "rerequested":
        return Ignore("action_not_used")
    head_sha = payload.sha("check_suite", "head_sha")
    if head_sha is None or payload.repository_id is None:
        return Ignore("incomplete_payload")
    return _asked_again(payload, f"checks:{payload.repository_id}:{head_sha}", head_sha)


def _asked_again(
    payload: Payload,
    subject: str,
    head_sha: str,
    number: int | None = None,
    run_id: int | None = None,
) -> Decision:
    if payload.installation_id is None or payload.number("sender", "id") is None:
        return Ignore("incomplete_payload")
    if payload.sender_is_bot:
        return Ignore("sender_is_a_bot")
    again = Event(
        kind="check.rerequested",
        subject=subject,
        number=number,
        head_sha=head_sha,
        check_run_id=run_id,
        **payload.identity(),
    )
    return Accept(again)
