"""Channels and their repositories: linking, choosing, private words, people from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.sandbox.slack.faults import Fault
from graph.convention_book import ConventionBook
from graph.ledger import Scope
from tests.workers.stage import Stage, open_stage


@pytest.fixture
def stage(tmp_path: Path, redis_url: str) -> Iterator[Stage]:
    with open_stage(tmp_path, redis_url) as opened:
        opened.identify("ada", "ben", "eve")
        yield opened


def command(stage: Stage, name: str, text: str, channel: str = "api-reviews") -> str:
    """The last answer that the person got."""
    before = len(stage.told(name))
    stage.slack.command(channel, name, "/conventions", text)
    stage.work()
    return stage.told(name)[before:].strip()


def rules(stage: Stage, repository_id: int, *, status: str = "active") -> list[str]:
    book = ConventionBook(stage.services.store, Scope("repository", repository_id), lambda: 0.0)
    return [c.rule for c in book.all() if c.status == status]


def linked(stage: Stage, channel_id: str) -> list[str]:
    links = stage.services.channels.of_channel(stage.world.team.id, channel_id)
    return [link.name for link in links]


def test_linking_needs_the_maintain_role_on_github_now(stage: Stage) -> None:
    channel = stage.world.api_channel.id
    assert "login" in command(stage, "cleo", "link acme/api")
    assert "maintain or admin" in command(stage, "ben", "link acme/api")
    unknown = command(stage, "eve", "link acme/api")
    assert unknown == command(stage, "eve", "link acme/api2").replace("acme/api2", "acme/api")
    assert "install the App" in unknown
    assert linked(stage, channel) == []
    assert "speaks for *acme/api*" in command(stage, "ada", "link Acme/API")
    assert linked(stage, channel) == ["acme/api"]
    assert "maintain" in command(stage, "ben", "unlink")
    assert linked(stage, channel) == ["acme/api"]
    assert "no longer speaks" in command(stage, "ada", "unlink acme/api")
    assert linked(stage, channel) == []


def test_help_is_given_before_anything_is_set_up(stage: Stage) -> None:
    """Asked for help in a new channel, it only said that the channel is not linked.

    And nowhere did the help name the commands that link a channel and an account.
    """
    assert "/conventions link owner/name" in command(stage, "cleo", "help")
    stage.slack.say("api-reviews", "cleo", "@precedent help")
    stage.work()
    assert "/conventions login" in stage.said_in("api-reviews")[-1]


def test_a_repository_that_the_app_does_not_have_says_where_to_install_it(stage: Stage) -> None:
    stage.github.add_organization("beta", owners=["ada"])
    stage.github.add_repository("beta", "tool", {"a.py": "x = 1\n"})
    answer = command(stage, "ada", "link beta/tool")
    assert (
        f"{stage.github.base_url}/github-apps/{stage.github.app_slug}/installations/new" in answer
    )


def test_a_mention_in_a_channel_without_a_link_explains(stage: Stage) -> None:
    stage.slack.say("api-reviews", "ada", "@precedent what do you know?")
    stage.work()
    assert "/conventions link" in stage.said_in("api-reviews")[-1]


def test_of_several_repositories_the_person_names_one_or_chooses(stage: Stage) -> None:
    stage.link()
    stage.link("api-reviews", "acme/web")
    said = stage.slack.say("api-reviews", "ada", "@precedent remember: never use print")
    stage.work()
    assert rules(stage, stage.world.api.id) == rules(stage, stage.world.web.id) == []
    asked = _asked(stage)
    assert "Which repository" in asked["text"]

    stage.slack.click(asked, "repository.choose#1", "ben")
    stage.work()
    assert "Only the person" in stage.told("ben")
    stage.slack.click(asked, "repository.choose#1", "ada")
    stage.work()
    assert rules(stage, stage.world.web.id) == ["never use print"]
    assert rules(stage, stage.world.api.id) == []

    # The thread is about acme/web from now on.
    stage.slack.say(
        "api-reviews", "ada", "@precedent remember: line length is 88 characters", said.ts
    )
    stage.work()
    assert len(rules(stage, stage.world.web.id)) == 2
    stage.slack.say("api-reviews", "ada", "@precedent repo:acme/api remember: never use eval")
    stage.work()
    assert rules(stage, stage.world.api.id) == ["never use eval"]


def test_a_command_among_several_repositories_asks_and_goes_on(stage: Stage) -> None:
    stage.link()
    stage.link("api-reviews", "acme/web")
    assert "Which repository" in command(stage, "ada", "add never use print")
    stage.slack.click(_asked(stage), "repository.choose#0", "ada")
    stage.work()
    assert rules(stage, stage.world.api.id) == ["never use print"]
    assert "not linked here" in command(stage, "ada", "repo:acme/secret list")
    assert "never use print" in command(stage, "ada", "repo:acme/api list")


def test_many_repositories_are_a_menu(stage: Stage) -> None:
    names = [f"tool-{n}" for n in range(7)]
    for name in names:
        made = stage.github.add_repository("acme", name, {"a.py": "x = 1\n"})
        stage.github.change_installation(stage.world.installation, "dana", add=[made])
        stage.github.set_role(made, "ada", "maintain")
        stage.link("api-reviews", f"acme/{name}")
    stage.work()
    command(stage, "ada", "list")
    menu = _asked(stage)["blocks"][1]["elements"][0]
    assert menu["type"] == "static_select"
    assert [o["text"]["text"] for o in menu["options"]] == [f"acme/{name}" for name in names]
    stage.slack.click(_asked(stage), "repository.choose#menu", "ada", menu["options"][3]["value"])
    stage.work()
    assert "acme/tool-3" in stage.told("ada")


def test_people_from_outside_may_do_nothing_in_a_shared_channel(stage: Stage) -> None:
    guest = stage.slack.add_user("guest", external=True)
    ada = stage.world.people["ada"][1]
    shared = stage.slack.add_channel("shared", shared=True, members=[ada, guest])
    assert "shared with people from outside" in command(stage, "ada", "link acme/api", "shared")
    for text in ("list", "add never use print", "forget C1", "login", "link acme/web"):
        stage.slack.command(shared, guest, "/conventions", text)
    stage.slack.say(shared, guest, "@precedent remember: never use print")
    stage.work()
    told = [m["text"] for m in stage.slack.ephemerals(shared) if m["recipient"] == guest.id]
    assert len(told) == 6
    assert all("outside this workspace" in text for text in told)
    assert rules(stage, stage.world.api.id) == []
    assert linked(stage, shared.id) == ["acme/api"]
    assert "Remembered" in command(stage, "ada", "add never use print", "shared")


def test_people_from_outside_press_no_button_and_get_no_form(stage: Stage) -> None:
    """Whatever stands in a shared channel for the people inside: a question's buttons, the choice
    of a repository, a form that the web has opened before anybody knew who asked for it."""
    guest = stage.slack.add_user("guest", external=True)
    people = [stage.world.people[name][1] for name in ("ada", "ben")]
    shared = stage.slack.add_channel("shared", shared=True, members=[*people, guest])
    stage.link("shared")
    stage.link("shared", "acme/web")
    for text in ("repo:acme/api remember: line length is 88",
                 "repo:acme/api remember: never use print",
                 "repo:acme/api remember: use print", "remember: never use eval"):  # fmt: skip
        stage.slack.say(shared, "ada", f"@precedent {text}")
        stage.work()
    question = next(m for m in reversed(stage.slack.messages(shared)) if buttons_of(m))
    known = rules(stage, stage.world.api.id), rules(stage, stage.world.web.id)
    for action_id in buttons_of(question):
        stage.slack.click(question, action_id, guest)
    stage.slack.click(_asked(stage), "repository.choose#0", guest)
    for text in ("add", "edit C1", "repo:acme/api add", "help", "export", "history C1"):
        stage.slack.command(shared, guest, "/conventions", text)
        stage.work()
        form = stage.slack.views.on_screen(guest.id)
        assert form is None or "outside this workspace" in str(form["blocks"])
    told = [m["text"] for m in stage.slack.ephemerals() if m["recipient"] == guest.id]
    assert len(told) >= len(buttons_of(question)) + 4
    assert {text for text in told if "outside this workspace" not in text} == set()
    assert known == (rules(stage, stage.world.api.id), rules(stage, stage.world.web.id))
    assert stage.dead() == []


def test_people_from_outside_read_nothing_in_a_direct_message_either(stage: Stage) -> None:
    """A mention there says where its author is at home, a command does not: typed into a direct
    message it listed the rules of every channel that the person shared with us."""
    guest = stage.slack.add_user("guest", external=True)
    ada = stage.world.people["ada"][1]
    stage.slack.add_channel("shared", shared=True, members=[ada, guest])
    assert "speaks for" in command(stage, "ada", "link acme/api", "shared")
    command(stage, "ada", "add never use print", "shared")
    direct, _ = stage.slack.world.open_im(stage.world.team.id, guest.id)
    for text in ("list", "show C1", "login", "add always use print"):
        stage.slack.command(direct, guest, "/conventions", text)
        stage.work()
    told = [m["text"] for m in stage.slack.ephemerals() if m["recipient"] == guest.id]
    assert len(told) == 4
    assert {text for text in told if "outside this workspace" not in text} == set()


def test_who_is_hidden_from_us_counts_as_from_outside(stage: Stage) -> None:
    """Slack answers `user_not_visible` for some people of other companies: a dead letter."""
    guest = stage.slack.add_user("guest", external=True)
    shared = stage.slack.add_channel("shared", shared=True, members=[guest])
    stage.link("shared")
    stage.slack.faults.add(Fault("users.info", error="user_not_visible", times=9))
    stage.slack.command(shared, guest, "/conventions", "list")
    stage.work()
    assert "outside this workspace" in stage.slack.ephemerals(shared)[-1]["text"]
    assert stage.dead() == []


def buttons_of(message: dict[str, Any]) -> list[str]:
    blocks = [b for b in message.get("blocks", []) if b["type"] == "actions"]
    return [element["action_id"] for block in blocks for element in block["elements"]]


def test_words_of_a_private_channel_wait_for_their_author(stage: Stage) -> None:
    people = [stage.world.people[name][1] for name in ("ada", "ben", "cleo")]
    stage.slack.add_channel("secret-plans", private=True, members=people)
    command(stage, "ada", "link acme/api", "secret-plans")
    stage.link()
    stage.slack.say("secret-plans", "ben", "@precedent remember: never mention project Zeus")
    stage.work()
    assert "private" in stage.said_in("secret-plans")[-1]
    assert rules(stage, stage.world.api.id) == []
    for text in ("list", "show C1", "history C1", "export", "export json"):
        assert "Zeus" not in command(stage, "ada", text), text
    assert "only ben" in command(stage, "ada", "approve C1")
    assert rules(stage, stage.world.api.id) == []
    assert "Zeus" in command(stage, "ben", "approve C1")
    assert rules(stage, stage.world.api.id) == ["never mention project Zeus"]
    assert "Zeus" in command(stage, "cleo", "list")


def test_an_edit_in_a_private_channel_opens_a_form_that_says_who_reads_the_words(
    stage: Stage,
) -> None:
    """It was refused, with the advice to write it elsewhere."""
    people = [stage.world.people[name][1] for name in ("ada", "ben")]
    stage.slack.add_channel("secret-plans", private=True, members=people)
    stage.link("secret-plans")
    stage.link()
    command(stage, "ada", "add never mention project Zeus")
    command(stage, "ada", "edit C1 never mention project Hera", "secret-plans")
    form = stage.slack.views.on_screen(stage.world.people["ada"][1])
    assert form is not None
    assert "everybody who sees the repository" in form["blocks"][0]["text"]["text"]
    assert form["blocks"][1]["element"]["initial_value"] == "never mention project Hera"
    assert rules(stage, stage.world.api.id) == ["never mention project Zeus"]
    stage.slack.submit_view(form["id"], "ada", {})
    stage.work()
    assert rules(stage, stage.world.api.id) == ["never mention project Hera"]
    assert "Edited *C1*" in stage.told("ada")

    # Said to us in the channel, there is no form to open at once: a button is.
    stage.slack.say("secret-plans", "ada", "@precedent edit C1 never mention project Ares")
    stage.work()
    message = [m for m in stage.slack.messages("secret-plans") if m.get("bot_id")][-1]
    assert "Edit C1 in a public channel" in message["text"]
    message = {**message, "channel": message.get("channel") or _id(stage, "secret-plans")}
    stage.slack.click(message, "convention.edit#0", "ada")
    stage.work()
    form = stage.slack.views.on_screen(stage.world.people["ada"][1])
    assert form is not None
    assert form["title"]["text"] == "Edit C1"
    assert stage.dead() == []


def _id(stage: Stage, channel: str) -> str:
    return next(c.id for c in stage.slack.world.channels.values() if c.name == channel)


def test_a_direct_message_lists_what_is_unambiguous_and_teaches_nothing(stage: Stage) -> None:
    stage.link()
    command(stage, "ada", "add never use print")
    stage.slack.say_to_bot("ben", "list")
    stage.work()
    direct = stage.slack.world.open_im(stage.world.team.id, stage.world.people["ben"][1])[0]
    assert "never use print" in stage.said_in(direct.id)[-1]
    stage.slack.say_to_bot("ben", "remember: always use print")
    stage.work()
    assert "don't teach" in stage.said_in(direct.id)[-1]
    stage.slack.say_to_bot("ben", "add always use print")
    stage.work()
    assert rules(stage, stage.world.api.id) == ["never use print"]

    stage.link("web-reviews", "acme/web")
    stage.slack.say_to_bot("ben", "list")
    stage.work()
    assert "Which repository" in _asked(stage)["text"]
    stage.slack.say_to_bot("ben", "repo:acme/api list")
    stage.work()
    assert "never use print" in stage.said_in(direct.id)[-1]


def _asked(stage: Stage) -> dict[str, Any]:
    return [m for m in stage.slack.ephemerals() if "Which repository" in m["text"]][-1]
