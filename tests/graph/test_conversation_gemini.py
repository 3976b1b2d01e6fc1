"""A conversation through the real client for Gemini, against an endpoint on this machine."""

from __future__ import annotations

import json
from typing import Any

import pytest
from redis import Redis

from graph.models import build_model
from graph.structured import ModelBusy
from tests.gemini_endpoint import API_KEY, GeminiCall, GeminiEndpoint, Reply, error, tool_calls
from tests.graph.threads import Room, diff_adding


def room_for(endpoint: GeminiEndpoint, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", endpoint.url)
    room = Room(redis, build_model("gemini-3.8-flash", google_api_key=API_KEY))
    room.outside.diff_text = diff_adding("import os", "x = eval(y)")
    return room


def parts(call: GeminiCall, kind: str) -> list[dict[str, Any]]:
    return [p[kind] for c in call.body["contents"] for p in c["parts"] if kind in p]


def test_tools_are_called_and_their_results_come_back(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    script: list[Reply | str] = [
        tool_calls(("get_diff", {}), ("read_file", {"path": "lib.py"})),
        "`eval` runs what a user sends.",
        "That rule is C1.",
    ]
    with GeminiEndpoint(script) as endpoint:
        room = room_for(endpoint, redis, monkeypatch)
        room.outside.files = {"lib.py": b"y = input()\n"}
        room.say("@precedent remember: never use eval")
        room.say("@precedent on this pull request, ignore the tests")
        assert room.say("@precedent why is this a problem?") == "`eval` runs what a user sends."
        assert room.say("@precedent and which rule is it?") == "That rule is C1."
        first, second, third = endpoint.calls
    assert first.model == "gemini-3.8-flash"
    assert "never use eval" in first.system
    assert "ignore the tests" in first.system
    assert first.tools == ["remember_convention", "get_diff", "read_file", "list_findings"]
    assert [p["name"] for p in parts(second, "functionCall")] == ["get_diff", "read_file"]
    results = parts(second, "functionResponse")
    assert [r["name"] for r in results] == ["get_diff", "read_file"]
    assert "x = eval(y)" in json.dumps(results[0])
    assert "y = input()" in json.dumps(results[1])
    # The next turn holds the whole exchange, each call with its result.
    assert len(parts(third, "functionCall")) == len(parts(third, "functionResponse")) == 2
    assert third.text.endswith("@precedent and which rule is it?")


def test_what_the_model_saves_is_the_persons_words(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(call: GeminiCall) -> Reply | str:
        if parts(call, "functionResponse"):
            return "Proposed as C1."
        quote = "every client gets a timeout"
        return tool_calls(("remember_convention", {"topic": "api", "quote": quote}))

    with GeminiEndpoint(reply) as endpoint:
        room = room_for(endpoint, redis, monkeypatch)
        answer = room.say("@precedent I think every client gets a timeout, no?")
        assert answer == "Proposed as C1."
        (result,) = parts(endpoint.calls[1], "functionResponse")
    assert "Proposed as **C1**" in json.dumps(result)


def test_a_turn_cut_off_by_an_outage_continues_without_asking_twice(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    script: list[Reply | str] = [tool_calls(("get_diff", {})), error(503, "Away."), "`eval` again."]
    with GeminiEndpoint(script) as endpoint:
        room = room_for(endpoint, redis, monkeypatch)
        context = room.context("@precedent why?", event_id="gh:1")
        turn = {"event_id": "gh:1", "kind": "message", "cause": "auto", "text": "@precedent why?"}
        config: Any = {"configurable": {"thread_id": "pr:1:7"}}
        graph: Any = room.graph
        with pytest.raises(ModelBusy):
            graph.invoke({"turn": turn}, config, context=context, durability="sync")
        graph.invoke(None, config, context=context, durability="sync")
    assert len(endpoint.calls) == 3
    assert [a.text for a in room.outside.answers] == ["`eval` again."]
