"""Looks at everything an installation needs and says of each fault what to do about it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from workers.settings import Settings

Health = Literal["ok", "warning", "failed"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `name` is a slug; `remedy` is "" when nothing is to be done.

    A warning works, but not as well as it should.
    """

    name: str
    health: Health
    said: str
    remedy: str = ""


def ok(name: str, said: str) -> Finding:
    return Finding(name, "ok", said)


def warning(name: str, said: str, remedy: str) -> Finding:
    return Finding(name, "warning", said, remedy)


def failed(name: str, said: str, remedy: str) -> Finding:
    return Finding(name, "failed", said, remedy)


def examine(settings: Settings, now: Callable[[], float] = time.time) -> list[Finding]:
    """Every check, in the order in which one would mend things. Never raises for a fault."""
    from workers import doctor_github, doctor_model, doctor_redis, doctor_slack, doctor_web

    return [
        *doctor_redis.examine(settings),
        *doctor_github.examine(settings, now),
        *doctor_slack.examine(settings),
        *doctor_web.examine(settings, now),
        *doctor_model.examine(settings),
    ]


def settings_findings(problems: Sequence[str]) -> list[Finding]:
    """The faults of the settings themselves; what needs them can't be looked at."""
    remedy = (
        "Set this in the environment or in .env. docs/settings.md says what each setting is, "
        "docs/setup.md how one comes by it."
    )
    return [failed("settings", problem, remedy) for problem in problems]


def is_healthy(findings: Sequence[Finding]) -> bool:
    return all(finding.health != "failed" for finding in findings)
