"""The rows that every bench returns, how they are timed, and how they are printed."""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure, with the same figure of a peer in the same run, and what we aim at."""

    name: str
    value: float
    unit: str
    peer: str = ""
    peer_value: float | None = None
    goal: str = ""


@dataclass(frozen=True)
class Latency:
    """Milliseconds: the medians over several runs of each run's p50 and p99."""

    p50_ms: float
    p99_ms: float


def latency(act: Callable[[], object], *, runs: int = 5, calls: int = 200) -> Latency:
    """Time calls one by one, after a few that are not counted."""
    for _ in range(10):
        act()
    halves, tails = [], []
    for _ in range(runs):
        times_ms = []
        for _ in range(calls):
            begin = time.perf_counter()
            act()
            times_ms.append((time.perf_counter() - begin) * 1_000)
        times_ms.sort()
        halves.append(times_ms[calls // 2])
        tails.append(times_ms[min(calls - 1, calls * 99 // 100)])
    return Latency(statistics.median(halves), statistics.median(tails))


def render(rows: Sequence[Row]) -> str:
    """The rows as an aligned table."""
    cells = [("", "value", "unit", "peer", "peer's", "goal")]
    cells += [
        (
            row.name,
            _number(row.value),
            row.unit,
            row.peer,
            "" if row.peer_value is None else _number(row.peer_value),
            row.goal,
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(6)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in (1, 4) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def rows_of(name: str) -> list[Row]:
    """Run one bench."""
    rows: list[Row] = importlib.import_module(f"tests.bench.bench_{name}").run()
    return rows
