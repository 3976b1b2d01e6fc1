"""How checkpoints and pending writes are written down: names, records and what they refer to. Pure.

A record is lines of JSON. Names are bytes that sort and compare as the ids do, whatever they hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple, PendingWrite, writes_sort_key

from graph.saver_blobs import Reference, pack, unpack
from graph.saver_codec import dumps, loads
from graph.store_records import decode_name, encode_name, encode_namespace


@dataclass(frozen=True)
class PendingRecord:
    """One pending write as stored."""

    task_id: str
    channel: str
    task_path: str
    index: int
    value: Reference

    def to_bytes(self) -> bytes:
        head = [self.task_id, self.channel, self.task_path, self.index]
        return pack(b"\n".join((_line(head), _line(self.value))))

    @staticmethod
    def from_bytes(stored: bytes) -> PendingRecord:
        head, value = unpack(stored).split(b"\n")
        task_id, channel, task_path, index = json.loads(head)
        return PendingRecord(task_id, channel, task_path, index, json.loads(value))


@dataclass(frozen=True)
class CheckpointRecord:
    """One checkpoint as stored: all but its channel values, and references to these."""

    parent_id: str | None
    checkpoint: dict[str, Any]
    metadata: dict[str, Any]
    channels: Mapping[str, Reference]

    def to_bytes(self) -> bytes:
        lines = (
            _line(self.parent_id),
            dumps(self.checkpoint),
            dumps(self.metadata),
            _line(dict(self.channels)),
        )
        return pack(b"\n".join(lines))

    @staticmethod
    def from_bytes(stored: bytes) -> CheckpointRecord:
        parent_id, checkpoint, metadata, channels = unpack(stored).split(b"\n")
        return CheckpointRecord(
            json.loads(parent_id), loads(checkpoint), loads(metadata), json.loads(channels)
        )


@dataclass(frozen=True)
class StoredCheckpoint:
    """A checkpoint of one thread with its pending writes, its values still references."""

    name: bytes
    record: CheckpointRecord
    writes: Sequence[PendingRecord]

    def references(self) -> Iterator[Reference]:
        yield from self.record.channels.values()
        for write in self.writes:
            yield write.value

    def to_tuple(self, thread_id: str, value_of: Callable[[Reference], Any]) -> CheckpointTuple:
        """As langgraph wants it; `value_of` is `graph.saver_blobs.resolve`'s answer."""
        namespace, checkpoint_id = split_name(self.name)
        values = {name: value_of(reference) for name, reference in self.record.channels.items()}
        parent_id = self.record.parent_id
        ordered = sorted(
            self.writes, key=lambda w: writes_sort_key(w.task_path, w.task_id, w.index)
        )
        pending: list[PendingWrite] = [(w.task_id, w.channel, value_of(w.value)) for w in ordered]
        return CheckpointTuple(
            config=config_of(thread_id, namespace, checkpoint_id),
            checkpoint={**self.record.checkpoint, "channel_values": values},  # type: ignore[typeddict-item]
            metadata=self.record.metadata,  # type: ignore[arg-type]
            parent_config=config_of(thread_id, namespace, parent_id) if parent_id else None,
            pending_writes=pending,
        )


def config_of(thread_id: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    """The config that names one checkpoint."""
    return {
        "configurable": {
            "thread_id": thread_id,
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint_id,
        }
    }


def namespace_name(namespace: str) -> bytes:
    """What the names of a namespace's checkpoints begin with; no other's do."""
    return encode_namespace((namespace,))


def checkpoint_name(namespace: str, checkpoint_id: str) -> bytes:
    """Sorts as the id within its namespace."""
    return namespace_name(namespace) + encode_name(checkpoint_id)


def write_name(checkpoint: bytes, task_id: str, index: int) -> bytes:
    """The name of one pending write of a checkpoint."""
    return writes_prefix(checkpoint) + b"%b#%d" % (encode_name(task_id), index)


def writes_prefix(checkpoint: bytes) -> bytes:
    """What the names of a checkpoint's writes begin with; no other's do."""
    return b"%d:%b" % (len(checkpoint), checkpoint)


def split_name(name: bytes) -> tuple[str, str]:
    """Namespace and checkpoint id of a checkpoint's name."""
    size, _, rest = name.partition(b":")
    length = int(size)
    return decode_name(rest[:length]), decode_name(rest[length + 1 :])


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
