"""`precedent inbox status | dead | replay ID | discard ID`: what an operator sees and does."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from workers.app import create_inbox
from workers.cli import EXIT_FAILED, UsageError
from workers.inbox import Inbox
from workers.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["status", "dead", "replay", "discard"])
    parser.add_argument("id", nargs="?", help="of a dead letter, for replay and discard")
    parser.add_argument("--json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    inbox = create_inbox(load_settings("cli"))
    if arguments.action == "status":
        return _status(inbox, wants_json=arguments.json)
    if arguments.action == "dead":
        return _dead(inbox, wants_json=arguments.json)
    if not arguments.id:
        raise UsageError(
            f"Name a dead letter: inbox {arguments.action} ID. `inbox dead` lists them."
        )
    done = (
        inbox.replay(arguments.id) if arguments.action == "replay" else inbox.discard(arguments.id)
    )
    if not done:
        print(f"There is no dead letter {arguments.id}; `precedent inbox dead` lists them.")
        return EXIT_FAILED
    print(f"{arguments.action}: {arguments.id}")
    return 0


def _status(inbox: Inbox, *, wants_json: bool) -> int:
    status = inbox.status()
    if wants_json:
        print(json.dumps(asdict(status)))
        return 0
    for lane in status.lanes:
        print("  ".join(f"{name}={value}" for name, value in asdict(lane).items()))
    for running in status.running:
        print("running  " + "  ".join(f"{k}={v}" for k, v in asdict(running).items()))
    return 0


def _dead(inbox: Inbox, *, wants_json: bool) -> int:
    letters = inbox.dead_letters()
    if wants_json:
        print(json.dumps([{"id": letter.id, **asdict(letter)} for letter in letters], default=str))
        return 0
    for letter in letters:
        print(f"{letter.id}  {letter.event.kind}  {letter.event.subject}  {letter.reason}")
    if not letters:
        print("No dead letters.")
    return 0
