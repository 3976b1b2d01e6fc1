"""Questions about other code in a conversation: answered from the index, bounded, and cited."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from redis import Redis

from graph.code.building import build_index
from graph.code.code_store import CodeStore
from graph.code.index import open_index
from graph.code.tools import MAX_CALLS
from tests.graph.code.local_commits import LocalCommit
from tests.graph.threads import Room
from tests.scripted_model import ScriptedModel


def calls(tool: str, call_id: str = "call-1", **arguments: Any) -> AIMessage:
    """A reply that calls one tool, whose arguments may be called `name`."""
    return AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": call_id}])


FILES: dict[str, bytes | str] = {
    "app/retry.py": "def with_backoff(call):\n    # waits longer after every failure\n    call()\n",
    "app/shop.py": "from app.retry import with_backoff\n\nwith_backoff(print)\n",
}


@pytest.fixture(autouse=True)
def _indexed(redis: Redis) -> None:
    build_index(CodeStore(redis, 1), LocalCommit(FILES, commit_sha="b" * 40))
    other: dict[str, bytes | str] = {"app/secret.py": "def with_backoff_secret():\n    pass\n"}
    build_index(CodeStore(redis, 2), LocalCommit(other, commit_sha="d" * 40))


def ask(redis: Redis, script: list[Any], **who: Any) -> tuple[Room, ScriptedModel, str]:
    model = ScriptedModel(script=script, repeat_last=True)
    room = Room(redis, model)
    answer = room.say("Where else do we retry?", code=open_index(redis, 1), **who)
    return room, model, answer


def results(prompt: list[BaseMessage]) -> list[str]:
    return [str(m.text) for m in prompt if isinstance(m, ToolMessage)]


def state(room: Room) -> dict[str, Any]:
    return dict(room.graph.get_state({"configurable": {"thread_id": "pr:1:7"}}).values)


def test_where_else_do_we_do_this_is_answered_with_path_lines_and_commit(redis: Redis) -> None:
    room, model, answer = ask(
        redis,
        [
            calls("search_code", query="retry after failures"),
            calls("find_references", "call-2", name="with_backoff"),
            "In `app/shop.py`, line 3.",
        ],
    )
    assert answer == "In `app/shop.py`, line 3."
    found, used = results(model.prompts[-1])
    assert "At commit bbbbbbbbbbbb." in found
    assert "app/retry.py:1-3" in found
    assert "app/shop.py:3: with_backoff(print)" in used
    seen = [r for r in state(room)["retrieved"] if "commit" in r]
    assert {"path": "app/shop.py", "lines": [3, 3]}.items() <= seen[-1].items()
    assert {r["commit"] for r in seen} == {"b" * 40}


def test_a_model_that_loops_on_look_ups_is_stopped(redis: Redis) -> None:
    def again(prompt: list[BaseMessage]) -> AIMessage:
        if len(results(prompt)) >= 12:
            return AIMessage("Enough.")
        number = len(results(prompt))
        call = {"name": "search_code", "args": {"query": "retry"}}
        return AIMessage("", tool_calls=[{**call, "id": f"c{number}-{n}"} for n in range(3)])

    _, model, answer = ask(redis, [again])
    assert answer == "Enough."
    said = results(model.prompts[-1])
    assert ["At commit" in text for text in said] == [True] * MAX_CALLS + [False] * 6
    assert all("last look-up" in text for text in said[MAX_CALLS:])


@pytest.mark.parametrize(
    "call",
    [
        calls("find_symbol", name="with_backoff_secret"),
        calls("search_code", query="secret", repository="2"),
        calls("find_references", name="../../etc/passwd"),
    ],
)
def test_nothing_outside_the_repository_is_read(redis: Redis, call: AIMessage) -> None:
    _, model, _ = ask(redis, [call, "No."])
    (said,) = results(model.prompts[-1])
    assert "def with_backoff_secret" not in said
    assert "root:" not in said
    assert said.startswith("Noth")


def test_a_slack_thread_reads_files_of_the_index(redis: Redis) -> None:
    script = [
        calls("read_file", path="app/retry.py"),
        calls("read_file", "call-2", path="../../etc/passwd"),
        "Done.",
    ]
    _, model, _ = ask(redis, script, number=None, thread="slack:T:C:1:1")
    good, bad = results(model.prompts[-1])
    assert "    1 def with_backoff(call):" in good
    assert "Only files of this repository" in bad


def test_without_an_index_the_tools_are_not_offered(redis: Redis) -> None:
    model = ScriptedModel(script=["I can't look."])
    Room(redis, model).say("Where else do we retry?")
    assert "search_code" not in {tool["title"] for tool in model.bound_tools}
