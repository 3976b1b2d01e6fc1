"""Checks of added lines: each with what it finds and what it must leave alone."""

from __future__ import annotations

import pytest

from graph.checks.lines import width
from graph.checks.specs import (
    Check,
    FinalNewline,
    ForbiddenPattern,
    ForbiddenText,
    ForbiddenTodo,
    Indentation,
    LineEndings,
    MaxLineLength,
    TodoNeedsTicket,
    TrailingWhitespace,
)
from tests.graph.checks.changes import diff_of, lines_found, run

TEN = MaxLineLength(10)


@pytest.mark.parametrize(
    ("check", "path", "text", "expected"),
    [
        (TEN, "a.py", "x" * 10 + "\n" + "x" * 11 + "\n", [2]),
        (TEN, "a.py", "\t\t12\n\t\t123\n", [2]),
        (MaxLineLength(10, tab_width=2), "a.py", "\t\t123456\n\t\t1234567\n", [2]),
        (TEN, "a.txt", "漢字漢字漢\n漢字漢字漢字\n", [2]),
        (TEN, "a.txt", "e\u0301" * 10 + "\n" + "e\u0301" * 11 + "\n", [2]),
        (TEN, "a.txt", "x" * 10 + "\r\n", []),
        (TEN, "a.txt", "ab\x0ccdefgh\n", []),
        (MaxLineLength(20, exempt_urls=True), "a.md", "# https://example.org/a/b/c/d\n", []),
        (MaxLineLength(20, exempt_urls=True), "a.md", "this is too long without http://x.y\n", [1]),
        (MaxLineLength(20, exempt_strings=True), "a.py", "x = 'long enough to be over'\n", []),
        (MaxLineLength(20, exempt_strings=True), "a.py", "xxxxxxxxxxxxxxx = yyyyyyyyy\n", [1]),
        (MaxLineLength(20, exempt_comments=True), "a.py", "  # a comment that is over\n", []),
        (MaxLineLength(20, exempt_comments=True), "a.py", "x = 1  # a comment behind\n", [1]),
        (MaxLineLength(20, exempt_imports=True), "a.py", "import aaaaaaaaaaaaaaaaaaaa\n", []),
        (TrailingWhitespace(), "a.py", "x = 1 \n\ty\t\nz\n   \n", [1, 2, 4]),
        (TrailingWhitespace(), "a.md", "break  \nno break   \n\t\n", [2, 3]),
        (TrailingWhitespace(), "a.txt", "x \r\nx\r\n", [1]),
        (Indentation("spaces"), "a.py", "if x:\n\ty\n    \tz\n    a\tb\n", [2, 3]),
        (Indentation("spaces"), "Makefile", "all:\n\ttrue\n", []),
        (Indentation("spaces"), "a.go", "\tx\n", []),
        (Indentation("spaces"), "a.py", "x = '''\n\ty'''\n\tz\n", [3]),
        (Indentation("tabs"), "a.js", "\tx\n  y\n\t  z\n /* */\n", [2]),
        (FinalNewline(), "a.txt", "x\ny", [2]),
        (FinalNewline(), "a.txt", "x\ny\n", []),
        (LineEndings("lf"), "a.txt", "x\r\ny\n", [1]),
        (LineEndings("crlf"), "a.txt", "x\r\ny\nz", [2]),
        (ForbiddenText(("foo",)), "a.txt", "a foo b\nFoo\nfood\n", [1, 3]),
        (ForbiddenText(("foo",), whole_word=True), "a.txt", "food\na.foo()\n", [2]),
        (ForbiddenText(("foo",), case_sensitive=False), "a.txt", "FOO\n", [1]),
        (ForbiddenText(("a.b",)), "a.txt", "axb\na.b\n", [2]),
        (ForbiddenPattern(r"\b\d{3}\b"), "a.txt", "12\n123\n1234\n", [2]),
        (ForbiddenPattern("abc", case_sensitive=False), "a.txt", "ABC\n", [1]),
        (ForbiddenPattern("x$"), "a.txt", "x\r\n", [1]),
        (TodoNeedsTicket(), "a.py", "# TODO x\n# TODO(#12) y\n# FIXME AB-3\nTODO = 1\n", [1]),
        (TodoNeedsTicket(), "a.py", "x = 'TODO: in a string'\n", []),
        (TodoNeedsTicket(), "a.sql", "-- TODO x\n", [1]),
        (ForbiddenTodo(("XXX",)), "a.js", "/* a\n * XXX b\n */\nvar XXX;\n", [2]),
    ],
)
def test_line_check(check: Check, path: str, text: str, expected: list[int]) -> None:
    assert lines_found(check, path, text) == expected


def test_only_added_lines_are_reported() -> None:
    old = "x" * 200 + "\nkeep\nold \n"
    new = "x" * 200 + "\nkeep\nnew \n"
    assert lines_found(MaxLineLength(88), "a.txt", new, old) == []
    assert lines_found(TrailingWhitespace(), "a.txt", new, old) == [3]


def test_an_old_missing_newline_is_not_reported() -> None:
    assert lines_found(FinalNewline(), "a.txt", "new\nold", "old") == []
    assert lines_found(FinalNewline(), "a.txt", "old\nnew", "old") == [2]


def test_a_message_states_the_measured_value_and_the_limit() -> None:
    (violation,) = run(MaxLineLength(88), {"a.py": "x" * 97 + "\n"}).violations
    assert violation.message == "This line has 97 columns; the limit is 88."
    assert (violation.measured, violation.limit) == (97, 88)
    assert violation.anchor is not None
    assert (violation.anchor.path, violation.anchor.line) == ("a.py", 1)


@pytest.mark.parametrize(
    ("text", "tab_width", "columns"),
    [
        ("", 4, 0),
        ("\t", 4, 4),
        ("abc\t", 4, 4),
        ("abcd\t", 4, 8),
        ("\ta", 8, 9),
        ("日本", 4, 4),
        ("ｆｕｌｌ", 4, 8),
        ("a\u200d\u0301b", 4, 2),
        ("é", 4, 1),
    ],
)
def test_width(text: str, tab_width: int, columns: int) -> None:
    assert width(text, tab_width) == columns


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (TrailingWhitespace(), "a.py", "x = 1   \ny = 'b'\t\n\n"),
        (TrailingWhitespace(), "a.yml", "a: 1 \nb: 2\n"),
        (Indentation("spaces"), "a.js", "function f() {\n\treturn 1;\n\t  x;\n}\n"),
        (Indentation("spaces"), "a.c", "int f() {\n\t\treturn 1;\n}\n"),
    ],
)
def test_a_suggestion_when_applied_removes_the_violation_and_nothing_else(
    check: Check, path: str, text: str
) -> None:
    violations = run(check, {path: text}).violations
    assert violations
    lines = text.split("\n")
    for violation in violations:
        assert violation.suggestion is not None
        assert violation.anchor is not None
        lines[violation.anchor.line - 1] = violation.suggestion
    fixed = "\n".join(lines)
    assert lines_found(check, path, fixed) == []
    assert "".join(fixed.split()) == "".join(text.split())
    changed = [a != b for a, b in zip(text.split("\n"), lines, strict=True)]
    assert changed.count(True) == len(violations)


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (TrailingWhitespace(), "a.py", "x = '''a \nb'''\n"),
        (TrailingWhitespace(), "a.sh", "echo a \\ \n  b\n"),
        (TrailingWhitespace(), "a.txt", "a \r\n"),
        (Indentation("spaces"), "a.py", "if x:\n\ty\n"),
        (FinalNewline(), "a.txt", "x"),
        (LineEndings("lf"), "a.txt", "x\r\n"),
    ],
)
def test_no_suggestion_where_it_could_change_a_meaning(check: Check, path: str, text: str) -> None:
    violations = run(check, {path: text}).violations
    assert violations
    assert [violation.suggestion for violation in violations] == [None] * len(violations)


def test_a_removed_file_is_left_alone() -> None:
    assert diff_of({"a.txt": "x \n"}, {}).files[0].status == "removed"
    assert run(TrailingWhitespace(), {}, {"a.txt": "x \n"}).violations == ()
