"""docs/settings.md: every setting is on it, and what it shows of a repository is the default."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from graph.repository_settings import RepositorySettings, known_keys, parse_settings
from workers.settings import NAMES

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")


def test_every_setting_of_the_processes_has_its_row() -> None:
    rows = "".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    assert [name for name in sorted(NAMES) if f"`{name}`" not in rows] == []


def test_the_file_of_a_repository_shows_every_key_with_its_default() -> None:
    shown = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
    assert parse_settings(shown.encode()) == RepositorySettings()
    document = tomllib.loads(shown)
    tables = {f"{k}.{name}" for k, v in document.items() if isinstance(v, dict) for name in v}
    keys = tables | {k for k, v in document.items() if not isinstance(v, dict)}
    assert keys == set(known_keys())
