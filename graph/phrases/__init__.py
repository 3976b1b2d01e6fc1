"""How people teach, correct and withdraw, one table per language."""

from __future__ import annotations

from graph.phrases.chinese import CHINESE
from graph.phrases.doubtful import DOUBTFUL
from graph.phrases.english import ENGLISH
from graph.phrases.french import FRENCH
from graph.phrases.german import GERMAN
from graph.phrases.japanese import JAPANESE
from graph.phrases.portuguese import PORTUGUESE
from graph.phrases.spanish import SPANISH
from graph.phrases.table import Matchers

MATCH = Matchers(
    western=[ENGLISH, SPANISH, GERMAN, PORTUGUESE, FRENCH, DOUBTFUL],
    eastern=[CHINESE, JAPANESE, ENGLISH, DOUBTFUL],
)
"""Every language at once: nobody says which one they are going to write."""
