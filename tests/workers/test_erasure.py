"""A person asks what is held of them, and to be forgotten."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from graph import learning_memory
from graph.convention_book import ConventionBook, Lesson
from graph.conventions import Source
from graph.erasing import FORMER
from graph.learning_guards import Point, Remark
from graph.ledger import Scope
from tests.graph.threads import Room
from tests.scripted_model import ScriptedModel
from tests.workers.stage import Stage
from workers import cli
from workers.drain import Drain
from workers.erasure import PersonalData
from workers.errors import Permanent
from workers.housekeeping import erase_deleted_words
from workers.identities import Identities, Identity

PERSON = 4711
NAME = "person4711"
URL = "https://acme.slack.test/archives/C1/p4711"


def furnished(redis: Redis) -> Room:
    """A room in which person 4711 has left traces of every kind, and person 12 too."""
    room = Room(redis, ScriptedModel(script=["Sure."], repeat_last=True))
    Identities(redis).link("T1", "U4711", Identity(PERSON, NAME))
    room.say("@precedent remember: the maximum line length is 88 characters", person=PERSON)
    room.say("@precedent remember: the maximum line length is 100 characters", person=PERSON)
    room.say("@precedent remember: never use eval", person=12)
    room.say("@precedent on this pull request, ignore the tests", person=PERSON)
    room.say("@precedent answer me in Chinese", person=PERSON)
    room.say("@precedent why is that? My words.", person=PERSON)
    room.say("@precedent why so? Their words.", person=12)
    book = ConventionBook(room.store, Scope("repository", 1), room.now)
    slack = Source("slack", "U4711", URL, None, "T1", "U4711", "slack:T1:C1:1")
    book.teach(Lesson("names are nouns", "naming"), slack, "slack")
    learning_memory.note_slack_message(room.store, 1, Remark("slack:T1:C1:1", "Hm.", slack))
    points = (Point("r:1", "close files", "errors", slack, 7),)
    learning_memory.keep(room.store, 1, learning_memory.Memory(points=points), 0.0)
    return room


def traces(redis: Redis) -> list[str]:
    """Keys whose name or content still names the person, or says what they said."""
    found = []
    for key in redis.scan_iter("*"):
        content = _content(redis, key)
        for word in (NAME, "4711", URL, "My words.", "in Chinese", "U4711"):
            if word.encode() in key or word.encode() in content:
                found.append(f"{key.decode(errors='replace')}: {word}")
    return found


def _content(redis: Redis, key: bytes) -> bytes:
    kind = redis.type(key)
    reads: dict[bytes, Any] = {
        b"string": redis.get,
        b"hash": redis.hgetall,
        b"list": lambda k: redis.lrange(k, 0, -1),
        b"set": redis.smembers,
        b"zset": lambda k: redis.zrange(k, 0, -1),
    }
    return repr(reads[kind](key)).encode() if kind in reads else b""


def test_an_export_holds_everything_of_the_person_and_nothing_of_others(redis: Redis) -> None:
    room = furnished(redis)
    data = PersonalData(redis, room.graph).export(PERSON)
    assert data["slack"] == [{"team": "T1", "user": "U4711"}]
    assert [p["words"] for p in data["preferences"]] == ["answer me in Chinese"]
    assert "@precedent why is that? My words." in [m["text"] for m in data["messages"]]
    text = json.dumps(data)
    assert "names are nouns" in text
    assert "Their words" not in text


def test_after_erasing_nothing_names_the_person_and_the_rules_stay(redis: Redis) -> None:
    room = furnished(redis)
    assert traces(redis)
    erased = PersonalData(redis, room.graph).erase(PERSON)
    assert erased.skipped == ()
    assert erased.identities == 1
    assert traces(redis) == []
    book = ConventionBook(room.store, Scope("repository", 1), room.now)
    by_id = {c.id: c for c in book.all()}
    assert by_id["C1"].rule == "the maximum line length is 100 characters"
    assert {i: c.source.name for i, c in by_id.items()} == {
        "C1": FORMER, "C2": "person12", "C3": FORMER,
    }  # fmt: skip
    values = room.graph.get_state({"configurable": {"thread_id": "pr:1:7"}}).values
    assert [i["by"] for i in values["instructions"]] == [FORMER]
    assert "@precedent why so? Their words." in [str(m.text) for m in values["messages"]]


def test_erasing_twice_changes_nothing_more(redis: Redis) -> None:
    room = furnished(redis)
    data = PersonalData(redis, room.graph)
    data.erase(PERSON)
    again = data.erase(PERSON)
    assert (again.records, again.threads, again.identities) == (0, 0, 0)


def test_the_thread_goes_on_afterwards(redis: Redis) -> None:
    room = furnished(redis)
    PersonalData(redis, room.graph).erase(PERSON)
    assert room.say("@precedent and now?", person=12) == "Sure."
    assert "Corrected **C1**" in room.say(
        "@precedent remember: the maximum line length is 120 characters", person=12
    )


def test_a_thread_with_an_unfinished_turn_is_named(redis: Redis) -> None:
    def fails(_: Any) -> Any:
        raise ValueError("The model is away.")

    room = Room(redis, ScriptedModel(script=[fails]))
    with pytest.raises(ValueError, match="away"):
        room.say("@precedent why?", person=PERSON)
    assert PersonalData(redis, room.graph).erase(PERSON).skipped == ("pr:1:7",)


def test_the_command_line_exports_and_erases(
    redis: Redis,
    redis_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    furnished(redis)
    monkeypatch.setenv("REDIS_URL", redis_url)
    assert cli.main(["people", "export", str(PERSON)]) == 0
    assert json.loads(capsys.readouterr().out)["github_id"] == PERSON
    assert cli.main(["people", "erase", str(PERSON), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["threads"] == 1
    assert traces(redis) == []
    assert cli.main(["people", "erase", str(PERSON)]) == 0
    assert "0 threads, 0 events and 0 linked" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        cli.main(["people", "erase", "ada"])


def test_nothing_in_redis_holds_a_persons_words_after_erasing(stage: Stage) -> None:
    """Events that waited or had died kept the words of a person who was erased elsewhere."""

    def dies(*_: Any) -> Any:
        raise Permanent("It can't be done.", reason="test")

    stage.link()
    stage.identify()
    pull, inbox = stage.world.api_pull, stage.services.inbox
    stage.github.comment(pull, "ben", "@precedent why sesquipedalian?")
    stage.github.comment(pull, "ada", "@precedent why plangent?")
    stage.slack.say("api-reviews", "ben", "@precedent why vermilion?")
    stage.work()
    stage.github.comment(pull, "ben", "@precedent why crepuscular?")
    stage.slack.command("api-reviews", "ben", "/conventions", "add never use crepuscular names")
    stage.github.hooks.wait_idle()
    drain = Drain(inbox, dies, slots={})
    while drain.run("reviews"):
        pass
    assert len(stage.dead()) >= 2
    stage.github.comment(pull, "ben", "@precedent why halcyon?")
    stage.slack.say("api-reviews", "ben", "@precedent why petrichor?")
    stage.github.comment(pull, "ada", "@precedent why mellifluous?")
    stage.github.hooks.wait_idle()
    words = ("sesquipedalian", "vermilion", "crepuscular", "halcyon", "petrichor")
    github_id, slack_id = stage.world.people["ben"]
    assert all(stage.keys_with(word) for word in words)
    data = PersonalData(stage.redis, stage.services.graph)
    export = json.dumps(data.export(github_id))
    assert all(word in export for word in words)
    assert "plangent" not in export
    erased = data.erase(github_id)
    assert erased.skipped == ()
    assert erased.events >= 4
    assert stage.keys_with(*words, str(github_id), slack_id) == []
    assert {letter.event.actor_login for letter in stage.dead()} <= {"ada", ""}
    stage.work()
    answers = [c.body for c in pull.comments.values() if c.user.login != "ada"]
    assert "mellifluous" in "".join(m.text for m in messages_of(stage))
    assert answers
    assert stage.keys_with(*words, slack_id) == []


def messages_of(stage: Stage) -> list[Any]:
    thread = f"pr:{stage.world.api.id}:{stage.world.api_pull.number}"
    return list(stage.services.saver.latest(thread, "messages"))


def test_words_of_a_deleted_convention_go_also_where_nothing_is_registered(stage: Stage) -> None:
    """A repository that was lost to the registry kept the text of its deleted rules."""
    store, api = stage.services.store, stage.world.api.id
    assert stage.services.installations.repositories_of(stage.world.installation.id) == []
    for scope in (Scope("repository", api), Scope("organisation", 4_001)):
        book = ConventionBook(store, scope, stage.services.now)
        ada = Source("github", "ada", "https://github.test/1", 3_001)
        book.teach(Lesson("never write sesquipedalian names", "naming"), ada, "one")
        kept = book.teach(Lesson("close every halcyon handle", "errors"), ada, "two")
        book.forget(f"{scope.prefix}1", ada, "three")
        assert kept.convention is not None
    later = replace(stage.services, now=lambda: time.time() + 31 * 86_400)
    erase_deleted_words(stage.services)
    assert stage.keys_with("sesquipedalian")
    erase_deleted_words(later)
    assert stage.keys_with("sesquipedalian") == []
    assert stage.keys_with("halcyon")
