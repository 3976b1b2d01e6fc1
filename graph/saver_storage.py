"""The threads in Redis: loading, writing, and removing them whole, each in one atomic step.

Several keys per thread, named in saver_scripts/shared.lua; all of them end together, `ttl_s` after
the thread's last write.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import WatchError

from graph.redis_scripts import Scripts
from graph.saver_blobs import Parts, pack, reachable, resolve, unpack
from graph.saver_memory import ProcessMemory
from graph.saver_records import (
    CheckpointRecord,
    PendingRecord,
    StoredCheckpoint,
    namespace_name,
    write_name,
    writes_prefix,
)
from graph.store_records import decode_name, encode_name

_SCRIPTS = Path(__file__).with_name("saver_scripts")
_ATTEMPTS = 5

_KINDS = (b"o", b"c", b"x", b"w", b"b")

Choose = Callable[[Sequence[bytes]], set[bytes]]
"""From the names of a thread's checkpoints, sorted, to those to remove."""


class ThreadDamaged(RuntimeError):  # noqa: N818
    """A checkpoint can't be read, or refers to values that are not in Redis."""

    reason = "thread_damaged"

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"The stored thread {thread_id!r} is damaged; "
            f"delete it with: precedent threads delete '{thread_id}'."
        )


class BlobsGone(Exception):  # noqa: N818
    """Blobs that a write reuses are no longer stored; nothing was written."""

    reason = "blobs_gone"


class ThreadStorage:
    """Checkpoints, pending writes and blobs of threads on one Redis."""

    def __init__(self, redis: Redis, prefix: bytes, ttl_s: int) -> None:
        self._redis, self._prefix, self._ttl_s = redis, prefix, ttl_s
        self._scripts = Scripts(redis, _SCRIPTS)
        self.memory = ProcessMemory()

    # -- reading

    def threads(self) -> list[str]:
        """The ids of all threads that have a checkpoint, last written first."""
        members = self._scripts.execute("ZREVRANGE", self._prefix + b":t", 0, -1)
        thread_ids = [decode_name(member) for member in members]
        return [t for t in thread_ids if self._scripts.execute("EXISTS", self._key(b"c", t))]

    def names(self, thread_id: str) -> list[bytes]:
        """The names of a thread's checkpoints, sorted."""
        names: list[bytes] = self._scripts.execute("ZRANGE", self._key(b"o", thread_id), 0, -1)
        return names

    def load(self, thread_id: str, wanted: Sequence[bytes]) -> list[StoredCheckpoint]:
        """The named checkpoints that exist; or for (namespace name, b"") the latest of it."""
        if not wanted:
            return []
        flat = self._run("load", thread_id, *wanted)
        try:
            return [
                StoredCheckpoint(
                    name,
                    CheckpointRecord.from_bytes(record),
                    [PendingRecord.from_bytes(write) for write in writes],
                )
                for name, record, writes in zip(flat[::3], flat[1::3], flat[2::3], strict=True)
            ]
        except (ValueError, zlib.error) as error:
            raise ThreadDamaged(thread_id) from error

    def load_tuples(
        self, thread_id: str, wanted: Sequence[bytes], metadata: Mapping[str, Any]
    ) -> list[tuple[StoredCheckpoint, CheckpointTuple]]:
        """`load`, also with values, of those whose metadata has these entries.

        Begins again when a prune came between reading the references and the values.
        """
        for _ in range(_ATTEMPTS):
            stored = [
                checkpoint
                for checkpoint in self.load(thread_id, wanted)
                if all(checkpoint.record.metadata.get(k) == v for k, v in metadata.items())
            ]
            references = [one for checkpoint in stored for one in checkpoint.references()]
            try:
                value_of = resolve(
                    references,
                    lambda digests: self.fetch(thread_id, digests),
                    self.memory.of(thread_id).message,
                )
            except ThreadDamaged:
                continue
            return [(one, one.to_tuple(thread_id, value_of)) for one in stored]
        raise ThreadDamaged(thread_id)

    def latest(self, thread_id: str, channel: str) -> Any:
        """A channel's value in the latest checkpoint of the root namespace; None without one."""
        for _ in range(_ATTEMPTS):
            stored = self.load(thread_id, (namespace_name(""), b""))
            reference = stored[0].record.channels.get(channel) if stored else None
            if reference is None:
                return None
            try:
                value_of = resolve([reference], lambda digests: self.fetch(thread_id, digests))
            except ThreadDamaged:  # or pruned a moment ago
                continue
            return value_of(reference)
        raise ThreadDamaged(thread_id)

    def fetch(self, thread_id: str, digests: set[str]) -> dict[str, bytes]:
        """Contents of blobs. Raises ThreadDamaged when one is missing."""
        memory = self.memory.of(thread_id)
        known = {d: content for d in digests if (content := memory.content(d)) is not None}
        wanted = sorted(digests - known.keys())
        if not wanted:
            return known
        stored = self._scripts.execute("HMGET", self._key(b"b", thread_id), *wanted)
        if None in stored:
            raise ThreadDamaged(thread_id)
        for digest, blob in zip(wanted, stored, strict=True):
            known[digest] = unpack(blob)
            memory.learn(digest, known[digest])
        memory.stored.update(wanted)
        return known

    # -- writing

    def put(self, thread_id: str, name: bytes, record: CheckpointRecord, parts: Parts) -> None:
        """Write a checkpoint and its blobs. Raises BlobsGone when it reuses lost ones."""
        self._write("put", thread_id, parts, name, record.to_bytes())

    def put_writes(
        self,
        thread_id: str,
        checkpoint: bytes,
        writes: Sequence[tuple[PendingRecord, bool]],
        parts: Parts,
    ) -> None:
        """Write pending writes of a checkpoint; False leaves one that is there as it is."""
        arguments: list[bytes] = []
        for record, is_replacing in writes:
            name = write_name(checkpoint, record.task_id, record.index)
            arguments += (name, record.to_bytes(), b"%d" % is_replacing)
        if arguments:
            self._write("put_writes", thread_id, parts, *arguments)

    def _write(self, script: str, thread_id: str, parts: Parts, *arguments: bytes) -> None:
        """Send what Redis is not known to have, and all when it has lost or pruned some of that."""
        memory = self.memory.of(thread_id)
        for known in (set(memory.stored), set[str]()):
            needed, sent = parts.to_send(known)
            blobs = [b"%d" % len(needed), *(digest.encode() for digest in needed)]
            blobs.append(b"%d" % len(sent))
            for digest in sent:
                blobs += (digest.encode(), pack(parts.blobs[digest]))
            if not self._run(script, thread_id, *blobs, *arguments):
                for digest in sent:
                    memory.learn(digest, parts.blobs[digest])
                memory.stored.update(needed)
                return
            memory.stored.clear()
        raise BlobsGone(thread_id)

    # -- forgetting

    def delete(self, thread_id: str) -> None:
        """Remove every key of a thread, also writes that came after an earlier deletion."""
        with self._redis.pipeline() as pipeline:
            pipeline.delete(*(self._key(kind, thread_id) for kind in _KINDS))
            pipeline.zrem(self._prefix + b":t", encode_name(thread_id))
            pipeline.execute()
        self.memory.forget(thread_id)

    def remove(self, thread_id: str, choose: Choose) -> None:
        """Remove chosen checkpoints, their writes, and the blobs that nothing else refers to.

        Optimistic: when anyone writes to the thread meanwhile, it is all looked at again. When that
        never ends, nothing is removed; the next call finds the same to do.
        """
        for _ in range(_ATTEMPTS):
            with self._redis.pipeline() as pipeline:
                watch: Callable[..., Any] = pipeline.watch
                watch(*(self._key(kind, thread_id) for kind in _KINDS))
                contents = self._survey(thread_id)
                doomed = choose(contents.checkpoints)
                if not doomed:
                    return
                live = self._live(thread_id, contents, doomed)
                self._queue_removal(pipeline, thread_id, contents, doomed, live)
                try:
                    pipeline.execute()
                except WatchError:
                    continue
                self.memory.of(thread_id).keep_only(live)
                return

    def _survey(self, thread_id: str) -> _Contents:
        names, writes, digests = self._run("survey", thread_id)
        pending = dict(zip(writes[::2], writes[1::2], strict=True))
        return _Contents(names, pending, {digest.decode() for digest in digests})

    def _live(self, thread_id: str, contents: _Contents, doomed: set[bytes]) -> set[str]:
        """The digests of what is left when these checkpoints are gone."""
        kept = self.load(thread_id, [n for n in contents.checkpoints if n not in doomed])
        references = [one for checkpoint in kept for one in checkpoint.record.channels.values()]
        dead = contents.writes_of(doomed)
        references += (
            PendingRecord.from_bytes(record).value
            for name, record in contents.writes.items()
            if name not in dead
        )
        return reachable(references, lambda digests: self.fetch(thread_id, digests))

    def _queue_removal(
        self,
        pipeline: Pipeline,
        thread_id: str,
        contents: _Contents,
        doomed: set[bytes],
        live: set[str],
    ) -> None:
        order, checkpoints, index, writes, blobs = (self._key(k, thread_id) for k in _KINDS)
        pipeline.multi()
        pipeline.zrem(order, *doomed)
        pipeline.hdel(checkpoints, *doomed)
        if dead_writes := contents.writes_of(doomed):
            pipeline.zrem(index, *dead_writes)
            pipeline.hdel(writes, *dead_writes)
        if dead_blobs := contents.blobs - live:
            pipeline.hdel(blobs, *dead_blobs)
        if len(doomed) == len(contents.checkpoints):
            pipeline.zrem(self._prefix + b":t", encode_name(thread_id))

    # -- how

    def _key(self, kind: bytes, thread_id: str) -> bytes:
        return b":".join((self._prefix, kind, encode_name(thread_id)))

    def _run(self, script: str, thread_id: str, *arguments: bytes) -> Any:
        head = (self._prefix, encode_name(thread_id), b"%d" % self._ttl_s)
        return self._scripts.run(script, *head, *arguments)


@dataclass(frozen=True)
class _Contents:
    """What a thread's keys hold: names of checkpoints, write records by name, digests of blobs."""

    checkpoints: Sequence[bytes]
    writes: Mapping[bytes, bytes]
    blobs: set[str]

    def writes_of(self, checkpoints: set[bytes]) -> set[bytes]:
        prefixes = tuple(map(writes_prefix, checkpoints))
        return {name for name in self.writes if name.startswith(prefixes)}
