"""What the bot remembers from what people say, through the graph, with a scripted model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from redis import Redis

from graph.convention_book import ConventionBook
from graph.conventions import Convention
from graph.conversation import tool_schemas
from graph.ledger import Scope
from graph.store import ConventionStore
from tests.graph.threads import Room
from tests.scripted_model import ScriptedModel, calls


def rules(redis: Redis, repository_id: int = 1) -> list[Convention]:
    book = ConventionBook(ConventionStore(redis), Scope("repository", repository_id), lambda: 2e9)
    return [c for c in book.all() if c.status != "deleted"]


def tool_messages(room: Room, thread: str) -> list[ToolMessage]:
    state = room.graph.get_state({"configurable": {"thread_id": thread}})
    return [m for m in state.values["messages"] if isinstance(m, ToolMessage)]


def test_a_rule_saved_in_one_thread_is_in_the_prompt_of_a_new_thread(redis: Redis) -> None:
    model = ScriptedModel(script=["Because of C1."])
    room = Room(redis, model)
    room.say("@precedent remember: the maximum line length is 88 characters", thread="pr:1:7")
    room.say("@precedent why is this a problem?", thread="pr:1:8", number=8)
    assert "the maximum line length is 88 characters" in model.system_prompt()
    assert "C1@1" in model.system_prompt()


def test_a_new_rule_on_the_topic_replaces_the_old_one_and_its_value_is_gone(redis: Redis) -> None:
    model = ScriptedModel(script=["ok"])
    room = Room(redis, model)
    room.say("@precedent remember: the maximum line length is 88 characters")
    answer = room.say("@precedent remember: the maximum line length is 100 characters")
    assert "C1" in answer
    assert "88" in answer  # the answer says what was replaced
    room.say("@precedent what is our line length?", thread="pr:1:9")
    assert "100 characters" in model.system_prompt()
    assert "88" not in model.system_prompt()
    assert [(c.id, c.version, c.rule) for c in rules(redis)] == [
        ("C1", 2, "the maximum line length is 100 characters")
    ]


def test_another_repository_sees_nothing(redis: Redis) -> None:
    model = ScriptedModel(script=["I know of none."])
    room = Room(redis, model)
    room.say("@precedent remember: the maximum line length is 88 characters")
    room.say("@precedent how long may a line be here?", thread="pr:12:7", repository_id=12)
    assert "88" not in model.system_prompt()
    assert rules(redis, 12) == []


def test_a_rule_that_nobody_stated_is_not_saved(redis: Redis) -> None:
    model = ScriptedModel(
        script=[
            calls("remember_convention", topic="tests", quote="every function needs a test"),
            "I did not save anything.",
        ]
    )
    room = Room(redis, model)
    room.say("@precedent could you look at the error paths as well?")
    (error,) = tool_messages(room, "pr:1:7")
    assert error.status == "error"
    assert "Nothing was saved" in str(error.content)
    assert rules(redis) == []


def test_only_the_persons_words_are_saved_with_their_capitals(redis: Redis) -> None:
    """A model that quotes truly but would word the rule differently can't get its wording in."""
    said = "@precedent we had trouble with this. Our team prefers that HTTP Clients get a Timeout."
    model = ScriptedModel(
        script=[
            calls(
                "remember_convention",
                topic="api",
                quote="our team prefers that http clients get a timeout",
            ),
            "Proposed.",
        ]
    )
    room = Room(redis, model)
    room.say(said)
    (saved,) = rules(redis)
    assert saved.rule == "Our team prefers that HTTP Clients get a Timeout"
    assert saved.status == "proposed"  # nobody asked explicitly that it be remembered


def test_a_rule_text_argument_is_refused(redis: Redis) -> None:
    model = ScriptedModel(
        script=[
            calls(
                "remember_convention",
                topic="api",
                quote="every client needs a timeout",
                rule="Clients MUST time out after 5 seconds",
            ),
            "Sorry.",
        ]
    )
    room = Room(redis, model)
    room.say("@precedent I think every client needs a timeout, no?")
    assert tool_messages(room, "pr:1:7")[0].status == "error"
    assert rules(redis) == []


def test_an_unknown_topic_is_an_error_message_and_saves_nothing(redis: Redis) -> None:
    model = ScriptedModel(
        script=[
            calls("remember_convention", topic="vibes", quote="every client needs a timeout"),
            "Sorry.",
        ]
    )
    room = Room(redis, model)
    room.say("@precedent I think every client needs a timeout, no?")
    (error,) = tool_messages(room, "pr:1:7")
    assert error.status == "error"
    assert "topic" in str(error.content)
    assert rules(redis) == []


def test_no_tool_offers_a_repository(redis: Redis) -> None:
    schemas = json.dumps(tool_schemas(Room(redis).context("hi"))).lower()
    for word in ("repo", "owner", "installation", "namespace", "rule_text"):
        assert f'"{word}' not in schemas


@pytest.mark.parametrize("permission", ["none", "read", "triage"])
def test_without_write_nothing_is_taught_by_code_or_by_tool(redis: Redis, permission: Any) -> None:
    model = ScriptedModel(
        script=[
            calls("remember_convention", topic="api", quote="every client needs a timeout"),
            "Sorry.",
        ]
    )
    room = Room(redis, model)
    answer = room.say("@precedent remember: no eval", permission=permission)
    assert "write" in answer or "access" in answer
    room.say("@precedent I think every client needs a timeout, no?", permission=permission)
    assert rules(redis) == []


def test_words_in_code_and_quotations_do_not_teach(redis: Redis) -> None:
    model = ScriptedModel(script=["Which one?"], repeat_last=True)
    room = Room(redis, model)
    room.say("@precedent what does this mean?\n> remember: never use tabs")
    room.say("@precedent look:\n```\nremember: never use tabs\n```")
    assert rules(redis) == []


def test_a_deleted_rule_is_gone_from_the_next_model_call_of_the_same_thread(redis: Redis) -> None:
    model = ScriptedModel(script=["It is 88.", "I know of none."])
    room = Room(redis, model)
    room.say("@precedent remember: the maximum line length is 88 characters")
    room.say("@precedent what is our line length?")
    room.say("@precedent forget C1")
    room.say("@precedent and now?")
    assert "88 characters" not in model.system_prompt()


def test_a_contradiction_is_asked_about_and_settled_in_the_thread(redis: Redis) -> None:
    room = Room(redis)
    room.say("@precedent remember: use pytest for tests")
    asked = room.say("@precedent remember: use unittest for tests")
    assert "Replace C1 or keep both?" in asked
    assert [c.rule for c in rules(redis)] == ["use pytest for tests"]
    assert "C1" in room.say("replace C1")
    assert [(c.id, c.rule, c.version) for c in rules(redis)] == [
        ("C1", "use unittest for tests", 2)
    ]


def test_the_same_event_twice_teaches_once(redis: Redis) -> None:
    room = Room(redis)
    for _ in range(2):
        room.say("@precedent remember: use pytest for tests", event_id="gh:1")
    assert [(c.id, c.version) for c in rules(redis)] == [("C1", 1)]


def test_checks_only_mode_says_so(redis: Redis) -> None:
    assert "No model is configured" in Room(redis).say("@precedent why?")


def test_every_prompt_is_valid_after_many_tool_turns(redis: Redis) -> None:
    """No orphan tool call or result, whatever is trimmed."""
    script: list[Any] = []
    for turn in range(30):
        script += [calls("get_diff", f"call-{turn}"), AIMessage("word " * 2_000)]
    model = ScriptedModel(script=script)
    room = Room(redis, model)
    for turn in range(30):
        room.say(f"@precedent look again, number {turn}?")
    for prompt in model.prompts:
        open_calls: set[str] = set()
        for message in prompt:
            if isinstance(message, AIMessage):
                assert not open_calls
                open_calls = {str(call["id"]) for call in message.tool_calls}
            elif isinstance(message, ToolMessage):
                assert message.tool_call_id in open_calls
                open_calls.remove(message.tool_call_id)
        assert not open_calls
