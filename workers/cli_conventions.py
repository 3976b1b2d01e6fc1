"""`precedent conventions …`: the same commands as everywhere, as an operator."""

from __future__ import annotations

import argparse
import getpass
import json
import time
import uuid
from typing import Any

from graph import exporting
from graph.commands import Command, UnknownCommand, parse_command
from graph.conventions import Source
from graph.desk import Desk, Visitor
from graph.store import ConventionStore
from workers.cli import EXIT_FAILED, UsageError
from workers.redis_connection import connect_redis
from workers.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repository", type=int, help="the repository's numeric id on GitHub")
    parser.add_argument("--json", action="store_true", help="lists as JSON")
    parser.add_argument("words", nargs=argparse.REMAINDER, help="list, show C7, add …, forget C7 …")


def run(arguments: argparse.Namespace) -> int:
    words = list(arguments.words)
    # After the command word argparse hands everything over as it is.
    wants_json = arguments.json or "--json" in words
    words = [word for word in words if word != "--json"]
    store = ConventionStore(connect_redis(load_settings("cli").redis_url))
    if arguments.repository is None:
        return _repositories(store, words, wants_json=wants_json)
    desk = Desk(store, arguments.repository, f"repository {arguments.repository}", time.time)
    parsed = parse_command(" ".join(words) or "list")
    if isinstance(parsed, UnknownCommand):
        raise UsageError(parsed.help)
    if not isinstance(parsed, Command):
        raise UsageError("Write a command: list, show C7, add …, edit C7 …, forget C7, export …")
    if wants_json and parsed.name in {"list", "export"}:
        print(exporting.as_json([c for c in desk.book.all() if c.status != "deleted"]))
        return 0
    answer = desk.serve(parsed, _operator(), f"cli:{uuid.uuid4()}")
    print(answer.text)
    return EXIT_FAILED if answer.is_refusal else 0


def _repositories(store: ConventionStore, words: list[str], *, wants_json: bool) -> int:
    """Without a repository: which ones have conventions at all."""
    if words and words != ["list"]:
        raise UsageError("Say whose: --repository ID. Without it, `list` shows the ids.")
    rows: list[dict[str, Any]] = []
    for namespace in store.list_namespaces(prefix=("conventions",), limit=1_000_000):
        count = len(store.recall(namespace))
        rows.append({"scope": ":".join(namespace[1:]), "conventions": count})
    if wants_json:
        print(json.dumps(rows))
    for row in [] if wants_json else rows:
        print(f"{row['scope']:>20}  {row['conventions']:>5}")
    return 0


def _operator() -> Visitor:
    """The command line acts as the operating system's user, and is recorded as such."""
    source = Source(place="cli", name=getpass.getuser(), thread="cli", said_at=time.time())
    return Visitor(source=source, permission="admin", is_operator=True, is_org_owner=True)
