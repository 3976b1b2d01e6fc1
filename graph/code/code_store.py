"""Where a repository's index lies in Redis: one prefix, one generation in use, swapped at once."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from redis import Redis
from redis.exceptions import WatchError

PREFIX = "precedent:code:"

BUILDING_TTL_S = 6 * 3_600
"""A killed job's half of an index goes away by itself; the next job also sweeps it."""

SUPERSEDED_TTL_S = 600
"""A run that began on the index before may finish with it."""

BATCH_BYTES = 1_000_000


class IndexAbandoned(RuntimeError):  # noqa: N818 - says what happened
    """Another job builds this index now, or the repository was deleted meanwhile."""

    reason = "index_abandoned"

    def __init__(self) -> None:
        super().__init__(
            "The index was given up: the repository is being indexed or deleted elsewhere."
        )


class CodeStore:
    """The keys of one repository's index. No method takes a repository.

    Blobs are kept by their sha, so that generations share them; all else belongs to one generation.
    """

    def __init__(self, redis: Redis, repository_id: int) -> None:
        self._redis = redis
        self.repository_id = repository_id
        self._prefix = f"{PREFIX}{repository_id}:"

    def current(self) -> dict[str, Any] | None:
        """What is said of the index in use; None when there is none."""
        data = self._execute("GET", self._key("current"))
        return None if data is None else json.loads(data)

    def part(self, generation: str, name: str) -> bytes | None:
        """A part of a generation that is kept as one value."""
        data: bytes | None = self._execute("GET", self._part(generation, name))
        return data

    def fields(self, generation: str, name: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Some fields of a part that is kept as a hash."""
        return self._fields(self._part(generation, name), keys)

    def blobs(self, kind: str, shas: Sequence[str]) -> dict[str, bytes]:
        """What is kept of some blobs. `kind` is "files", "terms" or "vectors:<model>"."""
        return self._fields(self._key(f"blob:{kind}"), shas)

    def known_blobs(self, kind: str) -> set[str]:
        found = self._execute("HKEYS", self._key(f"blob:{kind}"))
        return {sha.decode() for sha in found}

    def size_bytes(self) -> int:
        """What all keys of the repository cost in Redis."""
        keys = list(self._own_keys())
        return sum(int(self._execute("MEMORY", "USAGE", k, "SAMPLES", 50) or 0) for k in keys)

    def forget(self) -> None:
        """Delete everything. A job that is building stops at its next write."""
        self._redis.delete(self._key("building"), self._key("current"))
        for _ in range(3):
            keys = list(self._own_keys())
            if not keys:
                return
            self._redis.unlink(*keys)

    def begin(self) -> Builder:
        """Start a generation. Sweeps what a killed job left behind."""
        generation = uuid.uuid4().hex[:12]
        self._redis.set(self._key("building"), generation, ex=BUILDING_TTL_S)
        halves = self._key("g:").encode()
        for key in self._own_keys():
            # What is in use never expires, and what was superseded goes by itself.
            if key.startswith(halves) and int(self._execute("TTL", key)) > SUPERSEDED_TTL_S:
                self._redis.unlink(key)
        return Builder(self, self._redis, generation, self.current())

    def _own_keys(self) -> Iterator[bytes]:
        for key in self._redis.scan_iter(match=f"{self._prefix}*", count=1_000):
            yield key if isinstance(key, bytes) else key.encode()

    def _fields(self, key: str, fields: Sequence[str]) -> dict[str, bytes]:
        if not fields:
            return {}
        values = self._execute("HMGET", key, *fields)
        return {f: v for f, v in zip(fields, values, strict=True) if v is not None}

    def _execute(self, *command: Any) -> Any:
        run: Callable[..., Any] = self._redis.execute_command
        return run(*command, NEVER_DECODE=True)

    def _key(self, name: str) -> str:
        return self._prefix + name

    def _part(self, generation: str, name: str) -> str:
        return self._key(f"g:{generation}:{name}")


class Builder:
    """Writes one generation beside the one in use. Raises IndexAbandoned when it lost its place."""

    def __init__(
        self, store: CodeStore, redis: Redis, generation: str, before: Mapping[str, Any] | None
    ) -> None:
        self.store, self.generation = store, generation
        self._redis, self._before = redis, before
        self._names: list[str] = []

    def write_blobs(self, kind: str, records: Iterable[tuple[str, bytes]]) -> None:
        self._write_hash(self.store._key(f"blob:{kind}"), records, None)

    def write_fields(self, name: str, records: Iterable[tuple[str, bytes]]) -> None:
        self._names.append(name)
        self._write_hash(self._part(name), records, BUILDING_TTL_S)

    def write_part(self, name: str, data: bytes) -> None:
        self._names.append(name)
        self._guarded(lambda pipe: pipe.set(self._part(name), data, ex=BUILDING_TTL_S))

    def finish(self, about: Mapping[str, Any], blobs: Iterable[str]) -> None:
        """Put the generation in use, in one step, and let go of what only older ones needed."""
        record = json.dumps({**about, "generation": self.generation, "built_at": time.time()})

        def swap(pipe: Any) -> None:
            for name in self._names:
                pipe.persist(self._part(name))
            pipe.set(self.store._key("current"), record)
            pipe.delete(self.store._key("building"))
            if self._before is not None:
                old = self._before["generation"]
                for name in self._before.get("parts", ()):
                    pipe.expire(self.store._part(old, name), SUPERSEDED_TTL_S)

        self._guarded(swap)
        self._let_go(set(blobs), f"vectors:{about['model']}")

    @property
    def parts(self) -> list[str]:
        return list(self._names)

    def _let_go(self, needed: set[str], vectors: str) -> None:
        """Drop what no file has any more, and the vectors of other embeddings."""
        kinds = {key.rsplit(b":blob:", 1)[1].decode() for key in self.store._own_keys()
                 if b":blob:" in key}  # fmt: skip
        for kind in kinds:
            if kind.startswith("vectors:") and kind != vectors:
                self._redis.unlink(self.store._key(f"blob:{kind}"))
                continue
            gone = sorted(self.store.known_blobs(kind) - needed)
            for start in range(0, len(gone), 500):
                self._redis.hdel(self.store._key(f"blob:{kind}"), *gone[start : start + 500])

    def _write_hash(
        self, key: str, records: Iterable[tuple[str, bytes]], ttl_s: int | None
    ) -> None:
        batch: dict[str, bytes] = {}
        size = 0

        def write(pipe: Any, batch: Mapping[str, bytes]) -> None:
            pipe.hset(key, mapping=batch)
            if ttl_s is not None:
                pipe.expire(key, ttl_s)

        for field, data in records:
            batch[field] = data
            size += len(data) + len(field) + 20
            if size > BATCH_BYTES:
                self._guarded(partial(write, batch=batch))
                batch, size = {}, 0
        if batch:
            self._guarded(partial(write, batch=batch))

    def _guarded(self, act: Callable[[Any], Any]) -> None:
        """Write only while this job's generation is the one being built."""
        building = self.store._key("building")
        with self._redis.pipeline(transaction=True) as opened:
            pipe: Any = opened
            try:
                pipe.watch(building)
                owner = pipe.get(building)
                if (owner.decode() if isinstance(owner, bytes) else owner) != self.generation:
                    raise IndexAbandoned
                pipe.multi()
                act(pipe)
                pipe.execute()
            except WatchError as error:
                raise IndexAbandoned from error

    def _part(self, name: str) -> str:
        return self.store._part(self.generation, name)
