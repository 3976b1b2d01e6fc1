"""The short-term memory: checkpoints of review and conversation threads, exact and small.

`ThreadSaver` is langgraph's `RedisSaver` by type and has a storage of its own, in plain Redis
commands: ids are exact, every pending write is read, large values are stored once per thread by
their content, one script writes a checkpoint whole, and what is loaded is data (graph.saver_codec).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.redis import RedisSaver
from redis import Redis
from redis.cluster import RedisCluster

from graph.redis_scripts import ClusterRefused
from graph.saver_blobs import Parts, Reference, cut, reachable
from graph.saver_codec import MarkedJsonSerializer, StateRefused
from graph.saver_records import (
    CheckpointRecord,
    PendingRecord,
    checkpoint_name,
    config_of,
    namespace_name,
    split_name,
)
from graph.saver_storage import BlobsGone, ThreadDamaged, ThreadStorage

__all__ = ["ClusterRefused", "StateRefused", "ThreadDamaged", "ThreadSaver"]

THREAD_TTL_S = 90 * 24 * 3600
"""How long a thread lives after its last write: longer than anyone returns to a pull request."""

_PAGE = 32
"""Checkpoints that a listing reads at a time."""


class ThreadSaver(RedisSaver):
    """langgraph's checkpointer on one Redis (5 or newer, no modules, a Sentinel's master too).

    `ttl_s` is a thread's life after its last write; reads don't prolong it, and all its keys end
    together. What the state may hold is in graph.saver_codec; put and put_writes raise StateRefused
    for the rest. The async methods run the others in threads. There is nothing to set up.
    """

    def __init__(
        self, redis: Redis, *, prefix: str = "precedent:thread", ttl_s: int = THREAD_TTL_S
    ) -> None:
        self._threads = ThreadStorage(redis, prefix.encode(), ttl_s)
        super().__init__(redis_client=redis)
        self.serde = MarkedJsonSerializer()

    def configure_client(
        self,
        redis_url: str | None = None,
        redis_client: Redis | RedisCluster | None = None,
        connection_args: dict[str, Any] | None = None,
    ) -> None:
        """Keep the client that was given; it stays its owner's to close."""
        del redis_url, connection_args
        self._owns_its_client = False
        assert redis_client is not None
        self._redis = redis_client

    def create_indexes(self) -> None:
        """Nothing: no search index is used."""

    def setup(self) -> None:
        """Nothing: every operation works on an empty Redis, also on one emptied meanwhile."""

    # -- reading

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that `config` names, or its thread's latest, with all pending writes."""
        thread_id, namespace = _place(config)
        checkpoint_id = get_checkpoint_id(config)
        wanted = (
            (checkpoint_name(namespace, checkpoint_id),)
            if checkpoint_id
            else (namespace_name(namespace), b"")
        )
        for stored, found in self._threads.load_tuples(thread_id, wanted, {}):
            memory = self._threads.memory.of(thread_id)
            memory.keep_channels(namespace, found.checkpoint["id"], stored.record.channels)
            return found
        return None

    def latest(self, thread_id: str, channel: str) -> Any:
        """One channel of a thread's latest checkpoint, without reading the others, or None."""
        return self._threads.latest(thread_id, channel)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints, newest first: of one thread, or of all threads when `config` is None.

        `filter` compares metadata for equality, and applies before `limit`; ids compare as text.
        """
        left = limit
        for thread_id in [_place(config)[0]] if config else self.threads():
            for found in self._list_thread(thread_id, config, filter or {}, before):
                if left is not None and left <= 0:
                    return
                yield found
                left = left if left is None else left - 1

    def _list_thread(
        self,
        thread_id: str,
        config: RunnableConfig | None,
        wanted: Mapping[str, Any],
        before: RunnableConfig | None,
    ) -> Iterator[CheckpointTuple]:
        namespace = config["configurable"].get("checkpoint_ns") if config else None
        checkpoint_id = get_checkpoint_id(config) if config else None
        before_id = get_checkpoint_id(before) if before else None
        names = [
            name
            for name in self._threads.names(thread_id)
            for of_namespace, of_id in [split_name(name)]
            if namespace in (None, of_namespace)
            and checkpoint_id in (None, of_id)
            and (before_id is None or of_id < before_id)
        ]
        names.sort(key=lambda name: split_name(name)[1], reverse=True)
        for at in range(0, len(names), _PAGE):
            for _, found in self._threads.load_tuples(thread_id, names[at : at + _PAGE], wanted):
                yield found

    def threads(self) -> Sequence[str]:
        """The ids of all threads that have a checkpoint, last written first."""
        return self._threads.threads()

    def get_channel_values(
        self,
        thread_id: str,
        checkpoint_ns: str = "",
        checkpoint_id: str = "",
        channel_versions: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """The values of one checkpoint; empty when there is none."""
        del channel_versions
        found = self.get_tuple(config_of(thread_id, checkpoint_ns, checkpoint_id))
        return found.checkpoint["channel_values"] if found else {}

    # -- writing

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        **_: Any,
    ) -> RunnableConfig:
        """Write a checkpoint with all its channel values, whole or not at all."""
        thread_id, namespace = _place(config)
        parent_id = config["configurable"].get("checkpoint_id")
        head = CheckpointRecord(
            parent_id=parent_id,
            checkpoint={k: v for k, v in checkpoint.items() if k != "channel_values"},
            metadata=dict(get_checkpoint_metadata(config, metadata)),
            channels={},
        )
        name = checkpoint_name(namespace, checkpoint["id"])
        values = checkpoint["channel_values"]
        memory = self._threads.memory.of(thread_id)
        of_parent = memory.channels(namespace, parent_id)
        unchanged = {
            n: ref for n, ref in of_parent.items() if n in values and n not in new_versions
        }
        try:
            channels = self._put(thread_id, name, head, values, unchanged, memory.parts())
        except BlobsGone:  # pruned or deleted meanwhile
            channels = self._put(thread_id, name, head, values, {}, Parts())
        memory.keep_channels(namespace, checkpoint["id"], channels)
        return config_of(thread_id, namespace, checkpoint["id"])

    def _put(
        self,
        thread_id: str,
        name: bytes,
        head: CheckpointRecord,
        values: Mapping[str, Any],
        unchanged: Mapping[str, Reference],
        parts: Parts,
    ) -> Mapping[str, Reference]:
        channels = {
            channel: parts.reuse(unchanged[channel]) if channel in unchanged else cut(value, parts)
            for channel, value in values.items()
        }
        self._threads.put(thread_id, name, replace(head, channels=channels), parts)
        return channels

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Write what a task wrote; a repeated task's ordinary writes keep their first value."""
        thread_id, namespace = _place(config)
        name = checkpoint_name(namespace, config["configurable"]["checkpoint_id"])
        memory = self._threads.memory.of(thread_id)
        try:
            self._put_writes(thread_id, name, writes, (task_id, task_path), memory.parts())
        except BlobsGone:  # pruned or deleted meanwhile
            self._put_writes(thread_id, name, writes, (task_id, task_path), Parts())

    def _put_writes(
        self,
        thread_id: str,
        name: bytes,
        writes: Sequence[tuple[str, Any]],
        task: tuple[str, str],
        parts: Parts,
    ) -> None:
        task_id, task_path = task
        records = []
        for position, (channel, value) in enumerate(writes):
            index = WRITES_IDX_MAP.get(channel, position)
            record = PendingRecord(task_id, channel, task_path, index, cut(value, parts))
            records.append((record, channel in WRITES_IDX_MAP))
        self._threads.put_writes(thread_id, name, records, parts)

    # -- forgetting

    def delete_thread(self, thread_id: str) -> None:
        """Remove every key of a thread, also writes that came after an earlier deletion."""
        self._threads.delete(str(thread_id))

    def prune(
        self,
        thread_ids: str | Sequence[str],
        keep_last: int | None = None,
        *,
        strategy: str = "keep_latest",
        **_: Any,
    ) -> None:
        """Keep the last `keep_last` checkpoints of each namespace of these threads.

        Without `keep_last`, strategy "keep_latest" keeps one and "delete" none.
        """
        if keep_last is None:
            keep_last = {"keep_latest": 1, "delete": 0}[strategy]
        if keep_last < 0:
            raise ValueError(f"keep_last is {keep_last}; it must be 0 or more.")

        def choose(checkpoints: Sequence[bytes]) -> set[bytes]:
            by_namespace: dict[str, list[bytes]] = {}
            for name in checkpoints:
                by_namespace.setdefault(split_name(name)[0], []).append(name)
            return {
                name for names in by_namespace.values() for name in names[: len(names) - keep_last]
            }

        for thread_id in [thread_ids] if isinstance(thread_ids, str) else thread_ids:
            if keep_last == 0:
                self.delete_thread(thread_id)
            else:
                self._threads.remove(str(thread_id), choose)

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints whose metadata has one of these run ids, in every thread."""
        doomed = set(run_ids)

        def choose(thread_id: str, checkpoints: Sequence[bytes]) -> set[bytes]:
            stored = self._threads.load(thread_id, checkpoints)
            return {one.name for one in stored if one.record.metadata.get("run_id") in doomed}

        for thread_id in self.threads():
            self._threads.remove(thread_id, partial(choose, thread_id))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread with its whole history over another."""
        threads = self._threads
        threads.delete(target_thread_id)
        for stored in threads.load(source_thread_id, threads.names(source_thread_id)):
            fetch = partial(threads.fetch, source_thread_id)
            blobs = Parts(blobs=dict(fetch(reachable(stored.references(), fetch))))
            threads.put(target_thread_id, stored.name, stored.record, blobs)
            writes = [(write, True) for write in stored.writes]
            threads.put_writes(target_thread_id, stored.name, writes, Parts())

    # -- in threads

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        listing = self.list(config, filter=filter, before=before, limit=limit)
        while (found := await asyncio.to_thread(next, listing, None)) is not None:
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        **_: Any,
    ) -> RunnableConfig:
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(
        self,
        thread_ids: str | Sequence[str],
        keep_last: int | None = None,
        *,
        strategy: str = "keep_latest",
        **_: Any,
    ) -> None:
        await asyncio.to_thread(self.prune, thread_ids, keep_last, strategy=strategy)


def _place(config: RunnableConfig) -> tuple[str, str]:
    """Thread id and checkpoint namespace."""
    configurable = config["configurable"]
    return str(configurable["thread_id"]), configurable.get("checkpoint_ns", "")
