"""What people and machines put in repositories: findings or a named skip, never a crash."""

from __future__ import annotations

import time

import pytest

from graph.checks.report import CheckResult, Rule
from graph.checks.run import run_checks
from graph.checks.specs import (
    Check,
    Dependency,
    FinalNewline,
    ForbiddenCall,
    ForbiddenImport,
    ForbiddenPattern,
    ForbiddenSyntax,
    ForbiddenText,
    Indentation,
    LineEndings,
    MaxFileLines,
    MaxFunctionLines,
    MaxLineLength,
    MaxNesting,
    MaxParameters,
    Naming,
    QuoteStyle,
    RequiredDocstring,
    RequiredHeader,
    RequiredPattern,
    RequiredTypes,
    TodoNeedsTicket,
    TrailingWhitespace,
)
from graph.diff import Diff, file_from_patch, parse_diff

EVERY: tuple[Check, ...] = (
    MaxLineLength(88), TrailingWhitespace(), Indentation("spaces"), FinalNewline(),
    LineEndings("lf"), ForbiddenText(("b",)), ForbiddenPattern("(b+)+$"), TodoNeedsTicket(),
    ForbiddenCall(("b", ".b")), ForbiddenImport(("b",)), ForbiddenSyntax("wildcard_import"),
    ForbiddenSyntax("nested_ternary"), QuoteStyle("single"), MaxFileLines(10),
    MaxFunctionLines(3), MaxParameters(3), MaxNesting(3), Naming("function", "snake_case"),
    Naming("variable", "snake_case"), Naming("constant", "UPPER_CASE"), RequiredDocstring(),
    RequiredTypes(), RequiredHeader("x"), RequiredPattern("x"), Dependency(no_new=True),
)  # fmt: skip


def run_every(diff: Diff, data: bytes | None) -> CheckResult:
    rules = [Rule(f"C{number}", check, lambda path: True) for number, check in enumerate(EVERY)]
    return run_checks(diff, rules, lambda path: data)


def added(path: str, data: bytes) -> Diff:
    lines = data.split(b"\n")
    body = b"".join(b"+" + line + b"\n" for line in lines)
    head = f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
    end = b"\\ No newline at end of file\n"
    return parse_diff(head.encode() + b"@@ -0,0 +1,%d @@\n" % len(lines) + body + end)


@pytest.mark.parametrize("path", ["a.js", "a.txt", "package.json", "requirements.txt"])
def test_a_file_of_10_mb_in_one_line(path: str) -> None:
    data = b"b" * 10_000_000
    result = run_every(added(path, data), data)
    told = "max_line_length" in {violation.kind for violation in result.violations}
    assert told == (path != "package.json")  # where no line break can stand
    reasons = {skip.reason for skip in result.skipped}
    assert reasons <= {"too_large", "unparsable_manifest"}
    assert bool(reasons) == (path != "a.txt")


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.js", b"a" + b".b()" * 100_000),
        ("a.js", b"[b(),\n" * 40_000),
        ("a.js", b"if(b){\n" * 20_000),
        ("a.js", b"x=>{\n" * 20_000),
        ("a.py", b"(" * 15_000 + b"\n" + b"b(" * 5_000),
        ("a.py", b"b('a')\n" * 20_000),
        ("a.rs", b"use a::{" * 2_000),
        ("a.ts", b"a?b:" * 4_000),
        ("a.cpp", b"b<" * 9_000),
    ],
)  # fmt: skip
def test_code_made_to_be_slow(path: str, data: bytes) -> None:
    started = time.monotonic()
    run_every(added(path, data), data)
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.txt", "go.mod", "pom.xml", "a.sh"])
@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe\xe9 b(\xc3\n\xed\xa0\x80 'x' \n", b"b\0\n", b"", b"\n\n\n", b"\r\r\n\r",
     "\u2028b(\x85)\x1c\n".encode(), b"\xef\xbb\xbfimport b\n"],
)  # fmt: skip
def test_broken_encodings(path: str, data: bytes) -> None:
    result = run_every(added(path, data), data)
    assert all(violation.message for violation in result.violations)


@pytest.mark.parametrize(
    ("data", "reason"), [(None, "unavailable"), (b"b\0", "binary"), (b"other\n", "other_commit")]
)
def test_code_whose_text_is_missing_is_a_named_skip(data: bytes | None, reason: str) -> None:
    rules = [Rule("C1", ForbiddenCall(("b",)), lambda path: True)]
    result = run_checks(added("a.py", b"b()"), rules, lambda path: data)
    assert result.violations == ()
    assert [(skip.reason, skip.paths) for skip in result.skipped] == [(reason, ("a.py",))]


def test_a_symbolic_link_needs_no_newline() -> None:
    text = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n"
    diff = parse_diff(text + "\\ No newline at end of file\n")
    result = run_checks(diff, [Rule("C1", FinalNewline(), lambda path: True)], lambda path: b"x")
    assert (result.violations, [skip.reason for skip in result.skipped]) == ((), ["unavailable"])


def test_what_has_no_lines_is_left_or_named() -> None:
    patch = f"@@ -1 +1 @@\n-Subproject commit {'a' * 40}\n+Subproject commit {'b' * 40}"
    files = (
        file_from_patch("sub", None, "modified", patch, additions=1, deletions=1),
        file_from_patch("bin", None, "modified", None),
        file_from_patch("mode", None, "changed", None),
        file_from_patch("big", None, "modified", None, additions=9_000),
    )
    result = run_every(Diff(files), None)
    assert result.violations == ()
    assert {(skip.reason, skip.paths) for skip in result.skipped} == {("too_large", ("big",))}
