"""What a checkpoint holds comes back as it was, and what was made to look like code stays data."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core import messages as lc
from langgraph.types import Interrupt, Overwrite, Send
from redis import Redis

from graph.saver import ThreadSaver
from graph.saver_codec import MESSAGES, StateRefused, dumps, loads
from tests.graph.test_saver import put, thread, values_of

keys = st.one_of(st.text(), st.sampled_from(["~", "v", "c", "lc", "type", "__send__"]))
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), st.binary(),
    st.text(st.characters(categories=["Cs", "Cc", "Lu"])),
)  # fmt: skip
hashable = st.recursive(scalars, lambda inner: st.tuples(inner, inner), max_leaves=3)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(keys, inner, max_size=3),
        st.dictionaries(hashable, inner, max_size=3),
        st.tuples(inner, inner),
        st.sets(hashable, max_size=3),
        st.frozensets(hashable, max_size=3),
    ),
    max_leaves=12,
)
marks = st.sampled_from(
    ["msg", "dict", "tuple", "set", "frozenset", "float", "bytes", "send", "overwrite", "interrupt"]
)
names = st.one_of(st.sampled_from([*MESSAGES, "Popen", "langchain_core.messages.AIMessage"]), keys)
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["content", "id", "tool_calls", "x"]), inner, max_size=3),
        st.fixed_dictionaries({"~": marks, "c": names, "v": inner}),
        st.fixed_dictionaries({"~": inner}),
    ),
    max_leaves=10,
)


@settings(deadline=None)
@given(values)
def test_data_comes_back_as_it_was(value: Any) -> None:
    again = loads(dumps(value))
    assert again == value
    assert repr(type(again)) == repr(type(value))


@settings(deadline=None)
@given(json_values)
def test_loading_never_raises_and_makes_nothing_but_data_messages_and_our_own(value: Any) -> None:
    loaded = loads(json.dumps(value).encode())
    for one in _parts(loaded):
        assert type(one) in {
            *MESSAGES.values(), Send, Overwrite, Interrupt, type(None), bool, int, float, str,
            bytes, list, tuple, dict, set, frozenset,
        }  # fmt: skip


@settings(deadline=None)
@given(st.binary(max_size=30))
def test_bytes_that_are_not_ours_are_text(data: bytes) -> None:
    loads(data)


def _parts(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, lc.BaseMessage):
        yield from _parts(value.__dict__)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _parts(key)
            yield from _parts(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _parts(item)


def test_what_floats_and_names_json_lacks_are_kept() -> None:
    again = loads(dumps([math.inf, -math.inf, math.nan, -0.0, 2**70, "\ud800\x00"]))
    assert again[:2] == [math.inf, -math.inf]
    assert math.isnan(again[2])
    assert math.copysign(1, again[3]) == -1
    assert again[4:] == [2**70, "\ud800\x00"]
    deep: Any = "end"
    for _ in range(150):
        deep = [deep]
    assert loads(dumps(deep)) == deep


CALL: Any = {
    "name": "read_file",
    "args": {"path": "a.py", "~": "msg"},
    "id": "c1",
    "type": "tool_call",
}


@pytest.mark.parametrize(
    "message",
    [
        lc.HumanMessage("hi\x00 é \ud800", id="1", name="ada"),
        lc.HumanMessage([{"type": "text", "text": "x"}, {"type": "image_url", "image_url": "u"}]),
        lc.SystemMessage("be kind", additional_kwargs={"k": [1, {"n": None}]}),
        lc.AIMessage(""),
        lc.AIMessage(
            "",
            tool_calls=[CALL],
            invalid_tool_calls=[{"name": "x", "args": "{", "id": "c2", "error": "bad"}],
            usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
            response_metadata={"model": "m", "t": (1, 2)},
            id="run-1",
        ),
        lc.AIMessageChunk(
            content="part", tool_call_chunks=[{"name": "x", "args": "{", "id": "1", "index": 0}]
        ),
        lc.ToolMessage("out", tool_call_id="c1", artifact={"raw": b"\x00"}, status="error"),
        lc.FunctionMessage(content="out", name="f"),
        lc.ChatMessage(content="hi", role="critic"),
        lc.RemoveMessage(id="1"),
        lc.HumanMessage("hi", an_extra_field={"kept": True}),
    ],
)
def test_messages_come_back_as_they_were(message: lc.BaseMessage) -> None:
    (again,) = loads(dumps([message]))
    assert type(again) is type(message)
    assert again == message
    assert again.model_dump() == message.model_dump()
    assert dumps(again) == dumps(message)


def test_two_loaded_messages_share_nothing_that_can_be_changed() -> None:
    first, second = loads(dumps([lc.AIMessage("a"), lc.AIMessage("b")]))
    first.tool_calls.append(CALL)
    first.additional_kwargs["x"] = 1
    assert (second.tool_calls, second.additional_kwargs) == ([], {})
    assert loads(dumps(lc.AIMessage("c"))).tool_calls == []


def test_a_providers_own_message_class_becomes_langchains() -> None:
    class ProviderMessage(lc.AIMessage):
        pass

    assert loads(dumps(ProviderMessage(content="hi", id="1"))) == lc.AIMessage("hi", id="1")


def test_langgraphs_own_values_come_back() -> None:
    message = lc.HumanMessage("x")
    sent, overwritten, paused = loads(
        dumps([Send("unit", {"m": message}), Overwrite([message]), Interrupt({"q": 1}, id="i1")])
    )
    assert sent == Send("unit", {"m": message})
    assert overwritten == Overwrite([message])
    assert (paused.value, paused.id) == ({"q": 1}, "i1")
    assert loads(dumps(OSError("gone"))) == "OSError('gone')"


class Colour(StrEnum):
    RED = "red"


@dataclass
class Record:
    x: int


def test_a_str_enum_is_its_text_and_other_classes_are_refused() -> None:
    assert dumps(Colour.RED) == b'"red"'
    for value in (Decimal("1.10"), datetime.now(UTC), Record(1), Record, object(), Path("x"), len):
        with pytest.raises(StateRefused, match="keep JSON data"):
            dumps({"a": [value]})
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(StateRefused, match="nested too deeply"):
        dumps(deep)


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module that must never be imported, with a class that must never be built."""
    (tmp_path / "precedent_trap.py").write_text(
        "from dataclasses import dataclass\n@dataclass\nclass Trap:\n    x: int = 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield "precedent_trap"
    assert "precedent_trap" not in sys.modules


def test_a_tampered_state_is_data_and_imports_nothing(redis: Redis, trap: str) -> None:
    constructor = {"lc": 2, "type": "constructor", "id": [trap, "Trap"], "kwargs": {"x": 1}}
    hostile: dict[str, Any] = {
        "constructor": constructor,
        "langchain": {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages",
                      "AIMessage"], "kwargs": {"content": "x"}},
        "send": {"__send__": True, "node": "publish", "arg": {}},
        "bytes": {"__bytes__": "AAAA"},
        "marks": [{"~": "msg", "c": "AIMessage", "v": {"content": "x"}},
                  {"~": "send", "v": ["n", 1]}],
        "serde": {"__serde_type__": "msgpack", "__serde_data__": "gA=="},
    }  # fmt: skip
    call = {"name": "read_file", "args": hostile, "id": "c1", "type": "tool_call"}
    message = lc.AIMessage("", tool_calls=[call])
    saver = ThreadSaver(redis)
    config = put(saver, "pr:1:2", {"state": hostile, "messages": [message], "list": [constructor]})
    saver.put_writes(config, [("state", hostile), ("messages", [message])], "task-1")
    found = saver.get_tuple(thread("pr:1:2"))
    assert found is not None
    values = found.checkpoint["channel_values"]
    assert values["state"] == hostile
    assert values["list"] == [constructor]
    assert values["messages"][0].tool_calls[0]["args"] == hostile
    assert found.pending_writes == [
        ("task-1", "state", hostile), ("task-1", "messages", [message])
    ]  # fmt: skip


def test_a_value_tampered_with_in_redis_builds_no_class_outside_the_table(
    redis: Redis, trap: str
) -> None:
    saver = ThreadSaver(redis)
    put(saver, "pr:1:2", {"state": {"x": "y" * 100}})
    planted: list[Any] = [
        {"~": "msg", "c": f"{trap}.Trap", "v": {"x": 1}},
        {"~": "msg", "c": "AIMessage", "v": {"no": "content"}},
        {"~": "msg", "c": ["AIMessage"], "v": 7},
        {"~": "send", "v": {"n": 1}},
        {"~": ["msg"], "v": None},
        {"lc": 2, "type": "constructor", "id": [trap, "Trap"], "kwargs": {}},
    ]
    (digest,) = redis.hkeys("precedent:thread:b:pr:1:2")
    redis.hset("precedent:thread:b:pr:1:2", digest, b"j" + json.dumps(planted).encode())
    assert values_of(ThreadSaver(redis), thread("pr:1:2"))["state"] == planted
