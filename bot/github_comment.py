"""People's words on a pull request: issue comments, review comments and review bodies."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from bot.decision import Accept, Decision, Ignore
from bot.github_payload import Payload
from graph.quotes import spoken
from workers.event import Event

MAX_TEXT_CHARACTERS = 65_536
"""GitHub's own limit for a comment's body."""

CommentKind = Literal["issue", "review_comment", "review"]


def decide_issue_comment(payload: Payload, handle: str) -> Decision:
    if payload.get("issue", "pull_request") is None:
        return Ignore("not_a_pull_request")
    return _decide(
        payload, "issue", "comment", payload.number("issue", "number"), "created", handle
    )


def decide_review_comment(payload: Payload, handle: str) -> Decision:
    number = payload.number("pull_request", "number")
    return _decide(payload, "review_comment", "comment", number, "created", handle)


def decide_review(payload: Payload, handle: str) -> Decision:
    number = payload.number("pull_request", "number")
    return _decide(payload, "review", "review", number, "submitted", handle)


def mentions(text: str, handle: str) -> bool:
    """Whether the person names us, as GitHub reads mentions: not inside a longer name or address.

    Code, quotations and hidden comments are not the person's words: who quotes a command in an
    answer to a colleague does not speak to us.
    """
    pattern = rf"(?<![\w.@/-])@{re.escape(handle)}(?:\[bot\])?(?![\w-])"
    # Markdown takes an indented line at the beginning for code, as after an empty line.
    said = spoken("\n" + text).text
    found = re.finditer(pattern, said, re.IGNORECASE)
    return any(not _is_in_code(said, *mention.span()) for mention in found)


def _is_in_code(text: str, start: int, end: int) -> bool:
    """Whether these characters stand between backticks on their line."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    opened = text.count("`", line_start, start) % 2 == 1
    return opened and "`" in text[end : line_end if line_end >= 0 else len(text)]


def asks_to_cancel(text: str, handle: str) -> bool:
    """Whether the whole comment is the command to cancel; a worker reads it again."""
    pattern = rf"\s*@{re.escape(handle)}(?:\[bot\])?[\s,:]+(?:cancel|stop)\s*[.!]?\s*"
    return re.fullmatch(pattern, text, re.IGNORECASE) is not None


def _decide(
    payload: Payload,
    kind: CommentKind,
    key: str,
    number: int | None,
    wanted_action: str,
    handle: str,
) -> Decision:
    if payload.action != wanted_action:
        # An edit never commands: what somebody wrote long ago must not act when it is corrected.
        return Ignore("action_not_used")
    comment_id = payload.number(key, "id")
    is_complete = None not in (number, comment_id, payload.repository_id, payload.installation_id)
    if not is_complete or payload.number("sender", "id") is None:
        return Ignore("incomplete_payload")
    if payload.sender_is_bot or payload.text(key, "user", "type") == "Bot":
        return Ignore("sender_is_a_bot")
    if payload.get(key, "performed_via_github_app") is not None:
        # A program wrote it with a person's token; a rule must be the person's own words.
        return Ignore("written_by_an_app")
    if payload.number(key, "user", "id") != payload.number("sender", "id"):
        return Ignore("sender_is_not_the_author")
    text = payload.text(key, "body")
    if not text or not mentions(text, handle):
        return Ignore("no_mention")
    # To cancel must not wait behind what it cancels, so it is a subject of its own.
    lane_of_order = "cancel" if asks_to_cancel(text, handle) else "pr"
    comment = Event(
        kind="github.comment",
        subject=f"{lane_of_order}:{payload.repository_id}:{number}",
        number=number,
        comment_id=comment_id,
        comment_kind=kind,
        text=text[:MAX_TEXT_CHARACTERS],
        **payload.identity(),
    )
    seen = f"gh:{kind}:{payload.repository_id}:{comment_id}"
    sign = replace(comment, id=f"sign:{seen}", kind="sign", subject=f"sign:{seen}", text=None)
    return Accept(comment, also_seen=(seen,), follow=(sign,))
