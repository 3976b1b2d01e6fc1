"""How a value of the state becomes small parts that are stored once per thread. Pure.

A list is cut into its elements, and each large element becomes a blob named by its content; runs of
32 elements become blobs of references. So appending one message to a long conversation stores that
message and one run, not the conversation again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langchain_core.messages import BaseMessage

from graph.saver_codec import dumps, loads, own_copy

Reference: TypeAlias = list[Any]
"""["i", JSON text]: the value itself; ["b", digest]: a blob of its JSON; ["l", [digest, ...]]: a
list in runs, each a blob of a JSON list of references."""

Fetch: TypeAlias = Callable[[set[str]], Mapping[str, bytes]]
"""From digests to the blobs' contents."""

RUN = 32
"""Elements per run: a thread of 1,000 messages is 32 references, and one new message rewrites one
run of at most 32."""

INLINE_BYTES = 48
"""A smaller value is cheaper in place than behind a reference of 22 characters."""

_COMPRESS_FROM_BYTES = 200
_RAW, _ZLIB = b"j", b"z"


@dataclass
class Parts:
    """The blobs of values that are cut up, by digest; `runs` tells the elements of each run.

    `elsewhere` are digests that a write needs and that only Redis has. `known` answers with the
    digest of a message that was cut before, as only Redis has it, or None.
    """

    blobs: dict[str, bytes] = field(default_factory=dict)
    runs: dict[str, list[Reference]] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    known: Callable[[BaseMessage], str | None] = lambda _: None

    def add(self, content: bytes) -> str:
        digest = _digest(content)
        self.blobs[digest] = content
        return digest

    def add_run(self, elements: list[Reference]) -> str:
        digest = self.add(json.dumps(elements, separators=(",", ":")).encode())
        self.runs[digest] = elements
        return digest

    def reuse(self, reference: Reference) -> Reference:
        """A reference from an earlier checkpoint, whose blobs are stored."""
        self.elsewhere |= runs_in([reference]) | blobs_in([reference])
        return reference

    def to_send(self, stored: set[str]) -> tuple[set[str], set[str]]:
        """What a write needs stored, and what of it to send along when `stored` is there.

        A run that is there has its elements there, so these are not asked for. What only Redis
        has can't be sent.
        """
        below = {
            target for elements in self.runs.values() for kind, target in elements if kind == "b"
        }
        new_runs = {digest for digest in self.runs if digest not in stored}
        needed = (set(self.blobs) - below) | blobs_in(
            element for digest in new_runs for element in self.runs[digest]
        )
        return needed | self.elsewhere, (needed - stored) & self.blobs.keys()


def cut(value: Any, parts: Parts) -> Reference:
    """A reference to a value; its blobs go to `parts`. Raises graph.saver_codec.StateRefused."""
    if type(value) is list and value:
        elements = [_cut_element(item, parts) for item in value]
        runs = range(0, len(elements), RUN)
        return ["l", [parts.add_run(elements[at : at + RUN]) for at in runs]]
    return _cut_whole(value, parts)


def _cut_element(item: Any, parts: Parts) -> Reference:
    digest = parts.known(item) if isinstance(item, BaseMessage) else None
    return _cut_whole(item, parts) if digest is None else ["b", digest]


def _cut_whole(value: Any, parts: Parts) -> Reference:
    encoded = dumps(value)
    if len(encoded) <= INLINE_BYTES:
        return ["i", encoded.decode("utf-8", "surrogatepass")]
    return ["b", parts.add(encoded)]


def runs_in(references: Iterable[Reference]) -> set[str]:
    """The digests of the runs that references name."""
    return {run for kind, target in references if kind == "l" for run in target}


def blobs_in(references: Iterable[Reference]) -> set[str]:
    """The digests of the blobs that references name directly."""
    return {target for kind, target in references if kind == "b"}


def resolve(
    references: Iterable[Reference],
    fetch: Fetch,
    remembered: Callable[[str], BaseMessage | None] = lambda _: None,
) -> Callable[[Reference], Any]:
    """A function from each of these references to its value, after two fetches for all.

    A message that is `remembered` by its digest is not fetched; each use of it is a copy.
    """
    wanted = list(references)
    runs = {digest: json.loads(content) for digest, content in fetch(runs_in(wanted)).items()}
    needed = blobs_in([*wanted, *(element for run in runs.values() for element in run)])
    messages = {digest: one for digest in needed if (one := remembered(digest)) is not None}
    blobs = fetch(needed - messages.keys())

    def value_of(reference: Reference) -> Any:
        kind, target = reference
        if kind == "l":
            return [value_of(element) for run in target for element in runs[run]]
        if kind == "b":
            known = messages.get(target)
            return loads(blobs[target]) if known is None else own_copy(known)
        return loads(target.encode("utf-8", "surrogatepass"))

    return value_of


def reachable(references: Iterable[Reference], fetch: Fetch) -> set[str]:
    """Every digest that references name, directly or through a run."""
    wanted = list(references)
    runs = runs_in(wanted)
    inner = [element for content in fetch(runs).values() for element in json.loads(content)]
    return runs | blobs_in([*wanted, *inner])


def pack(content: bytes) -> bytes:
    """Content as stored: compressed where that helps."""
    if len(content) >= _COMPRESS_FROM_BYTES:
        squeezed = zlib.compress(content, 1)
        if len(squeezed) < len(content):
            return _ZLIB + squeezed
    return _RAW + content


def unpack(stored: bytes) -> bytes:
    """The inverse of `pack`."""
    return zlib.decompress(stored[1:]) if stored[:1] == _ZLIB else stored[1:]


def _digest(content: bytes) -> str:
    """128 bits: texts that strangers write must not be able to take each other's place."""
    name = hashlib.blake2b(content, digest_size=16).digest()
    return base64.urlsafe_b64encode(name).rstrip(b"=").decode()
