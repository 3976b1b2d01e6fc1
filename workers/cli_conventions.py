"""`precedent conventions …`: the same commands as everywhere, as an operator."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graph import exporting
from graph.commands import Command, UnknownCommand, parse_command
from graph.conventions import Source
from graph.desk import Desk, Visitor
from graph.desk_files import as_file
from graph.importing import DOCUMENTS, Document
from graph.store import ConventionStore
from workers.cli import EXIT_FAILED, UsageError
from workers.redis_connection import connect_redis
from workers.settings import load_settings

_SERVED = frozenset(
    {"list", "show", "add", "edit", "forget", "restore", "undo", "approve", "dismiss", "history",
     "export", "import", "confirm", "help"}
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _add_options(parser)
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="COMMAND …",
        help="list, show C7, add …, export json, import FILE …; alone: which repositories have any",
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repository", type=int, metavar="ID", help="the repository's numeric id on GitHub"
    )
    parser.add_argument(
        "--organisation", "--organization", type=int, metavar="ID",
        help="its owner's numeric id, for the rules of all its repositories",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="lists as JSON")


def run(arguments: argparse.Namespace) -> int:
    # After the command word argparse hands everything over as it is, our options too.
    options = argparse.ArgumentParser("precedent conventions", add_help=False, allow_abbrev=False)
    _add_options(options)
    arguments, words = options.parse_known_args(arguments.words, arguments)
    wants_json = arguments.json
    store = ConventionStore(connect_redis(load_settings("cli").redis_url))
    if arguments.repository is None:
        return _repositories(store, words, wants_json=wants_json)
    name = f"repository {arguments.repository}"
    desk = Desk(
        store, arguments.repository, name, time.time, arguments.organisation, _local_document
    )
    command = _command(words)
    if command.name == "export":
        return _export(desk, command, name)
    if wants_json and command.name == "list":
        print(exporting.as_json(desk.listed(command)))
        return 0
    answer = desk.serve(command, _operator(), f"cli:{uuid.uuid4()}")
    print(answer.text, file=sys.stderr if answer.is_refusal else sys.stdout)
    return EXIT_FAILED if answer.is_refusal else 0


def _command(words: Sequence[str]) -> Command:
    if words and words[0] == "import" and len(words) == 2:
        return Command("import", argument=words[1])  # a file's name may hold anything
    parsed = parse_command(" ".join(words) or "list")
    if isinstance(parsed, UnknownCommand):
        raise UsageError(parsed.help)
    if not isinstance(parsed, Command) or parsed.name not in _SERVED:
        raise UsageError("Write a command: list, show C7, add …, edit C7 …, forget C7, export …")
    return parsed


def _export(desk: Desk, command: Command, name: str) -> int:
    """The file itself, to be redirected; an answer would put it into a code block."""
    book = desk.organisation if command.is_org else desk.book
    if book is None:
        raise UsageError("Say which organisation: --organisation ID.")
    print(as_file(book.all(), name, command.argument, time.time()).rstrip("\n"))
    return 0


def _local_document(path: str) -> Document | None:
    """A file of this machine; raises UsageError when it can't be read.

    None for a file that nobody named and that is not there: `import` alone tries several.
    """
    file = Path(path)
    if path in DOCUMENTS and not file.exists():
        return None
    try:
        return Document(path, file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8.") from error


def _repositories(store: ConventionStore, words: list[str], *, wants_json: bool) -> int:
    """Without a repository: which ones have conventions at all."""
    if words and words != ["list"]:
        raise UsageError("Say whose: --repository ID. Without it, `list` shows the ids.")
    rows: list[dict[str, Any]] = []
    for namespace in store.list_namespaces(prefix=("conventions",), limit=1_000_000):
        statuses = Counter(item.value["status"] for item in store.recall(namespace))
        counts = {"conventions": statuses["active"], "proposed": statuses["proposed"]}
        rows.append({"scope": ":".join(namespace[1:]), **counts})
    if wants_json:
        print(json.dumps(rows))
    elif rows:
        print(f"{'REPOSITORY':>20}  CONVENTIONS  PROPOSED")
        for row in rows:
            print(f"{row['scope']:>20}  {row['conventions']:>11}  {row['proposed']:>8}")
    else:
        print("No repository has conventions yet. Teach one: --repository ID add never call eval")
    return 0


def _operator() -> Visitor:
    """The command line acts as the operating system's user, and is recorded as such."""
    source = Source(place="cli", name=getpass.getuser(), thread="cli", said_at=time.time())
    return Visitor(source=source, permission="admin", is_operator=True, is_org_owner=True)
