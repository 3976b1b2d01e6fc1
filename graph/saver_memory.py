"""What a process remembers of the threads that it saw last, so that a turn reads and writes only
what is new. Nothing here is ever needed: all of it follows from what is in Redis.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage

from graph.saver_blobs import Parts, Reference
from graph.saver_codec import is_same, loads

MAX_REMEMBERED_BYTES = 16_000_000
"""Of JSON, in all threads of one process; in Python's objects it is about three times as much."""

MAX_REMEMBERED_THREADS = 64


@dataclass
class ThreadMemory:
    """One thread: which blobs Redis has, their contents, and each namespace's last channels.

    A message is kept as `loads` made it, and nobody may change it.
    """

    stored: set[str] = field(default_factory=set)
    size_bytes: int = 0
    _contents: dict[str, bytes] = field(default_factory=dict)
    _messages: dict[str, BaseMessage] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)
    _channels: dict[str, tuple[str, Mapping[str, Reference]]] = field(default_factory=dict)

    def content(self, digest: str) -> bytes | None:
        return self._contents.get(digest)

    def message(self, digest: str) -> BaseMessage | None:
        """The message whose JSON has this digest, if it is remembered; never change it."""
        return self._messages.get(digest)

    def digest_of(self, message: BaseMessage) -> str | None:
        """The digest of exactly this message, if it was seen as it is now."""
        digest = self._digests.get(message.id or "")
        if digest is None or not is_same(message, self._messages.get(digest)):
            return None
        return digest

    def parts(self) -> Parts:
        """An empty collection of blobs that knows the messages which were seen before."""
        return Parts(known=self.digest_of)

    def learn(self, digest: str, content: bytes) -> None:
        """Remember a blob: a message as such, all else as its bytes."""
        if digest in self._sizes:
            return
        value = loads(content) if content.startswith(b'{"~":"msg"') else None
        if isinstance(value, BaseMessage):
            self._messages[digest] = value
            if value.id:
                self._digests[value.id] = digest
        else:
            self._contents[digest] = content
        self._sizes[digest] = len(content)
        self.size_bytes += len(content)

    def keep_only(self, digests: Iterable[str]) -> None:
        """Forget every other blob: it was removed from Redis."""
        kept = set(digests)
        self.stored = kept
        for digest in self._sizes.keys() - kept:
            self.size_bytes -= self._sizes.pop(digest)
            self._contents.pop(digest, None)
            gone = self._messages.pop(digest, None)
            if gone is not None and self._digests.get(gone.id or "") == digest:
                del self._digests[gone.id or ""]

    def channels(self, namespace: str, checkpoint_id: str | None) -> Mapping[str, Reference]:
        """The channels' references of a checkpoint; empty when another one was seen last."""
        last_id, channels = self._channels.get(namespace, (None, {}))
        return channels if last_id is not None and last_id == checkpoint_id else {}

    def keep_channels(
        self, namespace: str, checkpoint_id: str, channels: Mapping[str, Reference]
    ) -> None:
        self._channels[namespace] = (checkpoint_id, channels)


class ProcessMemory:
    """The threads that were used last, within bounds."""

    def __init__(self, max_bytes: int = MAX_REMEMBERED_BYTES) -> None:
        self._max_bytes = max_bytes
        self._threads: OrderedDict[str, ThreadMemory] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, thread_id: str) -> ThreadMemory:
        """What is remembered of a thread; the others make room for it."""
        with self._lock:
            memory = self._threads.setdefault(thread_id, ThreadMemory())
            self._threads.move_to_end(thread_id)
            left = self._max_bytes - sum(one.size_bytes for one in self._threads.values())
            while len(self._threads) > 1 and (
                left < 0 or len(self._threads) > MAX_REMEMBERED_THREADS
            ):
                left += self._threads.popitem(last=False)[1].size_bytes
            return memory

    def forget(self, thread_id: str) -> None:
        with self._lock:
            self._threads.pop(thread_id, None)
