"""Forms that a command or a learnt proposal opens, and views that are older than what they show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.convention_book import Lesson
from graph.conventions import Convention
from tests.workers.stage import Stage, open_stage
from tests.workers.test_slack_home import Person, _book, _teach


@pytest.fixture
def stage(tmp_path: Path, redis_url: str) -> Iterator[Stage]:
    with open_stage(tmp_path, redis_url) as opened:
        opened.link("api-reviews", "acme/api")
        opened.identify("ada", "ben", "cleo")
        yield opened
        assert opened.dead() == []


def _command(stage: Stage, name: str, text: str) -> None:
    delivery = stage.slack.command("api-reviews", name, "/conventions", text)
    assert delivery.status == 200
    stage.work()


def _convention(stage: Stage, convention_id: str = "C1") -> Convention:
    found: Convention = _book(stage).get(convention_id)
    return found


def test_edit_without_words_opens_the_form_with_the_old_ones(stage: Stage) -> None:
    _teach(stage, "ada", "never use eval in production")
    _command(stage, "ada", "edit C1")
    ada = Person(stage, "ada")
    assert ada.modal["title"]["text"] == "Edit C1"
    assert ada.modal["blocks"][1]["element"]["initial_value"] == "never use eval in production"
    ada.submits(rule="never use eval or exec")
    assert _convention(stage).rule == "never use eval or exec"
    assert "Edited *C1*" in stage.told("ada")


def test_add_without_words_opens_an_empty_form(stage: Stage) -> None:
    _command(stage, "ben", "add")
    ben = Person(stage, "ben")
    assert ben.modal["title"]["text"] == "Teach"
    ben.submits(rule="never use eval in production")
    assert "Remembered as *C1*" in stage.told("ben")
    assert _convention(stage).source.github_id == 3_002


@pytest.mark.parametrize("name", ["ben", "cleo", "dana"])
def test_who_may_not_edit_is_told_so_in_place_of_the_form(stage: Stage, name: str) -> None:
    """ben writes, but it is ada's; cleo reads; dana has linked no account."""
    _teach(stage, "ada", "never use eval in production")
    _command(stage, name, "edit C1")
    blocks = Person(stage, name).modal["blocks"]
    assert [block["type"] for block in blocks] == ["section"]
    assert _convention(stage).version == 1


def test_a_command_whose_form_could_not_open_is_answered_in_words(stage: Stage) -> None:
    _teach(stage, "ada", "never use eval in production")
    stage.slack.break_next("views.open", error="expired_trigger_id")
    _command(stage, "ada", "edit C1")
    assert "Write the rule after it: edit C1" in stage.told("ada")


def test_a_channel_of_several_repositories_asks_which_before_the_form(stage: Stage) -> None:
    stage.link("api-reviews", "acme/web")
    _command(stage, "ada", "add")
    said = Person(stage, "ada").modal["blocks"][0]["text"]["text"]
    assert "`repo:acme/api`" in said
    _command(stage, "ada", "repo:acme/web add")
    assert "For acme/web" in Person(stage, "ada").modal["blocks"][0]["text"]["text"]


def test_editing_a_learnt_proposal_makes_it_a_quote_of_who_edits(stage: Stage) -> None:
    """Ben's words are proposed; cleo may not change them, and what ada writes is hers."""
    world = stage.world
    words = "We always wrap long lines."
    stage.github.review_comment(world.api_pull, "ben", world.long_line_path, world.long_line, words)
    stage.github.push(world.api_pull, {world.long_line_path: "# All new.\n"})
    stage.github.close_pull_request(world.api_pull)
    stage.work()
    (message,) = [m for m in stage.slack.messages("api-reviews") if m.get("bot_id")]
    message = {**message, "channel": world.api_channel.id}
    assert _convention(stage).status == "proposed"

    stage.slack.click(message, "convention.edit#1", "cleo")
    stage.work()
    assert [b["type"] for b in Person(stage, "cleo").modal["blocks"]] == ["section"]

    ada = Person(stage, "ada")
    stage.slack.click(message, "convention.edit#1", "ada")
    stage.work()
    assert ada.modal["blocks"][1]["element"]["initial_value"] == "We always wrap long lines"
    ada.submits(rule="wrap lines after 88 characters")
    edited = _convention(stage)
    assert (edited.rule, edited.status) == ("wrap lines after 88 characters", "proposed")
    assert (edited.source.github_id, edited.source.place) == (3_001, "slack")
    assert edited.source.said_at > 1_000_000_000
    (told,) = [m for m in stage.slack.ephemerals() if "Edited *C1*" in m["text"]]
    labels = [e["text"]["text"] for e in told["blocks"][-1]["elements"]]
    assert labels == ["Approve", "Edit", "Dismiss"]
    stage.slack.click({**told, "channel": world.api_channel.id}, "convention.approve#0", "ben")
    stage.work()
    assert _convention(stage).status == "active"


def test_a_form_saves_nothing_over_what_changed_meanwhile(stage: Stage) -> None:
    """Whoever saved last had silently undone what a colleague wrote in between."""
    _teach(stage, "ada", "never use eval in production")
    ada = Person(stage, "ada").opens()
    ada.clicks("convention.edit#0")
    _command(stage, "ada", "edit C1 never use eval or exec")
    ada.submits(rule="never use eval at all")
    assert _convention(stage).rule == "never use eval or exec"
    assert "was changed while you wrote" in ada.sees
    assert "never use eval or exec" in ada.sees


def test_a_click_in_a_stale_home_is_answered_and_refreshes_it(stage: Stage) -> None:
    _teach(stage, "ada", "never use eval in production")
    ada = Person(stage, "ada").opens()
    _command(stage, "ada", "forget C1")
    _teach(stage, "ada", "log with structlog")
    assert "never use eval" in ada.sees
    ada.clicks("convention.forget#0")
    assert "C1 is deleted; `restore C1` brings it back" in ada.sees
    assert "log with structlog" in ada.sees
    assert "never use eval" not in ada.sees
    ada.clicks("convention.edit#0")
    assert ada.modal["title"]["text"] == "Edit C2"


def test_a_page_that_is_gone_falls_back_to_the_last_one(stage: Stage) -> None:
    for number in range(11):
        _teach(stage, "ada", f'"never call helper_{number}_old in new code" --topic api')
    ada = Person(stage, "ada").opens()
    ada.clicks("home.page#next", "1")
    assert "helper_10_old" in ada.sees
    ada.clicks("convention.forget#0")
    assert "*10 conventions*" in ada.sees
    assert "helper_0_old" in ada.sees
    ada.clicks("home.status", "deleted")
    assert "helper_10_old" in ada.sees


def test_a_proposal_is_edited_in_the_home(stage: Stage) -> None:
    _command(stage, "ada", "add never use eval in production")
    _book(stage).forget("C1", _convention(stage).source, "gone")
    proposal = Lesson("pin every dependency", "dependencies", is_proposal=True)
    _book(stage).teach(proposal, _convention(stage).source, "proposed")
    ada = Person(stage, "ada").opens()
    ada.clicks("convention.edit#0")
    ada.submits(rule="pin every dependency exactly")
    assert _convention(stage, "C2").rule == "pin every dependency exactly"
    assert _convention(stage, "C2").status == "proposed"
