"""The threads in Redis: loading, writing, and removing them whole, each in one atomic step.

Several keys per thread, named in saver_scripts/shared.lua; all of them end together, `ttl_s` after
the thread's last write.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import WatchError

from graph.redis_scripts import Scripts
from graph.saver_blobs import Parts, Reference, pack, reachable, resolve, unpack
from graph.saver_records import (
    CheckpointRecord,
    PendingRecord,
    StoredCheckpoint,
    write_name,
    writes_prefix,
)
from graph.store_records import decode_name, encode_name

_SCRIPTS = Path(__file__).with_name("saver_scripts")
_ATTEMPTS = 5
_KNOWN_THREADS = 64
"""Threads of which a process remembers what is stored; forgetting one costs a larger write."""

_KINDS = (b"o", b"c", b"x", b"w", b"b")

Choose = Callable[[Mapping[bytes, CheckpointRecord]], set[bytes]]
"""From a thread's checkpoints by name to the names of those to remove."""


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


class RecentChannels:
    """The channels of the checkpoint that a process last saw of each thread and namespace.

    What a run does not change need not be cut up and hashed again at each of its steps.
    """

    def __init__(self) -> None:
        self._channels: OrderedDict[tuple[str, str], tuple[str, Mapping[str, Reference]]]
        self._channels = OrderedDict()
        self._lock = threading.Lock()

    def channels(
        self, thread_id: str, namespace: str, checkpoint_id: str | None
    ) -> Mapping[str, Reference]:
        """References by channel; empty when another checkpoint was seen last."""
        with self._lock:
            last_id, channels = self._channels.get((thread_id, namespace), (None, {}))
        return channels if last_id is not None and last_id == checkpoint_id else {}

    def keep(
        self,
        thread_id: str,
        namespace: str,
        checkpoint_id: str,
        channels: Mapping[str, Reference],
    ) -> None:
        with self._lock:
            self._channels[thread_id, namespace] = (checkpoint_id, channels)
            self._channels.move_to_end((thread_id, namespace))
            if len(self._channels) > _KNOWN_THREADS:
                self._channels.popitem(last=False)


class ThreadStorage:
    """Checkpoints, pending writes and blobs of threads on one Redis."""

    def __init__(self, redis: Redis, prefix: bytes, ttl_s: int) -> None:
        self._redis, self._prefix, self._ttl_s = redis, prefix, ttl_s
        self._scripts = Scripts(redis, _SCRIPTS)
        self._known: OrderedDict[str, set[str]] = OrderedDict()
        self._known_lock = threading.Lock()

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
                value_of = resolve(references, lambda digests: self.fetch(thread_id, digests))
            except ThreadDamaged:
                continue
            return [(one, one.to_tuple(thread_id, value_of)) for one in stored]
        raise ThreadDamaged(thread_id)

    def fetch(self, thread_id: str, digests: set[str]) -> dict[str, bytes]:
        """Contents of blobs. Raises ThreadDamaged when one is missing."""
        if not digests:
            return {}
        wanted = sorted(digests)
        stored = self._scripts.execute("HMGET", self._key(b"b", thread_id), *wanted)
        if None in stored:
            raise ThreadDamaged(thread_id)
        self._remember(thread_id, digests)
        return {digest: unpack(blob) for digest, blob in zip(wanted, stored, strict=True)}

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
        for known in (self._known_of(thread_id), set[str]()):
            needed, sent = parts.to_send(known)
            blobs = [b"%d" % len(needed), *(digest.encode() for digest in needed)]
            blobs.append(b"%d" % len(sent))
            for digest in sent:
                blobs += (digest.encode(), pack(parts.blobs[digest]))
            if not self._run(script, thread_id, *blobs, *arguments):
                self._remember(thread_id, needed)
                return
            self._forget(thread_id)
        raise BlobsGone(thread_id)

    # -- forgetting

    def delete(self, thread_id: str) -> None:
        """Remove every key of a thread, also writes that came after an earlier deletion."""
        with self._redis.pipeline() as pipeline:
            pipeline.delete(*(self._key(kind, thread_id) for kind in _KINDS))
            pipeline.zrem(self._prefix + b":t", encode_name(thread_id))
            pipeline.execute()
        self._forget(thread_id)

    def remove(self, thread_id: str, choose: Choose) -> None:
        """Remove chosen checkpoints, their writes, and the blobs that nothing else refers to.

        Optimistic: when anyone writes to the thread meanwhile, it is all looked at again. When that
        never ends, nothing is removed; the next call finds the same to do.
        """
        for _ in range(_ATTEMPTS):
            with self._redis.pipeline() as pipeline:
                watch: Callable[..., Any] = pipeline.watch
                watch(*(self._key(kind, thread_id) for kind in _KINDS))
                records = {
                    one.name: one.record for one in self.load(thread_id, self.names(thread_id))
                }
                doomed = choose(records)
                if not doomed:
                    return
                kept = [record for name, record in records.items() if name not in doomed]
                self._queue_removal(pipeline, thread_id, doomed, kept)
                try:
                    pipeline.execute()
                except WatchError:
                    continue
                self._forget(thread_id)
                return

    def _queue_removal(
        self,
        pipeline: Pipeline,
        thread_id: str,
        doomed: set[bytes],
        kept: Sequence[CheckpointRecord],
    ) -> None:
        order, checkpoints, index, writes, blobs = (self._key(k, thread_id) for k in _KINDS)
        pending: dict[bytes, bytes] = self._scripts.execute("HGETALL", writes)
        prefixes = tuple(writes_prefix(name) for name in doomed)
        dead_writes = {name for name in pending if name.startswith(prefixes)}
        references: list[Reference] = [one for record in kept for one in record.channels.values()]
        references += (
            PendingRecord.from_bytes(pending[name]).value for name in pending.keys() - dead_writes
        )
        live = reachable(references, lambda digests: self.fetch(thread_id, digests))
        dead_blobs = {key.decode() for key in self._scripts.execute("HKEYS", blobs)} - live
        pipeline.multi()
        pipeline.zrem(order, *doomed)
        pipeline.hdel(checkpoints, *doomed)
        if dead_writes:
            pipeline.zrem(index, *dead_writes)
            pipeline.hdel(writes, *dead_writes)
        if dead_blobs:
            pipeline.hdel(blobs, *dead_blobs)
        if not kept:
            pipeline.zrem(self._prefix + b":t", encode_name(thread_id))

    # -- how

    def _key(self, kind: bytes, thread_id: str) -> bytes:
        return b":".join((self._prefix, kind, encode_name(thread_id)))

    def _run(self, script: str, thread_id: str, *arguments: bytes) -> Any:
        head = (self._prefix, encode_name(thread_id), b"%d" % self._ttl_s)
        return self._scripts.run(script, *head, *arguments)

    def _known_of(self, thread_id: str) -> set[str]:
        with self._known_lock:
            return set(self._known.get(thread_id, ()))

    def _remember(self, thread_id: str, digests: set[str]) -> None:
        with self._known_lock:
            self._known.setdefault(thread_id, set()).update(digests)
            self._known.move_to_end(thread_id)
            if len(self._known) > _KNOWN_THREADS:
                self._known.popitem(last=False)

    def _forget(self, thread_id: str) -> None:
        with self._known_lock:
            self._known.pop(thread_id, None)
