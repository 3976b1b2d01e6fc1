"""`precedent review [RANGE]`: a local git diff, by the same conventions and checks.

Without a range it is everything that is not committed yet, files that git does not track
included. A range is what `git diff` takes: `HEAD~3`, `a..b`, `main...HEAD`.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from graph.checking import grouped, violations_of, written_by_people
from graph.checks.report import CheckResult, Skip
from graph.convention_book import ConventionBook
from graph.conventions import Convention
from graph.generated import policy_of
from graph.importing import ImportRefused, read_conventions
from graph.ledger import Scope
from graph.repository_settings import FILE as SETTINGS_FILE
from graph.repository_settings import SettingsFileError, parse_settings
from graph.store import ConventionStore
from workers.cli import EXIT_FAILED, UsageError
from workers.cli_review_output import rendered
from workers.local_changes import LocalChanges
from workers.redis_connection import connect_redis
from workers.settings import load_settings

PROGRESS_AFTER_S = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "range", nargs="?", default="", metavar="RANGE",
        help="as git diff takes it: main...HEAD; by default what is not committed",
    )  # fmt: skip
    parser.add_argument("--staged", action="store_true", help="only what is staged")
    parser.add_argument(
        "--conventions", type=Path, metavar="FILE", help="an export, JSON or Markdown; no Redis"
    )
    parser.add_argument(
        "--repository", type=int, metavar="ID", help="whose conventions, when from Redis"
    )
    parser.add_argument(
        "--organisation", "--organization", type=int, metavar="ID",
        help="its owner's id, for its rules too",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=["text", "json", "sarif"], default="text", help="text by default"
    )
    parser.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="the same as --format json",
    )
    parser.add_argument("--fail", action="store_true", help="exit 1 when there are findings")
    parser.add_argument(
        "-C", dest="directory", type=Path, default=Path(), metavar="DIRECTORY",
        help="the git repository; by default the one one stands in",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    conventions = _conventions(arguments)
    with _Progress():
        changes = LocalChanges(arguments.directory, arguments.range, is_staged=arguments.staged)
        result = _reviewed(changes, conventions)
        groups = len(grouped(result.violations, conventions))
    print(rendered(result, conventions, groups, arguments.format))
    return EXIT_FAILED if arguments.fail and result.violations else 0


def _reviewed(changes: LocalChanges, conventions: Sequence[Convention]) -> CheckResult:
    """As on a pull request: what nobody wrote by hand is left out, and named."""
    diff = changes.diff()
    result = violations_of(conventions, diff, changes.read, changes.text())
    try:
        settings = parse_settings(changes.read(SETTINGS_FILE))
    except SettingsFileError as error:
        raise UsageError(str(error)) from error
    policy = policy_of(changes.read, settings, diff)
    told = written_by_people(result.violations, conventions, policy)
    left_out = {(v.convention_id, v.path) for v in result.violations} - {
        (v.convention_id, v.path) for v in told
    }
    skips = [Skip(name, "left_out", f"{policy[path]}.", (path,)) for name, path in sorted(left_out)]
    return CheckResult(tuple(told), (*result.skipped, *skips))


def _conventions(arguments: argparse.Namespace) -> list[Convention]:
    if arguments.conventions is not None:
        return [c for c in _from_file(arguments.conventions) if c.is_active(time.time())]
    if arguments.repository is None:
        raise UsageError("Say whose conventions: --conventions FILE, or --repository ID.")
    store = ConventionStore(connect_redis(load_settings("cli").redis_url))
    scopes = [Scope("repository", arguments.repository)]
    if arguments.organisation is not None:
        scopes.append(Scope("organisation", arguments.organisation))
    return [c for scope in scopes for c in ConventionBook(store, scope, time.time).active()]


def _from_file(path: Path) -> Sequence[Convention]:
    try:
        return read_conventions(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8.") from error
    except ImportRefused as error:
        raise UsageError(f"{path} can't be used: {error}") from error


class _Progress:
    """Says on standard error that it is still working, once it has taken two seconds."""

    def __enter__(self) -> None:
        self._timer = threading.Timer(
            PROGRESS_AFTER_S, lambda: print("Checking the diff …", file=sys.stderr, flush=True)
        )
        self._timer.daemon = True
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
