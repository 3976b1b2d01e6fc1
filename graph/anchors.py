"""Where a comment may stand on a diff, by GitHub's own rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
