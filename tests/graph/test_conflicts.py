"""The same, a contradiction, or something else."""

from __future__ import annotations

import pytest

from graph.conventions import Convention, Source, Topic
from graph.subjects import compare, conflicts

SAME = [
    ("the maximum line length is 88 characters", "max line length: eighty-eight chars"),
    ("Never use eval", "never use eval."),
    ("Use type hints", "use type hints everywhere please"),
    ("Don’t log tokens", "Do not log tokens"),
]
CONFLICT = [
    ("Do cache", "Do not cache"),
    ("use pytest", "use unittest"),
    ("max 88", "max 100"),
    ("functions at most 40 lines", "functions at most 60 lines"),
    ("always use snake_case for functions", "functions use camelCase"),
    ("use foo for HTTP calls", "use bar for HTTP calls"),
    ("No print statements", "print statements are allowed"),
    ("2 approvals per PR", "one approval per PR"),
    ("use double quotes", "use single quotes"),
    ("use 4 spaces", "use tabs"),
    ("We squash commits", "We rebase commits"),
    ("每行最多88个字符", "每行最多100个字符"),
    ("必须写测试", "不要写测试"),
]
DIFFERENT = [
    ("use pytest", "use black"),
    ("never log tokens", "never log passwords"),
    ("tests must be fast", "tests must not hit the network"),
    ("every endpoint needs a test", "every bug fix needs a test"),
    ("retry at most 3 times", "timeouts of 30 seconds"),
    ("log at info level", "never log tokens"),
]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(*pair, "same") for pair in SAME]
    + [(*pair, "conflict") for pair in CONFLICT]
    + [(*pair, "different") for pair in DIFFERENT],
)
def test_two_rules_are_compared_both_ways(one: str, other: str, expected: str) -> None:
    assert compare(one, other) == expected
    assert compare(other, one) == expected


CHOICES = [
    ("use spaces, not tabs", "use tabs, not spaces"),
    ("use spaces not tabs", "use tabs not spaces"),
    ("use pytest instead of unittest", "use unittest instead of pytest"),
    ("instead of tabs use spaces", "Instead of spaces, use tabs."),
    ("prefer composition over inheritance", "prefer inheritance over composition"),
    ("raise errors, don't return None", "return None, don't raise errors"),
    ("Use logging. Never use print.", "Use print. Never use logging."),
    ("Leerzeichen statt Tabs verwenden", "Tabs statt Leerzeichen verwenden"),
    ("usa espacios en vez de tabuladores", "usa tabuladores en vez de espacios"),
    ("使用空格，而不是制表符", "使用制表符，而不是空格"),
    ("スペースではなくタブを使う", "タブではなくスペースを使う"),
]


@pytest.mark.parametrize(("one", "other"), CHOICES)
def test_what_one_rule_chooses_and_the_other_declines_is_a_contradiction(
    one: str, other: str
) -> None:
    """ "use tabs, not spaces" was answered with "I already know this: use spaces, not tabs"."""
    assert compare(one, other) == compare(other, one) == "conflict"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("use tabs, not spaces", "use tabs instead of spaces", "same"),
        ("use logging, not print", "instead of print, use logging", "same"),
        ("use logging rather than print", "use print", "conflict"),
        ("use spaces, not tabs", "never use spaces", "conflict"),
        ("use spaces, not tabs", "never use tabs", "different"),
        ("use spaces, not tabs", "use spaces", "different"),
        ("use httpx for calls, not requests", "use aiohttp for calls, not requests", "conflict"),
    ],
)
def test_a_choice_beside_plain_rules(one: str, other: str, expected: str) -> None:
    assert compare(one, other) == compare(other, one) == expected


def convention(number: int, rule: str, topic: Topic, *paths: str) -> Convention:
    return Convention(f"C{number}", topic, rule, Source("cli", "dana"), paths=paths)


def test_only_rules_of_the_same_topic_and_overlapping_paths_conflict() -> None:
    existing = [
        convention(1, "use unittest", "tests"),
        convention(2, "use unittest", "tests", "legacy/**"),
        convention(3, "use unittest", "tests", "src/api/**"),
        convention(4, "use unittest", "process"),
        convention(5, "tests are fast", "tests"),
    ]
    found = conflicts("use pytest", "tests", ("src/**",), existing)
    assert [c.id for c in found] == ["C1", "C3"]


def test_line_length_has_one_rule_for_a_set_of_paths() -> None:
    existing = [
        convention(1, "max line length is 88", "line_length"),
        convention(2, "120 in tests", "line_length", "tests/**"),
    ]
    assert [c.id for c in conflicts("wrap at 100", "line_length", (), existing)] == ["C1"]
    assert conflicts("wrap at 100", "line_length", ("docs/**",), existing) == []
    assert conflicts("maximum line length is eighty-eight", "line_length", (), existing) == []


def test_deleted_rules_and_other_modes_do_not_conflict() -> None:
    rule = convention(1, "use unittest", "tests")
    deleted = Convention("C2", "tests", "use unittest", rule.source, status="deleted")
    ignored = Convention("C3", "tests", "use unittest", rule.source, mode="ignore")
    assert conflicts("use pytest", "tests", (), [deleted, ignored]) == []
