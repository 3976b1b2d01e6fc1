"""A file's diff as a model reads it: one unified hunk with the line numbers of the new file."""

from __future__ import annotations

from graph.diff import FileDiff, Hunk


def numbered(file: FileDiff) -> str:
    """The whole file's change. Removed lines carry no number, for nothing can be said there."""
    head = f"## {file.path}"
    if file.old_path != file.path and file.status in ("renamed", "copied"):
        head += f" ({file.status} from {file.old_path})"
    elif file.status != "modified":
        head += f" ({file.status})"
    if not file.hunks:
        return f"{head}\n(no lines: {file.left_out or file.status})"
    return "\n".join([head, *(hunk_text(hunk) for hunk in file.hunks)])


def hunk_text(hunk: Hunk) -> str:
    lines = [f"@@ {hunk.section}".rstrip()]
    for line in hunk.lines:
        mark = {"added": "+", "removed": "-", "context": " "}[line.kind]
        number = "" if line.new_line is None else str(line.new_line)
        lines.append(f"{number:>5} {mark}{line.text}")
    return "\n".join(lines)
