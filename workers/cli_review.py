"""`precedent review [RANGE]`: a local git diff, by the same conventions and checks."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graph.importing import ImportRefused, read_conventions

from graph.checking import grouped, violations_of
from graph.checks.report import CheckResult, Violation
from graph.checks.pull_request_text import PullRequestText
from graph.convention_book import ConventionBook
from graph.conventions import Convention
from graph.diff import Diff, parse_diff
from graph.ledger import Scope
from graph.sarif import as_sarif
from graph.store import ConventionStore
from workers.cli import EXIT_FAILED, UsageError
from workers.redis_connection import connect_redis
from workers.settings import load_settings

PROGRESS_AFTER_S = 2.0
DEFAULT_RANGE = "HEAD"
"""Like `git diff HEAD`: what is not committed yet."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("range", nargs="?", default=DEFAULT_RANGE, help="as git diff takes it")
    parser.add_argument("--conventions", type=Path, help="an exported file; else the store")
    parser.add_argument("--repository", type=int, help="whose conventions, when from the store")
    parser.add_argument("--format", choices=["text", "json", "sarif"], default="text")
    parser.add_argument("--json", action="store_const", const="json", dest="format")
    parser.add_argument("--fail", action="store_true", help="exit 1 when there are findings")
    parser.add_argument("-C", dest="directory", type=Path, default=Path(), help="the repository")


def run(arguments: argparse.Namespace) -> int:
    conventions = _conventions(arguments)
    with _Progress():
        diff = _diff(arguments.directory, arguments.range)
        head = _head_of(arguments.range)
        result = violations_of(
            conventions,
            diff,
            lambda path: _read(arguments.directory, head, path),
            PullRequestText(),
        )
    print(_rendered(result, conventions, arguments.format))
    return EXIT_FAILED if arguments.fail and result.violations else 0


def _conventions(arguments: argparse.Namespace) -> list[Convention]:
    if arguments.conventions is not None:
        try:
            return read_conventions(arguments.conventions.read_text())
        except OSError as error:
            raise UsageError(f"{arguments.conventions} can't be read: {error.strerror}.") from error
        except ImportRefused as error:
            raise UsageError(f"{arguments.conventions}: {error}") from error
    if arguments.repository is None:
        raise UsageError("Say whose conventions: --conventions FILE, or --repository ID.")
    store = ConventionStore(connect_redis(load_settings("cli").redis_url))
    return ConventionBook(store, Scope("repository", arguments.repository), time.time).active()


def _diff(directory: Path, wanted: str) -> Diff:
    command = ["git", "-c", "core.quotepath=off", "diff", "--no-ext-diff", "--no-color",
               "--find-renames", "-U3", wanted, "--"]  # fmt: skip
    if wanted.startswith("-"):
        raise UsageError(f"{wanted!r} is no range; write for example main...HEAD.")
    done = subprocess.run(command, cwd=directory, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise UsageError(f"git can't read {wanted!r}: {said[0] if said else 'no reason given'}")
    return parse_diff(done.stdout)


def _head_of(wanted: str) -> str | None:
    """The revision that holds the new side; None for the working tree."""
    if ".." in wanted:
        return wanted.rsplit("..", 1)[1].lstrip(".") or "HEAD"
    return None


def _read(directory: Path, head: str | None, path: str) -> bytes | None:
    if head is None:
        file = directory / path
        return file.read_bytes() if file.is_file() and not file.is_symlink() else None
    done = subprocess.run(
        ["git", "cat-file", "blob", f"{head}:{path}"],
        cwd=directory, capture_output=True, check=False,
    )  # fmt: skip
    return done.stdout if done.returncode == 0 else None


def _rendered(result: CheckResult, conventions: Sequence[Convention], form: str) -> str:
    if form == "sarif":
        return as_sarif(result.violations, conventions)
    if form == "json":
        return json.dumps(
            {
                "findings": [_record(v) for v in result.violations],
                "skipped": [vars(s) for s in result.skipped],
            },
            ensure_ascii=False,
            indent=2,
        )
    lines = [f"{_where(v)}: {v.convention_id}: {v.message}" for v in result.violations]
    lines += [
        f"{', '.join(s.paths) or 'all files'}: not checked, {s.convention_id}: {s.sentence}"
        for s in result.skipped
    ]
    groups = len(grouped(result.violations, conventions))
    lines.append(f"{len(result.violations)} places by {groups} conventions.")
    return "\n".join(lines)


def _record(violation: Violation) -> dict[str, Any]:
    return {
        "convention": violation.convention_id,
        "kind": violation.kind,
        "path": violation.path,
        "line": violation.line,
        "message": violation.message,
        "measured": violation.measured,
        "limit": violation.limit,
        "suggestion": violation.suggestion,
    }


def _where(violation: Violation) -> str:
    if not violation.path:
        return "pull request"
    return f"{violation.path}:{violation.line}" if violation.line else violation.path


class _Progress:
    """Says on standard error that it is still working, once it has taken two seconds."""

    def __enter__(self) -> None:
        self._timer = threading.Timer(
            PROGRESS_AFTER_S, lambda: print("Checking the diff …", file=sys.stderr)
        )
        self._timer.daemon = True
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
