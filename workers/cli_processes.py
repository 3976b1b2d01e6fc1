"""`precedent dev | web | worker`: start the processes, each in place of this one."""

from __future__ import annotations

import argparse
import os
import sys
from typing import get_args

from redis.exceptions import RedisError

from workers.event import Lane
from workers.redis_connection import connect_redis
from workers.schema import refuse_unusable, stored_version
from workers.settings import load_settings

WEB_PROCESSES = 2
LANES: tuple[str, ...] = get_args(Lane)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    name = parser.prog.rsplit(" ", 1)[-1]
    if name == "dev":
        parser.add_argument("--port", type=int, default=8080, help="of the sandbox's page")
    if name == "web":
        parser.add_argument(
            "--processes", type=_at_least_one, default=WEB_PROCESSES, metavar="N",
            help=f"of this command, {WEB_PROCESSES} by default; they listen on PORT",
        )  # fmt: skip
    if name == "worker":
        parser.add_argument(
            "--queues", type=_queues, default=",".join(LANES), metavar="NAMES",
            help="reviews, background, or reviews,background (the default)",
        )  # fmt: skip
        parser.add_argument(
            "--concurrency", type=_at_least_one, default=20, metavar="N",
            help="threads, 20 by default",
        )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Never returns when the process starts. Raises SettingsError or SchemaUnusable before."""
    if arguments.topic == "dev":
        _become([sys.executable, "-m", "deploy.sandbox", "--port", str(arguments.port)])
    settings = load_settings(arguments.topic)
    if arguments.topic == "web":
        _refuse_other_data(settings.redis_url)
        _become(
            [
                sys.executable, "-m", "uvicorn", "bot.app:create_app", "--factory",
                "--host", "0.0.0.0", "--port", str(settings.port),  # noqa: S104
                "--workers", str(arguments.processes), "--no-access-log", "--log-level", "warning",
            ]
        )  # fmt: skip
    _become(
        [
            sys.executable, "-m", "celery", "-A", "workers.app", "worker", "-P", "threads",
            "-c", str(arguments.concurrency), "-Q", arguments.queues, "-n", f"p{os.getpid()}@%h",
            "--without-gossip", "--without-mingle",
        ]
    )  # fmt: skip
    return 0


def _queues(names: str) -> str:
    """Celery would wait for ever on a queue that nothing fills, without a word."""
    wanted = names.split(",")
    if not set(wanted) <= set(LANES):
        raise argparse.ArgumentTypeError(f"{names!r}; the queues are {' and '.join(LANES)}")
    return names


def _at_least_one(number: str) -> int:
    if not number.isdecimal() or int(number) < 1:
        raise argparse.ArgumentTypeError(f"{number!r} is no number from 1 on")
    return int(number)


def _refuse_other_data(redis_url: str) -> None:
    """Raises SchemaUnusable. A Redis that is away is no reason not to start: it comes back."""
    redis = connect_redis(redis_url)
    try:
        found = stored_version(redis)
        if found is not None:
            refuse_unusable(found)
    except RedisError:
        return
    finally:
        redis.close()


def _become(command: list[str]) -> None:
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606 - no shell: the arguments are a list
