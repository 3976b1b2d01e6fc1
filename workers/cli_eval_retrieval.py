"""`precedent eval retrieval DATASET`: how well the code search finds the file that answers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from graph.code.embeddings import installed_embedder
from graph.code.evaluating import (
    RANKINGS,
    DatasetError,
    LocalIndex,
    Pair,
    figures_of,
    rank_of,
    read_pairs,
    table,
)
from graph.code.search import Ranking
from graph.code.selection import Entry, LeftOut, selected
from graph.generated import Attributes

SOURCES = Path.home() / ".cache" / "precedent-tests"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", type=Path, help="a file of JSON lines: source, folder, question")
    parser.add_argument(
        "--sources", type=Path, default=SOURCES, help=f"where the sources lie (default: {SOURCES})"
    )
    parser.add_argument("--json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Print recall@1, @4, @10 and MRR of every ranking, for all pairs and by language."""
    try:
        lines = arguments.dataset.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DatasetError(f"{arguments.dataset} can't be read: {error.strerror}.") from error
    figures = figures_of(ranks_of(read_pairs(lines), arguments.sources))
    if arguments.json:
        print(json.dumps([asdict(row) for row in figures]))
    else:
        print(table(figures))
    if installed_embedder() is None:
        print("Without embeddings: `pip install 'precedent[embeddings]'` adds them.")
    return 0


def ranks_of(pairs: Sequence[Pair], sources: Path) -> dict[Ranking, list[tuple[Pair, int | None]]]:
    """Where each ranking put the wanted file. Raises DatasetError when a source is not there."""
    embedder = installed_embedder()
    rankings = RANKINGS if embedder else ("bm25",)
    ranks: dict[Ranking, list[tuple[Pair, int | None]]] = {ranking: [] for ranking in rankings}
    for source, folder in dict.fromkeys((pair.source, pair.folder) for pair in pairs):
        index = LocalIndex(_contents(sources / source / folder), embedder)
        for pair in pairs:
            if (pair.source, pair.folder) == (source, folder):
                for ranking in rankings:
                    ranks[ranking].append((pair, rank_of(index, pair, ranking, embedder)))
    return ranks


def _contents(folder: Path) -> dict[str, bytes]:
    if not folder.is_dir():
        raise DatasetError(f"{folder} is not there: fetch the sources, or say --sources.")
    files = [p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()]
    entries = [Entry(p.relative_to(folder).as_posix(), "", p.stat().st_size) for p in files]
    chosen = selected(entries, Attributes(""), LeftOut())
    return {path: (folder / path).read_bytes() for path in chosen}
