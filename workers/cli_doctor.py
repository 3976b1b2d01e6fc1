"""`precedent doctor`: what is wrong with this installation, and what to do about it."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from workers.cli import EXIT_FAILED
from workers.doctor import Finding, examine, is_healthy, settings_findings
from workers.settings import Settings, SettingsError, load_settings

MARKS = {"ok": "ok    ", "warning": "warn  ", "failed": "FAILED"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """0: healthy, warnings included; 1: something failed."""
    findings = _findings()
    if arguments.json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        for finding in findings:
            print(f"{MARKS[finding.health]} {finding.name}: {finding.said}")
            if finding.remedy:
                print(f"       → {finding.remedy}")
    return 0 if is_healthy(findings) else EXIT_FAILED


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
        return settings_findings(problems)
    return examine(settings)
