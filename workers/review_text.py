"""Fits what a review says into GitHub's limits without losing a finding."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.context import InlineComment
from graph.markers import Mark, without_keys
from graph.rendering import code_span

MAX_BODY_CHARACTERS = 65_536
"""GitHub's limit for one body, in code points."""

MAX_SUMMARY_CHARACTERS = 40_000
"""So much of a summary stays when comments need the room of the body."""

CUT_NOTE = "\n\n_Cut here: GitHub takes no longer text._"

_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)")


def cut(text: str, limit: int) -> str:
    """`text` in at most `limit` code points, cut between lines; an open code fence is closed."""
    if len(text) <= limit:
        return text
    room = limit - len(CUT_NOTE)
    kept: list[str] = []
    used, fence = 0, ""
    for line in text.split("\n"):
        after = _fence_after(fence, line)
        closing = len(after) + 1 if after else 0
        if used + len(line) + 1 + closing > room:
            break
        kept.append(line)
        used, fence = used + len(line) + 1, after
    if not kept:  # a single line is too long
        return text[:room] + CUT_NOTE
    return "\n".join([*kept, fence] if fence else kept) + CUT_NOTE


def compose(
    summary: str, moved: Sequence[InlineComment], limit: int = MAX_BODY_CHARACTERS
) -> tuple[str, tuple[str, ...]]:
    """A body, and what did not fit into it, as bodies of further comments.

    `moved` are the comments that cannot stand on a line. None is lost: the summary is cut first,
    and what is still too much goes on in further comments.
    """
    sections = [cut(moved_comment(comment), limit) for comment in moved]
    summary = without_keys(summary.strip())
    wanted = sum(len(section) + 2 for section in sections)
    summary = cut(summary, max(limit - wanted, min(limit, MAX_SUMMARY_CHARACTERS)))
    bodies = [summary]
    for section in sections:
        joined = f"{bodies[-1]}\n\n{section}" if bodies[-1] else section
        if len(joined) <= limit:
            bodies[-1] = joined
        else:
            bodies.append(section)
    return bodies[0], tuple(bodies[1:])


def room_beside(mark: Mark) -> int:
    """How long a body may be so that `mark` still fits."""
    return MAX_BODY_CHARACTERS - len(with_mark("", mark))


def with_mark(body: str, mark: Mark) -> str:
    return f"{body}\n\n{mark.render()}"


def moved_comment(comment: InlineComment) -> str:
    """A comment as a section of the body, under the place that it is about."""
    anchor = comment.anchor
    first = f"{anchor.start_line}-" if anchor.start_line is not None else ""
    side = "removed line " if anchor.side == "LEFT" else "line "
    place = f"**{code_span(anchor.path)}, {side}{first}{anchor.line}**"
    return f"{place}\n\n{without_keys(comment.body.strip())}"


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after `line`, or ""."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match["fence"]
    closes = match["fence"].startswith(fence) and not match["info"].strip()
    return "" if closes else fence
