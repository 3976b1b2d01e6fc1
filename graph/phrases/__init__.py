"""How people teach, correct and withdraw, one table per language."""

from __future__ import annotations

from graph.phrases.english import ENGLISH
from graph.phrases.table import joined

MATCH = joined([ENGLISH])
"""Every language at once: nobody says which one they are going to write."""
