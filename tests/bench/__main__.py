"""`python -m tests.bench [name ...] [--out bench.json]`: run the benches, print one table."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

from tests.bench.table import render, rows_of

HERE = Path(__file__).parent


def main() -> None:
    known = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(known)}")
    parser.add_argument("--out", type=Path, default=Path("bench.json"), help="the figures as JSON")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(known):
        parser.error(f"no bench {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    # Each in a process of its own, so that none finds the memory or the caches of another.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh, max_tasks_per_child=1) as processes:
        rows = [row for found in processes.map(rows_of, arguments.names or known) for row in found]
    print(render(rows))
    machine = {
        "cpus": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
    }
    figures = {"machine": machine, "rows": [asdict(row) for row in rows]}
    arguments.out.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
