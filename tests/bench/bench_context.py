"""Code context: an index of 5,000 files (50 MB), its questions, and what it adds to a prompt."""

from __future__ import annotations

import gc
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import redis as redis_client

from deploy.sandbox.redis_server import EmbeddedRedis
from graph.code.briefing import ChangedFile, brief_of
from graph.code.building import build_index
from graph.code.code_store import CodeStore
from graph.code.embeddings import installed_embedder
from graph.code.index import open_index
from graph.code.repository import Overlay
from graph.code.search import search
from graph.code.selection import Entry
from graph.diff import parse_diff
from graph.planning_units import tokens_in
from tests.bench.table import Row, latency

FILES = 5_000
FILE_BYTES = 10_000
REPOSITORY = 1
CHANGED = 3

_TEXT = (
    "account address amount archive batch branch buffer cache cart channel check client commit "
    "config contract convention count cursor customer delivery diff event export filter finding "
    "handler header index invoice item job key ledger limit line list lock message metric module "
    "node number offer order owner parser path payment permission person policy price queue quote "
    "rate record region reply report request result retry review role rule scope secret session "
    "setting shipment signature state store stream subject tax team thread token topic total turn "
    "unit user value vendor version window worker zone"
)
WORDS = _TEXT.split()


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        client = redis_client.Redis.from_url(server.url)
        rows = [*_building(client), *_asking(client), _prompt(client)]
        client.close()
    return rows


@dataclass
class Synthetic:
    """A commit whose files are made when they are asked for, so that the bench holds none."""

    commit_sha: str = "c" * 40
    changed: frozenset[int] = frozenset()
    shas: dict[str, str] = field(default_factory=dict)

    def entries(self) -> Sequence[Entry]:
        return [
            Entry(path_of(n), f"{n:040x}" if n not in self.changed else f"f{n:039x}", FILE_BYTES)
            for n in range(FILES)
        ]

    def contents(self, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
        for path, sha in wanted.items():
            number = int(path.rsplit("_", 1)[1].removesuffix(".py"))
            yield sha, file_text(number, "changed" if number in self.changed else "").encode()


def path_of(number: int) -> str:
    return f"src/{WORDS[number % 83]}/{WORDS[number % 79]}_{number}.py"


def file_text(number: int, note: str = "") -> str:
    """Some 10 kB of functions that call functions of other files."""
    draw = random.Random(number)
    other = (number * 7 + 1) % FILES
    module = path_of(other).removeprefix("src/").removesuffix(".py").replace("/", ".")
    lines = [f"from {module} import load_{other}", "", f'"""{note}"""', ""]
    size, function = 0, 0
    while size < FILE_BYTES:
        name = f"load_{number}" if not function else "_".join(draw.sample(WORDS, 3)) + f"_{number}"
        one, two, three, four = draw.sample(WORDS, 4)
        lines += [
            f"def {name}({one}, {two}=None):",
            f'    """Bring the {three} of a {four} to its {one}."""',
            f"    {three} = load_{other}({one}, {two})",
            f"    for {four} in {three}.{two}_{four}s:",
            f"        if {four}.{one}_{three} > {draw.randrange(9_999)}:",
            f'            raise ValueError("{one} {two} is over the {three}")',
            f"    return {three}.{one}",
            "",
            "",
        ]
        size = sum(map(len, lines)) + len(lines)
        function += 1
    return "\n".join(lines)


def _building(client: redis_client.Redis) -> list[Row]:
    store, embedder = CodeStore(client, REPOSITORY), installed_embedder()
    if embedder is not None:
        embedder.embed(["warm"])
    gc.collect()
    begin = time.perf_counter()
    report = build_index(store, Synthetic(), embedder)
    seconds = time.perf_counter() - begin
    assert report.files == FILES, report
    megabytes = report.bytes / 1_000_000
    name = f"code index, {FILES:,} files of {megabytes:.0f} MB"
    again = Synthetic("d" * 40, frozenset(range(100, 100 + CHANGED)))
    begin = time.perf_counter()
    renewed = build_index(store, again, embedder)
    renewed_s = time.perf_counter() - begin
    assert renewed.read == CHANGED, renewed
    with_vectors = "with embeddings" if embedder else "without embeddings"
    return [
        Row(f"{name}, {with_vectors}", seconds, "s", goal="< 180"),
        Row(f"{name}, in Redis", store.size_bytes() / 1_000_000, "MB", goal="< 300"),
        Row(f"{name}, peak memory of the process", _peak_mb(), "MB"),
        Row(f"{name}, renewed after {CHANGED} changed", renewed_s, "s"),
        Row(f"{name}, blobs read again of {CHANGED} changed", renewed.read, "blobs", goal="3"),
    ]


def _asking(client: redis_client.Redis) -> list[Row]:
    index, embedder = open_index(client, REPOSITORY), installed_embedder()
    assert index is not None
    draw = random.Random(1)
    questions = [" ".join(draw.sample(WORDS, 5)) for _ in range(50)]
    turns = iter(range(1_000_000))

    def ask() -> None:
        hits = search(index, questions[next(turns) % len(questions)], 10, embedder)
        assert len(hits) == 10

    def open_and_ask() -> None:
        fresh = open_index(client, REPOSITORY)
        assert fresh is not None
        assert search(fresh, questions[next(turns) % len(questions)], 10, embedder)

    warm = latency(ask, runs=3, calls=100)
    cold = latency(open_and_ask, runs=3, calls=30)
    return [
        Row("code search, p50", warm.p50_ms, "ms", goal="< 50"),
        Row("code search, p99", warm.p99_ms, "ms", goal="< 50"),
        Row("code search, index opened for the question, p50", cold.p50_ms, "ms"),
    ]


def _prompt(client: redis_client.Redis) -> Row:
    """A change of one signature in a repository of 5,000 files."""
    index = open_index(client, REPOSITORY)
    assert index is not None
    path = path_of(500)
    before = file_text(500)
    head = before.split("\n")[4]
    after = before.replace(head, head.replace("=None", "=None, *, strict"), 1)
    diff = parse_diff(
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -5,1 +5,1 @@\n"
        f"-{head}\n+{after.split(chr(10))[4]}\n"
    )
    code = Overlay(index, [p for p, _, _ in index.files], {path: after})
    changed = ChangedFile(diff.files[0], before, after)
    begin = time.perf_counter()
    brief = brief_of(code, [changed], {path}, 2_400)
    seconds = time.perf_counter() - begin
    assert "takes other parameters" in brief.text
    name = f"code context of a changed signature, found in {seconds * 1_000:.0f} ms"
    return Row(name, tokens_in(brief.text), "tokens", goal="< 2,400")


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 if sys.platform == "linux" else 1024 * 1024)
