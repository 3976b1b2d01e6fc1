"""Embeddings of code: static ones, or those of a provider for who may send their code there.

The weights of the static ones lie inside a package (`pip install 'precedent[embeddings]'`), nothing
is downloaded. It is optional: without it the search is lexical.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graph.code.lexical import best, spoken_words
from graph.models import build_embeddings

DIMENSIONS = 256

NO_EMBEDDINGS = "none"

MAX_EMBEDDED_CHARACTERS = 1_200
"""Of one chunk: the head of a function says what it is for, and time grows with every word."""

KEPT_WORDS = 20_000
"""Vectors of words that a process keeps, a kilobyte each; one repository has about as many."""

BLOCK = 64
"""Texts at once: the vectors of their words are some megabytes."""

Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors. `name` tells its vectors from another model's.

    `is_nested`: the first dimensions alone are a smaller embedding, so many rows can be sifted.
    """

    @property
    def name(self) -> str: ...

    @property
    def is_nested(self) -> bool: ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row of length 1 for each text. Raises EmbeddingFailed."""
        ...

    def embed_query(self, text: str) -> Matrix:
        """The vector of a question. Raises EmbeddingFailed."""
        ...


class EmbeddingFailed(RuntimeError):  # noqa: N818 - says what happened
    """The provider of the embeddings gave none; the same call may work later."""

    reason = "embedding_failed"

    def __init__(self) -> None:
        super().__init__("The provider of CODE_EMBEDDINGS did not answer; try again later.")


class StaticEmbedder:
    """wordllama's token vectors, summed over the words of a text.

    Identifiers are split into words and punctuation is left out, which says nothing and is half of
    the tokens of code. A word counts by the root of how often it stands there: the tenth `self`
    adds little.
    """

    name = f"wordllama-words-{DIMENSIONS}"
    is_nested = True

    def __init__(self, model: Any) -> None:
        self._tokenizer, self._table = model.tokenizer, model.embedding
        self._vector = lru_cache(maxsize=KEPT_WORDS)(self._vector_of)

    def embed(self, texts: Sequence[str]) -> Matrix:
        blocks = [self._block(texts[n : n + BLOCK]) for n in range(0, len(texts), BLOCK)]
        return np.concatenate(blocks) if blocks else np.zeros((0, DIMENSIONS), dtype=np.float32)

    def embed_query(self, text: str) -> Matrix:
        row: Matrix = self.embed([text])[0]
        return row

    def _block(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        counts = [spoken_words(text[:MAX_EMBEDDED_CHARACTERS]) for text in texts]
        told = [n for n, count in enumerate(counts) if count]
        if not told:
            return rows
        vectors = {word: self._vector(word) for word in set().union(*counts)}
        words = np.stack([vectors[word] for n in told for word in counts[n]])
        times = np.fromiter((c for n in told for c in counts[n].values()), dtype=np.float32)
        starts = np.cumsum([0, *(len(counts[n]) for n in told[:-1])])
        rows[told] = np.add.reduceat(words * np.sqrt(times)[:, np.newaxis], starts)
        return unit(rows)

    def _vector_of(self, word: str) -> Matrix:
        ids = self._tokenizer.encode(word, add_special_tokens=False).ids
        vector: Matrix = self._table[ids].sum(axis=0)
        return vector


class ProviderEmbedder:
    """Any LangChain `Embeddings`, for those who may send their code to a provider."""

    is_nested = False

    def __init__(self, embeddings: Any, name: str) -> None:
        self._embeddings = embeddings
        self.name = name

    def embed(self, texts: Sequence[str]) -> Matrix:
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        cut = [text[:MAX_EMBEDDED_CHARACTERS] or " " for text in texts]
        return self._asked(lambda: self._embeddings.embed_documents(cut))

    def embed_query(self, text: str) -> Matrix:
        row: Matrix = self._asked(lambda: [self._embeddings.embed_query(text)])[0]
        return row

    def _asked(self, ask: Callable[[], Any]) -> Matrix:
        try:
            return unit(np.asarray(ask(), dtype=np.float32))
        except Exception as error:  # every provider raises classes of its own
            raise EmbeddingFailed from error


def unit(rows: Matrix) -> Matrix:
    """The rows at length 1; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Matrix = rows / np.maximum(lengths, 1e-9)
    return scaled


@dataclass(frozen=True)
class Embedding:
    """Which embeddings are used: their name, "" for none, and how they are loaded."""

    name: str
    load: Callable[[], Embedder | None]


def embedding_of(configured: str, *, google_api_key: str = "") -> Embedding:
    """What CODE_EMBEDDINGS means: nothing set, the static ones if their package is installed;
    "none"; or a provider's model, "provider:model" or the name of one of Gemini's.

    Connects to nothing. Raises ModelUnavailable when the provider's package is missing.
    """
    if configured == NO_EMBEDDINGS:
        return Embedding("", lambda: None)
    if not configured:
        has_static = importlib.util.find_spec("wordllama") is not None
        return Embedding(StaticEmbedder.name if has_static else "", installed_embedder)
    built = build_embeddings(configured, google_api_key=google_api_key, dimensions=DIMENSIONS)
    embedder = ProviderEmbedder(built, configured)
    return Embedding(embedder.name, lambda: embedder)


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


def nearest(
    vectors: NDArray[np.int8], query: Matrix, limit: int, *, is_nested: bool = True
) -> list[int]:
    """The rows most like the query, best first; of many nested ones the likeliest are compared."""
    if len(vectors) <= EXACT_CHUNKS or not is_nested:
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
