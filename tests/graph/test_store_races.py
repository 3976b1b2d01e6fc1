"""The store under many processes, many tenants and a killed server."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import redis as redis_client
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from deploy.sandbox.redis_server import EmbeddedRedis
from graph.store import CasConflict, ConventionStore, Write

NS = ("conventions", "1")
PROCESSES = 8


def _in_processes(task: Callable[..., None], *arguments: Any) -> list[ForkProcess]:
    """Start the task in 8 processes that begin at one instant."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(PROCESSES)
    started = [
        context.Process(target=task, args=(number, barrier, *arguments))
        for number in range(PROCESSES)
    ]
    for process in started:
        process.start()
    return started


def _finish(processes: list[ForkProcess]) -> None:
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * PROCESSES


def _put_500(number: int, barrier: Any, url: str) -> None:
    store = ConventionStore(Redis.from_url(url))
    barrier.wait()
    for n in range(500):
        store.put(NS, "C1", {"by": number, "n": n})


def test_a_reader_never_misses_an_item_that_eight_processes_overwrite(redis_url: str) -> None:
    with redis_client.Redis.from_url(redis_url) as client:
        store = ConventionStore(client)
        store.put(NS, "C1", {"by": -1, "n": -1})
        processes = _in_processes(_put_500, redis_url)
        reads, last_version = 0, 0
        while any(process.is_alive() for process in processes):
            assert store.get(NS, "C1") is not None
            assert len(store.search(("conventions",))) == 1
            (item,) = store.recall(NS)
            assert item.version >= last_version
            reads, last_version = reads + 1, item.version
        _finish(processes)
        assert reads > 50
        assert len(store.history(NS, "C1")) == 20


def _increment_100(_: int, barrier: Any, url: str) -> None:
    store = ConventionStore(Redis.from_url(url))
    barrier.wait()
    for _ in range(100):
        while True:
            item = store.read([(NS, "counter")])[0]
            value, version = (item.value["n"], item.version) if item else (0, 0)
            try:
                store.put_cas(NS, "counter", {"n": value + 1}, expected=version)
            except CasConflict:
                continue
            break


def test_compare_and_set_loses_no_increment(redis_url: str) -> None:
    _finish(_in_processes(_increment_100, redis_url))
    with redis_client.Redis.from_url(redis_url) as client:
        (item,) = ConventionStore(client).recall(NS)
        assert item.value == {"n": 800}


def _first_puts(number: int, barrier: Any, url: str) -> None:
    store = ConventionStore(Redis.from_url(url))
    barrier.wait()
    for n in range(300):
        store.put(NS, f"C{n}", {"by": number})


def test_simultaneous_first_puts_leave_one_item_per_key(redis_url: str) -> None:
    _finish(_in_processes(_first_puts, redis_url))
    with redis_client.Redis.from_url(redis_url) as client:
        store = ConventionStore(client)
        for items in (store.recall(NS), store.search(NS, limit=1_000)):
            assert sorted(item.key for item in items) == sorted(f"C{n}" for n in range(300))


def test_a_thousand_repositories_whose_ids_are_prefixes_of_each_other(redis: Redis) -> None:
    """Every operation on each, while the ids that it begins with, or that begin with it, look on.

    An id of the other parity of length is longer or shorter by one digit: a change that reached
    beyond its own namespace would show there.
    """
    store = ConventionStore(redis)
    repositories = [str(n) for n in range(1, 1_001)]
    kept = {
        (repo, key): {"repo": repo, "key": key} for repo in repositories for key in ("C1", "C10")
    }
    store.commit([Write(("conventions", repo), key, value) for (repo, key), value in kept.items()])
    for parity in (0, 1):
        for repo in repositories:
            if len(repo) % 2 == parity:
                kept[repo, "C1"] = {"repo": repo, "changed": str(parity)}
                store.put(("conventions", repo), "C1", kept[repo, "C1"])
                store.delete(("conventions", repo), "C10")
                del kept[repo, "C10"]
        for repo in repositories:
            namespace = ("conventions", repo)
            mine = {key: value for key in ("C1", "C10") if (value := kept.get((repo, key)))}
            for found in (store.recall(namespace), store.search(namespace, limit=9)):
                assert {item.key: item.value for item in found} == mine
                assert {item.namespace for item in found} == {namespace}
            for key in ("C1", "C10"):
                item = store.get(namespace, key)
                assert (item.value if item else None) == mine.get(key)
            assert store.list_namespaces(prefix=namespace) == [namespace]
    everything = store.search(("conventions",), limit=5_000)
    assert {(item.namespace[1], item.key): item.value for item in everything} == kept
    assert len(everything) == len(store.list_namespaces(limit=5_000)) == 1_000


def test_every_acknowledged_put_survives_a_kill_of_redis(tmp_path: Path) -> None:
    acknowledged: list[int] = []
    with EmbeddedRedis(tmp_path, fsync="always") as server:
        reached = threading.Event()

        def write() -> None:
            with redis_client.Redis(port=server.port, retry=Retry(NoBackoff(), 0)) as client:
                store = ConventionStore(client)
                for n in range(2_000):
                    try:
                        store.put(NS, f"C{n}", {"n": n})
                    except redis_client.RedisError:
                        return
                    acknowledged.append(n)
                    if n == 1_000:
                        reached.set()

        writer = threading.Thread(target=write)
        writer.start()
        assert reached.wait(60)
        server.kill()
        writer.join(30)
        assert 1_000 < len(acknowledged) < 2_000
        server.start()
        with redis_client.Redis(port=server.port) as client:
            items = ConventionStore(client).recall(NS)
        kept = [item.value["n"] for item in items]
        assert kept[: len(acknowledged)] == acknowledged
        assert len(kept) <= len(acknowledged) + 1
