"""The figures of the code search, on a few files and on the questions that ship with the tests."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graph.code.embeddings import installed_embedder
from graph.code.evaluating import (
    DatasetError,
    LocalIndex,
    Pair,
    figures_of,
    rank_of,
    read_pairs,
    table,
)
from tests.data.retrieval.fetch import PAIRS
from workers.cli import main
from workers.cli_eval_retrieval import SOURCES, ranks_of

FILES = {
    "retry.py": b"def with_backoff(call):\n    # waits longer after every failure\n    call()\n",
    "shop.py": b"def pay(items):\n    return sum(items)\n",
}


def pair(path: str, language: str = "python") -> Pair:
    return Pair("s", "f", language, "wait after a failure", path)


def test_ranks_count_different_files_from_one() -> None:
    index = LocalIndex(FILES)
    assert rank_of(index, pair("retry.py"), "bm25", None) == 1
    assert rank_of(index, pair("nowhere.py"), "bm25", None) is None


def test_figures_are_means_over_all_pairs_and_by_language() -> None:
    ranked = [(pair("a"), 1), (pair("b"), 2), (pair("c", "go"), None), (pair("d", "go"), 5)]
    every, go, python = figures_of({"bm25": ranked})
    assert (every.group, every.pairs) == ("all", 4)
    assert every.recall == {1: 0.25, 4: 0.5, 10: 0.75}
    assert every.mrr == pytest.approx((1 + 1 / 2 + 1 / 5) / 4)
    assert (go.recall[4], python.recall[4]) == (0.0, 1.0)
    assert "recall@4" in table([every])
    halves = [(replace(pair("a"), half="tuned on"), 1), (replace(pair("b"), half="held out"), 3)]
    groups = {row.group: row.recall[1] for row in figures_of({"bm25": halves})}
    assert groups == {"all": 0.5, "held out": 0.0, "tuned on": 1.0, "python": 0.5}


@pytest.mark.parametrize("line", ["", "nothing", "[]", '{"source": "x"}'])
def test_a_data_set_that_says_nothing_is_refused(line: str) -> None:
    with pytest.raises(DatasetError):
        read_pairs([line])


def test_the_shipped_questions_are_of_enough_packages_and_languages() -> None:
    pairs = read_pairs(PAIRS.read_text().splitlines())
    assert len(pairs) >= 60
    assert len({p.source for p in pairs}) >= 3
    assert {p.language for p in pairs} == {"python", "javascript", "c"}
    halves = {p.source: p.half for p in pairs}
    assert all((p.half == halves[p.source]) for p in pairs)  # no package is on both sides
    assert [p.half for p in pairs].count("held out") == len(pairs) / 2


def test_the_command_prints_every_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "shop-1" / "src"
    folder.mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    record = {"source": "shop-1", "folder": "src", "language": "python", "path": "retry.py"}
    dataset = tmp_path / "pairs.jsonl"
    dataset.write_text(json.dumps({**record, "question": "wait after a failure"}) + "\n")
    command = ["eval", "retrieval", str(dataset), "--sources", str(tmp_path)]
    assert main([*command, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["ranking"] for row in rows} >= {"bm25"}
    assert main(command) == 0
    assert "recall@10" in capsys.readouterr().out
    assert main(["eval", "retrieval"]) == 2
    assert "Name a data set" in capsys.readouterr().err
    assert main([*command[:3], "--sources", str(tmp_path / "none")]) == 1
    assert "fetch the sources" in capsys.readouterr().err


@pytest.mark.slow
def test_the_merged_ranking_is_no_worse_than_its_parts() -> None:
    pairs = read_pairs(PAIRS.read_text().splitlines())
    missing = {p.source for p in pairs if not (SOURCES / p.source).is_dir()}
    if missing:
        pytest.skip("python -m tests.data.retrieval.fetch was not run")
    if installed_embedder() is None:
        pytest.skip("without the package of the embeddings there is nothing to merge")
    figures = {(f.ranking, f.group): f for f in figures_of(ranks_of(pairs, SOURCES))}
    for group in ("all", "held out", "tuned on"):
        merged = figures["merged", group].recall[4]
        assert merged >= figures["bm25", group].recall[4]
        assert merged >= figures["embeddings", group].recall[4]
        assert merged > 0.9
