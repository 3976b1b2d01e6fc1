"""The command `precedent` as a process: what stands on which stream."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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
