"""The quotes of string literals."""

from __future__ import annotations

import re

from graph.checks.changed_file import ChangedFile
from graph.checks.languages import Language
from graph.checks.report import Report
from graph.checks.spec_code import QuoteStyle
from graph.checks.syntax import Span, Syntax

_LANGUAGES: frozenset[Language] = frozenset(
    ("python", "javascript", "typescript", "tsx", "ruby", "php")
)
_LITERAL = re.compile(r"(?P<prefix>[rRbBuU]{0,2})(?P<quote>['\"])(?P<body>[^'\"\n]*)(?P=quote)")


def check_quote_style(check: QuoteStyle, file: ChangedFile, report: Report) -> None:
    if file.language not in _LANGUAGES:
        return
    syntax = report.syntax_of(file)
    if syntax is None:
        return
    wanted = "'" if check.style == "single" else '"'
    by_line: dict[int, list[Span]] = {}
    for span, quote in syntax.once(_plain_literals):
        if quote != wanted and file.is_added(span.start_line):
            by_line.setdefault(span.start_line, []).append(span)
    for number, spans in sorted(by_line.items()):
        other = "double" if check.style == "single" else "single"
        report.at_line(
            file,
            number,
            f"This line has {len(spans)} string{'s' * (len(spans) > 1)} in {other} quotes; "
            f"the rule is {check.style} quotes.",
            measured=other,
            limit=check.style,
            suggestion=_requoted(file.text_lines[number - 1], spans, wanted),
        )


def _plain_literals(syntax: Syntax) -> list[tuple[Span, str]]:
    """Strings of one line in one kind of quotes, with no quote inside, and their quote.

    Those with an escape or an interpolation are left: with other quotes they may mean another
    text (Ruby, PHP) or a formatter keeps them.
    """
    found = []
    outer_end = 0  # a string in an interpolation stands inside another one
    for node in syntax.find(syntax.grammar.strings):
        match = _LITERAL.fullmatch(node.text())
        parent = node.parent()
        in_jsx = parent is not None and parent.kind() == "jsx_attribute"
        start, end = syntax.extent(node)
        is_inner = start < outer_end
        outer_end = max(outer_end, end)
        if match is None or in_jsx or is_inner or re.search(r"[\\$#{]", match["body"]):
            continue
        found.append((syntax.span(node), match["quote"]))
    return found


def _requoted(line: str, spans: list[Span], wanted: str) -> str | None:
    """The line with `wanted` quotes; None when it ends in CR, which a suggestion cannot keep."""
    if line.endswith("\r"):
        return None
    characters = list(line)
    for span in spans:
        opening = line.index('"' if wanted == "'" else "'", span.start_column)
        characters[opening] = characters[span.end_column - 1] = wanted
    return "".join(characters)
