"""From conventions to rules: precedence of paths, modes, checks that cannot be read."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.checking import written_by_people
from graph.checks.report import Rule, Violation
from graph.checks.rules import rules_from
from graph.checks.run import CHANGE_CHECKS, FILE_CHECKS, TEXT_CHECKS, run_checks
from graph.checks.specs import (
    CHECKS,
    CheckError,
    ForbiddenPattern,
    MaxLineLength,
    check_from_json,
    check_to_json,
)
from graph.conventions import Convention, Source
from tests.graph.checks.changes import diff_of

WHO = Source("cli", "cli:dev")


def convention(
    convention_id: str, topic: str = "line_length", limit: int | None = 20, **more: Any
) -> Convention:
    check = None if limit is None else {"kind": "max_line_length", "limit": limit}
    values = {"check": check, **more}
    return Convention(convention_id, topic, "rule", WHO, **values)  # type: ignore[arg-type]


def found(conventions: list[Convention], *paths: str) -> list[tuple[str, str]]:
    diff = diff_of({}, dict.fromkeys(paths, "x" * 50 + "\n"))
    rules, _ = rules_from(conventions)
    result = run_checks(diff, rules, lambda path: None)
    return [(violation.convention_id, violation.path) for violation in result.violations]


def test_the_narrowest_line_length_wins_on_its_paths() -> None:
    wide, narrow = convention("C1", limit=20), convention("C2", limit=60, paths=("tests/",))
    assert found([wide, narrow], "a.py", "tests/a.py") == [("C1", "a.py")]


def test_a_narrower_ignore_hides_a_topic_on_its_paths_only() -> None:
    rule = convention("C1", "formatting")
    ignore = convention("C2", "formatting", None, mode="ignore", paths=("old/",))
    assert found([rule, ignore], "a.py", "old/a.py") == [("C1", "a.py")]
    other = convention("C2", "naming", None, mode="ignore", paths=("old/",))
    assert found([rule, other], "old/a.py") == [("C1", "old/a.py")]


def test_a_wide_ignore_does_not_hide_a_narrower_rule() -> None:
    rule = convention("C1", "formatting", paths=("src/",))
    ignore = convention("C2", "formatting", None, mode="ignore")
    assert found([rule, ignore], "src/a.py") == [("C1", "src/a.py")]


def test_of_two_equally_narrow_the_newer_wins() -> None:
    rule = convention("C1", "formatting", updated_at=2.0)
    ignore = convention("C2", "formatting", None, mode="ignore", updated_at=1.0)
    assert found([rule, ignore], "a.py") == [("C1", "a.py")]
    newer = convention("C2", "formatting", None, mode="ignore", updated_at=3.0)
    assert found([rule, newer], "a.py") == []


def test_security_is_never_ignored_and_other_is_no_topic_to_ignore() -> None:
    for topic in ("security", "other"):
        rule = convention("C1", topic)
        ignore = convention("C2", topic, None, mode="ignore", updated_at=9.0)
        assert found([rule, ignore], "a.py") == [("C1", "a.py")]


def test_an_ignore_with_a_check_hides_that_kind() -> None:
    rule = convention("C1", "formatting")
    kind = {"kind": "trailing_whitespace"}
    ignore = convention("C2", "formatting", None, mode="ignore", check=kind, updated_at=9.0)
    assert found([rule, ignore], "a.py") == [("C1", "a.py")]


def test_context_and_unchecked_conventions_are_no_rules() -> None:
    conventions = [convention("C1", mode="context"), convention("C2", "naming", None)]
    assert rules_from(conventions) == ((), ())


def test_a_check_that_cannot_be_read_is_a_named_skip() -> None:
    rules, skips = rules_from([convention("C1", check={"kind": "from_the_future"})])
    assert rules == ()
    assert [(skip.convention_id, skip.reason) for skip in skips] == [("C1", "invalid_check")]


def test_every_kind_has_one_runner() -> None:
    assert {*FILE_CHECKS, *CHANGE_CHECKS, *TEXT_CHECKS} == set(CHECKS)
    assert len(FILE_CHECKS) + len(CHANGE_CHECKS) + len(TEXT_CHECKS) == len(CHECKS)
    assert len({check.kind for check in CHECKS}) == len(CHECKS)


def test_a_pattern_that_cannot_be_run_disables_its_rule_with_a_notice() -> None:
    diff = diff_of({}, {"a.txt": "a" * 100 + "!\n"})
    for pattern in ("(", "(a{1000}){1000}", "(?=a)", r"(a)\1", "a" * 501, "\ud800"):
        rule = Rule("C1", ForbiddenPattern(pattern), lambda path: True)
        result = run_checks(diff, [rule], lambda path: None)
        assert result.violations == ()
        assert [skip.reason for skip in result.skipped] == ["unusable_pattern"]


def test_a_catastrophic_pattern_is_harmless() -> None:
    diff = diff_of({}, {"a.txt": "a" * 100_000 + "!\n"})
    rule = Rule("C1", ForbiddenPattern("^(a+)+$"), lambda path: True)
    assert run_checks(diff, [rule], lambda path: None).violations == ()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)

LIKELY = st.integers(1, 200) | st.text(min_size=1, max_size=5) | st.lists(st.text(min_size=1))


@given(
    st.sampled_from(CHECKS).flatmap(
        lambda check: st.fixed_dictionaries(
            {"kind": st.just(check.kind)},
            optional={item.name: LIKELY | VALUES for item in fields(check)},
        )
    )
)
def test_json_of_any_shape_is_a_check_or_an_error_with_a_reason(record: dict[str, Any]) -> None:
    try:
        check = check_from_json(record)
    except CheckError:
        return
    assert check_from_json(check_to_json(check)) == check
    assert check.describe()


def test_nothing_is_coerced() -> None:
    for record in (
        {"kind": "max_line_length", "limit": "88"},
        {"kind": "max_line_length", "limit": True},
        {"kind": "max_line_length", "limit": 88.0},
        {"kind": "max_line_length", "limit": 88, "extra": 1},
        {"kind": "max_line_length"},
        {"kind": ["max_line_length"]},
        {"limit": 88},
    ):
        with pytest.raises(CheckError) as raised:
            check_from_json(record)
        assert raised.value.reason == "invalid_check"
    assert check_to_json(MaxLineLength(88)) == {"kind": "max_line_length", "limit": 88}


def test_a_scope_of_endings_or_of_exceptions_does_not_bring_generated_files_back() -> None:
    """ "No print except in tests" was told of files that nobody wrote, for it had paths."""
    scopes = [(), ("*.py", "*.pyi"), ("!tests/",), ("vendor/",), ("gen/*_pb2.py",)]
    conventions = [convention(f"C{n}", paths=paths) for n, paths in enumerate(scopes, start=1)]
    told = [Violation(c.id, "max_line_length", "gen/a_pb2.py", "long") for c in conventions]
    kept = written_by_people(told, conventions, {"gen/a_pb2.py"})
    assert [violation.convention_id for violation in kept] == ["C4", "C5"]
    assert written_by_people(told, conventions, set()) == told
