"""Words of code and of questions, and BM25 over an inverted index that can be kept anywhere."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

K1, B = 1.2, 0.6
"""Robertson and Zaragoza's usual saturation; a little less length normalisation than for prose,
because chunks are cut to similar lengths."""

MAX_TERM_CHARACTERS = 48
MAX_QUERY_TERMS = 40

_IDENTIFIER = re.compile(r"(?:[^\W\d]|\$)[\w$]*|\d+")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_OTHER_PARTS = re.compile(r"[^\W\d_]+|\d+")
_KEYWORDS = frozenset(
    ("self", "return", "def", "function", "const", "let", "var", "class", "public", "static",
     "void", "import", "none", "null", "true", "false", "if", "else", "for", "while", "try")
)  # fmt: skip
"""In nearly every chunk and nobody's name: not worth a posting."""

_STOP = frozenset(
    ("an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "from", "has", "have", "how",
     "in", "is", "it", "its", "of", "on", "or", "that", "the", "then", "there", "this", "to", "use",
     "used", "using", "was", "we", "what", "when", "where", "which", "who", "why", "will", "with",
     "you", "code", "file", "implemented", "happen", "happens")
)  # fmt: skip
"""Words of questions that say nothing about code."""

_SUFFIXES = ("ations", "ation", "ings", "ing", "ers", "ed", "es", "er", "s")

Postings = tuple["NDArray[np.uint32]", "NDArray[np.uint8]"]


def terms_of(text: str) -> list[str]:
    """The words of `text`: identifiers whole and split, lower-case, endings taken off."""
    return list(chain.from_iterable(map(_terms_of_word, _words_of(text))))


def _words_of(text: str) -> list[str]:
    """Identifiers and numbers; an accent written as a mark of its own belongs to its letter."""
    return _IDENTIFIER.findall(text if text.isascii() else normalize("NFC", text))


def spoken_words(text: str) -> Counter[str]:
    """The words of `text` as one says them, counted: identifiers split, lower-case."""
    return Counter(chain.from_iterable(map(_parts_of, _words_of(text))))


@lru_cache(maxsize=100_000)
def _parts_of(word: str) -> tuple[str, ...]:
    if len(word) > MAX_TERM_CHARACTERS:
        return ()
    found = _PARTS.findall(word) if word.isascii() else _OTHER_PARTS.findall(word)
    return tuple(part.lower() for part in found)


@lru_cache(maxsize=100_000)
def _terms_of_word(word: str) -> tuple[str, ...]:
    parts = [_stem(part) for part in _parts_of(word)]
    terms = [p for p in parts if len(p) > 1 and p not in _KEYWORDS]
    whole = word.strip("_$").lower()
    if len(parts) > 1 and whole not in terms:
        terms.append(whole)
    return tuple(terms)


def _stem(word: str) -> str:
    """Cheap, and the same for questions and code: `retries`, `retrying` and `retry` meet."""
    if word.endswith("ies") and len(word) > 5:
        return word[:-2]
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            break
    if len(word) <= 4:
        return word
    return word[:-1] + "i" if word.endswith("y") else word.rstrip("e")


class PostingsWriter:
    """Collects postings of chunks in order of their numbers."""

    def __init__(self) -> None:
        self._postings: dict[str, tuple[array[int], bytearray]] = {}
        self.lengths = array("H")

    def add(self, counts: Mapping[str, int]) -> int:
        """Add one chunk by the counts of its terms; its number."""
        number = len(self.lengths)
        self.lengths.append(min(65_535, sum(counts.values())))
        for term, count in counts.items():
            posting = self._postings.get(term)
            if posting is None:
                posting = self._postings[term] = (array("I"), bytearray())
            posting[0].append(number)
            posting[1].append(count if count < 255 else 255)
        return number

    def records(self) -> Iterable[tuple[str, bytes]]:
        """Term and packed postings, and the writer is emptied on the way."""
        for term in list(self._postings):
            numbers, counts = self._postings.pop(term)
            yield term, numbers.tobytes() + bytes(counts)


def unpacked(record: bytes) -> Postings:
    """The inverse of a packed record: chunk numbers and counts."""
    count = len(record) // 5
    numbers = np.frombuffer(record, dtype=np.uint32, count=count)
    return numbers, np.frombuffer(record, dtype=np.uint8, offset=4 * count)


def counted(text: str) -> Counter[str]:
    """The terms of `text` with their numbers."""
    return Counter(chain.from_iterable(map(_terms_of_word, _words_of(text))))


def query_terms(query: str) -> list[str]:
    """The different terms of a question, at most MAX_QUERY_TERMS."""
    words = [w for w in _words_of(query) if w.lower() not in _STOP]
    terms = dict.fromkeys(term for word in words for term in _terms_of_word(word))
    return list(terms)[:MAX_QUERY_TERMS]


def specific_term(name: str) -> str:
    """The term under which an identifier stands in the index, the rarest of its own; or ""."""
    terms = terms_of(name)
    return terms[-1] if terms else ""


def bm25(
    postings: Mapping[str, Postings], lengths: NDArray[np.float32], limit: int
) -> list[tuple[int, float]]:
    """The best chunks for the terms of `postings`, with their scores, best first."""
    total = len(lengths)
    if not total:
        return []
    scores = np.zeros(total, dtype=np.float32)
    norm = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean())))
    for numbers, counts in postings.values():
        if not len(numbers):
            continue
        idf = math.log(1 + (total - len(numbers) + 0.5) / (len(numbers) + 0.5))
        frequency = counts.astype(np.float32)
        scores[numbers] += idf * frequency * (K1 + 1) / (frequency + norm[numbers])
    return best(scores, limit)


def best(scores: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
    """The `limit` highest positive scores, ties by number."""
    limit = min(limit, len(scores))
    if limit <= 0:
        return []
    top = np.argpartition(-scores, limit - 1)[:limit]
    ordered = sorted((-float(scores[n]), int(n)) for n in top if scores[n] > 0)
    return [(number, -score) for score, number in ordered]


def fused(
    rankings: Sequence[Sequence[int]], weights: Sequence[float], k: int = 60
) -> list[tuple[int, float]]:
    """Reciprocal rank fusion (Cormack et al., 2009): one ranking of several, with its scores."""
    scores: dict[int, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for rank, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + weight / (k + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
