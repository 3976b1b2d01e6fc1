"""Reviews by a scripted model on the stand-in: what reaches GitHub is accepted, right and few."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import redis as redis_client

from tests.workers.review_stage import Reviewer, open_review, proposal, report

BEFORE = (
    "def total(items):\n    result = 0\n    for item in items:\n        result += item\n"
    "    return result\n"
)
AFTER = (
    "def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n"
    "    mean = result / len(items)\n    log(mean)\n    return result\n"
)
PATH = "src/totals.py"
MEAN = "    mean = result / len(items)"


def _stage(tmp_path: Path, redis: redis_client.Redis, reviewer: Reviewer, **more: Any) -> Any:
    more = {"before": {PATH: BEFORE}, "changes": {PATH: AFTER}} | more
    return open_review(tmp_path, redis, reviewer=reviewer, **more)


ODD = {
    "a wrong line number": ([proposal(PATH, 2, MEAN, "Empty list divides by zero")], [5]),
    "a line outside the diff": ([proposal(PATH, 900, MEAN, "Empty list divides by zero")], [5]),
    "no line number": ([proposal(PATH, None, MEAN, "Empty list divides by zero")], [5]),  # type: ignore[arg-type]
    "a quote with number and mark": (
        [proposal(PATH, 5, "5 +    mean = result / len(items)", "Empty list divides by zero")],
        [5],
    ),
    "a removed line": (
        [proposal(PATH, 4, "        result += item", "Numbers are no longer summed")],
        [4],
    ),
    "several lines": (
        [proposal(PATH, 5, f"{MEAN}\n    log(mean)", "Empty list divides by zero")],
        [6],
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_a_finding_stands_on_the_line_it_quotes(
    name: str, tmp_path: Path, redis: redis_client.Redis
) -> None:
    finds, lines = ODD[name]
    with _stage(tmp_path, redis, Reviewer(finds)) as stage:
        stage.review()
        assert [c["line"] for c in stage.comments()] == lines
        assert stage.refusals() == []
        assert stage.check()["conclusion"] == "neutral"


def test_a_quote_that_does_not_exist_goes_into_the_summary(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    finds = [proposal(PATH, 5, "total = sum(prices)", "Sums the wrong list")]
    with _stage(tmp_path, redis, Reviewer(finds)) as stage:
        stage.review()
        assert stage.comments() == []
        (review,) = stage.reviews()
        assert "Without an exact line" in review["body"]
        assert "Sums the wrong list" in review["body"]
        stage.push({"README.md": "# Apps\n"})
        stage.review()
        assert len(stage.reviews()) == 1


BAD_ANSWERS = {
    "invalid JSON": '{"findings": [',
    "an empty answer": "",
    "a refusal": "I can't help with that.",
    "text in place of JSON": "Looks good to me! Approved.",
    "another shape": '{"approved": true}',
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_an_answer_that_is_none_is_asked_for_once_more_and_then_named(
    name: str, tmp_path: Path, redis: redis_client.Redis
) -> None:
    reviewer = Reviewer(lambda content: BAD_ANSWERS[name])
    with _stage(tmp_path, redis, reviewer) as stage:
        state = stage.review()
        assert len(reviewer.units) == 2
        assert "could not be used" in reviewer.units[1]
        check = stage.check()
        assert check["conclusion"] == "neutral"
        assert check["output"]["title"].startswith("Incomplete")
        assert PATH in check["output"]["summary"]
        assert stage.reviews() == []
        assert state.get("read_hunks") == []
        reviewer.finds = [proposal(PATH, 5, MEAN, "Empty list divides by zero")]
        stage.review()
        assert [c["line"] for c in stage.comments()] == [5]


def test_an_answer_is_repaired_by_asking_once_more(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    good = report(proposal(PATH, 5, MEAN, "Empty list divides by zero"))
    reviewer = Reviewer(lambda content: good if "could not be used" in content else "Sure!")
    with _stage(tmp_path, redis, reviewer) as stage:
        stage.review()
        assert len(stage.comments()) == 1
        assert "Failed" not in stage.check()["output"]["summary"]


def test_fences_and_raw_line_ends_in_strings_are_read(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    good = report(proposal(PATH, 5, MEAN, "Empty list", failure="One line,two lines."))
    good = good.replace("One line,", "One line,\n")
    reviewer = Reviewer(lambda content: f"Here it is:\n```json\n{good}\n```\nDone.")
    with _stage(tmp_path, redis, reviewer) as stage:
        stage.review()
        assert len(reviewer.units) == 1
        assert "One line, two lines." in stage.comments()[0]["body"]


def test_forty_findings_become_eight_and_the_rest_is_counted(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    lines = [f"value_{n} = compute_{n}(source_{n})" for n in range(1, 41)]
    text = "\n".join(lines) + "\n"
    finds = [
        proposal("src/new.py", n, line, f"Wrong unit for reading number{n} alpha{n} beta{n}")
        for n, line in enumerate(lines, start=1)
    ]
    with _stage(tmp_path, redis, Reviewer(finds), changes={"src/new.py": text}) as stage:
        stage.review()
        assert len(stage.comments()) == 8
        summary = stage.check()["output"]["summary"]
        assert "over the number of comments a review makes" in summary


def test_one_cause_is_told_once_and_names_its_other_places(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    finds = [
        proposal(PATH, 5, MEAN, "Dividing by the length fails for an empty list"),
        proposal(PATH, 5, MEAN, "Dividing by the length fails for an empty list"),
        proposal(PATH, 6, "    log(mean)", "Dividing by length fails for the empty list"),
    ]
    with _stage(tmp_path, redis, Reviewer(finds)) as stage:
        stage.review()
        (comment,) = stage.comments()
        assert "Also at `src/totals.py:6`" in comment["body"]


def test_what_may_not_be_said_is_dropped_and_counted_by_its_reason(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    finds = [
        proposal(PATH, 5, MEAN, "Breaks a rule that nobody taught", convention="C9"),
        proposal(PATH, 5, MEAN, "Style nobody asked for", category="convention"),
        proposal(PATH, 5, MEAN, "A small thing", severity="low"),
        proposal(PATH, 5, MEAN, "Perhaps something", confidence=0.1),
        proposal(PATH, 5, MEAN, "Wrong category", category="poetry"),
    ]
    elsewhere = proposal("src/other.py", 1, "x", "Not in the diff")
    reviewer = Reviewer(lambda content: report(*finds, elsewhere))
    with _stage(tmp_path, redis, reviewer) as stage:
        state = stage.review()
        assert stage.comments() == []
        assert sorted(d["reason"] for d in state["dropped"]) == [
            "below_severity_floor", "low_confidence", "malformed", "no_convention",
            "unknown_convention", "unknown_path",
        ]  # fmt: skip
        check = stage.check()
        assert "Not told: 6 findings, 1 " in check["output"]["summary"]
        assert "1 that could not be understood" in check["output"]["summary"]
        assert check["conclusion"] == "neutral"


def test_a_claim_that_the_second_look_does_not_confirm_is_not_told(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    finds = [
        proposal(PATH, 5, MEAN, "Empty list divides by zero"),
        proposal(PATH, 4, "        result += item.price", "Items may have no price"),
    ]
    reviewer = Reviewer(finds, confirms=lambda claim: "Empty" in claim)
    with _stage(tmp_path, redis, reviewer) as stage:
        stage.review()
        assert [c["line"] for c in stage.comments()] == [5]
        (asked,) = reviewer.refutes
        assert "It fails." not in asked  # the reasoning of the first look is not shown
        assert "1 not confirmed by the second look" in stage.check()["output"]["summary"]


@pytest.mark.parametrize(
    "verdicts",
    [
        {"verdicts": []},
        {"verdicts": [{"claim": 1, "holds": True, "quote": "this line is invented"}]},
        {"verdicts": [{"claim": 1, "holds": True, "quote": ""}]},
        {"verdicts": [{"claim": "one", "holds": "perhaps"}]},
        {"verdicts": [{"claim": 7, "holds": True, "quote": "result = 0"}]},
    ],
)
def test_the_second_look_drops_by_default(
    verdicts: dict[str, Any], tmp_path: Path, redis: redis_client.Redis
) -> None:
    reviewer = Reviewer([proposal(PATH, 5, MEAN, "Empty list divides by zero")])
    reviewer._verdicts = lambda content: json.dumps(verdicts)  # type: ignore[method-assign]
    with _stage(tmp_path, redis, reviewer) as stage:
        stage.review()
        assert stage.comments() == []


def test_a_second_look_that_fails_leaves_the_check_incomplete(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    reviewer = Reviewer([proposal(PATH, 5, MEAN, "Empty list divides by zero")])
    reviewer._verdicts = lambda content: "no idea"  # type: ignore[method-assign]
    with _stage(tmp_path, redis, reviewer) as stage:
        state = stage.review()
        assert stage.comments() == []
        assert stage.check()["output"]["title"].startswith("Incomplete")
        assert state["read_hunks"] == []


def test_a_suggestion_replaces_exactly_the_quoted_lines_or_is_left_out(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    one = proposal(
        PATH, 5, MEAN, "Empty list divides by zero",
        suggestion="mean = result / len(items) if items else 0",
    )  # fmt: skip
    long = proposal(
        PATH, 4, "        result += item.price", "Price may be missing",
        suggestion="\n".join(f"line {n}" for n in range(7)),
    )  # fmt: skip
    with _stage(tmp_path, redis, Reviewer([one, long])) as stage:
        stage.review()
        by_line = {c["line"]: c["body"] for c in stage.comments()}
        assert "```suggestion\n    mean = result / len(items) if items else 0\n```" in by_line[5]
        assert "suggestion" not in by_line[4]
