"""The store beside langgraph's InMemoryStore, and beside a plain model of versions and time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from langgraph.store.base import GetOp, Item, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from redis import Redis

from graph.store import CasConflict, ConventionStore, Write

# Prefixes of each other, case, stems, stop words, separators, and netstring look-alikes.
LABELS = [
    "conventions", "convention", "CONVENTIONS", "1", "12", "123", "the", "run", "running",
    "acme/api", "acme/api-v2", "a,b", "1:1,", "1:1,1:2", "é", "e\u0301", "日本", "*", " a", "a ",
    "a\nb", "{x}", "ß", "SS", "\udfff",
]  # fmt: skip
KEYS = ["C1", "c1", "C10", "", "a:b", "k,1", " lead", "a\nb", "k|1", "\x00", "é", "\ud800"]

# Sampled rather than grown leaf by leaf: 6,000 steps must take seconds.
NAMESPACES = [
    *((a,) for a in LABELS),
    *(("conventions", b) for b in LABELS),
    ("1", "1"), ("1", "1:1,"), ("1:1,1", "2"), ("conventions", "org", "1"),
    ("conventions", "1", "2"),
    ("acme/api", "1", "the"), ("a,b", "é", "12"), ("*", "*"),
]  # fmt: skip
PREFIXES = [(), *NAMESPACES]
PATTERNS = [
    (), ("*",), ("conventions", "*"), ("*", "1"), ("*", "*", "*"), ("1",), ("conventions",),
    ("conventions", "1", "*"), ("*", "1", "1"), ("conv",), ("12",), ("\udfff",), ("é", "*"),
]  # fmt: skip
MORE: list[dict[str, Any]] = [
    {}, {"more": None}, {"more": [1, [2.5, {}], "é\u2028"]}, {"more": {"": -0.0, "big": 2**70}},
    {"deep": {"n": 0}}, {"deep": {"n": 1, "m": [True]}}, {"deep": [0]},
]  # fmt: skip
VALUES = [{"n": n, "tag": tag, **more} for n in range(4) for tag in "xy" for more in MORE]
COMPARISONS: list[dict[str, Any]] = [
    {"n": {operator: n}}
    for operator in ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
    for n in range(4)
]
FILTERS = [
    None, {}, {"tag": "x"}, {"tag": "z"}, {"deep": {"n": 0}}, {"deep": [0]},
    {"deep": {"m": [True]}}, {"missing": None}, {"n": {"$gte": 1, "$lt": 3}, "tag": "y"},
    {"more": [1, [2.5, {}], "é\u2028"]},
    *COMPARISONS,
]  # fmt: skip

namespaces = st.sampled_from(NAMESPACES)
keys = st.sampled_from(KEYS)
limits = st.sampled_from([0, 1, 2, 3, 5, 100])
offsets = st.integers(0, 3)
depths = st.sampled_from([None, 1, 2, 3])

gets = st.builds(lambda n, k: GetOp(n, k), namespaces, keys)
searches = st.builds(SearchOp, st.sampled_from(PREFIXES), st.sampled_from(FILTERS), limits, offsets)
conditions = st.builds(
    MatchCondition, st.sampled_from(["prefix", "suffix"]), st.sampled_from(PATTERNS)
)
listings = st.builds(
    lambda *asked: ListNamespacesOp(*asked),
    st.lists(conditions, max_size=2).map(tuple),
    depths,
    limits,
    offsets,
)
puts = st.builds(lambda n, k, v: PutOp(n, k, v), namespaces, keys, st.sampled_from(VALUES))
deletes = st.builds(lambda n, k: PutOp(n, k, None), namespaces, keys)


def _plain(result: Any) -> Any:
    if isinstance(result, Item):
        return result.namespace, result.key, result.value
    return [_plain(one) for one in result] if isinstance(result, list) else result


def _forget_empty(reference: InMemoryStore) -> None:
    """InMemoryStore also keeps namespaces that were only asked for, or whose items are gone."""
    for namespace in [n for n, items in reference._data.items() if not items]:
        del reference._data[namespace]


class SameAsInMemory(RuleBasedStateMachine):
    """Every answer equals InMemoryStore's: values, isolation, order and paging."""

    redis: Redis

    @initialize()
    def empty(self) -> None:
        self.redis.flushdb()
        self.store, self.reference = ConventionStore(self.redis), InMemoryStore()

    def _both(self, ops: list[Op]) -> None:
        expected = []
        for op in ops:
            if not isinstance(op, PutOp):
                expected += self.reference.batch([op])
                _forget_empty(self.reference)
        # A batch keeps the place of a key's first write and the value of its last one; only then
        # are deletions in absent namespaces left out, which InMemoryStore would create.
        last = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        writes = [
            op
            for op in last.values()
            if op.value is not None or self.reference._data.get(op.namespace)
        ]
        self.reference.batch(writes)
        _forget_empty(self.reference)
        actual = self.store.batch(ops)
        for op, result in zip(ops, actual, strict=True):
            wanted = None if isinstance(op, PutOp) else expected.pop(0)
            assert _plain(result) == _plain(wanted), op

    @rule(op=puts)
    def put(self, op: PutOp) -> None:
        self._both([op])

    @rule(op=deletes)
    def delete(self, op: PutOp) -> None:
        self._both([op])

    @rule(op=st.one_of(gets, searches, listings))
    def ask(self, op: Op) -> None:
        self._both([op])

    @rule(ops=st.lists(st.one_of(gets, searches, listings, puts, deletes), max_size=6))
    def batch(self, ops: list[Op]) -> None:
        self._both(ops)

    @invariant()
    def everything_is_equal(self) -> None:
        if hasattr(self, "store"):
            self._both([SearchOp((), None, 1_000), ListNamespacesOp((), None, 1_000)])


@dataclass
class Life:
    """What the model knows of one item: its value and version, its revisions, when it ends."""

    value: dict[str, Any] | None = None
    version: int = 0
    ends_at: float | None = None
    revisions: list[dict[str, Any] | None] = field(default_factory=list)

    def settle(self, now: float) -> None:
        if self.value is not None and self.ends_at is not None and now >= self.ends_at:
            self.end()

    def end(self) -> None:
        self.value, self.version, self.ends_at = None, 0, None
        self.revisions.insert(0, None)


LIMIT = 4
Place = tuple[tuple[str, ...], str]

ITEMS: list[Place] = [(("c", n), k) for n in ("1", "12") for k in ("C1", "C2")]
items = st.sampled_from(ITEMS)
TTL_S = 0.03


class SameAsModel(RuleBasedStateMachine):
    """Versions, compare-and-set over several items, deletes, expiry and history."""

    redis: Redis

    @initialize()
    def empty(self) -> None:
        self.redis.flushdb()
        self.store = ConventionStore(self.redis, history_limit=LIMIT)
        self.model = {item: Life() for item in ITEMS}
        self.highest = 0
        self.seen: list[int] = [0, 1]

    def _settle(self) -> None:
        for life in self.model.values():
            life.settle(time.monotonic())

    @rule(
        chosen=st.lists(items, min_size=1, max_size=3, unique=True),
        value=st.one_of(st.none(), st.fixed_dictionaries({"n": st.integers(0, 9)})),
        ttl_s=st.sampled_from([None, 3_600, TTL_S]),
        guess=st.sampled_from(["none", "right", "stale"]),
        which=st.integers(0, 50),
    )
    def commit(
        self,
        chosen: list[Place],
        value: dict[str, Any] | None,
        ttl_s: float | None,
        guess: str,
        which: int,
    ) -> None:
        if any(self.model[place].ends_at is not None for place in chosen):
            self.let_it_expire()  # the two clocks can't agree on the moment; this avoids it
        writes, is_conflict = [], False
        for namespace, key in chosen:
            life = self.model[namespace, key]
            expected = {
                "none": None,
                "right": life.version,
                "stale": self.seen[which % len(self.seen)],
            }[guess]
            is_conflict = is_conflict or expected not in (None, life.version)
            writes.append(Write(namespace, key, value, expected, ttl_s=ttl_s))
        if is_conflict:
            with pytest.raises(CasConflict):
                self.store.commit(writes)
            return
        versions = self.store.commit(writes)
        for write, version in zip(writes, versions, strict=True):
            life = self.model[write.namespace, write.key]
            if write.value is None:
                assert (version > 0) == (life.value is not None)
                if life.value is not None:
                    life.end()
            else:
                assert version > self.highest
                ends_at = time.monotonic() + TTL_S if ttl_s == TTL_S else None
                life.value, life.version, life.ends_at = dict(write.value), version, ends_at
                life.revisions.insert(0, dict(write.value))
            self.highest = max(self.highest, version)
            self.seen.append(version)

    @rule()
    def let_it_expire(self) -> None:
        """Wait until what is short-lived has ended on both clocks."""
        if any(life.ends_at is not None for life in self.model.values()):
            time.sleep(TTL_S + 0.005)
            self._settle()

    @rule()
    def sweep(self) -> None:
        self.store.sweep()

    @rule(item=items)
    def erase_history(self, item: Place) -> None:
        self._settle()
        if self.model[item].ends_at is None:
            self.store.erase_history(*item)
            self.model[item].revisions.clear()

    @invariant()
    def everything_is_equal(self) -> None:
        if not hasattr(self, "store"):
            return
        self._settle()  # first: an end that the model knows of, Redis has passed
        found = self.store.read(ITEMS)
        for item, (place, life) in zip(found, self.model.items(), strict=True):
            if life.ends_at is not None:
                continue  # it may be at its end just now; the next let_it_expire decides
            assert (item.value if item else None) == life.value
            assert (item.version if item else 0) == life.version
            assert [r.value for r in self.store.history(*place)] == life.revisions[:LIMIT]


@pytest.mark.slow
@pytest.mark.parametrize("machine", [SameAsInMemory, SameAsModel])
def test_no_difference_in_200_stories_of_30_steps(
    machine: type[SameAsInMemory] | type[SameAsModel], redis: Redis
) -> None:
    machine.redis = redis
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=200,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_key_deleted_and_put_in_one_batch_keeps_its_first_place(redis: Redis) -> None:
    """The comparison once left the deletion out first, and so expected another order."""
    ops = [
        PutOp(("convention",), "C1", None),
        PutOp(("conventions",), "C1", {"n": 0}),
        PutOp(("convention",), "C1", {"n": 1}),
    ]
    store, reference = ConventionStore(redis), InMemoryStore()
    for one in (store, reference):
        one.batch(ops)
    assert _plain(store.search(())) == _plain(reference.search(()))
