"""`precedent threads list | show ID | delete ID`: the short-term memory, seen and deleted."""

from __future__ import annotations

import argparse
import json

from langchain_core.messages import BaseMessage

from graph.saver import ThreadSaver
from workers.cli import EXIT_FAILED, UsageError
from workers.redis_connection import connect_redis
from workers.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["list", "show", "delete"])
    parser.add_argument("id", nargs="?", help="a thread, as `threads list` prints it")
    parser.add_argument("--json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    saver = ThreadSaver(connect_redis(load_settings("cli").redis_url))
    if arguments.action == "list":
        threads = saver.threads()
        print(json.dumps(threads) if arguments.json else "\n".join(threads) or "No threads.")
        return 0
    if not arguments.id:
        raise UsageError(
            f"Name a thread: threads {arguments.action} ID. `threads list` shows them."
        )
    if arguments.id not in saver.threads():
        print(f"There is no thread {arguments.id}; `precedent threads list` shows them.")
        return EXIT_FAILED
    if arguments.action == "delete":
        saver.delete_thread(arguments.id)
        print(f"Deleted {arguments.id}.")
        return 0
    return _show(saver, arguments.id, wants_json=arguments.json)


def _show(saver: ThreadSaver, thread_id: str, *, wants_json: bool) -> int:
    newest = saver.get_tuple({"configurable": {"thread_id": thread_id}})
    values = newest.checkpoint["channel_values"] if newest else {}
    plain = {name: _plain(value) for name, value in values.items() if not name.startswith("__")}
    if wants_json:
        print(json.dumps(plain, default=str))
        return 0
    for name, value in plain.items():
        print(f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}")
    return 0


def _plain(value: object) -> object:
    if isinstance(value, BaseMessage):
        return {"type": value.type, "content": value.content}
    return [_plain(item) for item in value] if isinstance(value, list) else value
