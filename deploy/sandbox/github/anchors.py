"""Which lines of a diff take a comment, and where a comment is after later pushes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from deploy.sandbox.github.git import ChangedFile, hunk_numbers
from deploy.sandbox.github.model import Anchor, Limits, PullRequest, Side
from deploy.sandbox.github.pull_diff import files_of, limited, merge_base


@dataclass(frozen=True)
class PatchLine:
    """One line of a patch that takes comments. `position` counts from 1 below the first hunk."""

    position: int
    hunk: int
    old_line: int | None
    new_line: int | None

    def number(self, side: Side) -> int | None:
        """The line number on a side: context counts on RIGHT, removed lines on LEFT too."""
        return self.new_line if side == "RIGHT" else self.old_line


@dataclass(frozen=True)
class Place:
    """Where a thread is now; all None once it is outdated."""

    line: int | None = None
    start_line: int | None = None
    position: int | None = None

    @property
    def is_outdated(self) -> bool:
        return self.position is None


class AnchorError(ValueError):
    """A comment that the diff has no place for. `field` is GitHub's name of what is wrong."""

    reason = "anchor_outside_diff"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def patch_lines(patch: str) -> list[PatchLine]:
    """Added, removed and context lines of a patch, in order.

    Hunk lengths are counted, because a removed line "-- x" looks like a header.
    """
    lines: list[PatchLine] = []
    old = new = old_left = new_left = 0
    hunk = -1
    for position, text in enumerate(patch.split("\n")):
        if old_left <= 0 and new_left <= 0 and text.startswith("@@ "):
            old, old_left, new, new_left = hunk_numbers(text)
            hunk += 1
            continue
        mark = text[:1]
        if mark == "\\":
            continue
        has_old, has_new = mark in " -", mark in " +"
        lines.append(PatchLine(position, hunk, old if has_old else None, new if has_new else None))
        old, old_left = old + has_old, old_left - has_old
        new, new_left = new + has_new, new_left - has_new
    return lines


def hunk_excerpt(patch: str, position: int) -> str:
    """`diff_hunk`: the hunk's header and its lines down to `position`."""
    lines = patch.split("\n")
    start = max(i for i in range(position + 1) if lines[i].startswith("@@ "))
    return "\n".join(lines[start : position + 1])


def place_comment(
    pull: PullRequest, commit_sha: str, wish: dict[str, object], limits: Limits
) -> Anchor:
    """The anchor that a comment's path, line, side, start_line, start_side or position names.

    Raises AnchorError where GitHub would refuse it.
    """
    path = str(wish.get("path", ""))
    files = {f.path: f for f in limited(files_of(pull, commit_sha), limits)}
    if path not in files:
        raise AnchorError("path", "Path could not be resolved")
    base = merge_base(pull, commit_sha)
    if wish.get("subject_type") == "file":
        return Anchor(path, commit_sha, base, "", 1, None)
    file = files[path]
    if file.patch is None:
        raise AnchorError("diff_hunk", "Diff hunk can't be blank")
    lines = patch_lines(file.patch)
    if wish.get("line") is None and wish.get("position") is not None:
        return _at_position(file, lines, commit_sha, base, cast("int", wish["position"]))
    side = cast("Side", wish.get("side") or "RIGHT")
    end = _find(lines, side, wish.get("line"))
    if end is None:
        raise AnchorError("line", "Line could not be resolved")
    start_line = cast("int | None", wish.get("start_line"))
    start_side = cast("Side", wish.get("start_side") or side)
    if start_line is not None:
        _check_start(lines, start_line, start_side, end, side)
    return Anchor(
        path=path, commit_id=commit_sha, merge_base=base,
        diff_hunk=hunk_excerpt(file.patch, end.position), position=end.position,
        line=end.number(side), side=side, start_line=start_line,
        start_side=start_side if start_line is not None else None,
    )  # fmt: skip


def _check_start(
    lines: list[PatchLine], start_line: int, start_side: Side, end: PatchLine, side: Side
) -> None:
    start = _find(lines, start_side, start_line)
    if start is None:
        raise AnchorError("start_line", "Start line could not be resolved")
    if start.hunk != end.hunk:
        raise AnchorError("start_line", "Start line must be part of the same hunk as the line.")
    if start.position >= end.position or start_side != side:
        raise AnchorError("start_line", "Start line must precede the end line.")


def _at_position(
    file: ChangedFile, lines: list[PatchLine], commit_sha: str, base: str, position: int
) -> Anchor:
    found = next((line for line in lines if line.position == position), None)
    if found is None:
        raise AnchorError("position", "Position could not be resolved")
    side: Side = "LEFT" if found.new_line is None else "RIGHT"
    return Anchor(
        path=file.path, commit_id=commit_sha, merge_base=base,
        diff_hunk=hunk_excerpt(file.patch or "", position), position=position,
        line=found.number(side), side=side,
    )  # fmt: skip


def _find(lines: list[PatchLine], side: Side, number: object) -> PatchLine | None:
    if number is None:
        return None
    return next((line for line in lines if line.number(side) == number), None)


def current_place(pull: PullRequest, anchor: Anchor, limits: Limits) -> Place:
    """Where the anchored lines are in the diff of the current head.

    A line that a later commit touched, or that has left the diff, has no place any more.
    """
    files = {f.path: f for f in limited(files_of(pull), limits)}
    file = files.get(anchor.path)
    if anchor.line is None:
        return Place(position=1) if file else Place()
    if file is None or file.patch is None:
        return Place()
    lines = patch_lines(file.patch)
    end = _find(lines, anchor.side, _moved(pull, anchor, file, anchor.line, anchor.side))
    if end is None:
        return Place()
    if anchor.start_line is None:
        return Place(end.number(anchor.side), None, end.position)
    start_side = anchor.start_side or anchor.side
    start_line = _moved(pull, anchor, file, anchor.start_line, start_side)
    start = _find(lines, start_side, start_line)
    if start is None or start.hunk != end.hunk:
        return Place()
    return Place(end.number(anchor.side), start.number(start_side), end.position)


def _moved(
    pull: PullRequest, anchor: Anchor, file: ChangedFile, line: int, side: Side
) -> int | None:
    """The number that `line` has in the newest version of its side; None when it changed."""
    old, new, path = anchor.commit_id, pull.head_sha, anchor.path
    if side == "LEFT":
        old, new = anchor.merge_base, merge_base(pull)
        path = file.previous_path or path
    if old == new:
        return line
    shift = 0
    for old_start, old_count, _, new_count in pull.repository.git.mapped_lines(old, new, path):
        # A pure insertion stands after its old line, so that line itself keeps its number.
        last = old_start + old_count - 1 if old_count else old_start
        if line > last:
            shift += new_count - old_count
        elif old_count and line >= old_start:
            return None
        else:
            break
    return line + shift
