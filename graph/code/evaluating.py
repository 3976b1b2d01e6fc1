"""How good the search is: questions with the file that answers them, and where it was ranked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.code.analysis import analysed, chunk_terms, chunk_texts
from graph.code.embeddings import Embedder, from_bytes, to_bytes
from graph.code.lexical import Postings, PostingsWriter, unpacked
from graph.code.search import Ranking, Searchable, search

RANKINGS: tuple[Ranking, ...] = ("bm25", "embeddings", "merged")
DEPTHS = (1, 4, 10)
HITS = 60
"""Chunks that are looked at for the first ten different files."""


class DatasetError(ValueError):
    """The data set can't be used; the message says which line, and what to write."""

    reason = "dataset_invalid"


@dataclass(frozen=True)
class Pair:
    """One question, and the file below `folder` of `source` that answers it.

    `half` says whether the ranking was tuned on the question, when the data set says so.
    """

    source: str
    folder: str
    language: str
    question: str
    path: str
    half: str = ""


@dataclass(frozen=True)
class Figures:
    """Means over `pairs` questions: all, those of a half, or of a language. `recall` by depth."""

    ranking: Ranking
    group: str
    pairs: int
    recall: Mapping[int, float]
    mrr: float


def read_pairs(lines: Iterable[str]) -> list[Pair]:
    """One JSON object a line with source, folder, language, question, path. Raises DatasetError."""
    pairs = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            record = {"half": "", **record}
            pairs.append(Pair(**{name: str(record[name]) for name in Pair.__annotations__}))
        except (ValueError, KeyError, TypeError) as error:
            raise DatasetError(
                f"Line {number} is not an object with source, folder, language, question and path."
            ) from error
    if not pairs:
        raise DatasetError("The data set holds no pairs.")
    return pairs


class LocalIndex:
    """The same search over texts at hand, without Redis."""

    def __init__(self, contents: Mapping[str, bytes], embedder: Embedder | None = None) -> None:
        self.files: list[tuple[str, str, int]] = []
        self.about: dict[str, Any] = {"model": embedder.name if embedder else ""}
        writer, rows, texts = PostingsWriter(), [], []
        for path, content in sorted(contents.items()):
            record = analysed(path, content)
            own = chunk_texts(record)
            for chunk, text, counts in zip(
                record.chunks, own, chunk_terms(path, record.chunks, own), strict=True
            ):
                writer.add(counts)
                rows.append((len(self.files), chunk.first_line, chunk.last_line))
                texts.append(f"{path} {chunk.symbol}\n{text}")
            self.files.append((path, "", len(content)))
        self.rows = np.asarray(rows, dtype=np.uint32).reshape(-1, 3)
        self.lengths = np.asarray(writer.lengths, dtype=np.float32)
        self._records = dict(writer.records())
        self._vectors = None if embedder is None else embedder.embed(texts)

    def postings(self, terms: Sequence[str]) -> dict[str, Postings]:
        return {t: unpacked(self._records[t]) for t in terms if t in self._records}

    @cached_property
    def vectors(self) -> NDArray[np.int8] | None:
        if self._vectors is None:
            return None
        return from_bytes(to_bytes(self._vectors), self._vectors.shape[1])


def rank_of(
    index: Searchable, pair: Pair, ranking: Ranking, embedder: Embedder | None
) -> int | None:
    """The place of the wanted file among the different files found, from 1; None beyond ten."""
    hits = search(index, pair.question, HITS, embedder, ranking)
    paths = list(dict.fromkeys(hit.path for hit in hits))[: max(DEPTHS)]
    return paths.index(pair.path) + 1 if pair.path in paths else None


def figures_of(ranks: Mapping[Ranking, Sequence[tuple[Pair, int | None]]]) -> list[Figures]:
    """For each ranking the figures of all pairs, then of each half and of each language."""
    found = []
    for ranking, ranked in ranks.items():
        halves = sorted({pair.half for pair, _ in ranked if pair.half})
        languages = sorted({pair.language for pair, _ in ranked})
        for group in ["all", *halves, *languages]:
            places = [r for pair, r in ranked if group in ("all", pair.half, pair.language)]
            recall = {d: _mean([r is not None and r <= d for r in places]) for d in DEPTHS}
            mrr = _mean([0.0 if r is None else 1 / r for r in places])
            found.append(Figures(ranking, group, len(places), recall, mrr))
    return found


def table(figures: Sequence[Figures]) -> str:
    """The figures as aligned text."""
    head = f"{'ranking':<11} {'questions':<11} {'pairs':>5}"
    lines = [head + "".join(f" {f'recall@{d}':>9}" for d in DEPTHS) + f" {'MRR':>6}"]
    for row in figures:
        recall = "".join(f" {row.recall[d]:>9.3f}" for d in DEPTHS)
        lines.append(f"{row.ranking:<11} {row.group:<11} {row.pairs:>5}{recall} {row.mrr:>6.3f}")
    return "\n".join(lines)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
