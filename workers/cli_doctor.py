"""`precedent doctor`: what is wrong with this installation, and what to do about it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from workers import doctor_redis
from workers.cli import EXIT_FAILED
from workers.doctor import Finding, examine, is_healthy, settings_findings
from workers.settings import Settings, SettingsError, load_settings

MARKS = {"ok": "ok    ", "warning": "warn  ", "failed": "FAILED"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="every finding as JSON")


def run(arguments: argparse.Namespace) -> int:
    """0: healthy, warnings included; 1: something failed."""
    findings = _findings()
    if arguments.json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        print("\n".join(_lines(findings)))
    return 0 if is_healthy(findings) else EXIT_FAILED


def _lines(findings: Sequence[Finding]) -> Iterator[str]:
    """A remedy that several findings in a row share stands once, below the last of them."""
    for at, finding in enumerate(findings):
        yield f"{MARKS[finding.health]} {finding.name}: {finding.said}"
        is_repeated = findings[at + 1 : at + 2] and findings[at + 1].remedy == finding.remedy
        if finding.remedy and not is_repeated:
            yield f"       → {finding.remedy}"


def _findings() -> list[Finding]:
    """Web and worker need different settings; one look covers both."""
    problems: list[str] = []
    settings: Settings | None = None
    for role in ("web", "worker"):
        try:
            settings = load_settings(role)
        except SettingsError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems or settings is None:
        return [*settings_findings(problems), *_redis_findings()]
    return examine(settings)


def _redis_findings() -> list[Finding]:
    """Redis needs no other setting, and comes first when one sets things up."""
    try:
        return list(doctor_redis.examine(load_settings("cli")))
    except SettingsError:
        return []
