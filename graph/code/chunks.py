"""A file in pieces for the search, cut where definitions begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.code.outline import Symbol

MAX_CHUNK_LINES = 80
"""About a screen and a half: longer functions are cut, so that a hit says where to look."""

MIN_CHUNK_LINES = 12
"""Shorter neighbours are one piece: a two-line method alone says too little to be found."""


@dataclass(frozen=True)
class Chunk:
    """Lines `first_line` to `last_line`; `symbol` is the first definition in them, or ""."""

    first_line: int
    last_line: int
    symbol: str


def chunks_of(text: str, symbols: Sequence[Symbol]) -> tuple[Chunk, ...]:
    """Pieces that cover every line once, in order, each at most MAX_CHUNK_LINES long."""
    count = text.count("\n") + (not text.endswith("\n"))
    if not text.strip():
        return ()
    names = _starts(symbols)
    borders = sorted({1, count + 1, *(line for line in names if 1 < line <= count)})
    pieces: list[tuple[int, int]] = []
    for start, end in pairwise(borders):
        is_short = pieces and pieces[-1][1] - pieces[-1][0] + 1 < MIN_CHUNK_LINES
        if is_short and end - pieces[-1][0] <= MAX_CHUNK_LINES:
            pieces[-1] = (pieces[-1][0], end - 1)
            continue
        while end - start > MAX_CHUNK_LINES:
            pieces.append((start, start + MAX_CHUNK_LINES - 1))
            start += MAX_CHUNK_LINES
        pieces.append((start, end - 1))
    return tuple(Chunk(first, last, _symbol(first, last, symbols)) for first, last in pieces)


def _starts(symbols: Sequence[Symbol]) -> set[int]:
    starts = set()
    for symbol in symbols:
        if symbol.kind != "constant":
            starts.add(symbol.first_line)
            starts.add(symbol.last_line + 1)
    return starts


def _symbol(first: int, last: int, symbols: Sequence[Symbol]) -> str:
    inside = [s for s in symbols if first <= s.first_line <= last and s.kind != "constant"]
    if inside:
        named = next((s for s in inside if s.kind in ("function", "method")), inside[0])
        return named.full_name
    around = [s for s in symbols if s.first_line <= first <= s.last_line and s.kind != "constant"]
    return max(around, key=lambda s: s.first_line).full_name if around else ""
