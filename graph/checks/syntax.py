"""A file's syntax tree, and the questions that checks ask of it.

Each question is answered once per file by one search of the whole tree, so that fifty rules cost
little more than one. Lines are new-file numbers from 1; columns count characters from 0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

from ast_grep_py import SgNode, SgRoot

from graph.checks.grammar import GRAMMARS, Grammar
from graph.checks.languages import Language

T = TypeVar("T")


@dataclass(frozen=True)
class Span:
    """Where a node stands. `end_column` is behind its last character."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


class Syntax:
    """One parsed file. Errors in the code leave holes in the tree, never an exception."""

    def __init__(self, text: str, language: Language) -> None:
        self.root = SgRoot(text, language).root()
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.language = language
        self.grammar: Grammar = GRAMMARS[language]
        self._answers: dict[Callable[..., Any], Any] = {}

    def once(self, question: Callable[[Syntax], T]) -> T:
        """The answer of `question` about this file, worked out the first time only."""
        if question not in self._answers:
            self._answers[question] = question(self)
        return cast("T", self._answers[question])

    def extent(self, node: SgNode) -> tuple[int, int]:
        """Where `node` begins and ends, in characters of the text.

        An edit knows both at once, while `range()` counts the text from its beginning, which in
        a file of 500 kB costs a millisecond each time.
        """
        edit = node.replace("")
        return edit.start_pos, edit.end_pos

    def span(self, node: SgNode) -> Span:
        start, end = self.extent(node)
        first, last = self._line_at(start), self._line_at(end)
        starts = self._line_starts
        return Span(first, start - starts[first - 1], last, end - starts[last - 1])

    def first_line(self, node: SgNode) -> int:
        return self._line_at(self.extent(node)[0])

    def last_line(self, node: SgNode) -> int:
        """The last line with text of `node`: some grammars count the line feed behind it in."""
        start, end = self.extent(node)
        return self._line_at(max(start, end - 1))

    def _line_at(self, offset: int) -> int:
        return bisect_right(self._line_starts, offset)

    def find(self, kinds: Sequence[str]) -> list[SgNode]:
        """Every node of one of `kinds`, in the order of the text."""
        if not kinds:
            return []
        return self.root.find_all({"rule": {"any": [{"kind": kind} for kind in kinds]}})

    @cached_property
    def comments(self) -> list[SgNode]:
        return self.find(self.grammar.comments)

    @cached_property
    def comment_lines(self) -> dict[int, list[str]]:
        """The text of every comment by line, a block comment's on each of its lines."""
        lines: dict[int, list[str]] = {}
        for node in self.comments:
            first = self.first_line(node)
            for offset, text in enumerate(node.text().rstrip("\n").split("\n")):
                lines.setdefault(first + offset, []).append(text)
        return lines

    @cached_property
    def string_spans(self) -> list[Span]:
        return [self.span(node) for node in self.find(self.grammar.strings)]

    @cached_property
    def string_lines(self) -> frozenset[int]:
        """The lines on which at least a part of a string literal stands."""
        return frozenset(_lines_of(self.string_spans))

    @cached_property
    def open_string_lines(self) -> frozenset[int]:
        """The lines whose line feed is inside a string literal."""
        spans = self.string_spans
        return frozenset(line for s in spans for line in range(s.start_line, s.end_line))


def parse(text: str, language: Language) -> Syntax:
    """The tree of `text`. `language` is one of LANGUAGES: ast-grep panics on any other."""
    return Syntax(text, language)


def _lines_of(spans: Sequence[Span]) -> Iterator[int]:
    for span in spans:
        yield from range(span.start_line, span.end_line + 1)
