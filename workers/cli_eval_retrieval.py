"""`precedent eval retrieval DATASET`: how well the code search finds the file that answers."""

from __future__ import annotations

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
from workers.cli import UsageError

SOURCES = Path.home() / ".cache" / "precedent-tests"


def run(datasets: Sequence[Path], sources: Path | None, wants_json: bool) -> int:
    """Print recall@1, @4, @10 and MRR of every ranking, for all pairs and by language.

    Raises UsageError, and DatasetError when a data set can't be used.
    """
    if not datasets:
        raise UsageError("Name a data set: eval retrieval DATASET.")
    pairs = [pair for path in datasets for pair in read_pairs(_lines(path))]
    figures = figures_of(ranks_of(pairs, sources or SOURCES))
    if wants_json:
        print(json.dumps([asdict(row) for row in figures]))
        return 0
    print(table(figures))
    if installed_embedder() is None:
        print("Without embeddings: `pip install 'precedent[embeddings]'` adds them.")
    return 0


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from error


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
