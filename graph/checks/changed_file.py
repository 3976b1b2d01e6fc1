"""One changed file as the checks see it: its diff, and its head text and syntax when needed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cached_property
from pathlib import PurePosixPath

from graph.checks.languages import Language, language_of
from graph.checks.syntax import Syntax, parse
from graph.diff import SYMLINK_MODE, DiffLine, FileDiff

FileReader = Callable[[str], bytes | None]
"""Reads a file of the head by path; None when there is none or it is no regular file."""

MAX_SYNTAX_BYTES = 1_000_000
"""Source files that people write are far smaller; larger ones are generated or data."""

MAX_SYNTAX_LINE = 20_000
"""Characters. A longer line is minified or generated code, in which findings help nobody."""

_CPP = re.compile(
    r"^\s*(?:class|namespace|template\s*<|using|public:|private:|protected:)|\bstd::", re.MULTILINE
)

SOURCE_SUFFIXES = frozenset(
    (".css", ".scss", ".less", ".sass", ".html", ".htm", ".vue", ".svelte", ".sql", ".scala",
     ".dart", ".lua", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".r", ".jl", ".pl", ".pm", ".m",
     ".mm", ".zig", ".nim", ".groovy", ".gradle", ".tf", ".proto", ".graphql", ".thrift", ".pyx",
     ".pxd", ".ps1", ".bat", ".cmd", ".zsh", ".fish", ".cu", ".s", ".asm", ".f90", ".v", ".sv",
     ".vhd", ".cmake", ".mk", ".sol", ".fs", ".vb")
)  # fmt: skip
"""Source files of languages whose syntax is not read."""


class ChangedFile:
    """A file of the diff that exists at the head. Text and syntax are read once, when asked for.

    `unreadable` is why `text` is None, and `unparsable` why `syntax` is None: a slug and a
    sentence, or None when they are there.
    """

    def __init__(self, diff: FileDiff, read: FileReader) -> None:
        self.diff = diff
        self.path = diff.path
        self._read = read

    @cached_property
    def language(self) -> Language | None:
        """By the name, and of a `.h` by its text: most of them are C++."""
        language = language_of(self.path)
        if language == "c" and self.path.endswith(".h") and _CPP.search(self.text or ""):
            return "cpp"
        return language

    @property
    def is_source(self) -> bool:
        """Whether it is a program or a style sheet; data, documents and locks are not."""
        suffix = PurePosixPath(self.path).suffix.lower()
        return language_of(self.path) is not None or suffix in SOURCE_SUFFIXES

    @cached_property
    def added(self) -> tuple[DiffLine, ...]:
        return tuple(self.diff.added())

    @cached_property
    def _data(self) -> bytes | None:
        is_file = self.diff.new_mode != SYMLINK_MODE and self.diff.status != "submodule"
        return self._read(self.path) if is_file else None

    @cached_property
    def unreadable(self) -> tuple[str, str] | None:
        if self._data is None:
            return ("unavailable", "the file's text could not be read at the head")
        if b"\0" in self._data[:8_000]:  # where git looks for it, too
            return ("binary", "the file is binary")
        if not self._is_head(self._data.decode("utf-8", "replace").split("\n")):
            return ("other_commit", "the file's text is not of the commit that was compared")
        return None

    @cached_property
    def text(self) -> str | None:
        if self._data is None or self.unreadable:
            return None
        return self._data.decode("utf-8", "replace")

    @cached_property
    def text_lines(self) -> list[str]:
        """The lines of `text` without their line feeds; no empty one behind the last."""
        if not self.text:
            return []
        return self.text.removesuffix("\n").split("\n")

    @cached_property
    def unparsable(self) -> tuple[str, str] | None:
        if self.unreadable:
            return self.unreadable
        if len(self._data or b"") > MAX_SYNTAX_BYTES:
            return ("too_large", f"the file has more than {MAX_SYNTAX_BYTES} bytes")
        if any(len(line) > MAX_SYNTAX_LINE for line in self.text_lines):
            return ("long_line", f"a line has more than {MAX_SYNTAX_LINE} characters")
        return None

    @cached_property
    def syntax(self) -> Syntax | None:
        """The syntax tree; None for another language, or when `unparsable` says why."""
        if self.language is None or self.unparsable or self.text is None:
            return None
        return parse(self.text, self.language)

    def has_sibling(self, name: str) -> bool:
        """Whether the head has a file called `name` in the same folder."""
        folder, slash, _ = self.path.rpartition("/")
        return self._read(f"{folder}{slash}{name}") is not None

    def is_added(self, new_line: int) -> bool:
        return new_line in self.diff.added_lines

    def touches(self, first_line: int, last_line: int) -> bool:
        """Whether the change added a line between these, both counted."""
        span = range(first_line, last_line + 1)
        lines = self.diff.added_lines
        if len(span) < len(lines):
            return any(line in lines for line in span)
        return any(line in span for line in lines)

    def growth(self, first_line: int, last_line: int) -> int:
        """How many lines the change added between these, less those that it took away there."""
        return _between(self._added_numbers, first_line, last_line) - _between(
            self._removed_before, first_line, last_line
        )

    @cached_property
    def _added_numbers(self) -> list[int]:
        return sorted(self.diff.added_lines)

    @cached_property
    def _removed_before(self) -> list[int]:
        """For every removed line the new-file number of the line behind it, in order."""
        numbers = []
        for hunk in self.diff.hunks:
            following = hunk.new_start
            for line in hunk.lines:
                if line.new_line is None:
                    numbers.append(following)
                else:
                    following = line.new_line + 1
        return numbers

    def _is_head(self, lines: list[str]) -> bool:
        """Whether the text is what the diff leads to; undecodable characters are not compared."""
        for number, shown in self.diff.new_text_lines.items():
            if number > len(lines):
                return False
            here = lines[number - 1]
            if here.rstrip("\r") != shown.rstrip("\r") and "\ufffd" not in here + shown:
                return False
        return True


def _between(numbers: list[int], first: int, last: int) -> int:
    """How many of the sorted numbers lie from `first` to `last`, both counted."""
    return bisect_right(numbers, last) - bisect_left(numbers, first)
