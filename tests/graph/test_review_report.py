"""What the check run, the log and the comments say of a review."""

from __future__ import annotations

import json
from typing import Any

import pytest
import structlog
from redis import Redis

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
