"""The ranking of chunks for a question: BM25, embeddings where there are any, both merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import structlog
from numpy.typing import NDArray

from graph.code.embeddings import Embedder, EmbeddingFailed, nearest
from graph.code.lexical import Postings, bm25, fused, query_terms

Ranking = Literal["bm25", "embeddings", "merged"]

CANDIDATES = 100
"""Of each part, before they are merged."""

WEIGHTS = (1.0, 0.5)
"""Of BM25 and embeddings: identifiers decide in code, meaning helps where words differ."""

FUSION_K = 5
"""Smaller than the usual 60, so that a first place stays in front."""

SUPPORT, SUPPORTERS = 0.25, 4
"""What the next places of a file add to its best one: a file that speaks of the question often is
its place more likely than one that names a word of it once. All of these figures were chosen on
the questions of one half of the packages (docs/evaluation.md)."""

log = structlog.get_logger()


@dataclass(frozen=True)
class Hit:
    """One chunk that a question found."""

    path: str
    first_line: int
    last_line: int


class Searchable(Protocol):
    """What is searched: chunks by number, with their postings and, if any, their vectors."""

    @property
    def files(self) -> Sequence[tuple[str, str, int]]: ...

    @property
    def about(self) -> Mapping[str, Any]: ...

    @property
    def rows(self) -> NDArray[np.uint32]: ...

    @property
    def lengths(self) -> NDArray[np.float32]: ...

    @property
    def vectors(self) -> NDArray[np.int8] | None: ...

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]: ...


def search(
    index: Searchable,
    query: str,
    limit: int,
    embedder: Embedder | None = None,
    ranking: Ranking = "merged",
) -> list[Hit]:
    """The best `limit` chunks of the index for `query`, best first."""
    rankings: list[list[int]] = []
    if ranking != "embeddings":
        rankings.append(_by_words(index, query))
    if ranking != "bm25":
        rankings.append(_by_meaning(index, query, embedder))
    weights = WEIGHTS if len(rankings) == 2 else (1.0,)
    scores = fused(rankings, weights, FUSION_K)
    numbers = _supported(index, scores) if ranking == "merged" else [n for n, _ in scores]
    rows = [index.rows[n] for n in numbers[:limit]]
    return [Hit(index.files[int(f)][0], int(first), int(last)) for f, first, last in rows]


def _supported(index: Searchable, scores: Sequence[tuple[int, float]]) -> list[int]:
    """The chunks in order once the best one of each file is lifted by the next ones of it."""
    by_file: dict[int, list[tuple[int, float]]] = {}
    for number, score in scores:
        by_file.setdefault(int(index.rows[number][0]), []).append((number, score))
    final = dict(scores)
    for (number, score), *others in by_file.values():
        final[number] = score + SUPPORT * sum(s for _, s in others[:SUPPORTERS])
    return sorted(final, key=lambda number: (-final[number], number))


def _by_words(index: Searchable, query: str) -> list[int]:
    postings = index.postings(query_terms(query))
    return [number for number, _ in bm25(postings, index.lengths, CANDIDATES)]


def _by_meaning(index: Searchable, query: str, embedder: Embedder | None) -> list[int]:
    if embedder is None or index.about["model"] != embedder.name or index.vectors is None:
        return []
    try:
        asked = embedder.embed_query(query)
    except EmbeddingFailed as error:
        log.warning("search.without_embeddings", reason=error.reason)
        return []
    return nearest(index.vectors, asked, CANDIDATES, is_nested=embedder.is_nested)
