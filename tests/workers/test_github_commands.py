"""Commands on GitHub as people write them there: heard in their place, from the right people."""

from __future__ import annotations

from typing import Any

import pytest

from tests.workers.stage import Stage


def _say(stage: Stage, who: str, text: str) -> Any:
    comment = stage.github.comment(stage.world.api_pull, who, text)
    stage.work()
    return comment


def _answers(stage: Stage) -> list[str]:
    comments = stage.github.issue_comments.values()
    return [c.body for c in comments if c.user.type == "Bot"]


@pytest.fixture
def reviewed(stage: Stage) -> Stage:
    """A review with one finding by ada's convention."""
    _say(stage, "ada", "@precedent remember: the maximum line length is 88 characters")
    _say(stage, "ada", "@precedent review")
    return stage


def test_why_cites_the_convention_and_its_history_without_a_model(reviewed: Stage) -> None:
    _say(reviewed, "cleo", "@precedent why")
    told = _answers(reviewed)[-1]
    assert "It breaks **C1**, said by [ada on GitHub" in told
    assert "> the maximum line length is 88 characters" in told
    assert "Code found it" in told
    assert "History of C1" in told


def test_a_correction_since_is_named(reviewed: Stage) -> None:
    _say(reviewed, "ada", "@precedent edit C1 the maximum line length is 90 characters")
    _say(reviewed, "ada", "@precedent why C1")
    assert "cited version 1; version 2 holds now" in _answers(reviewed)[-1]


def test_the_prefix_conventions_is_the_same_command(stage: Stage) -> None:
    _say(stage, "ada", "@precedent remember: never use eval in production")
    _say(stage, "cleo", "@precedent conventions list")
    assert "never use eval" in _answers(stage)[-1]
    _say(stage, "ada", "@precedent conventions forget C1")
    assert "Forgotten" in _answers(stage)[-1]


def test_pause_resume_and_cancel_need_write(stage: Stage) -> None:
    for command in ("pause", "resume", "cancel", "review"):
        _say(stage, "cleo", f"@precedent {command}")
        assert "needs write permission" in _answers(stage)[-1]
    _say(stage, "ben", "@precedent pause")
    assert "Paused" in _answers(stage)[-1]
    _say(stage, "ben", "@precedent resume")
    assert "Resumed" in _answers(stage)[-1]
    _say(stage, "ben", "@precedent cancel")
    assert "Cancelled" in _answers(stage)[-1]
    assert stage.dead() == []
