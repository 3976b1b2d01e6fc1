"""Where a comment may stand on a diff, by GitHub's own rules.

RIGHT takes the lines that a hunk shows of the new file, added and context; LEFT takes removed
lines only, for GitHub's answers contradict each other for context there. A range lies in one hunk,
and GitHub refuses a whole review for a single comment outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graph.diff import Diff, FileDiff, Hunk

Side = Literal["LEFT", "RIGHT"]


@dataclass(frozen=True)
class Anchor:
    """A place for a review comment: one line, or a range inside one hunk.

    `line` is a new-file number on RIGHT and an old-file number on LEFT. `start_line` is None for
    a single line, else smaller than `line` and in the same hunk.
    """

    path: str
    line: int
    side: Side = "RIGHT"
    start_line: int | None = None


def anchor_for_line(file: FileDiff, new_line: int) -> Anchor | None:
    """The place of one line of the new file; None when the diff does not show it."""
    shown = any(new_line in hunk.new_lines for hunk in file.hunks)
    return Anchor(file.path, new_line) if shown else None


def anchor_for_range(file: FileDiff, start_line: int, end_line: int) -> Anchor | None:
    """The place of new-file lines `start_line` to `end_line`; None when no hunk shows both."""
    if start_line == end_line:
        return anchor_for_line(file, end_line)
    anchor = Anchor(file.path, end_line, start_line=start_line)
    return anchor if _is_valid_on(file, anchor) else None


def is_valid(diff: Diff, anchor: Anchor) -> bool:
    """Whether GitHub takes a comment at `anchor` on a pull request with this diff."""
    file = diff.file(anchor.path)
    return file is not None and _is_valid_on(file, anchor)


def _is_valid_on(file: FileDiff, anchor: Anchor) -> bool:
    if anchor.start_line is None:
        return any(_shows(hunk, anchor.side, anchor.line) for hunk in file.hunks)
    return anchor.start_line < anchor.line and any(
        _shows(hunk, anchor.side, anchor.start_line) and _shows(hunk, anchor.side, anchor.line)
        for hunk in file.hunks
    )


def _shows(hunk: Hunk, side: Side, line: int) -> bool:
    return line in (hunk.new_lines if side == "RIGHT" else hunk.removed_old_lines)
