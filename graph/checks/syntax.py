"""A file's syntax tree, and the questions that checks ask of it.

Each question is answered once per file by one search of the whole tree, so that fifty rules cost
little more than one. Lines are new-file numbers from 1; columns count characters from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ast_grep_py import SgNode, SgRoot

from graph.checks.grammar import GRAMMARS, Grammar
from graph.checks.languages import Language


@dataclass(frozen=True)
class Span:
    """Where a node stands. `end_column` is behind its last character."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int

    def covers(self, line: int, column: int) -> bool:
        after_start = (line, column) >= (self.start_line, self.start_column)
        return after_start and (line, column) < (self.end_line, self.end_column)


class Syntax:
    """One parsed file. Errors in the code leave holes in the tree, never an exception."""

    def __init__(self, root: SgNode, language: Language) -> None:
        self.root = root
        self.language = language
        self.grammar: Grammar = GRAMMARS[language]

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
            first = node.range().start.line + 1
            for offset, text in enumerate(node.text().rstrip("\n").split("\n")):
                lines.setdefault(first + offset, []).append(text)
        return lines

    @cached_property
    def string_spans(self) -> list[Span]:
        return [span_of(node) for node in self.find(self.grammar.strings)]

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
    return Syntax(SgRoot(text, language).root(), language)


def span_of(node: SgNode) -> Span:
    where = node.range()
    return Span(where.start.line + 1, where.start.column, where.end.line + 1, where.end.column)


def first_line(node: SgNode) -> int:
    return node.range().start.line + 1


def last_line(node: SgNode) -> int:
    """The last line with text of `node`: some grammars count the line feed behind it in."""
    end = node.range().end
    return end.line + 1 if end.column else max(end.line, first_line(node))


def _lines_of(spans: Sequence[Span]) -> Iterator[int]:
    for span in spans:
        yield from range(span.start_line, span.end_line + 1)
