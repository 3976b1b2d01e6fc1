"""The long-term memory: a langgraph store on plain Redis commands, exact, versioned and atomic.

Every operation is one Lua script, so nobody ever sees half of it, and Redis' clock is the only one.
Versions come from one counter of the store that never restarts: a version seen before an item was
deleted or expired is never right again.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)
from redis import Redis

from graph.redis_scripts import ClusterRefused, Scripts
from graph.store_records import (
    Namespace,
    Revision,
    ValueRefused,
    Versioned,
    decode_item,
    decode_items,
    decode_namespace,
    decode_revision,
    encode_name,
    encode_namespace,
    encode_value,
    is_in,
    literal_prefix,
    matches,
)

__all__ = [
    "CasConflict",
    "ClusterRefused",
    "ConventionStore",
    "Namespace",
    "Revision",
    "ValueRefused",
    "Versioned",
    "Write",
]

HISTORY_KEPT_AFTER_DELETE_S = 30 * 24 * 3600
"""How long the revisions of a deleted or expired item stay, so that it can be restored."""

MAX_PAGE = 1_000
"""Items that one script call reads: a few milliseconds of Redis' single thread."""

_SCRIPTS = Path(__file__).with_name("store_scripts")


class CasConflict(Exception):  # noqa: N818
    """Someone else wrote first: nothing was written. Read again and decide again.

    `expected` and `found` are versions; 0 means that the item does not exist.
    """

    reason = "cas_conflict"

    def __init__(self, namespace: Namespace, key: str, expected: int, found: int) -> None:
        super().__init__(
            f"{key!r} in {namespace!r} is at version {found}, not at {expected}; "
            "read it again before writing."
        )
        self.namespace, self.key = namespace, key
        self.expected, self.found = expected, found


@dataclass(frozen=True)
class Write:
    """One put, or with `value=None` one delete, of a commit.

    `expected` is the version that the item must have (0: must not exist; None: whatever it has).
    `ttl_s` is the item's time to live in seconds from now; None keeps it for ever.
    """

    namespace: Namespace
    key: str
    value: Mapping[str, Any] | None
    expected: int | None = None
    ttl_s: float | None = None
    author: str | None = None


class ConventionStore(BaseStore):
    """A `BaseStore` over one Redis (5 or newer, no modules, a Sentinel's master too).

    Labels match whole, keys exactly, in any characters; order and paging are those of langgraph's
    InMemoryStore; filters apply before limits; a value comes back equal or is refused before
    anything is written. `query` and `index` are accepted and have no effect: nothing is picked by
    similarity. `put` takes the ttl of langgraph in minutes and renews it on reads, as that
    interface says; the methods that are this store's own never renew.

    `history_limit` is how many revisions an item keeps, the present one included.
    Raises ClusterRefused, here or on the first operation, on a Redis Cluster.
    """

    supports_ttl = True

    def __init__(
        self, redis: Redis, *, prefix: str = "precedent:store", history_limit: int = 20
    ) -> None:
        self._scripts = Scripts(redis, _SCRIPTS)
        self._head = (
            prefix.encode(),
            b"%d" % history_limit,
            b"%d" % HISTORY_KEPT_AFTER_DELETE_S,
        )

    # -- langgraph's interface

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads first, on the state before the batch; then the last put per key, atomically."""
        operations = list(ops)
        results: list[Result] = [None] * len(operations)
        puts: dict[tuple[Namespace, str], Write] = {}
        gets: list[int] = []
        for at, op in enumerate(operations):
            if isinstance(op, GetOp):
                gets.append(at)
            elif isinstance(op, SearchOp):
                results[at] = self._search(op)
            elif isinstance(op, ListNamespacesOp):
                results[at] = self._list_namespaces(op)
            elif isinstance(op, PutOp):
                ttl_s = None if op.ttl is None else op.ttl * 60
                write = Write(tuple(op.namespace), op.key, op.value, ttl_s=ttl_s)
                puts[write.namespace, write.key] = write
            else:
                raise TypeError(f"Unknown store operation {type(op).__name__}.")
        if gets:
            wanted = [op for op in operations if isinstance(op, GetOp)]
            found = self._read([(op.namespace, op.key, op.refresh_ttl) for op in wanted])
            for at, item in zip(gets, found, strict=True):
                results[at] = None if item is None else _as_item(item)
        if puts:
            self.commit(list(puts.values()))
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """`batch` in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    # -- beyond langgraph's interface

    def commit(self, writes: Sequence[Write]) -> list[int]:
        """Do all writes in one atomic step, or none, and return the new version of each.

        The version of a delete is 0 when there was nothing to delete. Raises CasConflict when an
        `expected` does not hold and ValueRefused when a value is not JSON; then nothing is written.
        """
        named = {(write.namespace, write.key) for write in writes}
        if len(named) != len(writes):
            raise ValueError("A commit takes one write per item; merge those to the same key.")
        if not writes:
            return []
        is_cas = any(write.expected is not None for write in writes)
        arguments = [secrets.token_bytes(12) if is_cas else b""]
        for write in writes:
            arguments += _encode_write(write)
        is_done, *answer = self._run("commit", *arguments)
        if is_done:
            return [int(version) for version in answer]
        conflicting = writes[answer[0] - 1]
        raise CasConflict(
            conflicting.namespace, conflicting.key, conflicting.expected or 0, answer[1]
        )

    def put_cas(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        expected: int,
        author: str | None = None,
    ) -> int:
        """Put if the item is still at version `expected` (0: absent); returns the new version."""
        return self.commit([Write(namespace, key, value, expected, author=author)])[0]

    def read(self, keys: Sequence[tuple[Namespace, str]]) -> list[Versioned | None]:
        """Several items with their versions in one round trip; None where there is none."""
        return self._read([(namespace, key, False) for namespace, key in keys])

    def recall(self, namespace: Namespace) -> list[Versioned]:
        """Every item of exactly this namespace, in insert order, in one round trip."""
        return decode_items(*self._run("recall", encode_namespace(namespace)))

    def version(self, namespace: Namespace, key: str) -> int:
        """The item's version; 0 when there is none, as `expected` wants it."""
        item = self.read([(namespace, key)])[0]
        return 0 if item is None else item.version

    def history(self, namespace: Namespace, key: str) -> list[Revision]:
        """The last revisions of an item, newest first, across deletions and expiry."""
        return self._history(namespace, key, is_erasing=False)

    def erase_history(self, namespace: Namespace, key: str) -> int:
        """Forget the revisions of an item, never the item; returns how many there were."""
        return len(self._history(namespace, key, is_erasing=True))

    def forget(self, is_meant: Callable[[Namespace], bool]) -> int:
        """Erase whole namespaces with every revision; returns how many items there were.

        Looks at every key of the store: for the end of a repository, not for every day.
        """
        meant = {n for n in self._every_namespace(b"i") if is_meant(decode_namespace(n))}
        erased = int(self._run("forget", *meant)) if meant else 0
        for name in self._every_namespace(b"h", whole=True):
            own = name.removeprefix(self._head[0] + b":h:")
            size, _, rest = own.partition(b":")
            if is_meant(decode_namespace(rest[: int(size)])):
                self._scripts.execute("DEL", name)
        return erased

    def _every_namespace(self, kind: bytes, *, whole: bool = False) -> Iterator[bytes]:
        """Namespaces, or whole key names, of the keys of one kind; some may come twice."""
        start = self._head[0] + b":" + kind + b":"
        cursor: bytes | int = 0
        while True:
            cursor, names = self._scripts.execute(
                "SCAN", cursor, "MATCH", start + b"*", "COUNT", MAX_PAGE
            )
            for name in names:
                yield name if whole else name[len(start) :]
            if int(cursor) == 0:
                return

    def sweep(self) -> int:
        """Remove what has expired and return how much. Reads never see it anyway."""
        return int(self._run("sweep"))

    # -- how

    def _read(self, wanted: Sequence[tuple[Namespace, str, bool]]) -> list[Versioned | None]:
        if not wanted:
            return []
        if len(wanted) == 1:
            namespace, key, _ = wanted[0]
            item = self._glance(namespace, key)
            if item is None or item.expires_us is None:
                return [item]
        arguments: list[bytes] = []
        for namespace, key, is_refreshing in wanted:
            arguments += (encode_namespace(namespace), encode_name(key), b"%d" % is_refreshing)
        records = self._run("read", *arguments)
        return [
            None if record is None else decode_item(tuple(namespace), key, record)
            for (namespace, key, _), record in zip(wanted, records, strict=True)
        ]

    def _glance(self, namespace: Namespace, key: str) -> Versioned | None:
        """An item by one plain command: right for all that never expires, which needs no clock."""
        name = self._head[0] + b":i:" + encode_namespace(namespace)
        record = self._scripts.execute("HGET", name, encode_name(key))
        return None if record is None else decode_item(tuple(namespace), key, record)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        if op.filter or min(op.offset, op.limit) < 0:
            items = self._walk_filtered(op)
        else:
            items = self._walk(op.namespace_prefix, op.offset, op.limit, op.refresh_ttl)
        return [_as_search_item(item) for item in items]

    def _walk_filtered(self, op: SearchOp) -> list[Versioned]:
        """Read everything below the prefix until enough items match.

        Only what is returned is renewed, in a second call, since only this side knows the filter.
        """
        stop = op.offset + op.limit if min(op.offset, op.limit) >= 0 else None
        found: list[Versioned] = []
        for page in self._pages(op.namespace_prefix, 0, MAX_PAGE, is_refreshing=False):
            found += [item for item in page if matches(item.value, op.filter)]
            if stop is not None and len(found) >= stop:
                break
        chosen = found[op.offset : op.offset + op.limit]
        living = [(i.namespace, i.key, True) for i in chosen if i.expires_us is not None]
        if op.refresh_ttl and living:
            self._read(living)
        return chosen

    def _walk(
        self, prefix: Namespace, offset: int, limit: int, is_refreshing: bool
    ) -> list[Versioned]:
        found: list[Versioned] = []
        if limit == 0:
            return found
        size = min(limit, MAX_PAGE)
        for page in self._pages(prefix, offset, size, is_refreshing=is_refreshing):
            found += page[: limit - len(found)]
            if len(found) >= limit:
                break
        return found

    def _pages(
        self, prefix: Namespace, offset: int, size: int, *, is_refreshing: bool
    ) -> Iterable[list[Versioned]]:
        encoded = encode_namespace(prefix)
        namespace_number, item_number = b"0", b"0"
        while True:
            namespace_number, item_number, *packed = self._run(
                "walk",
                encoded,
                namespace_number,
                item_number,
                b"%d" % offset,
                b"%d" % size,
                b"%d" % is_refreshing,
            )
            page = decode_items(*packed)
            yield page
            if len(page) < size:
                return
            offset = 0

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        listed = self._run("namespaces", encode_namespace(literal_prefix(conditions)))
        namespaces = {
            namespace[: op.max_depth]
            for namespace in map(decode_namespace, listed)
            if all(is_in(namespace, condition) for condition in conditions)
        }
        return sorted(namespaces)[op.offset : op.offset + op.limit]

    def _history(self, namespace: Namespace, key: str, *, is_erasing: bool) -> list[Revision]:
        records = self._run(
            "history", encode_namespace(namespace), encode_name(key), b"%d" % is_erasing
        )
        return [decode_revision(record) for record in records]

    def _run(self, name: str, *arguments: bytes) -> Any:
        return self._scripts.run(name, *self._head, *arguments)


def _encode_write(write: Write) -> list[bytes]:
    ttl_ms = 0 if write.ttl_s is None else max(1, round(write.ttl_s * 1_000))
    return [
        encode_namespace(write.namespace),
        encode_name(write.key),
        b"" if write.value is None else encode_value(write.value),
        b"" if write.expected is None else b"%d" % write.expected,
        b"%d" % ttl_ms,
        b"null" if write.author is None else json.dumps(write.author).encode(),
    ]


def _as_item(item: Versioned) -> Item:
    return Item(
        namespace=item.namespace,
        key=item.key,
        value=item.value,
        created_at=item.created_at,
        updated_at=item.updated_at,
    )


def _as_search_item(item: Versioned) -> SearchItem:
    return SearchItem(
        namespace=item.namespace,
        key=item.key,
        value=item.value,
        created_at=item.created_at,
        updated_at=item.updated_at,
    )
