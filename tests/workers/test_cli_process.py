"""The command `precedent` as a process: what stands on which stream."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from workers.cli import main

CASES = Path(__file__).parents[1] / "data" / "eval" / "small.jsonl"
PROGRAM = "import sys; from workers.cli import run_process; sys.exit(run_process())"


def start(redis_url: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, "REDIS_URL": redis_url},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_json_stands_alone_on_standard_output(redis_url: str) -> None:
    """The evaluation's log lines stood before its JSON, which no program could read then."""
    with start(redis_url, "eval", str(CASES), "--model", "none", "--json") as process:
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert json.loads(output)["model"] == "none"


def test_a_redis_that_is_away_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command that needs Redis ended in a traceback of sixty lines without one."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    for command in (["conventions", "list"], ["inbox", "status"], ["threads", "list"],
                    ["people", "export", "1"], ["review", "--repository", "1"]):  # fmt: skip
        assert main(command) == 1
        said = capsys.readouterr()
        (sentence,) = said.err.splitlines()
        assert said.out == ""
        assert sentence.startswith(f"precedent {command[0]}: Redis can't be used: ")
        assert "correct REDIS_URL" in sentence


def test_a_database_that_redis_does_not_have_is_one_sentence(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_url.rpartition("/")[0] + "/9999")
    assert main(["inbox", "status"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("precedent inbox: Redis can't be used: DB index is out of range.")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["worker", "--queues", "review"], "the queues are reviews and background"),
        (["worker", "--concurrency", "0"], "'0' is no number from 1 on"),
        (["web", "--processes", "two"], "'two' is no number from 1 on"),
    ],
)
def test_a_worker_that_would_do_nothing_does_not_start(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--queues review` started a worker that waited for ever on a queue that nothing fills."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert problem in capsys.readouterr().err


def test_the_version_is_the_one_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert capsys.readouterr().out == f"precedent {project['project']['version']}\n"


def test_a_reader_that_has_seen_enough_is_no_error(redis_url: str) -> None:
    """`precedent conventions list | head -1` ended in a traceback."""
    repository = ["conventions", "--repository", "1"]
    with start(redis_url, *repository, "add", "never call `f()`") as process:
        process.communicate(timeout=60)
    assert process.returncode == 0
    with start(redis_url, *repository, "list") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
