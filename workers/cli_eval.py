"""`precedent eval DATASET`: how good the reviews are, with any model or none.

`precedent eval retrieval DATASET` measures the code search instead.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

import redis

from graph.answers import plural
from graph.evaluating import Case, as_text, evaluate, read_cases
from graph.findings import Finding
from graph.models import build_model, model_name
from graph.store import ConventionStore
from graph.structured import ModelBusy, model_label
from workers import cli_eval_retrieval
from workers.cli import EXIT_FAILED, UsageError
from workers.redis_connection import connect_redis
from workers.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("datasets", nargs="+", type=Path, metavar="DATASET", help="JSON lines")
    parser.add_argument("--model", help="as in REVIEW_MODEL; `none` runs the checks alone")
    parser.add_argument("--json", action="store_true", help="every figure as JSON")
    parser.add_argument(
        "--sources", type=Path, help="for `retrieval`: the folder with the sources it asks about"
    )
    parser.add_argument("--min-f1", type=float, help="exit 1 below it, for a gate")


def run(arguments: argparse.Namespace) -> int:
    if arguments.datasets[0] == Path("retrieval"):
        return cli_eval_retrieval.run(arguments.datasets[1:], arguments.sources, arguments.json)
    cases = [case for path in arguments.datasets for case in _cases(path)]
    settings = load_settings("cli")
    key = settings.google_api_key.reveal()
    name = arguments.model or model_name(settings.review_model, key)
    model = build_model(name, google_api_key=key)
    client = connect_redis(settings.redis_url)
    prefix = f"precedent:eval:{secrets.token_hex(8)}"
    progress = None if arguments.json else _Progress(len(cases))
    try:
        store = ConventionStore(client, prefix=prefix)
        evaluation = evaluate(cases, store, model, on_case=progress)
    except ModelBusy:
        print(f"precedent eval: {name} does not answer; ask `precedent doctor`.", file=sys.stderr)
        return EXIT_FAILED
    finally:
        _remove(client, prefix)
    label = name if model is None else model_label(model)
    if arguments.json:
        print(json.dumps({"model": label, **evaluation.to_json()}, indent=2, ensure_ascii=False))
    else:
        print(as_text(evaluation, label))
    is_low = arguments.min_f1 is not None and (evaluation.total.f1 or 0.0) < arguments.min_f1
    return EXIT_FAILED if is_low or evaluation.failures else 0


def _cases(path: Path) -> list[Case]:
    try:
        return read_cases(path.read_text(encoding="utf-8"), path.name)
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no UTF-8 text.") from error


def _remove(client: redis.Redis, prefix: str) -> None:
    for key in client.scan_iter(f"{prefix}*", count=1_000):
        client.delete(key)


class _Progress:
    """A line on standard error for each case: a model takes its time."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def __call__(self, case: Case, findings: Sequence[Finding]) -> None:
        self._done += 1
        said = plural(len(findings), "finding")
        print(f"{self._done}/{self._total} {case.id}: {said}", file=sys.stderr)
