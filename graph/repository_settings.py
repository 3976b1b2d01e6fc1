"""`.precedent.toml`: what a repository sets for itself, read from its default branch only."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from typing import Any

from graph.findings import SEVERITIES, Severity

FILE = ".precedent.toml"


@dataclass(frozen=True)
class RepositorySettings:
    """Every key with its default. Token counts are per UTC day."""

    enabled: bool = True
    shadow: bool = False
    review_drafts: bool = False
    review_ignore_paths: tuple[str, ...] = ()
    review_skip_labels: tuple[str, ...] = ("skip-review",)
    review_skip_title_words: tuple[str, ...] = ("WIP",)
    review_severity_floor: Severity = "medium"
    review_max_findings: int = 8
    review_daily_tokens: int = 2_000_000
    check_fail_on: tuple[str, ...] = ()
    learning_enabled: bool = True
    slack_posts: str = "findings"


SLACK_POSTS = ("off", "findings", "all")
_TABLES = ("review", "check", "learning", "slack")
_NUMBERS = {"review.max_findings": (1, 30), "review.daily_tokens": (0, 1_000_000_000)}


class SettingsFileError(ValueError):
    """The file can't be used; the message names every wrong key, for the check run."""

    reason = "settings_file"


def parse_settings(content: bytes | None) -> RepositorySettings:
    """Raises SettingsFileError. A missing file (None) means every default."""
    if content is None:
        return RepositorySettings()
    try:
        document = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsFileError(f"`{FILE}` is not valid TOML: {error}.") from error
    values: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in _flat(document):
        problem = _problem(key, value)
        if problem:
            problems.append(problem)
        else:
            name = key.replace(".", "_")
            values[name] = tuple(value) if isinstance(value, list) else value
    if problems:
        raise SettingsFileError(f"`{FILE}` is not used: " + " ".join(problems))
    return RepositorySettings(**values)


def known_keys() -> tuple[str, ...]:
    """The keys as they are written in the file: "review.drafts"."""
    return tuple(_key(field.name) for field in fields(RepositorySettings))


def _key(name: str) -> str:
    table, _, rest = name.partition("_")
    return f"{table}.{rest}" if table in _TABLES else name


def _flat(document: dict[str, Any]) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for name, value in document.items():
        if name in _TABLES and isinstance(value, dict):
            pairs += [(f"{name}.{inner}", v) for inner, v in value.items()]
        else:
            pairs.append((name, value))
    return pairs


def _problem(key: str, value: object) -> str:
    if key not in known_keys():
        return f"Unknown key `{key}`; the keys are {', '.join(known_keys())}."
    default = getattr(RepositorySettings(), key.replace(".", "_"))
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else f"`{key}` must be true or false."
    if isinstance(default, tuple):
        is_words = isinstance(value, list) and all(isinstance(v, str) for v in value)
        return "" if is_words else f"`{key}` must be a list of strings."
    if isinstance(default, int):
        low, high = _NUMBERS[key]
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if is_number and low <= value <= high:  # type: ignore[operator]
            return ""
        return f"`{key}` must be a whole number from {low:,} to {high:,}."
    allowed = SEVERITIES if key == "review.severity_floor" else SLACK_POSTS
    return "" if value in allowed else f"`{key}` must be one of {', '.join(allowed)}."
