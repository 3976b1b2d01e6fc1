"""Folders named without a slash, and line limits said as a permission."""

from __future__ import annotations

import pytest

from graph.checks.parser import parse_check
from graph.checks.specs import MaxLineLength
from graph.scopes import parse_scope


@pytest.mark.parametrize(
    ("rule", "paths"),
    [
        ("never use print in src", ("src/",)),
        ("never use print in src please", ("src/",)),
        ("in lib, prefer composition over inheritance", ("lib/",)),
        ("no global state under internal", ("internal/",)),
        ("no global state in cmd or pkg", ("cmd/", "pkg/")),
        ("no prints except in bin", ("!bin/",)),
    ],
)
def test_a_folder_that_everybody_knows_needs_no_slash(rule: str, paths: tuple[str, ...]) -> None:
    """ "Never use print in src" was saved for all files."""
    assert parse_scope(rule).paths == paths


@pytest.mark.parametrize(
    "rule",
    [
        "no state in the app",
        "no prints in app code",
        "no retries in internal APIs",
        "no blocking calls in lib functions",
        "no print in src-gen",
        "no logic in orders",
    ],
)
def test_a_word_that_may_mean_something_else_stays_in_the_rule(rule: str) -> None:
    assert parse_scope(rule).paths == ()


@pytest.mark.parametrize(
    "rule",
    [
        "we allow lines up to 120 characters",
        "we allow lines up to 120",
        "lines up to 120 are fine",
        "lines of up to 120 characters are ok",
        "our lines can be as long as 120 characters",
        "up to 120 columns is ok",
    ],
)
def test_a_limit_said_as_a_permission_is_a_limit(rule: str) -> None:
    """ "Lines up to 120 are fine" was saved as a rule that nothing checked."""
    parsed = parse_check(rule)
    assert parsed is not None
    assert isinstance(parsed.check, MaxLineLength)
    assert parsed.check.limit == 120


@pytest.mark.parametrize("rule", ["lines up to 120 are not ok", "functions up to 50 lines are ok"])
def test_another_permission_is_no_line_limit(rule: str) -> None:
    parsed = parse_check(rule)
    assert parsed is None or not isinstance(parsed.check, MaxLineLength)
