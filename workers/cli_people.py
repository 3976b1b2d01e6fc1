"""`precedent people export | erase GITHUB_ID`: a person's data, for the operator who is asked."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from graph.review import build_graph
from graph.saver import ThreadSaver
from graph.store import ConventionStore
from workers.cli import EXIT_FAILED
from workers.erasure import PersonalData
from workers.redis_connection import connect_redis
from workers.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["export", "erase"])
    parser.add_argument("github_id", type=int, help="the person's numeric GitHub id")
    parser.add_argument("--json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    redis = connect_redis(load_settings("cli").redis_url)
    graph = build_graph(ConventionStore(redis), checkpointer=ThreadSaver(redis))
    data = PersonalData(redis, graph)
    if arguments.action == "export":
        print(json.dumps(data.export(arguments.github_id), ensure_ascii=False, indent=2))
        return 0
    erased = data.erase(arguments.github_id)
    if arguments.json:
        print(json.dumps(asdict(erased)))
    else:
        print(
            f"Erased from {erased.records} records, {erased.threads} threads, "
            f"{erased.events} events and {erased.identities} linked Slack accounts."
        )
    if erased.skipped:
        print(f"Still being worked on, so erase again later: {', '.join(erased.skipped)}.")
        return EXIT_FAILED
    return 0
