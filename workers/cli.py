"""The command `precedent`. Exit codes: 0 done, 1 it failed, 2 it was called wrongly."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workers.logs import setup_logs

EXIT_FAILED = 1
EXIT_WRONG_USE = 2


@dataclass(frozen=True)
class Topic:
    """One subcommand; its module is imported only when it is asked for.

    The module has `add_arguments(parser)` and `run(arguments) -> int`.
    """

    name: str
    help: str
    module: str


TOPICS = (
    Topic("dev", "the sandbox: everything in one command, no accounts", "workers.cli_processes"),
    Topic("web", "the web process", "workers.cli_processes"),
    Topic("worker", "a worker process", "workers.cli_processes"),
    Topic("review", "review a local git range by the same conventions", "workers.cli_review"),
    Topic("conventions", "list, teach, change, export, import", "workers.cli_conventions"),
    Topic("inbox", "what waits, what died, and replaying it", "workers.cli_inbox"),
    Topic("threads", "checkpoint threads", "workers.cli_threads"),
    Topic("eval", "how good the reviews are, on a data set", "workers.cli_eval"),
    Topic("setup", "make the GitHub App in a browser", "workers.cli_setup"),
    Topic("doctor", "what is wrong with this installation, and the remedy", "workers.cli_doctor"),
    Topic("people", "a person's data, exported or erased", "workers.cli_people"),
)


class UsageError(ValueError):
    """Called wrongly; the message is one sentence that says what to write."""

    reason = "usage"


def run_process() -> int:
    """The process `precedent`: logs go to standard error, what was asked for to standard output."""
    setup_logs("WARNING")
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has seen enough, as in `precedent conventions list | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Errors are one sentence on standard error."""
    parser = argparse.ArgumentParser(
        prog="precedent", description="A code reviewer that remembers what your team said."
    )
    parser.add_argument("--version", action="version", version=f"precedent {_version()}")
    commands = parser.add_subparsers(dest="topic", required=True, metavar="COMMAND")
    given = list(sys.argv[1:] if arguments is None else arguments)
    for topic in TOPICS:
        # No abbreviations: `--org` behind `conventions add` is a word of the command itself.
        command = commands.add_parser(
            topic.name, help=topic.help, description=topic.help, allow_abbrev=False
        )
        if given[:1] == [topic.name]:
            _module(topic).add_arguments(command)
    parsed = parser.parse_args(given)
    topic = next(t for t in TOPICS if t.name == parsed.topic)
    run: Callable[[argparse.Namespace], int] = _module(topic).run
    try:
        return run(parsed)
    except UsageError as error:
        print(f"precedent {topic.name}: {error}", file=sys.stderr)
        return EXIT_WRONG_USE
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # the boundary of the command line
        said = str(error) if hasattr(error, "reason") else _said_of_redis(error)
        if not said:
            raise
        print(f"precedent {topic.name}: {said}", file=sys.stderr)
        return EXIT_FAILED


def _said_of_redis(error: Exception) -> str:
    """The library's errors know no remedy; "" for errors of anything else."""
    from redis.exceptions import RedisError

    if not isinstance(error, RedisError):
        return ""
    said = str(error).strip().rstrip(".") or type(error).__name__
    return f"Redis can't be used: {said}. Start it, or correct REDIS_URL; ask `precedent doctor`."


def _version() -> str:
    """As installed: the copy of the number that a build took from pyproject.toml."""
    from importlib.metadata import version

    return version("precedent")


def _module(topic: Topic):  # type: ignore[no-untyped-def]
    return importlib.import_module(topic.module)
