"""The store by example: what an item is, what is refused, and what survives."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

import pytest
import redis as redis_client
from langgraph.graph import START, StateGraph
from langgraph.store.base import BaseStore, InvalidNamespaceError, PutOp, SearchOp
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.cluster import RedisCluster
from redis.retry import Retry

from deploy.sandbox.redis_server import EmbeddedRedis, _find_server, free_port
from graph.store import CasConflict, ClusterRefused, ConventionStore, ValueRefused, Write

NS = ("conventions", "1")


@pytest.fixture
def store(redis: Redis) -> ConventionStore:
    return ConventionStore(redis)


def test_an_item_keeps_its_creation_time_and_gets_a_higher_version(store: ConventionStore) -> None:
    store.put(NS, "C1", {"rule": "88"})
    first = store.read([(NS, "C1")])[0]
    store.put(NS, "C1", {"rule": "100"})
    second = store.read([(NS, "C1")])[0]
    assert first is not None
    assert second is not None
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at
    assert second.version > first.version > 0
    assert second.value == {"rule": "100"}
    assert abs(second.updated_at - datetime.now(UTC)) < timedelta(seconds=5)


@pytest.mark.parametrize(
    "value",
    [
        {"x": float("nan")},
        {"x": float("-inf")},
        {"x": "\ud800"},
        {"\udfff": 1},
        {1: "x"},
        {"x": {None: 1}},
        {"x": (1, 2)},
        {"x": {1, 2}},
        {"x": b"bytes"},
        {"x": datetime.now(UTC)},
        {"x": 10**5000},
    ],
)
def test_a_value_that_is_not_json_is_refused_and_the_old_one_stays(
    store: ConventionStore, value: Any
) -> None:
    store.put(NS, "C1", {"rule": "88"})
    with pytest.raises(ValueRefused):
        store.put(NS, "C1", value)
    with pytest.raises(ValueRefused):
        store.commit([Write(NS, "C2", {"ok": True}), Write(NS, "C1", value)])
    assert [item.value for item in store.recall(NS)] == [{"rule": "88"}]


def test_a_value_nested_too_deeply_is_refused(store: ConventionStore) -> None:
    value: dict[str, Any] = {}
    for _ in range(100_000):
        value = {"x": value}
    with pytest.raises(ValueRefused):
        store.put(NS, "C1", value)
    while value:  # freed step by step: CPython frees so deep a nesting by recursion otherwise
        value = value["x"]


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"": "", "n": None, "t": True, "i": 2**70, "f": 0.1, "z": -0.0, "big": 1e308},
        {"text": 'line\nline\r\u2028 "quotes" \\ \x00 \x1f 日本語 🙂', "list": [[], {}, [None]]},
        {"lc": 2, "type": "constructor", "id": ["subprocess", "Popen"], "kwargs": {}},
    ],
)
def test_a_value_comes_back_equal(store: ConventionStore, value: dict[str, Any]) -> None:
    store.put(NS, "C1", value)
    item = store.get(NS, "C1")
    assert item is not None
    assert repr(item.value) == repr(value)
    assert repr(store.recall(NS)[0].value) == repr(value)
    assert repr(store.history(NS, "C1")[0].value) == repr(value)


def test_a_commit_is_all_or_nothing(store: ConventionStore) -> None:
    other = ("slots", "1")
    version = store.put_cas(NS, "C1", {"rule": "88"}, expected=0)
    with pytest.raises(CasConflict) as caught:
        store.commit(
            [
                Write(NS, "C2", {"rule": "new"}),
                Write(other, "line_length", {"id": "C2"}, expected=0),
                Write(NS, "C1", None, expected=version + 1),
            ]
        )
    assert (caught.value.key, caught.value.expected, caught.value.found) == (
        "C1",
        version + 1,
        version,
    )
    assert [item.key for item in store.recall(NS)] == ["C1"]
    assert store.recall(other) == []
    versions = store.commit(
        [
            Write(NS, "C1", None, expected=version),
            Write(NS, "C2", {"rule": "new"}, expected=0),
            Write(NS, "C3", None),
            Write(other, "line_length", {"id": "C2"}, expected=0),
        ]
    )
    assert versions[2] == 0
    assert version < versions[0] < versions[1] < versions[3]
    assert [item.key for item in store.recall(NS)] == ["C2"]


def test_a_commit_takes_one_write_per_item(store: ConventionStore) -> None:
    with pytest.raises(ValueError, match="one write per item"):
        store.commit([Write(NS, "C1", {}), Write(NS, "C1", None)])
    assert store.commit([]) == []


def test_a_stale_version_never_matches_an_item_made_anew(store: ConventionStore) -> None:
    stale = store.put_cas(NS, "C1", {"life": 1}, expected=0)
    store.delete(NS, "C1")
    assert store.version(NS, "C1") == 0
    store.put_cas(NS, "C1", {"life": 2}, expected=0)
    with pytest.raises(CasConflict):
        store.put_cas(NS, "C1", {"life": 3}, expected=stale)


def test_history_tells_who_and_when_across_a_deletion_and_is_bounded(redis: Redis) -> None:
    store = ConventionStore(redis, history_limit=3)
    store.commit([Write(NS, "C1", {"n": 0}, author="github:7")])
    store.commit([Write(NS, "C1", {"n": 1}, author="slack:T1:Ü\n")])
    store.commit([Write(NS, "C1", None, author="cli:root")])
    store.commit([Write(NS, "C1", {"n": 2})])
    history = store.history(NS, "C1")
    assert [(r.value, r.author) for r in history] == [
        ({"n": 2}, None),
        (None, "cli:root"),
        ({"n": 1}, "slack:T1:Ü\n"),
    ]
    assert all(a.version > b.version and a.at >= b.at for a, b in pairwise(history))
    assert store.erase_history(NS, "C1") == 3
    assert store.history(NS, "C1") == []
    assert store.get(NS, "C1") is not None


def test_the_history_of_a_deleted_item_ends_and_that_of_a_restored_one_does_not(
    store: ConventionStore, redis: Redis
) -> None:
    def lifetimes() -> list[int]:
        return [redis.ttl(key) for key in redis.keys("precedent:store:h:*")]

    store.put(NS, "C1", {})
    assert lifetimes() == [-1]
    store.delete(NS, "C1")
    assert 29 * 86400 < lifetimes()[0] <= 30 * 86400
    store.put(NS, "C1", {})
    assert lifetimes() == [-1]


def test_expiry_is_seen_by_every_reader_at_once(store: ConventionStore) -> None:
    store.commit([Write(NS, "short", {"n": 1}, ttl_s=0.05), Write(NS, "long", {"n": 2}, ttl_s=99)])
    stale = store.version(NS, "short")
    assert stale > 0
    time.sleep(0.06)
    assert store.get(NS, "short") is None
    assert store.version(NS, "short") == 0
    assert [item.key for item in store.search(("conventions",))] == ["long"]
    assert [revision.value for revision in store.history(NS, "short")] == [None, {"n": 1}]
    with pytest.raises(CasConflict):
        store.put_cas(NS, "short", {}, expected=stale)
    store.put_cas(NS, "short", {}, expected=0)


def test_sweep_leaves_nothing_of_what_expired_but_its_history(
    store: ConventionStore, redis: Redis
) -> None:
    store.commit([Write(("a", str(n)), "k", {}, ttl_s=0.001) for n in range(1_200)])
    store.put(("b",), "k", {})
    store.delete(("b",), "k")
    time.sleep(0.01)
    swept = store.sweep()
    assert swept <= 1_200  # the put and the delete, too, began by removing what had expired
    assert store.sweep() == 0
    left = [key for key in redis.keys("*") if b":store:h:" not in key]
    assert left == [b"precedent:store:seq"]
    assert store.list_namespaces() == []


def test_a_put_without_ttl_ends_the_old_ttl(store: ConventionStore) -> None:
    store.put(NS, "C1", {"n": 1}, ttl=0.05 / 60)
    store.put(NS, "C1", {"n": 2})
    time.sleep(0.06)
    assert store.sweep() == 0
    assert store.get(NS, "C1") is not None


def test_langgraphs_reads_renew_a_ttl_and_the_stores_own_do_not(store: ConventionStore) -> None:
    def expiry() -> int:
        item = store.read([(NS, "C1")])[0]
        assert item is not None
        assert item.expires_us is not None
        return item.expires_us

    store.put(NS, "C1", {"n": 1}, ttl=5)
    at_first = expiry()
    time.sleep(0.003)
    store.recall(NS)
    store.get(NS, "C1", refresh_ttl=False)
    store.search(NS, refresh_ttl=False)
    assert expiry() == at_first
    for read in (
        lambda: store.get(NS, "C1"),
        lambda: store.search(NS),
        lambda: store.search(NS, filter={"n": 1}),
    ):
        before = expiry()
        time.sleep(0.002)
        read()
        assert expiry() > before
    before = expiry()
    time.sleep(0.002)
    store.search(NS, filter={"n": 2})
    assert expiry() == before


def test_pages_follow_each_other_without_gaps_across_namespaces(store: ConventionStore) -> None:
    writes = [Write(("many", str(n % 7)), f"k{n}", {"n": n}) for n in range(2_300)]
    store.commit(writes)
    everything = store.search(("many",), limit=5_000)
    assert len(everything) == 2_300
    assert store.search((), limit=5_000) == everything
    for offset in (0, 1, 328, 329, 330, 999, 1_000, 1_001, 2_299, 2_300, 9_999):
        for prefix in ((), ("many",)):
            assert store.search(prefix, limit=400, offset=offset) == everything[offset:][:400]
    odd = [item for item in everything if item.value["n"] >= 2_200]
    found = store.search(("many",), filter={"n": {"$gte": 2_200}}, limit=60, offset=30)
    assert found == odd[30:90]
    assert [i.key for i in store.recall(("many", "3"))] == [f"k{n}" for n in range(3, 2_300, 7)]
    assert store.search(("many",), limit=0) == []


def test_a_filter_on_a_missing_or_wordy_field_finds_nothing_and_never_raises(
    store: ConventionStore,
) -> None:
    store.put(NS, "C1", {"n": "many"})
    assert store.search(NS, filter={"n": {"$gt": 1}}) == []
    assert store.search(NS, filter={"m": {"$lte": 1}}) == []
    with pytest.raises(ValueError, match=r"\$in"):
        store.search(NS, filter={"n": {"$in": [1]}})


@pytest.mark.parametrize("key", ["", "a:b", "k,1", " lead", "a\nb", "\x00", "\ud800", "x" * 5_000])
@pytest.mark.parametrize("label", ["1", "1,", "1:1", "a.b", "", "\ud800", "L" * 400])
def test_any_name_works_in_the_stores_own_calls(
    store: ConventionStore, key: str, label: str
) -> None:
    namespace = ("conventions", label)
    store.commit([Write(namespace, key, {"here": True})])
    assert [(i.namespace, i.key) for i in store.recall(namespace)] == [(namespace, key)]
    assert store.version(namespace, key) > 0
    assert store.list_namespaces() == [namespace]
    assert len(store.history(namespace, key)) == 1
    store.commit([Write(namespace, key, None)])
    assert store.recall(namespace) == []


def test_put_keeps_langgraphs_rules_for_labels(store: ConventionStore) -> None:
    for namespace in ((), ("a.b",), ("",), ("langgraph", "x")):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {})


def test_a_batch_reads_before_it_writes_and_the_last_put_of_a_key_wins(
    store: ConventionStore,
) -> None:
    store.put(NS, "C1", {"n": 0})
    results = store.batch(
        [PutOp(NS, "C1", {"n": 1}), SearchOp(NS), PutOp(NS, "C1", {"n": 2}), PutOp(NS, "C2", {})]
    )
    assert [item.value for item in results[1]] == [{"n": 0}]  # type: ignore[union-attr]
    assert results[0] is results[2] is results[3] is None
    assert [item.value for item in store.recall(NS)] == [{"n": 2}, {}]
    with pytest.raises(ValueRefused):
        store.batch([PutOp(NS, "C1", {"n": 3}), PutOp(NS, "C2", {"n": float("nan")})])
    assert [item.value for item in store.recall(NS)] == [{"n": 2}, {}]


def test_the_async_methods_do_the_same(store: ConventionStore) -> None:
    async def story() -> None:
        await store.aput(NS, "C1", {"n": 1})
        item = await store.aget(NS, "C1")
        assert item is not None
        assert item.value == {"n": 1}
        assert [i.key for i in await store.asearch(("conventions",), filter={"n": 1})] == ["C1"]
        assert await store.alist_namespaces(prefix=("conventions", "*")) == [NS]
        await store.adelete(NS, "C1")
        assert await store.aget(NS, "C1") is None

    asyncio.run(story())


def test_it_is_a_store_for_anybodys_graph(store: ConventionStore) -> None:
    class State(TypedDict):
        seen: str

    def remember(state: State, *, store: BaseStore) -> State:
        store.put(("memories", "42"), "name", {"is": "Ada"})
        found = store.search(("memories",))
        return {"seen": found[0].value["is"]}

    graph = StateGraph(State)
    graph.add_node("remember", remember)
    graph.add_edge(START, "remember")
    assert graph.compile(store=store).invoke({"seen": ""}) == {"seen": "Ada"}


def test_forgotten_scripts_and_an_emptied_redis_are_survived(
    store: ConventionStore, redis: Redis
) -> None:
    store.put(NS, "C1", {})
    redis.script_flush()
    store.put(NS, "C2", {})
    assert len(store.recall(NS)) == 2
    redis.flushall()
    assert store.recall(NS) == []
    store.put(NS, "C1", {})


def test_a_client_that_decodes_answers_works_too(redis_url: str) -> None:
    with redis_client.Redis.from_url(redis_url, decode_responses=True) as decoding:
        store = ConventionStore(decoding)
        store.commit([Write(("\ud800",), "k\udfff", {"n": "é"})])
        assert [i.key for i in store.recall(("\ud800",))] == ["k\udfff"]
        assert store.list_namespaces() == [("\ud800",)]


def test_two_prefixes_share_nothing(redis: Redis) -> None:
    one, two = ConventionStore(redis), ConventionStore(redis, prefix="precedent:store2")
    one.put(NS, "C1", {})
    assert two.search(()) == []
    assert two.list_namespaces() == []


def test_a_cluster_is_refused_with_a_sentence() -> None:
    with pytest.raises(ClusterRefused, match="single Redis"):
        ConventionStore(RedisCluster.__new__(RedisCluster))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"redis\.Redis"):
        ConventionStore("redis://127.0.0.1")  # type: ignore[arg-type]


@pytest.fixture
def cut_once(redis_server: EmbeddedRedis, redis_url: str) -> Iterator[tuple[int, threading.Event]]:
    """A TCP proxy to Redis that, once armed, passes a request on and hangs up on its answer."""
    armed = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve(client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", redis_server.port)) as upstream:
            is_evaluating = threading.Event()

            def answer() -> None:
                # Either socket may be closed under this thread when the test is over.
                with contextlib.suppress(OSError):
                    while part := upstream.recv(1 << 20):
                        is_result = is_evaluating.is_set() and not part.startswith(b"-NOSCRIPT")
                        if is_result and armed.is_set():
                            armed.clear()
                            client.shutdown(socket.SHUT_RDWR)
                            return
                        client.sendall(part)

            threading.Thread(target=answer, daemon=True).start()
            while request := client.recv(1 << 20):
                if b"EVAL" in request:
                    is_evaluating.set()
                upstream.sendall(request)

    def accept() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    yield listener.getsockname()[1], armed
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def test_a_compare_and_set_whose_answer_was_lost_does_not_conflict_with_itself(
    cut_once: tuple[int, threading.Event],
) -> None:
    port, armed = cut_once
    with redis_client.Redis(port=port, retry=Retry(ConstantBackoff(0.01), 3)) as client:
        store = ConventionStore(client)
        first = store.put_cas(NS, "C1", {"n": 1}, expected=0)
        armed.set()
        second = store.put_cas(NS, "C1", {"n": 2}, expected=first)
        assert not armed.is_set()
        assert store.version(NS, "C1") == second
        assert len(store.history(NS, "C1")) == 2


def test_a_server_in_cluster_mode_is_refused(tmp_path: Path) -> None:
    port = free_port()
    executable, _ = _find_server()
    arguments = [
        "--port", str(port), "--bind", "127.0.0.1", "--dir", str(tmp_path), "--save", "",
        "--cluster-enabled", "yes", "--cluster-port", str(free_port()),
    ]  # fmt: skip
    server = subprocess.Popen([executable, *arguments], stdout=subprocess.DEVNULL)
    try:
        retry = Retry(ConstantBackoff(0.05), 100)
        with redis_client.Redis(port=port, retry=retry) as client:
            store = ConventionStore(client)
            with pytest.raises(ClusterRefused, match="one script touches several keys"):
                store.put(NS, "C1", {})
    finally:
        server.kill()
        server.wait()
