"""The stage itself: a story from a signed request to what people see."""

from __future__ import annotations

from tests.workers.stage import Stage


def test_a_command_and_a_review_go_through_everything(stage: Stage) -> None:
    stage.link()
    stage.identify()
    stage.slack.command("api-reviews", "ada", "/conventions", "add line length is 88 characters")
    stage.work()
    stage.slack.command("api-reviews", "cleo", "/conventions", "list")
    stage.work()
    assert "line length is 88 characters" in stage.told("cleo")
    assert stage.dead() == []
