"""The diff model: what changed, line by line, with old and new numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LineKind = Literal["added", "removed", "context"]
FileStatus = Literal["added", "modified", "removed", "renamed", "copied", "mode", "submodule"]


@dataclass(frozen=True)
class DiffLine:
    """One line of a hunk, without its marker and without its line feed (a CR is kept).

    `old_line` is None for an added line, `new_line` is None for a removed one.
    """

    kind: LineKind
    text: str
    old_line: int | None
    new_line: int | None
    ends_without_newline: bool = False


@dataclass(frozen=True)
class Hunk:
    old_start: int
    new_start: int
    section: str
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True)
class FileDiff:
    """One changed file. `hunks` is empty for binary, mode-only, submodule and truncated files.

    `left_out` is the reason why hunks are missing: "", "binary", "submodule", "mode_only",
    "too_large" (GitHub sent no patch), "unparsable".
    """

    path: str
    old_path: str
    status: FileStatus
    hunks: tuple[Hunk, ...] = ()
    left_out: str = ""


@dataclass(frozen=True)
class Diff:
    """A whole diff. `incomplete` says in a sentence what the source could not give, or is ""."""

    files: tuple[FileDiff, ...]
    incomplete: str = ""
