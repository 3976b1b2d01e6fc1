"""Large texts of a run, kept by content hash for a day; the state holds only the hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from graph.store import ConventionStore, Write

BLOB_TTL_S = 86_400.0
"""A conversation that goes on after a day reads its diffs and files anew."""


def put(store: ConventionStore, repository_id: int, text: str) -> str:
    """Keep a text, and answer its hash. The same text twice is one blob with a new day to live."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    namespace = _namespace(repository_id)
    store.commit([Write(namespace, digest, {"text": text}, ttl_s=BLOB_TTL_S)])
    # The store keeps revisions for a month; of code that somebody's diff showed it must not.
    store.erase_history(namespace, digest)
    return digest


def get(store: ConventionStore, repository_id: int, digests: Iterable[str]) -> dict[str, str]:
    """The texts that are still there, by hash, in one round trip."""
    wanted = list(dict.fromkeys(digests))
    namespace = _namespace(repository_id)
    items = store.read([(namespace, digest) for digest in wanted])
    return {item.key: str(item.value["text"]) for item in items if item is not None}


def _namespace(repository_id: int) -> tuple[str, ...]:
    return ("blobs", str(repository_id))
