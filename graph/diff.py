"""The diff model: what changed, line by line, with old and new numbers; and how to read one.

unidiff reads the hunks. git's headers are read here, because unidiff keeps quoted paths quoted and
does not tell a copy, a mode change or a submodule from a modification.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk as UnidiffHunk
from unidiff.patch import PatchedFile, PatchSet

LineKind = Literal["added", "removed", "context"]
FileStatus = Literal["added", "modified", "removed", "renamed", "copied", "mode", "submodule"]

SYMLINK_MODE = "120000"


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

    @cached_property
    def new_lines(self) -> range:
        """The new-file numbers that stand in this hunk, added and context."""
        count = sum(1 for line in self.lines if line.new_line is not None)
        return range(self.new_start, self.new_start + count)

    @cached_property
    def removed_old_lines(self) -> frozenset[int]:
        """The old-file numbers of the lines that this hunk removes."""
        return frozenset(
            line.old_line
            for line in self.lines
            if line.old_line is not None and line.kind == "removed"
        )


@dataclass(frozen=True)
class FileDiff:
    """One changed file. `hunks` is empty for binary, mode-only, submodule and truncated files.

    `left_out` is the reason why hunks are missing: "", "binary", "submodule", "mode_only",
    "too_large" (GitHub sent no patch), "unparsable". `new_mode` is git's mode where the source
    says it ("100644", "120000" for a symbolic link), else "".
    """

    path: str
    old_path: str
    status: FileStatus
    hunks: tuple[Hunk, ...] = ()
    left_out: str = ""
    new_mode: str = ""

    def lines(self) -> Iterator[DiffLine]:
        return (line for hunk in self.hunks for line in hunk.lines)

    def added(self) -> Iterator[DiffLine]:
        return (line for line in self.lines() if line.kind == "added")

    @cached_property
    def added_lines(self) -> frozenset[int]:
        """The new-file numbers of all added lines."""
        return frozenset(line.new_line for line in self.added() if line.new_line is not None)

    @cached_property
    def added_count(self) -> int:
        return len(self.added_lines)

    @cached_property
    def removed_count(self) -> int:
        return sum(len(hunk.removed_old_lines) for hunk in self.hunks)

    @cached_property
    def new_text_lines(self) -> dict[int, str]:
        """The text of every new-file line that stands in the diff, by number."""
        return {line.new_line: line.text for line in self.lines() if line.new_line is not None}


@dataclass(frozen=True)
class Diff:
    """A whole diff. `incomplete` says in a sentence what the source could not give, or is ""."""

    files: tuple[FileDiff, ...]
    incomplete: str = ""

    @cached_property
    def _by_path(self) -> dict[str, FileDiff]:
        # A change of type (file to link) is a removal and an addition of one path; what is there
        # now is the one that can be spoken about.
        ordered = sorted(self.files, key=lambda file: file.status != "removed")
        return {file.path: file for file in ordered}

    def file(self, path: str) -> FileDiff | None:
        """The change of the file that is called `path` now, or was when it was removed."""
        return self._by_path.get(path)


_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
"""The id of git's empty file: no patch of it is no sign of a binary."""

_SUBMODULE_MODE = "160000"
_START = re.compile(r"diff --(?:git|cc|combined) |Submodule \S.* (?:[0-9a-f]{7,}\.\.\.?|contains )")
_SUBMODULE_LOG = re.compile(r"Submodule (?P<path>\S.*?) (?:[0-9a-f]{7,}\.\.\.?|contains )")
_SUBMODULE_LINE = re.compile(r"Subproject commit [0-9a-f]{40,64}(?:-dirty)?")
_MODE = re.compile(r"(old mode|new mode|new file mode|deleted file mode) (\d{6})")
_INDEX = re.compile(r"index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})")
_MOVE = re.compile(r"(rename|copy) (from|to) (.*)", re.DOTALL)
_PREFIX = re.compile(r"(?:[abciow12]/)")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
    b'"': b'"',
    b"\\": b"\\",
}


@dataclass
class _Header:
    """What the lines above the first hunk say about one file."""

    old_path: str = ""
    new_path: str = ""
    modes: dict[str, str] = field(default_factory=dict)
    move: str = ""
    is_binary: bool = False

    @property
    def is_submodule(self) -> bool:
        return _SUBMODULE_MODE in self.modes.values()

    def status(self, has_hunks: bool) -> FileStatus:
        if self.is_submodule:
            return "submodule"
        if "new file mode" in self.modes:
            return "added"
        if "deleted file mode" in self.modes:
            return "removed"
        if self.move:
            return "renamed" if self.move == "rename" else "copied"
        if "new mode" in self.modes and not has_hunks and not self.is_binary:
            return "mode"
        return "modified"


def parse_diff(text: str | bytes) -> Diff:
    """The model of what `git -c core.quotepath=off diff` printed; plain unified diffs work too.

    Bytes that are no UTF-8 become U+FFFD, one line stays one line. A section that cannot be read
    is a file with `left_out="unparsable"`, or is counted in `incomplete` when not even its path
    is known. Never raises on any text.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if _START.match(line)]
    if not starts:
        return _plain_diff(text)
    ends = [*starts[1:], len(lines)]
    files = [_git_section(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    known = tuple(file for file in files if file is not None)
    lost = len(files) - len(known)
    sentence = f"{lost} sections of the diff have no readable path." if lost else ""
    return Diff(known, incomplete=sentence)


def file_from_patch(
    filename: str,
    previous_filename: str | None,
    status: str,
    patch: str | None,
    *,
    additions: int = 0,
    deletions: int = 0,
    blob_sha: str = "",
) -> FileDiff:
    """One entry of GitHub's list of files. `patch` is the file's hunks, absent when not sent.

    Without a patch, counted lines mean "too_large"; none mean a binary, a pure rename, an empty
    file (`blob_sha`) or a change of mode only (GitHub's status "changed").
    """
    kind = _GITHUB_STATUS.get(status, "modified")
    old_path = previous_filename or filename
    if patch:
        try:
            hunks = _hunks(patch.split("\n"))
        except UnidiffParseError:
            return FileDiff(filename, old_path, kind, left_out="unparsable")
        if _is_submodule(hunks):
            return FileDiff(filename, old_path, "submodule", left_out="submodule")
        return FileDiff(filename, old_path, "modified" if kind == "mode" else kind, hunks)
    if additions + deletions:
        return FileDiff(filename, old_path, kind, left_out="too_large")
    if kind == "mode":
        return FileDiff(filename, old_path, kind, left_out="mode_only")
    is_empty = kind in ("renamed", "copied") or blob_sha == _EMPTY_BLOB
    return FileDiff(filename, old_path, kind, left_out="" if is_empty else "binary")


_GITHUB_STATUS: dict[str, FileStatus] = {
    "added": "added",
    "removed": "removed",
    "modified": "modified",
    "renamed": "renamed",
    "copied": "copied",
    "changed": "mode",
}


def _git_section(lines: Sequence[str]) -> FileDiff | None:
    log = _SUBMODULE_LOG.match(lines[0])
    if log:
        path = log["path"]
        return FileDiff(path, path, "submodule", left_out="submodule")
    first = next((n for n, line in enumerate(lines) if line.startswith("@@ ")), len(lines))
    header = _header(lines[:first])
    if not header.new_path:
        return None
    new_mode = header.modes.get("new mode") or header.modes.get("new file mode")
    path = header.new_path
    left_out = ""
    hunks: tuple[Hunk, ...] = ()
    if header.is_submodule:
        left_out = "submodule"
    elif header.is_binary:
        left_out = "binary"
    elif lines[0].startswith(("diff --cc ", "diff --combined ")):
        left_out = "unparsable"
    else:
        try:
            hunks = _hunks(lines[first:])
        except UnidiffParseError:
            left_out = "unparsable"
    status = header.status(bool(hunks) or left_out == "unparsable")
    if status == "mode":
        left_out = "mode_only"
    return FileDiff(
        path, header.old_path, status, hunks, left_out, new_mode or header.modes.get("index", "")
    )


def _header(lines: Sequence[str]) -> _Header:
    header = _Header()
    header.old_path, header.new_path = _paths_of_first_line(lines[0])
    for line in lines[1:]:
        if mode := _MODE.fullmatch(line):
            header.modes[mode[1]] = mode[2]
        elif index := _INDEX.fullmatch(line):
            header.modes["index"] = index[1]
        elif move := _MOVE.fullmatch(line):
            header.move = move[1]
            if move[2] == "from":
                header.old_path = _unquoted(move[3])
            else:
                header.new_path = _unquoted(move[3])
        elif line.startswith("Binary files ") or line == "GIT binary patch":
            header.is_binary = True
        elif not header.new_path and line.startswith("+++ ") and line != "+++ /dev/null":
            header.new_path = _without_prefix(_unquoted(line[4:].removesuffix("\t")))
        elif not header.old_path and line.startswith("--- ") and line != "--- /dev/null":
            header.old_path = _without_prefix(_unquoted(line[4:].removesuffix("\t")))
    header.old_path = header.old_path or header.new_path
    header.new_path = header.new_path or header.old_path
    return header


def _paths_of_first_line(line: str) -> tuple[str, str]:
    """Both paths of "diff --git a/P b/P", or empty strings when only later lines can tell.

    git leaves spaces unquoted here. But unless it is a move, and then further lines name both,
    the two halves are one path with two prefixes of equal length.
    """
    marker, _, rest = line.partition(" ")[2].partition(" ")
    if marker != "--git":
        path = _unquoted(rest)
        return path, path
    middle = len(rest) // 2
    old, space, new = rest[:middle], rest[middle : middle + 1], rest[middle + 1 :]
    if space != " ":
        return "", ""
    old, new = _unquoted(old), _unquoted(new)
    if old == new:
        return old, new
    old, new = _without_prefix(old), _without_prefix(new)
    return (old, new) if old == new else ("", "")


def _without_prefix(path: str) -> str:
    return path[2:] if _PREFIX.match(path) else path


def _unquoted(path: str) -> str:
    if len(path) < 2 or not (path.startswith('"') and path.endswith('"')):
        return path
    raw = path[1:-1].encode("utf-8", "surrogatepass")
    return _ESCAPE.sub(_unescaped, raw).decode("utf-8", "replace")


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else _ESCAPED[code]


def _hunks(lines: Sequence[str]) -> tuple[Hunk, ...]:
    """The hunks in `lines`, which begin with the first "@@". Raises UnidiffParseError."""
    # Other tools translate the sentence behind the backslash, and unidiff knows git's.
    body = "\n".join(line if line[:1] != "\\" else _NO_NEWLINE for line in lines)
    if not body.strip():
        return ()
    try:
        patch = PatchSet.from_string(f"--- a\n+++ b\n{body}\n")
    except ValueError as error:  # a line number of more digits than int() takes
        raise UnidiffParseError(str(error)) from None
    return tuple(_hunk(hunk) for hunk in patch[0]) if patch else ()


_NO_NEWLINE = "\\ No newline at end of file"


def _hunk(hunk: UnidiffHunk) -> Hunk:
    lines: list[DiffLine] = []
    for line in hunk:
        old, new = line.source_line_no, line.target_line_no
        if line.line_type == "\\" and lines:
            lines[-1] = replace(lines[-1], ends_without_newline=True)
        elif old is not None or new is not None:
            text = line.value.removesuffix("\n")
            lines.append(DiffLine(_LINE_KINDS[line.line_type], text, old, new))
    return Hunk(hunk.source_start, hunk.target_start, hunk.section_header, tuple(lines))


_LINE_KINDS: dict[str, LineKind] = {"+": "added", "-": "removed", " ": "context"}


def _is_submodule(hunks: Sequence[Hunk]) -> bool:
    """GitHub shows a submodule as a file whose only line names the commit, and sends no mode."""
    lines = [line for hunk in hunks for line in hunk.lines]
    return len(lines) <= 2 and all(
        _SUBMODULE_LINE.fullmatch(line.text) and 1 in (line.old_line, line.new_line)
        for line in lines
    )


def _plain_diff(text: str) -> Diff:
    """A diff by another tool than git, which has nothing but names and hunks."""
    if not text.strip():
        return Diff(())
    try:
        patch = PatchSet.from_string(text)
    except (UnidiffParseError, ValueError):
        return Diff((), incomplete="The diff could not be read: it is no unified diff.")
    files = tuple(_plain_file(file) for file in patch)
    return Diff(files, incomplete="" if files else "The text holds no unified diff.")


def _plain_file(file: PatchedFile) -> FileDiff:
    old_path, path = (
        _without_prefix(_unquoted(name)) for name in (file.source_file, file.target_file)
    )
    status: FileStatus = "modified"
    if file.source_file == "/dev/null":
        status, old_path = "added", path
    elif file.target_file == "/dev/null":
        status, path = "removed", old_path
    elif old_path != path:
        status = "renamed"
    left_out = "binary" if file.is_binary_file else ""
    return FileDiff(path, old_path, status, tuple(_hunk(hunk) for hunk in file), left_out)
