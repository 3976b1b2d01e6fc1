"""What is answered to a question where no model is configured: what is known about its topic."""

from __future__ import annotations

import re

from graph import wording
from graph.answers import Answer
from graph.commands import Command
from graph.desk import Desk
from graph.topics import topic_of

CHECKS_ONLY = (
    "No model is configured here, so I can't answer questions. I check conventions by code, and I "
    "can remember and list them: see `help`. If that was meant as a rule, say it as `remember: …`."
)

_ASKED = re.compile(
    r"[?？]\s*$|^\s*(?:@\S+\s+)?(?:what|which|how|do|does|did|is|are|was|who|when|where|why|can|may"
    r"|should|welche\w*|was|wie|gibt es|haben wir|qué|cuál|cómo|hay|quel\w*|comment|qual|como)\b",
    re.IGNORECASE,
)
MAX_TOLD = 10


def without_model(said: str, desk: Desk, now: float) -> Answer:
    """The conventions of the topic that a question leaves no doubt about, or that none answers."""
    topic, is_certain = topic_of(said)
    if not is_certain or not _ASKED.search(said):
        return Answer(CHECKS_ONLY)
    known = [c for c in desk.listed(Command("list", topic=topic)) if c.is_active(now)]
    if not known:
        return Answer(CHECKS_ONLY)
    lines = [wording.line_of(convention, now) for convention in known[:MAX_TOLD]]
    if len(known) > MAX_TOLD:
        lines.append(f"… and {len(known) - MAX_TOLD} more: `list {topic}`.")
    about = topic.replace("_", " ")
    head = f"No model is configured here to answer questions; what I know about {about}:"
    return Answer("\n".join([head, "", *lines]))
