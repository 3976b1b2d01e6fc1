"""From a model's path, line and quote to a place on the diff: right, or nowhere, never near by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph.anchors import Anchor, anchor_for_range
from graph.diff import Diff, FileDiff, Hunk
from graph.numbered_diff import shown_path

MAX_QUOTED_LINES = 10

_COPIED_MARK = re.compile(r"^\s*\d+ ?[+ .-]")
_COPIED_SIGN = re.compile(r"^[+-]")


@dataclass(frozen=True)
class Place:
    """Where a finding stands. `anchor` is None when no line of the diff holds the quote."""

    path: str
    anchor: Anchor | None
    quote: str


def file_named(diff: Diff, path: str) -> FileDiff | None:
    """The file that a model means: by its name as it was shown."""
    path = path.strip().removeprefix("## ").strip("`")
    exact = diff.file(path)
    if exact is not None:
        return exact
    path = re.sub(r"(?::L?\d+(?:-L?\d+)?)+$", "", path)
    for file in diff.files:
        if path in (shown_path(file.path), f"a/{file.path}", f"b/{file.path}", f"./{file.path}"):
            return file
    # "totals.py" or "/repo/src/totals.py": good enough when it can mean one file only.
    ends = [f for f in diff.files if f"/{f.path}".endswith(f"/{path.lstrip('/')}") and path]
    ends = ends or [f for f in diff.files if path.endswith(f"/{f.path}")]
    return ends[0] if len(ends) == 1 else None


def place(file: FileDiff, line: int | None, quote: str) -> Place:
    """The line with exactly this number and text; else, in the same hunk, the nearest with this
    text; else the only one in the file; else a removed line; else nowhere.
    """
    for lines in _readings(quote):
        anchor = _anchor(file, line, lines)
        if anchor is not None:
            return Place(file.path, anchor, "\n".join(_text_at(file, anchor)))
    return Place(file.path, None, " ".join(quote.split())[:300])


def stands_at(file: FileDiff, quote: str) -> Anchor | None:
    """The place of a quote that is known to be one, when only one line of the diff has it."""
    lines = [_folded(line) for line in quote.split("\n")]
    found = _starts(file, lines)
    return _range(file, found[0], len(lines)) if len(found) == 1 else None


def _readings(quote: str) -> list[list[str]]:
    """The quote as lines: as it is, and without numbers and signs that were copied along."""
    lines = [line for line in quote.split("\n") if line.strip()]
    raw = [line for line in lines if not line.startswith("```")][:MAX_QUOTED_LINES]
    if not raw:
        return []
    readings = [
        raw,
        [_COPIED_MARK.sub("", line) for line in raw],
        [_COPIED_SIGN.sub("", line) for line in raw],
        [line.strip().strip("`") for line in raw],
        raw[:1],
    ]
    folded = [[_folded(line) for line in lines] for lines in readings]
    return [lines for n, lines in enumerate(folded) if all(lines) and lines not in folded[:n]]


def _anchor(file: FileDiff, line: int | None, lines: Sequence[str]) -> Anchor | None:
    starts = _starts(file, lines)
    if line in starts:
        assert line is not None
        return _range(file, line, len(lines))
    if line is not None:
        for hunk in file.hunks:
            inside = [start for start in starts if start in hunk.new_lines]
            if line in hunk.new_lines and inside:
                wanted = line
                return _range(file, min(inside, key=lambda s: abs(s - wanted)), len(lines))
    if len(starts) == 1:
        return _range(file, starts[0], len(lines))
    removed = [
        shown.old_line
        for shown in file.lines()
        if shown.kind == "removed" and _folded(shown.text) == lines[0] and shown.old_line
    ]
    return Anchor(file.path, removed[0], side="LEFT") if len(removed) == 1 and not starts else None


def _starts(file: FileDiff, lines: Sequence[str]) -> list[int]:
    """The new-file lines where these lines stand one after another in one hunk."""
    return [start for hunk in file.hunks for start in _starts_in(hunk, lines)]


def _starts_in(hunk: Hunk, lines: Sequence[str]) -> list[int]:
    shown = [(line.new_line, _folded(line.text)) for line in hunk.lines if line.new_line]
    texts = [text for _, text in shown]
    wanted = list(lines)
    return [
        number
        for at, (number, _) in enumerate(shown)
        if number is not None and texts[at : at + len(wanted)] == wanted
    ]


def _range(file: FileDiff, start: int, count: int) -> Anchor | None:
    return anchor_for_range(file, start, start + count - 1)


def _text_at(file: FileDiff, anchor: Anchor) -> list[str]:
    if anchor.side == "LEFT":
        return [line.text for line in file.lines() if line.old_line == anchor.line][:1]
    first = anchor.start_line or anchor.line
    return [file.new_text_lines.get(n, "") for n in range(first, anchor.line + 1)]


def _folded(text: str) -> str:
    return " ".join(text.split())
