"""Builds the index of one commit: reads what changed, counts everything, swaps at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TypeVar

import numpy as np

from graph.code.analysis import (
    VERSION,
    analysed,
    chunk_terms,
    chunk_texts,
    imports_from,
    packed_json,
    unpacked_json,
)
from graph.code.code_store import Builder, CodeStore
from graph.code.embeddings import Embedder, to_bytes
from graph.code.imports import Import
from graph.code.lexical import PostingsWriter
from graph.code.modules import Modules
from graph.code.repository import import_graph
from graph.code.selection import Entry, LeftOut, selected
from graph.generated import ATTRIBUTES_FILE, Attributes

T = TypeVar("T")

READ_BATCH = 200
"""Files whose records are fetched from Redis at once."""


class CommitSource(Protocol):
    """One commit of one repository, fixed when the source was made."""

    @property
    def commit_sha(self) -> str: ...

    def entries(self) -> Sequence[Entry]:
        """Every path of the commit's tree."""
        ...

    def contents(self, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
        """Sha and content of the blobs at the wanted paths (path -> sha), each sha once."""
        ...


@dataclass(frozen=True)
class IndexReport:
    """What a build did. `read` counts the blobs whose content was fetched."""

    commit_sha: str
    files: int
    read: int
    chunks: int
    bytes: int
    left_out: tuple[str, ...]
    was_current: bool = False


def build_index(
    store: CodeStore,
    source: CommitSource,
    embedder: Embedder | None = None,
    still_ours: Callable[[], None] = lambda: None,
) -> IndexReport:
    """Index a commit; the index before stays in use until the last step.

    Raises IndexAbandoned, and what `still_ours` and the source raise.
    """
    before = store.current()
    model = embedder.name if embedder else ""
    is_same = before is not None and before["commit_sha"] == source.commit_sha
    if before is not None and is_same and is_made_alike(before, model):
        return IndexReport(
            source.commit_sha, before["files"], 0, before["chunks"], before["bytes"],
            tuple(before["left_out"]), was_current=True,
        )  # fmt: skip
    return _Build(store, source, embedder, still_ours).run()


def is_made_alike(about: Mapping[str, object], model: str) -> bool:
    """Whether an index was made by this version and with the embeddings named `model`."""
    return (about["version"], about["model"]) == (VERSION, model)


class _Build:
    def __init__(
        self, store: CodeStore, source: CommitSource, embedder: Embedder | None,
        still_ours: Callable[[], None],
    ) -> None:  # fmt: skip
        self.store, self.source, self.embedder = store, source, embedder
        self.still_ours = still_ours
        self.builder: Builder = store.begin()
        self.left_out = LeftOut()
        self.postings = PostingsWriter()
        self.rows: list[tuple[int, int, int]] = []
        self.symbols: dict[str, list[list[Any]]] = {}
        self.imports: dict[str, Iterable[Import]] = {}
        self.files: list[tuple[str, str, int]] = []
        self.vectors: list[bytes] = []

    def run(self) -> IndexReport:
        entries = {e.path: e for e in self.source.entries()}
        chosen = selected(entries.values(), self._attributes(entries), self.left_out)
        read = self._read_new(chosen)
        for batch in _batches(list(chosen.values()), READ_BATCH):
            self.still_ours()
            self._count(batch)
        return self._finish(chosen, read)

    def _attributes(self, entries: Mapping[str, Entry]) -> Attributes:
        entry = entries.get(ATTRIBUTES_FILE)
        if entry is None or entry.size > 200_000:
            return Attributes("")
        for _, content in self.source.contents({entry.path: entry.sha}):
            return Attributes(content.decode("utf-8", "replace"))
        return Attributes("")

    def _read_new(self, chosen: Mapping[str, Entry]) -> int:
        """Fetch and analyse the blobs that no index before held; how many."""
        known = self._known()
        wanted = {p: e.sha for p, e in chosen.items() if self._name(p, e.sha) not in known}
        paths: dict[str, list[str]] = {}
        for path, sha in wanted.items():
            paths.setdefault(sha, []).append(path)
        read = 0
        for shas in _batches(self.source.contents(wanted), 32):
            self.still_ours()
            self._write(
                [(self._name(p, sha), p, content) for sha, content in shas
                 for p in paths.get(sha, ())]
            )  # fmt: skip
            read += len(shas)
        return read

    def _known(self) -> set[str]:
        known = self.store.known_blobs("files") & self.store.known_blobs("terms")
        if self.embedder is not None:
            known &= self.store.known_blobs(f"vectors:{self.embedder.name}")
        return known

    def _name(self, path: str, sha: str) -> str:
        """Under what a blob is kept. The path tells the language, so it belongs to the name."""
        return f"{sha}:{VERSION}:{path}"

    def _write(self, batch: Sequence[tuple[str, str, bytes]]) -> None:
        records = [(name, path, analysed(path, content)) for name, path, content in batch]
        texts = [chunk_texts(record) for _, _, record in records]
        self.builder.write_blobs("files", [(name, r.packed()) for name, _, r in records])
        self.builder.write_blobs(
            "terms",
            [
                (name, packed_json(chunk_terms(path, r.chunks, text)))
                for (name, path, r), text in zip(records, texts, strict=True)
            ],
        )
        if self.embedder is None:
            return
        flat = [
            f"{path} {chunk.symbol}\n{text}"
            for (_, path, r), own in zip(records, texts, strict=True)
            for chunk, text in zip(r.chunks, own, strict=True)
        ]
        vectors = self.embedder.embed(flat)
        start = 0
        packed = []
        for name, _, record in records:
            end = start + len(record.chunks)
            packed.append((name, to_bytes(vectors[start:end])))
            start = end
        self.builder.write_blobs(f"vectors:{self.embedder.name}", packed)

    def _count(self, batch: Sequence[Entry]) -> None:
        names = [self._name(e.path, e.sha) for e in batch]
        files = self.store.blobs("files", names)
        terms = self.store.blobs("terms", names)
        kind = f"vectors:{self.embedder.name}" if self.embedder else ""
        vectors = self.store.blobs(kind, names) if kind else {}
        for entry, name in zip(batch, names, strict=True):
            if name not in files or name not in terms:
                self.left_out.add(entry.path, "not in the archive that GitHub sent")
                continue
            record = unpacked_json(files[name])
            if record["left_out"]:
                self.left_out.add(entry.path, record["left_out"])
                continue
            self._add(entry, name, record, unpacked_json(terms[name]))
            self.vectors.append(vectors.get(name, b""))

    def _add(
        self, entry: Entry, name: str, record: Mapping[str, Any], terms: Sequence[dict[str, int]]
    ) -> None:
        """Count a file by its record as it is kept: making objects of it would take longer."""
        number = len(self.files)
        self.files.append((entry.path, name, entry.size))
        self.imports[entry.path] = imports_from(record)
        for symbol in record["symbols"]:
            self.symbols.setdefault(symbol[0], []).append([number, *symbol])
        for (first_line, last_line, _), counts in zip(record["chunks"], terms, strict=True):
            self.postings.add(counts)
            self.rows.append((number, first_line, last_line))

    def _finish(self, chosen: Mapping[str, Entry], read: int) -> IndexReport:
        builder = self.builder
        lengths = np.frombuffer(self.postings.lengths.tobytes(), dtype=np.uint16)
        rows = np.asarray(self.rows, dtype=np.uint32).reshape(-1, 3)
        builder.write_part("files", packed_json(self.files))
        builder.write_part("chunks", rows.tobytes() + lengths.tobytes())
        builder.write_fields("terms", self.postings.records())
        builder.write_fields("symbols", self._symbol_records())
        graph = import_graph(Modules(self.imports), self.imports)
        builder.write_part("importers", packed_json(graph))
        if self.embedder is not None:
            builder.write_part("vectors", b"".join(self.vectors))
        self.still_ours()
        total = sum(size for _, _, size in self.files)
        left_out = tuple(self.left_out.sentences())
        about = {
            "commit_sha": self.source.commit_sha,
            "version": VERSION,
            "model": self.embedder.name if self.embedder else "",
            "files": len(self.files),
            "bytes": total,
            "chunks": len(self.rows),
            "left_out": left_out,
            "left_out_paths": self.left_out.reasons,
            "parts": builder.parts,
        }
        builder.finish(about, [self._name(e.path, e.sha) for e in chosen.values()])
        return IndexReport(
            self.source.commit_sha, len(self.files), read, len(self.rows), total, left_out
        )

    def _symbol_records(self) -> Iterator[tuple[str, bytes]]:
        for name, records in self.symbols.items():
            yield name, json.dumps(records, ensure_ascii=False, separators=(",", ":")).encode()


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
