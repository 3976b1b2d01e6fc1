"""`precedent dev | web | worker`: start the processes, each in place of this one."""

from __future__ import annotations

import argparse
import os
import sys

from redis.exceptions import RedisError

from workers.redis_connection import connect_redis
from workers.schema import refuse_unusable, stored_version
from workers.settings import load_settings

WEB_PROCESSES = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    name = parser.prog.rsplit(" ", 1)[-1]
    if name == "dev":
        parser.add_argument("--port", type=int, default=8080, help="of the sandbox's page")
    if name == "web":
        parser.add_argument("--processes", type=int, default=WEB_PROCESSES)
    if name == "worker":
        parser.add_argument("--queues", default="reviews,background")
        parser.add_argument("--concurrency", type=int, default=20, help="threads")


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
