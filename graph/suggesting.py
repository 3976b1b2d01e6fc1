"""A suggestion that GitHub can apply: it replaces the anchored lines, and breaks nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.anchors import Anchor
from graph.diff import FileDiff

MAX_SUGGESTION_LINES = 6

_PROSE_SUFFIXES = (".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc")
_ADVICE = re.compile(
    r"(?:Use|Add|Consider|Replace|Remove|Change|Check|Ensure|Wrap|Move|Rename|Make|Try|Instead|"
    r"Please|You|Should|Handle|Validate|Guard|Call|Return|Avoid|Pass|Initialize|Set|Update|Fix) "
    r"[A-Za-z`]"
)
_PLACEHOLDER = re.compile(
    r"^\s*(?:(?:#|//|/\*|--|<!--)\s*)?(?:\.\.\.|…)\s*$|"
    r"(?:#|//|/\*|--|<!--)\s*(?:\.\.\.|…|your\b|the rest\b|rest of\b|existing\b|same as\b|"
    r"unchanged\b|remaining\b|todo\b|implement\b|other code\b)",
    re.IGNORECASE,
)
_MEANS_SOMETHING = re.compile(r"\w{2,}\W+\w|\w+\(")


def suggestion_for(file: FileDiff, anchor: Anchor | None, text: str) -> str | None:
    """`text` as the lines to put in place of the anchored ones, or None when it can't be that.

    Refused are a diff, advice in prose, an elision, a longer text than `MAX_SUGGESTION_LINES`,
    other white space than the file's in front, and what would touch a covered secret. The lines
    round the anchor, which models like to repeat, are taken off: they would stand there twice.
    """
    if anchor is None or anchor.side != "RIGHT" or "«secret" in text:
        return None
    first = anchor.start_line or anchor.line
    original = [file.new_text_lines.get(n, "") for n in range(first, anchor.line + 1)]
    lines = [line.rstrip() for line in text.strip("\r\n").split("\n")]
    if not any(lines) or _is_no_code(lines, file.path):
        return None
    if any(line.endswith("\r") or "«secret" in line for line in original):
        return None
    lines = _indented(lines, original[0])
    lines = _without_neighbours(lines, file, first, anchor.line)
    is_kept = lines == [line.rstrip() for line in original]
    if not lines or is_kept or len(lines) > MAX_SUGGESTION_LINES or _mixes(lines, original):
        return None
    return "\n".join(lines)


def _is_no_code(lines: Sequence[str], path: str) -> bool:
    filled = [line for line in lines if line.strip()]
    if lines[0].lstrip().startswith("```") or any(map(_PLACEHOLDER.search, filled)):
        return True
    signs = {line[0] for line in filled}
    if "+" in signs and signs <= {"+", "-"}:
        return True  # a diff
    in_prose = path.lower().endswith(_PROSE_SUFFIXES)
    return not in_prose and _ADVICE.match(filled[0].strip()) is not None


def _indented(lines: Sequence[str], original: str) -> list[str]:
    """With the first line's indentation, where the model left it out everywhere."""
    missing = _indent(original).removesuffix(_indent(lines[0]))
    if lines[0][:1].isspace() or not missing:
        return list(lines)
    return [missing + line if line else line for line in lines]


def _without_neighbours(lines: list[str], file: FileDiff, first: int, last: int) -> list[str]:
    """Without the lines at both ends that stand right before and behind the anchor as they are.

    A bracket or a keyword alone says nothing: it may close what the suggestion opens.
    """
    shown = file.new_text_lines
    for count in range(len(lines) - 1, 0, -1):
        behind = [shown.get(last + n, "").rstrip() for n in range(1, count + 1)]
        if lines[-count:] == behind and any(map(_MEANS_SOMETHING.search, behind)):
            lines = lines[:-count]
            break
    for count in range(len(lines) - 1, 0, -1):
        before = [shown.get(first - n, "").rstrip() for n in range(count, 0, -1)]
        if lines[:count] == before and any(map(_MEANS_SOMETHING.search, before)):
            return lines[count:]
    return lines


def _mixes(lines: Sequence[str], original: Sequence[str]) -> bool:
    """Whether the suggestion is indented by tabs in a file of spaces, or the other way round."""
    theirs = "".join(_indent(line) for line in original)
    ours = "".join(_indent(line) for line in lines)
    return bool(theirs) and (("\t" in ours) != ("\t" in theirs)) and bool(ours)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
