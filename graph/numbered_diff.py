"""A file's diff as a model reads it: one unified hunk with the line numbers of the new file."""

from __future__ import annotations

from collections.abc import Sequence

from graph.diff import FileDiff, Hunk
from graph.untrusted import one_line

MAX_PATH_CHARACTERS = 300


def numbered(file: FileDiff) -> str:
    """The whole file's change. Removed lines carry no number, for nothing can be said there."""
    head = heading(file)
    if not file.hunks:
        return f"{head}\n(no lines: {file.left_out or file.status})"
    return "\n".join([head, *(hunk_text(hunk) for hunk in file.hunks)])


def heading(file: FileDiff) -> str:
    """The line above a file's hunks; names are other people's text, and are shown as one line."""
    head = f"## {shown_path(file.path)}"
    if file.old_path != file.path and file.status in ("renamed", "copied"):
        return f"{head} ({file.status} from {shown_path(file.old_path)})"
    return head if file.status == "modified" else f"{head} ({file.status})"


def shown_path(path: str) -> str:
    """A file's name as a model sees it."""
    return one_line(path, MAX_PATH_CHARACTERS)


def hunk_text(
    hunk: Hunk, lead: Sequence[tuple[int, str]] = (), tail: Sequence[tuple[int, str]] = ()
) -> str:
    """A hunk, and unchanged lines around it that are marked with a dot."""
    section = "" if lead else hunk.section
    lines = [f"@@ {section}".rstrip()]
    lines += [f"{number} .{text}" for number, text in lead]
    for line in hunk.lines:
        mark = {"added": "+", "removed": "-", "context": " "}[line.kind]
        number = "" if line.new_line is None else str(line.new_line)
        lines.append(f"{number} {mark}{line.text}")
    return "\n".join([*lines, *(f"{number} .{text}" for number, text in tail)])
