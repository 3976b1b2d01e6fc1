"""What the check run, the log and the comments say of a review."""

from __future__ import annotations

import json
from typing import Any

import pytest
import structlog
from redis import Redis

from graph import pausing
from graph.context import CheckReport, ReviewDraft
from tests.graph.threads import Room, diff_adding
from tests.scripted_model import ScriptedModel

DIVIDES = "mean = total / count"
KEY = 'key = "AKIAQZ5NWTLM4KBDXHVE"'


def _answers(**more: Any) -> ScriptedModel:
    finding = {
        "path": "src/app.py", "line": 1, "quote": DIVIDES, "category": "bug", "severity": "high",
        "title": "Count may be zero", "failure": "It raises.", **more,
    }  # fmt: skip
    verdict = {"verdicts": [{"claim": 1, "holds": True, "quote": finding["quote"]}]}
    return ScriptedModel(script=[json.dumps({"findings": [finding]}), json.dumps(verdict)])


def _check(draft: ReviewDraft) -> CheckReport:
    assert draft.check is not None
    return draft.check


@pytest.mark.parametrize(
    ("fail_on", "conclusion"),
    [("high", "failure"), ("bug", "failure"), ("critical", "neutral"), ("C1", "neutral")],
)
def test_what_fails_the_check_is_the_repository_s_choice(
    fail_on: str, conclusion: str, redis: Redis
) -> None:
    room = Room(redis, _answers())
    room.outside.diff_text = diff_adding(DIVIDES)
    room.outside.files[".precedent.toml"] = f'[check]\nfail_on = ["{fail_on}"]\n'.encode()
    check = _check(room.review())
    assert check.conclusion == conclusion
    assert check.title == "1 finding"
    assert "Findings: 1 high" in check.summary


def test_a_convention_can_fail_the_check_and_every_place_is_annotated(redis: Redis) -> None:
    room = Room(redis)
    room.say("@precedent remember: the maximum line length is 88 characters")
    room.outside.diff_text = diff_adding("x = " + "1" * 96, "y = 2", "z = " + "3" * 96)
    room.outside.files[".precedent.toml"] = b'[check]\nfail_on = ["C1"]\n'
    draft = room.review()
    check = _check(draft)
    assert check.conclusion == "failure"
    assert [a.start_line for a in check.annotations] == [1, 3]
    assert len(draft.comments) == 1


def test_each_model_call_logs_which_conventions_were_in_it(redis: Redis) -> None:
    room = Room(redis, _answers(category="convention", convention="C1"))
    room.say("@precedent remember: guard every division against zero")
    room.say("@precedent remember: the maximum line length is 88 characters")
    room.outside.diff_text = diff_adding(DIVIDES)
    with structlog.testing.capture_logs() as logs:
        draft = room.review()
    unit, refute = [entry for entry in logs if entry["event"] == "review.model_call"]
    assert unit["conventions"] == ["C1@1", "C2@1"]
    assert refute["conventions"] == ["C1@1"]
    assert unit["model"] == "scripted"
    assert DIVIDES not in json.dumps(logs)
    (comment,) = draft.comments
    assert "> guard every division against zero" in comment.body
    assert "https://github.test/c/1" in comment.body
    assert "Checked by code: C2. Judged by scripted: C1; read all." in _check(draft).summary


def test_a_checked_convention_is_shown_as_such_and_not_told_by_the_model(redis: Redis) -> None:
    model = _answers(category="convention", convention="C1")
    room = Room(redis, model)
    room.say("@precedent remember: the maximum line length is 88 characters")
    room.outside.diff_text = diff_adding(DIVIDES)
    draft = room.review()
    assert draft.comments == ()
    assert "already checked by code, do not report" in model.system_prompt(0)
    assert "1 about a convention that code checks" in _check(draft).summary


def test_a_secret_is_told_without_a_model_and_never_repeated(redis: Redis) -> None:
    room = Room(redis)
    room.say(f"@precedent remember: never use {KEY.split()[-1]}")
    room.outside.diff_text = diff_adding("import os", KEY)
    draft = room.review()
    secret = next(c for c in draft.comments if "adds a secret" in c.body)
    assert secret.anchor.line == 2
    state = room.graph.get_state({"configurable": {"thread_id": "pr:1:7"}}).values
    review = {k: v for k, v in state.items() if k != "messages"}
    told = repr((draft.body, [c.body for c in draft.comments if "secret" in c.body], review))
    assert "AKIAQZ5NWTLM4KBDXHVE" not in told
    assert _check(draft).annotations


def test_a_model_s_word_about_the_same_secret_is_one_cause(redis: Redis) -> None:
    shown = 'key = "«secret:aws········»"'
    room = Room(redis, _answers(category="security", quote=shown, line=1, title="Key in the code"))
    room.outside.diff_text = diff_adding(KEY)
    draft = room.review()
    assert len(draft.comments) == 1
    assert "adds a secret" in draft.comments[0].body


def test_an_ignoring_convention_and_an_instruction_hide_style_but_no_bug(redis: Redis) -> None:
    for words in (
        "@precedent remember: ignore findings in legacy/",
        "@precedent on this pull request, ignore the legacy folder",
    ):
        redis.flushall()
        model = _answers(path="legacy/a.py")
        room = Room(redis, model)
        room.say("@precedent remember: the maximum line length is 88 characters")
        room.say(words)
        room.outside.diff_text = diff_adding(DIVIDES, "x = " + "1" * 96, path="legacy/a.py")
        draft = room.review()
        assert ["Count may be zero" in c.body for c in draft.comments] == [True], words


def test_a_finding_that_could_not_be_understood_is_never_green(redis: Redis) -> None:
    """A model's findings that had no title were dropped, and the check run was green: whoever
    looked at its title took the head for clean, and who had asked heard "nothing new to say"."""
    room = Room(redis, _answers(title=None))
    room.outside.diff_text = diff_adding(DIVIDES)
    check = _check(room.review(cause="comment:1"))
    assert check.conclusion == "neutral"
    assert check.title == "Incomplete: 1 finding of the model could not be understood"
    assert "Not told: 1 finding, 1 that could not be understood." in check.summary
    assert "not completely: 1 finding of the model" in room.outside.answers[-1].text


def test_findings_that_are_not_told_are_counted_by_reason(redis: Redis) -> None:
    known = {"path": "src/app.py", "line": 1, "quote": DIVIDES, "category": "bug"}
    said: list[dict[str, Any]] = [
        {**known, "severity": "low", "title": "A small thing"},
        {**known, "severity": "low", "title": "Another small thing"},
        {**known, "severity": "high", "title": "Elsewhere", "path": "src/other.py"},
    ]
    room = Room(redis, ScriptedModel(script=[json.dumps({"findings": said})]))
    room.outside.diff_text = diff_adding(DIVIDES)
    check = _check(room.review())
    assert (
        "Not told: 3 findings, 2 below the severity floor, "
        "1 about a file that is not in the diff." in check.summary
    )
    assert (check.conclusion, check.title) == ("success", "No findings")


@pytest.mark.parametrize(
    ("pull_request", "settings", "why"),
    [
        ({"title": "WIP: totals"}, 'skip_title_words = ["wip"]', "The title says “wip”"),
        ({"labels": ("no review",)}, 'skip_labels = ["no review"]', "The label “no review”"),
        ({"is_draft": True}, "", "Drafts are not reviewed"),
    ],
    ids=["title", "label", "draft"],
)
def test_a_skipped_pull_request_says_how_to_get_a_review(
    pull_request: dict[str, Any], settings: str, why: str, redis: Redis
) -> None:
    """The check run of a pull request that was called "WIP" said just that: nobody learnt that a
    mention gets a review anyway. The name to mention is the App's own."""
    room = Room(redis)
    room.outside.pull.update(pull_request)
    room.outside.files[".precedent.toml"] = f"[review]\n{settings}\n".encode()
    room.outside.diff_text = diff_adding(DIVIDES)
    check = _check(room.review(handle="acme-reviews"))
    assert check.conclusion == "neutral"
    assert why in check.title
    assert "comment `@acme-reviews review` for a review" in check.title
    assert check.title == check.summary
    asked = _check(room.review(handle="acme-reviews", cause="comment:1"))
    assert why not in asked.title


def test_a_pause_says_how_it_ends_and_how_to_get_a_review_meanwhile(redis: Redis) -> None:
    room = Room(redis)
    room.outside.diff_text = diff_adding(DIVIDES)
    pausing.pause(room.store, 1, 7, "ben")
    check = _check(room.review(handle="acme-reviews"))
    assert "`@acme-reviews resume` to start them again" in check.title
    assert "`@acme-reviews review` for one" in check.title
