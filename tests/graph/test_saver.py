"""Threads by example: what langgraph needs, exact ids, life and death, and what a crash leaves."""

from __future__ import annotations

import asyncio
import operator
import time
from collections.abc import AsyncGenerator
from typing import Annotated, Any, TypedDict

import pytest
import redis as redis_client
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, CheckpointTuple, empty_checkpoint
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.redis import RedisSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, Overwrite, Send, interrupt
from redis import Redis
from redis.cluster import RedisCluster

from graph.saver import ClusterRefused, StateRefused, ThreadDamaged, ThreadSaver
from graph.saver_blobs import unpack
from graph.saver_codec import dumps
from graph.saver_memory import ProcessMemory


class Question(TypedDict):
    answer: str


class Units(TypedDict):
    units: list[str]
    done: Annotated[list[str], operator.add]


@pytest.fixture
def saver(redis: Redis) -> ThreadSaver:
    return ThreadSaver(redis)


def thread(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


def put(
    saver: ThreadSaver, thread_id: str, values: dict[str, Any], namespace: str = ""
) -> RunnableConfig:
    checkpoint = empty_checkpoint()
    checkpoint["id"] = str(uuid6())
    checkpoint["channel_values"] = values
    versions: ChannelVersions = dict.fromkeys(values, checkpoint["id"])
    checkpoint["channel_versions"] = versions
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "checkpoint_ns": namespace}}
    return saver.put(config, checkpoint, {"source": "loop", "step": 1}, versions)


def values_of(saver: ThreadSaver, config: RunnableConfig) -> dict[str, Any]:
    found = saver.get_tuple(config)
    assert found is not None
    return found.checkpoint["channel_values"]


def chat(saver: ThreadSaver) -> Any:
    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage(f"answer {len(state['messages'])}")]}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    return graph.compile(checkpointer=saver)


def say(graph: Any, thread_id: str, text: str) -> None:
    graph.invoke({"messages": [HumanMessage(text)]}, thread(thread_id), durability="sync")


def test_the_official_conformance_suite_passes_whole(redis: Redis) -> None:
    @checkpointer_test(name="ThreadSaver")
    async def checkpointer() -> AsyncGenerator[ThreadSaver, None]:
        yield ThreadSaver(redis)

    report = asyncio.run(validate(checkpointer))
    failures = {name: result.failures for name, result in report.results.items()}
    assert failures == {name: [] for name in failures}
    assert all(result.passed for result in report.results.values()), report
    assert len(report.results) == 8


def test_it_is_a_redis_saver(saver: ThreadSaver) -> None:
    assert isinstance(saver, RedisSaver)
    saver.setup()


def test_a_conversation_goes_on_in_another_process_of_the_bot(redis: Redis) -> None:
    say(chat(ThreadSaver(redis)), "pr:1:2", "first")
    say(chat(ThreadSaver(redis)), "pr:1:2", "second")
    messages = values_of(ThreadSaver(redis), thread("pr:1:2"))["messages"]
    assert [m.content for m in messages] == ["first", "answer 1", "second", "answer 3"]
    assert [type(m) for m in messages] == [HumanMessage, AIMessage] * 2


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_a_pause_is_always_seen_right_after_the_run(saver: ThreadSaver, durability: Any) -> None:
    def ask(state: Question) -> Question:
        return {"answer": interrupt({"question": "replace C3?"})}

    graph = StateGraph(Question)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    app = graph.compile(checkpointer=saver)
    for n in range(20):
        config = thread(f"pr:{n}")
        app.invoke({"answer": ""}, config, durability=durability)
        pending = app.get_state(config).tasks[0].interrupts
        assert [one.value for one in pending] == [{"question": "replace C3?"}]
    assert app.invoke(Command(resume="yes"), thread("pr:3")) == {"answer": "yes"}
    assert app.get_state(thread("pr:3")).next == ()
    assert app.get_state(thread("pr:4")).next == ("ask",)


def test_sends_overwrites_and_joins_work_across_a_crash(redis: Redis) -> None:
    """The second run continues from the checkpoint and repeats no finished unit."""

    ran: list[str] = []
    crash = {"b"}

    def fan_out(state: Units) -> list[Send]:
        return [Send("unit", {"name": name}) for name in state["units"]]

    def unit(state: Any) -> dict[str, Any]:
        if state["name"] in crash:
            raise OSError("the worker was killed")
        ran.append(state["name"])
        return {"done": [state["name"]]}

    graph = StateGraph(Units)
    graph.add_node("reset", lambda _: {"done": Overwrite([])})
    graph.add_node("unit", unit)
    graph.add_node("left", lambda _: {"done": ["left"]})
    graph.add_node("right", lambda _: {"done": ["right"]})
    graph.add_node("join", lambda _: {"done": ["join"]})
    graph.add_edge(START, "reset")
    graph.add_conditional_edges("reset", fan_out, ["unit"])
    graph.add_edge("unit", "left")
    graph.add_edge("unit", "right")
    graph.add_edge(["left", "right"], "join")
    graph.add_edge("join", END)
    config = thread("pr:1:2")
    with pytest.raises(OSError, match="killed"):
        graph.compile(checkpointer=ThreadSaver(redis)).invoke(
            {"units": ["a", "b", "c"], "done": ["old"]}, config, durability="sync"
        )
    crash.clear()
    result = graph.compile(checkpointer=ThreadSaver(redis)).invoke(None, config, durability="sync")
    assert result["done"] == ["a", "b", "c", "left", "right", "join"]
    assert sorted(ran) == ["a", "b", "c"]


def test_writes_that_come_before_their_checkpoint_are_kept_and_alone_they_do_not_stay(
    saver: ThreadSaver, redis: Redis
) -> None:
    """With durability "async" the two are written in parallel; a kill can come between them."""
    config = put(saver, "pr:1:2", {"a": "b"})
    saver.delete_thread("pr:1:2")
    saver.put_writes(config, [("a", "x" * 100)], "task-1")
    assert saver.threads() == []
    assert saver.get_tuple(config) is None
    assert all(0 < redis.ttl(key) <= 3_600 for key in redis.keys("*"))
    checkpoint = empty_checkpoint()
    checkpoint["id"] = config["configurable"]["checkpoint_id"]
    saver.put(config, checkpoint, {}, {})
    found = saver.get_tuple(config)
    assert found is not None
    assert found.pending_writes == [("task-1", "a", "x" * 100)]
    assert all(redis.ttl(key) > 3_600 for key in redis.keys("precedent:thread:?:*"))


def test_a_kill_between_put_and_put_writes_leaves_a_thread_that_runs_on(redis: Redis) -> None:
    class Killed(ThreadSaver):
        def put_writes(self, *_: Any, **__: Any) -> None:
            raise OSError("killed")

    with pytest.raises(OSError, match="killed"):
        say(chat(Killed(redis)), "pr:1:2", "first")
    app = chat(ThreadSaver(redis))
    result = app.invoke(None, thread("pr:1:2"), durability="sync")
    assert [m.content for m in result["messages"]] == ["first", "answer 1"]


def test_ids_are_exact(saver: ThreadSaver) -> None:
    ids = [
        "pr:1:6", "PR:1:6", "pr:1:67", "pr:1", "a", "a,b", " lead", "lead", "a\nb", "a*", "é",
        "e\u0301", "0:,", "\udfff",
    ]  # fmt: skip
    for thread_id in ids:
        put(saver, thread_id, {"v": thread_id})
    assert sorted(saver.threads()) == sorted(ids)
    for thread_id in ids:
        assert [values_of(saver, one.config)["v"] for one in saver.list(thread(thread_id))] == [
            thread_id
        ]
    saver.delete_thread("a")
    saver.delete_thread("pr:1")
    assert sorted(saver.threads()) == sorted(set(ids) - {"a", "pr:1"})
    for thread_id in set(ids) - {"a", "pr:1"}:
        assert values_of(saver, thread(thread_id)) == {"v": thread_id}


def test_listing_is_exact_and_newest_first(saver: ThreadSaver) -> None:
    root = [put(saver, "pr:1:2", {"n": n}) for n in range(70)]
    child = [put(saver, "pr:1:2", {"n": n}, "child:1") for n in range(3)]
    put(saver, "pr:1:20", {"n": 0})

    def numbers(found: Any) -> list[int]:
        return [one.checkpoint["channel_values"]["n"] for one in found]

    in_root: RunnableConfig = {"configurable": {"thread_id": "pr:1:2", "checkpoint_ns": ""}}
    assert numbers(saver.list(in_root)) == list(range(69, -1, -1))
    assert numbers(saver.list(in_root, before=root[5])) == [4, 3, 2, 1, 0]
    assert numbers(saver.list(in_root, limit=40)) == list(range(69, 29, -1))
    assert numbers(saver.list(in_root, limit=0)) == []
    assert numbers(saver.list(child[1])) == [1]
    assert len(list(saver.list(thread("pr:1:2")))) == 73
    assert len(list(saver.list(None))) == 74
    assert list(saver.list(in_root, filter={"step": 2})) == []
    assert numbers(saver.list(in_root, filter={"step": 1, "source": "loop"}, limit=2)) == [69, 68]
    assert list(saver.list(in_root, filter={"own": {"nested": [1]}})) == []


def test_a_write_prolongs_a_thread_and_a_read_does_not(saver: ThreadSaver, redis: Redis) -> None:
    def lives_s() -> list[int]:
        return [redis.ttl(key) for key in redis.keys("precedent:thread:?:*")]

    def nearly_end() -> None:
        for key in redis.keys("precedent:thread:?:*"):
            redis.expire(key, 7)

    config = put(saver, "pr:1:2", {"text": "x" * 100})
    nearly_end()
    assert saver.get_tuple(config) is not None
    assert max(lives_s()) <= 7
    saver.put_writes(config, [("text", "y" * 100)], "task-1")
    assert len(lives_s()) == 5
    assert min(lives_s()) > 89 * 86400
    nearly_end()
    put(saver, "pr:1:2", {"text": "x" * 100})
    assert min(lives_s()) > 89 * 86400


def test_a_thread_ends_whole(redis: Redis) -> None:
    saver = ThreadSaver(redis, ttl_s=1)
    put(saver, "pr:1:2", {"text": "x" * 100})
    time.sleep(1.1)
    assert saver.threads() == []
    assert saver.get_tuple(thread("pr:1:2")) is None
    assert redis.keys("precedent:thread:?:*") == []
    put(saver, "pr:1:3", {})
    assert redis.zrange("precedent:thread:t", 0, -1) == [b"pr:1:3"]


def test_every_key_of_a_thread_lives_90_days(saver: ThreadSaver, redis: Redis) -> None:
    say(chat(saver), "pr:1:2", "x" * 100)
    keys = redis.keys("precedent:thread:?:*")
    assert len(keys) == 5
    assert all(89 * 86400 < redis.ttl(key) <= 90 * 86400 for key in keys)


def test_deleting_leaves_no_key(saver: ThreadSaver, redis: Redis) -> None:
    config = put(saver, "pr:1:2", {"text": "x" * 100})
    saver.put_writes(config, [("text", "y" * 100)], "task-1")
    saver.delete_thread("pr:1:2")
    assert redis.keys("*") == []
    saver.put_writes(config, [("text", "late")], "task-2")
    saver.delete_thread("pr:1:2")
    assert redis.keys("*") == []


def test_pruning_keeps_the_last_and_all_they_refer_to(saver: ThreadSaver, redis: Redis) -> None:
    app = chat(saver)
    for n in range(12):
        say(app, "pr:1:2", f"question {n} " + "x" * 100)
    before = [one.checkpoint["channel_values"] for one in saver.list(thread("pr:1:2"), limit=3)]
    blobs = redis.hlen("precedent:thread:b:pr:1:2")
    saver.prune("pr:1:2", keep_last=3)
    after = [one.checkpoint["channel_values"] for one in saver.list(thread("pr:1:2"))]
    assert after == before
    assert redis.hlen("precedent:thread:b:pr:1:2") < blobs / 2
    assert redis.hlen("precedent:thread:w:pr:1:2") <= 6
    say(app, "pr:1:2", "and on")
    assert len(values_of(saver, thread("pr:1:2"))["messages"]) == 26
    with pytest.raises(ValueError, match="keep_last"):
        saver.prune("pr:1:2", keep_last=-1)
    saver.prune("pr:1:2", keep_last=0)
    assert redis.keys("*") == []


def test_pruning_in_one_process_does_not_break_the_next_write_of_another(redis: Redis) -> None:
    one, other = ThreadSaver(redis), ThreadSaver(redis)
    text = {"text": ["x" * 100, "y" * 100]}
    put(one, "pr:1:2", text)
    put(other, "pr:1:2", {})
    other.prune("pr:1:2", keep_last=1)
    assert redis.hlen("precedent:thread:b:pr:1:2") == 0
    config = put(one, "pr:1:2", text)
    assert values_of(other, config) == text
    other.delete_thread("pr:1:2")
    one.put_writes(config, [("text", text["text"])], "task-1")
    put(one, "pr:1:2", text)
    assert values_of(other, thread("pr:1:2")) == text


def test_what_a_step_did_not_change_is_written_again_when_it_was_lost_meanwhile(
    saver: ThreadSaver, redis: Redis
) -> None:
    values = {"text": "x" * 100, "list": ["y" * 100], "n": 1}
    first = put(saver, "pr:1:2", values)
    redis.flushall()
    checkpoint = empty_checkpoint()
    checkpoint["id"] = str(uuid6())
    checkpoint["channel_values"] = values | {"n": 2}
    second = saver.put(first, checkpoint, {}, {"n": "2"})
    assert values_of(ThreadSaver(redis), second) == values | {"n": 2}
    blobs = redis.hlen("precedent:thread:b:pr:1:2")
    checkpoint["id"] = str(uuid6())
    checkpoint["channel_values"] = values | {"n": 3}
    third = saver.put(second, checkpoint, {}, {"n": "3"})
    assert values_of(ThreadSaver(redis), third) == values | {"n": 3}
    assert redis.hlen("precedent:thread:b:pr:1:2") == blobs


def test_an_emptied_redis_and_forgotten_scripts_are_survived(
    saver: ThreadSaver, redis: Redis
) -> None:
    app = chat(saver)
    say(app, "pr:1:2", "x" * 100)
    redis.flushall()
    redis.script_flush()
    say(app, "pr:1:2", "x" * 100)
    assert len(values_of(saver, thread("pr:1:2"))["messages"]) == 2


def test_lost_values_are_told_with_what_to_do(saver: ThreadSaver, redis: Redis) -> None:
    put(saver, "pr:1:2", {"text": "x" * 100})
    redis.delete("precedent:thread:b:pr:1:2")
    with pytest.raises(ThreadDamaged, match="precedent threads delete 'pr:1:2'"):
        ThreadSaver(redis).get_tuple(thread("pr:1:2"))
    redis.hset(
        "precedent:thread:c:pr:1:2", next(iter(redis.hkeys("precedent:thread:c:pr:1:2"))), ""
    )
    with pytest.raises(ThreadDamaged):
        ThreadSaver(redis).get_tuple(thread("pr:1:2"))
    saver.delete_thread("pr:1:2")
    assert redis.keys("*") == []


def test_a_state_that_cannot_be_kept_is_refused_and_nothing_is_written(
    saver: ThreadSaver, redis: Redis
) -> None:
    with pytest.raises(StateRefused, match=r"redis\.client\.Redis"):
        put(saver, "pr:1:2", {"client": redis, "text": "x" * 100})
    assert redis.keys("*") == []


def test_a_conversation_grows_with_its_text_and_not_with_its_length_squared(
    saver: ThreadSaver, redis: Redis
) -> None:
    def stored_bytes() -> int:
        keys = redis.keys("precedent:thread:*")
        return sum(redis.memory_usage(key, samples=0) or 0 for key in keys)

    messages: list[Any] = []
    sizes = []
    for n in range(1, 301):
        messages.append(HumanMessage(f"{n} " + f"{n * 7919 % 10_007:05} " * 166, id=str(n)))
        put(saver, "pr:1:2", {"messages": messages})
        if n in (100, 200, 300):
            sizes.append(stored_bytes())
    assert sizes[2] < 5_000_000
    assert sizes[2] - sizes[1] < 1.3 * (sizes[1] - sizes[0])
    assert values_of(saver, thread("pr:1:2"))["messages"] == messages


def test_what_a_caller_does_to_a_message_stays_with_the_caller(
    saver: ThreadSaver, redis: Redis
) -> None:
    """A process remembers the messages that it read; each reading must be the caller's own."""
    message = AIMessage("x" * 100, id="1", additional_kwargs={"blob": "a", "list": [{"n": 1}]})
    config = put(saver, "pr:1:2", {"messages": [message, message]})
    first, again = values_of(saver, config)["messages"]
    first.additional_kwargs["list"][0]["n"] = 2
    first.content = "changed"
    first.additional_kwargs["blob"] = "b"
    assert again == message
    assert values_of(saver, config)["messages"] == [message, message]
    message.additional_kwargs["list"][0]["n"] = True  # equal to 1, and not the same
    config = put(saver, "pr:1:2", {"messages": [first, message]})
    for reader in (saver, ThreadSaver(redis)):
        read = values_of(reader, config)["messages"]
        assert read == [first, message]
        assert read[1].additional_kwargs["list"][0]["n"] is True


@pytest.mark.parametrize("lost", ["all", "blobs", "runs and messages"])
def test_remembered_messages_are_written_again_when_redis_has_lost_them(
    saver: ThreadSaver, redis: Redis, lost: str
) -> None:
    """A run that is there has its messages there: a prune elsewhere takes both, or the messages of
    no run. The test once took messages of a run that it left, about one time in forty, and such a
    thread is damaged for good.
    """
    messages: list[Any] = [HumanMessage(f"{n} " + "x" * 100, id=str(n)) for n in range(40)]
    config = put(saver, "pr:1:2", {"messages": messages})
    if lost == "all":
        redis.flushall()
    elif lost == "blobs":
        redis.delete("precedent:thread:b:pr:1:2")
    else:
        ThreadSaver(redis).prune("pr:1:2", keep_last=1)
        blobs: dict[bytes, bytes] = redis.hgetall("precedent:thread:b:pr:1:2")  # type: ignore[assignment]
        runs = [digest for digest, blob in blobs.items() if unpack(blob).startswith(b"[[")]
        assert len(runs) == 2
        redis.hdel("precedent:thread:b:pr:1:2", *runs, *sorted(blobs.keys() - set(runs))[::3])
    messages.append(AIMessage("y" * 100, id="40"))
    saver.put_writes(config, [("messages", messages)], "task-1")
    config = put(saver, "pr:1:2", {"messages": messages})
    assert values_of(ThreadSaver(redis), config)["messages"] == messages


def test_a_step_reads_and_sends_only_what_is_new(saver: ThreadSaver, redis: Redis) -> None:
    messages: list[Any] = [HumanMessage(f"{n} " + "x" * 1_000, id=str(n)) for n in range(200)]
    put(saver, "pr:1:2", {"messages": messages})
    saver.prune("pr:1:2", keep_last=1)

    def traffic_bytes() -> int:
        told = redis.info("stats")
        return int(told["total_net_input_bytes"]) + int(told["total_net_output_bytes"])

    before = traffic_bytes()
    messages.append(AIMessage("y" * 100, id="200"))
    config = put(saver, "pr:1:2", {"messages": messages})
    assert values_of(saver, config)["messages"] == messages
    assert traffic_bytes() - before < 20_000


def test_a_process_remembers_within_bounds() -> None:
    memory = ProcessMemory(max_bytes=1_000)
    for thread_id in ("a", "b", "c"):
        memory.of(thread_id).learn("1", dumps(HumanMessage("x" * 400, id="1")))
    assert memory.of("c").message("1") is not None
    assert memory.of("b").message("1") is not None
    assert memory.of("a").message("1") is None
    for n in range(200):
        memory.of(str(n)).stored.add("1")
    assert memory.of("b").message("1") is None
    memory.of("d").learn("1", b"[1]")
    memory.of("d").learn("2", b"[2]")
    memory.of("d").keep_only({"2"})
    assert (memory.of("d").content("1"), memory.of("d").content("2")) == (None, b"[2]")
    assert memory.of("d").size_bytes == 3


def test_removed_and_changed_messages_are_seen(saver: ThreadSaver) -> None:
    app = chat(saver)
    say(app, "pr:1:2", "x" * 100)
    first = values_of(saver, thread("pr:1:2"))["messages"][0]
    app.update_state(thread("pr:1:2"), {"messages": [HumanMessage("changed", id=first.id)]})
    assert values_of(saver, thread("pr:1:2"))["messages"][0].content == "changed"
    app.update_state(thread("pr:1:2"), {"messages": [RemoveMessage(id=first.id)]})
    assert len(values_of(saver, thread("pr:1:2"))["messages"]) == 1


def test_the_async_methods_run_a_graph(saver: ThreadSaver) -> None:
    async def story() -> list[CheckpointTuple]:
        app = chat(saver)
        for text in ("first", "second"):
            await app.ainvoke({"messages": [HumanMessage(text)]}, thread("pr:1:2"))
        history = [one async for one in saver.alist(thread("pr:1:2"))]
        await saver.aprune("pr:1:2", keep_last=1)
        return history

    history = asyncio.run(story())
    assert len(history) == 6
    assert len(history[0].checkpoint["channel_values"]["messages"]) == 4
    assert len(list(saver.list(thread("pr:1:2")))) == 1


def test_a_client_that_decodes_answers_works_too(redis_url: str) -> None:
    with redis_client.Redis.from_url(redis_url, decode_responses=True) as decoding:
        saver = ThreadSaver(decoding)
        config = put(saver, "é", {"messages": [ToolMessage("x" * 300, tool_call_id="1")]})
        saver.put_writes(config, [("text", "y" * 100)], "task-1")
        put(saver, "é", {"other": "z" * 100})
        saver.prune("é", keep_last=1)
        assert values_of(saver, thread("é")) == {"other": "z" * 100}
        assert saver.threads() == ["é"]


def test_a_cluster_is_refused() -> None:
    with pytest.raises(ClusterRefused, match="single Redis"):
        ThreadSaver(RedisCluster.__new__(RedisCluster))  # type: ignore[arg-type]
