"""Which migrations need a down step of their own: many tools undo a step by themselves."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from graph.checks.changed_file import ChangedFile

_DJANGO = re.compile(r"\bmigrations\.Migration\b")
_DJANGO_BY_HAND = re.compile(r"\bRun(?:Python|SQL)\b")
_RAILS_BY_HAND = re.compile(r"^\s*def up\b", re.MULTILINE)


def asks_for_down_step(file: ChangedFile) -> bool:
    """Whether a new file below the migrations is one that nothing but its author can undo.

    Django and Rails undo everything but what was written by hand; golang-migrate and its kin
    keep the way down in a file of its own, which then must be there; the rest is no migration.
    """
    path, text = file.path, file.text or ""
    name = PurePosixPath(path).name
    if name.endswith((".down.sql", ".undo.sql")):
        return False
    if name.endswith(".up.sql"):
        return not file.has_sibling(f"{name.removesuffix('.up.sql')}.down.sql")
    if name.endswith(".py"):
        by_hand = not _DJANGO.search(text) or _DJANGO_BY_HAND.search(text) is not None
        return name not in ("__init__.py", "env.py") and by_hand
    if name.endswith(".rb"):
        return _RAILS_BY_HAND.search(text) is not None
    return file.language is not None or name.endswith(".sql")
