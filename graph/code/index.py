"""A repository's index as one run reads it: one generation, one commit, nothing outside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from redis import Redis

from graph.code.analysis import FileRecord, unpacked_json
from graph.code.code_store import CodeStore
from graph.code.embeddings import Embedder, installed_embedder
from graph.code.lexical import Postings, specific_term, unpacked
from graph.code.modules import Modules
from graph.code.outline import Symbol
from graph.code.repository import FileFacts, names

KEPT_RECORDS = 64
"""File records that one run keeps: a review asks for the same files again and again."""

MAX_NAMED_FILES = 300
"""Files that are looked into for one identifier; a name in more of them is no lead."""


class CodeIndex:
    """A `Code` over the generation that was in use when it was opened."""

    def __init__(
        self, store: CodeStore, about: dict[str, Any],
        load_embedder: Callable[[], Embedder | None] = installed_embedder,
    ) -> None:  # fmt: skip
        self._store, self._load_embedder = store, load_embedder
        self.about = about
        self._generation: str = about["generation"]
        self._records: dict[str, FileRecord] = {}

    @property
    def commit_sha(self) -> str:
        return str(self.about["commit_sha"])

    @cached_property
    def embedder(self) -> Embedder | None:
        """What questions are embedded with, loaded when the first one is asked."""
        return self._load_embedder()

    @cached_property
    def files(self) -> list[tuple[str, str, int]]:
        """Path, blob name and size; the position is the file's number."""
        return [(p, name, size) for p, name, size in unpacked_json(self._part("files"))]

    @cached_property
    def modules(self) -> Modules:
        return Modules(path for path, _, _ in self.files)

    def blob_sha(self, path: str) -> str:
        """The sha of the content at `path`, or "" where there is none."""
        number = self._numbers.get(path)
        return "" if number is None else self.files[number][1].partition(":")[0]

    def record(self, path: str) -> FileRecord | None:
        known = self._records.get(path)
        if known is not None:
            return known
        number = self._numbers.get(path)
        if number is None:
            return None
        name = self.files[number][1]
        data = self._store.blobs("files", [name]).get(name)
        if data is None:
            return None
        record = FileRecord.unpacked(data)
        if len(self._records) >= KEPT_RECORDS:
            self._records.pop(next(iter(self._records)))
        self._records[path] = record
        return record

    def facts(self, path: str) -> FileFacts:
        record = self.record(path)
        return FileFacts() if record is None else record.facts

    def text(self, path: str) -> str | None:
        """The file without its secrets; None when the index does not hold it."""
        record = self.record(path)
        return None if record is None else record.text

    def importers(self, path: str) -> Sequence[str]:
        return self._importers.get(path, ())

    def files_naming(self, name: str) -> Sequence[str]:
        term = specific_term(name)
        if not term:
            return []
        numbers, _ = self.postings([term]).get(term, (np.zeros(0, dtype=np.uint32), None))
        files = np.unique(self.rows[numbers, 0])[:MAX_NAMED_FILES]
        paths = sorted(self.files[int(n)][0] for n in files)
        return [p for p in paths if names(self.text(p) or "", name)]

    def defining(self, name: str) -> Sequence[tuple[str, Symbol]]:
        data = self._store.fields(self._generation, "symbols", [name]).get(name)
        if data is None:
            return []
        records = json.loads(data)
        return [(self.files[number][0], Symbol.from_record(rest)) for number, *rest in records]

    def postings(self, terms: Sequence[str]) -> dict[str, Postings]:
        found = self._store.fields(self._generation, "terms", terms)
        return {term: unpacked(record) for term, record in found.items()}

    @cached_property
    def rows(self) -> NDArray[np.uint32]:
        """For each chunk its file's number, first and last line."""
        rows: NDArray[np.uint32] = np.frombuffer(
            self._chunks, dtype=np.uint32, count=3 * int(self.about["chunks"])
        ).reshape(-1, 3)
        return rows

    @cached_property
    def lengths(self) -> NDArray[np.float32]:
        count = int(self.about["chunks"])
        packed = np.frombuffer(self._chunks, dtype=np.uint16, offset=12 * count)
        return packed.astype(np.float32)

    @cached_property
    def vectors(self) -> NDArray[np.int8] | None:
        if not self.about["model"]:
            return None
        data = self._store.part(self._generation, "vectors") or b""
        count = int(self.about["chunks"])
        if not count or len(data) % count:
            return None
        return np.frombuffer(data, dtype=np.int8).reshape(count, -1)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {path: number for number, (path, _, _) in enumerate(self.files)}

    @cached_property
    def _importers(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = unpacked_json(self._part("importers"))
        return found

    @cached_property
    def _chunks(self) -> bytes:
        return self._part("chunks")

    def _part(self, name: str) -> bytes:
        data = self._store.part(self._generation, name)
        if data is None:
            raise IndexGone
        return data


class IndexGone(RuntimeError):  # noqa: N818 - says what happened
    """A newer index took the place of this one too long ago, or the repository was deleted."""

    reason = "index_gone"

    def __init__(self) -> None:
        super().__init__("The index is no longer there; ask again to use the newest one.")


def open_index(
    redis: Redis, repository_id: int,
    load_embedder: Callable[[], Embedder | None] = installed_embedder,
) -> CodeIndex | None:  # fmt: skip
    """The index in use for one repository, or None before the first one is built."""
    store = CodeStore(redis, repository_id)
    about = store.current()
    return None if about is None else CodeIndex(store, about, load_embedder)
