"""From words to checks: the table of phrasings, its near misses, and any text at all."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.checks.parser import describe_parsed, parse_check
from graph.checks.specs import MaxLineLength, check_from_json, check_to_json
from graph.numbers import number_in_words
from tests.graph.checks.parser_table import CHECKABLE, NOT_CHECKABLE


@pytest.mark.parametrize(("rule", "check", "paths"), CHECKABLE, ids=[row[0] for row in CHECKABLE])
def test_a_rule_that_code_can_decide(rule: str, check: dict[str, Any], paths: list[str]) -> None:
    parsed = parse_check(rule)
    assert parsed is not None
    assert check_to_json(parsed.check) == check
    assert list(parsed.paths) == paths


@pytest.mark.parametrize("rule", NOT_CHECKABLE)
def test_a_near_miss_stays_a_plain_convention(rule: str) -> None:
    assert parse_check(rule) is None


def test_the_table_covers_many_kinds_and_phrasings() -> None:
    assert len({row[0] for row in CHECKABLE}) >= 150
    assert len(set(NOT_CHECKABLE)) >= 50
    assert len({row[1]["kind"] for row in CHECKABLE}) >= 25


@pytest.mark.parametrize(
    "tail",
    [
        " if possible", " when it makes sense", " or so", ", ideally", " and use black",
        " unless a reviewer agrees", " per review", " for public methods", " in core",
        ", but not always", " and 120 in scripts", " by next quarter", " where practical",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "rule",
    [
        "Lines must not exceed 88 characters", "Never use eval()", "No wildcard imports",
        "Functions must be at most 50 lines", "Use snake_case for function names",
        "No trailing whitespace", "Use spaces, not tabs", "Every PR must link to an issue",
        "All public functions must have docstrings", "No new dependencies",
    ],
)  # fmt: skip
def test_a_clause_that_nobody_understood_takes_the_check_away(rule: str, tail: str) -> None:
    assert parse_check(rule) is not None
    assert parse_check(rule + tail) is None


@given(st.integers(20, 999), st.booleans())
def test_a_limit_in_words_is_the_limit_in_digits(limit: int, in_words: bool) -> None:
    number = number_in_words(limit) if in_words else str(limit)
    parsed = parse_check(f"Lines must not exceed {number} characters.")
    assert parsed is not None
    assert parsed.check == MaxLineLength(limit)


@given(st.integers(21, 999))
def test_under_is_exclusive_and_at_most_is_not(limit: int) -> None:
    under = parse_check(f"Keep lines under {limit} columns")
    at_most = parse_check(f"Keep lines to at most {limit} columns")
    assert under is not None
    assert at_most is not None
    assert under.check == MaxLineLength(limit - 1)
    assert at_most.check == MaxLineLength(limit)


_WORDS = st.sampled_from(
    [word for row in CHECKABLE for word in row[0].split()] + ["`", '"', "88", "(", ")", ",", "."]
)


@given(st.one_of(st.text(max_size=400), st.lists(_WORDS, max_size=40).map(" ".join)))
@settings(max_examples=300)
def test_no_text_raises_and_every_result_is_a_valid_check(text: str) -> None:
    parsed = parse_check(text)
    if parsed is not None:
        assert check_from_json(check_to_json(parsed.check)) == parsed.check
        assert describe_parsed(parsed).startswith("I'll flag ")


@pytest.mark.parametrize(
    "part",
    ["a", "in tests and ", "`", "'a ", "1,", "one hundred and ", "*.py ", "not ", "max line ",
     "行", "((", "use x instead of ", "C++ ", "because ", "a/", "no print, "],
)  # fmt: skip
def test_hostile_lengths_are_done_within_milliseconds(part: str) -> None:
    """Ten thousand characters are refused, four hundred are read in linear time."""
    for length in (400, 2_000, 10_000):
        text = (part * (length // len(part) + 1))[:length]
        spent = []
        for _ in range(3):
            begun = time.process_time()
            parse_check(text)
            spent.append(time.process_time() - begun)
        assert min(spent) < 0.05


def test_a_long_rule_costs_less_than_five_milliseconds() -> None:
    """2,000 characters of prose; the processor's time, so that other work does not count."""
    text = ("The maximum line length is 88 characters, and reviewers look at it. " * 30)[:2_000]
    begun = time.process_time()
    for _ in range(50):
        parse_check(text)
    assert (time.process_time() - begun) / 50 < 0.005


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (
            "Lines in *.py must not exceed 88 characters, except under `tests/`",
            "I'll flag added lines over 88 columns in *.py, except under tests/.",
        ),
        ("Never use eval()", "I'll flag added calls of `eval`."),
        (
            "No print except in tests",
            "I'll flag added calls of `print`, except in tests.",
        ),
        (
            "Every migration must be reversible",
            "I'll flag new files without a down step in migrations.",
        ),
    ],
)
def test_the_answer_to_teaching_says_what_will_be_flagged(rule: str, sentence: str) -> None:
    parsed = parse_check(rule)
    assert parsed is not None
    assert describe_parsed(parsed) == sentence
