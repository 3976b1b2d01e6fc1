"""Pushes, rebases, new and deleted conventions: what is read again, told again, resolved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as redis_client

from tests.workers.review_stage import ReviewComment, Reviewer, ReviewStage, open_review, proposal

HEAD = "".join(f"# part {n}\n" for n in range(1, 41))
ONE, TWO, THREE = "a = first / count", "b = second[index]", "c = third.name"
PATH = "src/parts.py"


def _code(*lines: str) -> str:
    """Three places far apart, so each is a hunk of its own."""
    parts = HEAD.split("\n")
    for at, line in zip((5, 20, 35), lines, strict=True):
        parts.insert(at, line)
    return "\n".join(parts)


BEFORE = _code("a = 0", "b = 0", "c = 0")
AFTER = _code(ONE, TWO, THREE)
FINDS = [
    proposal(PATH, 6, ONE, "Count of zero divides by zero"),
    proposal(PATH, 21, TWO, "Index beyond the end raises"),
    proposal(PATH, 36, THREE, "Missing third object has no attribute"),
]


@pytest.fixture
def stage(tmp_path: Path, redis: redis_client.Redis) -> Iterator[ReviewStage]:
    opened = open_review(
        tmp_path, redis, before={PATH: BEFORE}, changes={PATH: AFTER}, reviewer=Reviewer(FINDS)
    )
    with opened as stage:
        yield stage


def test_a_second_automatic_review_of_the_same_head_posts_nothing(stage: ReviewStage) -> None:
    stage.review()
    assert len(stage.comments()) == 3
    calls = len(stage.reviewer.units)
    stage.review()
    assert len(stage.comments()) == 3
    assert len(stage.reviews()) == 1
    assert len(stage.reviewer.units) == calls
    assert stage.check()["conclusion"] == "neutral"
    assert "3 findings" in stage.check()["output"]["title"]


def test_a_review_that_is_asked_for_reads_everything_and_repeats_nothing(
    stage: ReviewStage,
) -> None:
    stage.review()
    calls = len(stage.reviewer.units)
    stage.review("asked")
    assert len(stage.reviewer.units) == calls + 1
    assert len(stage.comments()) == 3


def test_the_same_finding_in_other_words_is_not_told_again(stage: ReviewStage) -> None:
    stage.review()
    stage.reviewer.finds = [proposal(PATH, 6, ONE, "Zero count divides by zero")]
    state = stage.review("asked")
    assert len(stage.comments()) == 3
    assert state["dropped"][0]["reason"] == "already_said"


def test_a_push_that_fixes_one_resolves_that_thread_and_repeats_none(stage: ReviewStage) -> None:
    stage.review()
    stage.push({PATH: _code("a = first / max(count, 1)", TWO, THREE)})
    stage.review()
    assert stage.open_threads() == [
        "**Index beyond the end raises**", "**Missing third object has no attribute**",
    ]  # fmt: skip
    assert len(stage.comments()) == 3
    assert "+a = first / max(count, 1)" in stage.reviewer.units[-1]
    assert TWO not in stage.reviewer.units[-1]
    assert "2 findings" in stage.check()["output"]["title"]


def test_a_thread_in_which_a_person_spoke_is_theirs_to_close(stage: ReviewStage) -> None:
    stage.review()
    root = next(c for c in stage.comments() if "Count of zero" in c["body"])
    stage.github.reply(_comment(stage, root["id"]), "ben", "On my list.")
    stage.push({PATH: _code("a = 1", TWO, THREE)})
    stage.review()
    assert "**Count of zero divides by zero**" in stage.open_threads()


def test_what_a_person_dismissed_is_not_told_again_in_other_words(stage: ReviewStage) -> None:
    stage.review()
    root = next(c for c in stage.comments() if "Count of zero" in c["body"])
    stage.github.reply(_comment(stage, root["id"]), "ben", "Won't fix: count is never zero.")
    stage.reviewer.finds = [
        proposal(PATH, 6, ONE, "Count of zero divides by zero"),
        proposal(PATH, 6, ONE, "A zero count divides by zero here"),
    ]
    state = stage.review("asked")
    assert len(stage.comments()) == 3
    assert {d["reason"] for d in state["dropped"]} <= {"dismissed", "same_cause"}
    assert "2 findings" in stage.check()["output"]["title"]


def test_what_a_person_wrote_at_the_line_counts_as_said(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    opened = open_review(
        tmp_path, redis, before={PATH: BEFORE}, changes={PATH: AFTER}, reviewer=Reviewer(FINDS)
    )
    with opened as stage:
        stage.github.review_comment(
            stage.pull, "ben", PATH, 6, "This divides by zero when the count is 0, no?"
        )
        state = stage.review()
        assert sorted(c["line"] for c in stage.comments()) == [21, 36]
        assert [d["reason"] for d in state["dropped"]] == ["already_said"]


def test_a_force_push_that_only_rebases_posts_nothing_and_asks_nothing(
    stage: ReviewStage,
) -> None:
    stage.review()
    calls = len(stage.reviewer.units)
    stage.push({PATH: AFTER}, force=True)
    stage.review()
    assert len(stage.comments()) == 3
    assert len(stage.reviewer.units) == calls


def test_a_force_push_is_read_where_a_hunk_really_changed(stage: ReviewStage) -> None:
    stage.review()
    stage.push({PATH: _code(ONE, "b = second[index % 3]", THREE)}, force=True)
    stage.review()
    unit = stage.reviewer.units[-1]
    assert "b = second[index % 3]" in unit
    assert ONE not in unit
    assert stage.open_threads() == [
        "**Count of zero divides by zero**", "**Missing third object has no attribute**",
    ]  # fmt: skip


def test_a_merge_of_the_base_is_no_news(stage: ReviewStage) -> None:
    stage.review()
    calls = len(stage.reviewer.units)
    base = stage.github.commit(stage.repository, "ada", {"other.py": "x = 1\n"})
    stage.push({"other.py": "x = 1\n"})
    assert base
    stage.review()
    assert len(stage.comments()) == 3
    assert all("src/parts.py" not in unit for unit in stage.reviewer.units[calls:])


def test_an_asked_review_reports_a_new_convention_on_the_unchanged_head(
    stage: ReviewStage,
) -> None:
    stage.review()
    stage.say("@precedent remember: call a count of things by a plural name")
    rule = proposal(
        PATH, 6, ONE, "The count has no plural name", category="convention", convention="C1",
        severity="low",
    )  # fmt: skip
    stage.reviewer.finds = [*FINDS, rule]
    stage.review("asked")
    (new,) = [c for c in stage.comments() if "C1" in c["body"]]
    assert "call a count of things by a plural name" in new["body"]
    assert len(stage.comments()) == 4


def test_a_new_convention_is_applied_to_the_whole_diff_at_the_next_push(
    stage: ReviewStage,
) -> None:
    stage.review()
    stage.say("@precedent remember: call a count of things by a plural name")
    stage.push({"src/more.py": "d = 4\n"})
    calls = len(stage.reviewer.units)
    stage.review()
    # Parts are read at the same time, so in any order.
    news, again = sorted(stage.reviewer.units[calls:], key=lambda unit: ONE in unit)
    assert "src/more.py" in news
    assert ONE in again
    confined = [s for s in stage.reviewer.systems if "Report only violations of these" in s]
    assert len(confined) == 1
    assert "call a count" in confined[0]


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("@precedent forget C1", "C1 no longer holds"),
        ("@precedent edit C1 call every count by its unit", "C1 was changed"),
    ],
)
def test_a_finding_whose_convention_is_gone_or_changed_is_resolved_with_a_note(
    words: str, note: str, stage: ReviewStage
) -> None:
    stage.say("@precedent remember: call a count of things by a plural name")
    rule = proposal(
        PATH, 6, ONE, "The count has no plural name", category="convention", convention="C1"
    )
    stage.reviewer.finds = [rule]
    stage.review()
    assert len(stage.open_threads()) == 1
    stage.reviewer.finds = []
    stage.say(words, permission="admin")
    stage.review()
    assert stage.open_threads() == []
    assert any(note in c["body"] for c in stage.review_comments())


def _comment(stage: ReviewStage, comment_id: int) -> ReviewComment:
    found = (thread.comments.get(comment_id) for thread in stage.pull.threads.values())
    return next(comment for comment in found if comment is not None)
