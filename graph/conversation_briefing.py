"""What a conversation knows before it begins: the pull request, the thread, the last review."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from graph import review_history, untrusted
from graph.context import PullRequest, ReviewContext, ReviewThread, ThreadComment
from graph.diff import Diff, Hunk
from graph.markers import finding_marks
from graph.numbered_diff import hunk_text
from graph.redaction import redacted
from graph.store import ConventionStore
from graph.turn import current

MAX_DESCRIPTION_CHARACTERS = 3_000
MAX_COMMENT_CHARACTERS = 1_500
MAX_THREADS_CHARACTERS = 9_000
MAX_REVIEW_CHARACTERS = 9_000


@dataclass(frozen=True)
class Place:
    """The lines that a review thread stands on; a committable suggestion replaces exactly them.

    `side` is "RIGHT" for the new file. `text` is those lines as they are now, None when the diff
    doesn't show them all.
    """

    path: str
    start_line: int
    line: int
    side: str
    text: str | None = None


@dataclass(frozen=True)
class Briefing:
    """Blocks of data (kind, text), and the place of the thread in which was asked, if any."""

    blocks: tuple[tuple[str, str], ...] = ()
    place: Place | None = None

    def to_text(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @staticmethod
    def from_text(text: str) -> Briefing:
        record = json.loads(text)
        place = Place(**record["place"]) if record["place"] else None
        return Briefing(tuple((kind, words) for kind, words in record["blocks"]), place)


def brief(store: ConventionStore, context: ReviewContext) -> Briefing:
    """Read what the run's pull request is about; an empty briefing without one."""
    if context.number is None:
        return Briefing()
    pull_request = current(context)
    threads = context.reader.threads(context.number)
    here = thread_of(context, threads)
    blocks = [("pull_request", _pull_request(pull_request))]
    place = None
    if here is not None:
        diff = context.reader.diff(pull_request)
        place = place_of(here, diff)
        blocks.append(("this_thread", _thread(here)))
        blocks += [("code_of_this_thread", code)] if (code := _code(here, diff)) else []
    others = [t for t in threads if t is not here and t.comments and t.comments[0].is_ours]
    if others:
        blocks.append(("your_other_threads", _cut("\n\n".join(map(_thread, others)),
                                                  MAX_THREADS_CHARACTERS)))  # fmt: skip
    reviews = review_history.of_pull_request(store, context.repository_id, context.number)
    if reviews:
        said = review_history.last_said(reviews)
        blocks.append(("your_last_review", _cut(said, MAX_REVIEW_CHARACTERS)))
    return Briefing(tuple(blocks), place)


def thread_of(context: ReviewContext, threads: Sequence[ReviewThread]) -> ReviewThread | None:
    """The review thread in which the message stands; None for messages elsewhere."""
    if context.comment_kind != "review_comment":
        return None
    return next((t for t in threads if any(c.id == context.comment_id for c in t.comments)), None)


def cited_convention(thread: ReviewThread) -> str | None:
    """The convention that our finding at the beginning of the thread cites."""
    if not thread.comments or not thread.comments[0].is_ours:
        return None
    ids = [mark.convention_id for mark in finding_marks(thread.comments[0].body)]
    return next((i for i in ids if i), None)


def place_of(thread: ReviewThread, diff: Diff) -> Place | None:
    """Where the thread stands on the present diff; None once it is outdated."""
    if thread.line is None or thread.is_outdated:
        return None
    start = thread.start_line or thread.line
    file = diff.file(thread.path)
    text = None
    if file is not None and thread.side == "RIGHT":
        shown = [file.new_text_lines.get(n) for n in range(start, thread.line + 1)]
        if None not in shown:
            text = "\n".join(line for line in shown if line is not None)
    return Place(thread.path, start, thread.line, thread.side, text)


def rendered(blocks: Sequence[tuple[str, str]]) -> str:
    """The blocks fenced in, as they stand before the person's words in a prompt."""
    nonce = untrusted.nonce_for(*(text for _, text in blocks))
    return "\n\n".join(untrusted.block(kind, text, nonce) for kind, text in blocks)


def _pull_request(pull_request: PullRequest) -> str:
    state = "open" if pull_request.is_open else "closed"
    description = untrusted.stripped(pull_request.body).text.strip()
    return "\n".join(
        [
            f"#{pull_request.number} ({state}) {untrusted.one_line(pull_request.title, 300)}",
            f"by {pull_request.author_login}, head {pull_request.head_sha[:7]}",
            f"{pull_request.head_ref} into {pull_request.base_ref}",
            _cut(redacted(description) or "(no description)", MAX_DESCRIPTION_CHARACTERS),
        ]
    )


def _thread(thread: ReviewThread) -> str:
    line = thread.line if thread.line is not None else thread.original_line
    notes = [
        *(["resolved"] if thread.is_resolved else []),
        *(["outdated: the code has changed since"] if thread.is_outdated else []),
    ]
    head = f"{thread.path}:{line or '?'}" + (f" ({', '.join(notes)})" if notes else "")
    return "\n".join([head, *map(_comment, thread.comments)])


def _comment(comment: ThreadComment) -> str:
    who = "you" if comment.is_ours else comment.author_login + (" (bot)" if comment.is_bot else "")
    words = redacted(untrusted.stripped(comment.body).text.strip())
    return f"- {who}, {comment.created_at[:10]}: {_cut(words, MAX_COMMENT_CHARACTERS)}"


def _code(thread: ReviewThread, diff: Diff) -> str:
    """The hunk that the thread stands in, as it is now."""
    file = diff.file(thread.path)
    if file is None or thread.line is None:
        return ""
    clean = untrusted.stripped_diff(Diff((file,)))[0].files[0]
    for hunk in clean.hunks:
        if thread.line in _lines(hunk, thread.side):
            return redacted(f"## {thread.path}\n{hunk_text(hunk)}")
    return ""


def _lines(hunk: Hunk, side: str) -> Any:
    return hunk.new_lines if side == "RIGHT" else hunk.removed_old_lines


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 11] + "\n[cut here]"
