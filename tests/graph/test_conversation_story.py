"""Two days, two workers: taught on Monday in Slack, used on Tuesday on a pull request."""

from __future__ import annotations

import sys
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage
from redis import Redis

from tests.graph.threads import LONG, Room, diff_adding
from tests.scripted_model import ScriptedModel, calls

MONDAY = 1_800_000_000.0
DAY = 86_400.0
SLACK = "slack:T1:C1:17.5:1"


def worker(redis: Redis, now: float, *script: Any) -> tuple[Room, ScriptedModel]:
    """A worker process of its own: nothing is shared with another but Redis."""
    client = Redis(connection_pool=redis.connection_pool)
    model = ScriptedModel(script=list(script), repeat_last=True)
    room = Room(client, model, now=lambda: now)
    room.outside.diff_text = diff_adding(LONG)
    return room, model


def messages(room: Room, thread: str) -> list[str]:
    values = room.graph.get_state({"configurable": {"thread_id": thread}}).values
    return [str(m.text) for m in values.get("messages", [])]


def test_monday_in_slack_and_tuesday_on_github(redis: Redis) -> None:
    monday, _ = worker(redis, MONDAY, "Gern.")
    rule = "remember: the maximum line length is 88 characters"
    monday.say(f"@precedent {rule}", thread=SLACK, number=None, person=11)
    monday.say("@precedent answer me in Chinese", thread=SLACK, number=None, person=11)
    monday_thread = messages(monday, SLACK)

    tuesday, model = worker(redis, MONDAY + DAY, '{"findings": []}')
    draft = tuesday.review(thread="pr:1:7")
    assert "C1" in str(draft)
    assert "88" in str(draft)
    model.script[:] = ["Because of C1."]
    tuesday.say("@precedent why is this a problem?", thread="pr:1:7", person=12)
    assert "the maximum line length is 88 characters" in model.system_prompt()
    assert "Chinese" not in model.system_prompt()
    assert messages(tuesday, SLACK) == monday_thread
    assert not any("88" in m for m in messages(tuesday, "pr:1:7"))

    tuesday.say("@precedent what should I know?", thread="pr:2:7", repository_id=2, person=12)
    assert "88" not in model.system_prompt()

    again, _ = worker(redis, MONDAY + DAY)
    assert messages(again, "pr:1:7") == messages(tuesday, "pr:1:7")


EVIL = {
    "lc": 2, "type": "constructor", "id": ["subprocess", "Popen"], "kwargs": {"args": ["true"]},
}  # fmt: skip


def test_a_constructor_in_stored_arguments_stays_data(redis: Redis) -> None:
    """As if someone had written it into Redis: it is given back as it stands, nothing is built."""
    room, _ = worker(redis, MONDAY, calls("get_diff", extra=EVIL), "Done.")
    room.say("@precedent look?")
    config: Any = {"configurable": {"thread_id": "pr:1:7"}}
    room.graph.update_state(config, {"retrieved": [EVIL]}, as_node="tools")
    modules = set(sys.modules)
    other, _ = worker(redis, MONDAY)
    values = other.graph.get_state(config).values
    call = next(m for m in values["messages"] if isinstance(m, AIMessage) and m.tool_calls)
    assert call.tool_calls[0]["args"] == {"extra": EVIL}
    assert values["retrieved"][-1] == EVIL
    result = next(m for m in values["messages"] if isinstance(m, ToolMessage))
    assert result.status == "error"  # the tool has no such argument
    assert not {m for m in set(sys.modules) - modules if m.startswith("subprocess")}
