"""The web process at rest: how long its import takes and how much memory it holds."""

from __future__ import annotations

import statistics
import subprocess
import sys

from tests.bench.table import Row

RUNS = 5
_PROGRAM = """
import time
started_s = time.perf_counter()
import bot.app
seconds = time.perf_counter() - started_s
import psutil
print(seconds, psutil.Process().memory_info().rss / 1e6)
"""


def run() -> list[Row]:
    """Medians over fresh interpreters."""
    seconds, megabytes = [], []
    for _ in range(RUNS):
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True
        )
        one, other = map(float, done.stdout.split())
        seconds.append(one)
        megabytes.append(other)
    return [
        Row("web import", statistics.median(seconds), "s", goal="< 1 s"),
        Row("web import memory", statistics.median(megabytes), "MB", goal="< 100 MB"),
    ]
