"""The kept reviews of a repository: one per pull request and head, and not without end."""

from __future__ import annotations

from typing import Any

from redis import Redis

from graph.review_history import KEPT_PER_REPOSITORY, keep, of_pull_request
from graph.store import ConventionStore


def entry(number: int, head: str, words: str = "") -> dict[str, Any]:
    return {"number": number, "head_sha": head, "at": 1.0, "findings": [], "words": words}


def heads(store: ConventionStore, number: int) -> list[str]:
    return [e["head_sha"] for e in of_pull_request(store, 1, number)]


def test_a_retry_overwrites_and_the_last_five_stay(redis: Redis) -> None:
    store = ConventionStore(redis)
    for n in range(7):
        keep(store, 1, entry(7, f"sha{n}", "sesquipedalian" if n == 0 else "halcyon"))
    assert heads(store, 7) == ["sha6", "sha5", "sha4", "sha3", "sha2"]
    keep(store, 1, entry(7, "sha4", "again"))
    assert heads(store, 7) == ["sha4", "sha6", "sha5", "sha3", "sha2"]
    assert of_pull_request(store, 1, 7)[0]["words"] == "again"
    everything = b"".join(
        repr((redis.hgetall if redis.type(k) == b"hash" else redis.dump)(k)).encode()
        for k in redis.keys("*")
    )
    assert b"halcyon" in everything
    assert b"sesquipedalian" not in everything


def test_a_repository_keeps_two_hundred(redis: Redis) -> None:
    store = ConventionStore(redis)
    for number in range(1, 105):
        keep(store, 1, entry(number, "one"))
        keep(store, 1, entry(number, "two"))
    assert KEPT_PER_REPOSITORY == 200
    assert sum(len(heads(store, number)) for number in range(1, 105)) == 200
    assert heads(store, 4) == []
    assert heads(store, 5) == ["two", "one"]
    keep(store, 2, entry(5, "other"))
    assert heads(store, 5) == ["two", "one"]
