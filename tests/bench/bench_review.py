"""What a review with a model costs: tokens of its prompts, and time beyond the model's own.

The diff changes five files and has about 2,000 tokens raw. The tokens are those of the o200k
encoding, of a copy inside the package bpe-openai. PR-Agent 0.49 sends 5,816 for such a diff. The
time is of a whole review in a warm process with a model that answers at once, from the first call
of GitHub's API to the check run, on the stand-in.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from graph import refuting, reviewing
from tests.bench.table import Row
from tests.workers.review_stage import Reviewer, open_review, proposal

PEER = "PR-Agent 0.49"
PEER_TOKENS = 5_816
RUNS = 5

NAMES = ("orders", "customers", "invoices", "shipping", "reports")


def before(name: str) -> str:
    """A module as people write them, about 90 lines."""
    parts = [f'"""Functions about {name}."""\n\nfrom decimal import Decimal\n\n']
    for n in range(6):
        parts.append(
            f"def load_{name}_{n}(session, identifier, *, limit=50):\n"
            f'    """Load {name} by identifier number {n}."""\n'
            f"    query = session.query({name.title()}).filter_by(id=identifier)\n"
            f"    rows = query.limit(limit).all()\n"
            f"    if not rows:\n        raise LookupError(identifier)\n"
            f"    amounts = [Decimal(row.amount) for row in rows]\n"
            f"    total = sum(amounts)\n"
            f"    return total / limit\n\n\n"
        )
    return "".join(parts)


def after(name: str) -> str:
    """The same with two functions changed and one added."""
    text = before(name)
    text = text.replace(
        f"def load_{name}_1(session, identifier, *, limit=50):\n",
        f"def load_{name}_1(session, identifier, *, limit=50, currency=None):\n",
    ).replace("    return total / limit\n", "    return total / len(amounts)\n", 2)
    return text + (
        f"def export_{name}(session, path, *, since):\n"
        f'    """Write {name} newer than since as lines of JSON."""\n'
        f"    rows = session.query({name.title()}).filter({name.title()}.created > since)\n"
        f'    with open(path, "w") as target:\n'
        f"        for row in rows:\n"
        f"            record = dict(id=row.id, amount=str(row.amount), state=row.state)\n"
        f'            target.write(json.dumps(record) + "\\n")\n'
        f"    return rows.count()\n"
    )


def run() -> list[Row]:
    count = _counter()
    changes = {f"src/{name}.py": after(name) for name in NAMES}
    old = {f"src/{name}.py": before(name) for name in NAMES}
    finds = [
        proposal(f"src/{name}.py", 70, "    return rows.count()", f"Query of {name} runs twice")
        for name in NAMES
    ]
    seconds: list[float] = []
    with tempfile.TemporaryDirectory() as directory, EmbeddedRedis(Path(directory)) as server:
        for number in range(RUNS + 1):
            redis = Redis.from_url(server.url)
            redis.flushall()
            reviewer = Reviewer(finds)
            stage_directory = Path(directory) / f"github{number}"
            opened = open_review(
                stage_directory, redis, before=old, changes=changes, reviewer=reviewer
            )
            with opened as stage:
                begin = time.perf_counter()
                stage.review()
                seconds.append(time.perf_counter() - begin)
                assert len(stage.comments()) == len(NAMES)
            redis.close()
    units, refutes = _prompts(reviewer)
    schema = len(units) * count(json.dumps(reviewing.SCHEMA))
    return [
        Row("diff of 5 files, raw", count(_raw_diff(old, changes)), "tokens", goal="about 2,000"),
        Row("review prompts, with system text", sum(map(count, units)), "tokens", PEER,
            PEER_TOKENS, "<= 4,500"),
        Row("review prompts, with the schema too", sum(map(count, units)) + schema, "tokens"),
        Row("second looks at 5 findings", sum(map(count, refutes)), "tokens"),
        Row("schema of a second look", count(json.dumps(refuting.SCHEMA)), "tokens"),
        Row("a review beyond the model's time", statistics.median(seconds[1:]), "s",
            goal="< 1.0"),
    ]  # fmt: skip


def _prompts(reviewer: Reviewer) -> tuple[list[str], list[str]]:
    units: list[str] = []
    refutes: list[str] = []
    for messages in reviewer.model.prompts:
        target = refutes if "kind=claims" in str(messages[-1].text) else units
        target.append(_whole(messages))
    return units, refutes


def _whole(messages: list[BaseMessage]) -> str:
    return "\n".join(str(message.text) for message in messages)


def _raw_diff(old: dict[str, str], new: dict[str, str]) -> str:
    """As `git diff` prints it."""
    with tempfile.TemporaryDirectory() as name:
        for side, files in (("a", old), ("b", new)):
            for path, text in files.items():
                file = Path(name) / side / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        command = ["git", "-c", "core.quotepath=off", "diff", "--no-index", "a", "b"]
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
        return done.stdout


def _counter() -> Callable[[str], int]:
    try:
        import bpe_openai
    except ImportError as error:
        message = "Counting tokens needs the extra: pip install -e .[bench]"
        raise SystemExit(message) from error
    encoding: Any = bpe_openai.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text))


if __name__ == "__main__":
    for row in run():
        print(row)
