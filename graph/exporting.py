"""Conventions as files: JSON to move them, Markdown that is fit for an AGENTS.md."""

from __future__ import annotations

import json
from collections.abc import Sequence

from graph.conventions import TOPICS, Convention

FORMAT = "precedent-conventions/1"


def as_json(conventions: Sequence[Convention]) -> str:
    """Everything known about each convention, in a document that `import` reads back."""
    document = {"format": FORMAT, "conventions": [c.to_json() for c in conventions]}
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True)


def as_markdown(conventions: Sequence[Convention], name: str) -> str:
    """The rules by topic, in the team's own words, with ids, scopes and who said them."""
    lines = [f"# Conventions of {name}"]
    for topic in TOPICS:
        of_topic = [c for c in conventions if c.topic == topic and c.status == "active"]
        if of_topic:
            lines += ["", f"## {topic.replace('_', ' ').capitalize()}", ""]
            lines += [_item(c) for c in of_topic]
    return "\n".join(lines) + "\n"


def _item(convention: Convention) -> str:
    rule = " ".join(convention.rule.split())
    notes = [convention.id]
    if convention.mode != "enforce":
        notes.append(convention.mode)
    notes += [f"`{path}`" for path in convention.paths]
    source = f"{convention.source.name} {convention.source.permalink}".strip()
    return f"- {rule} <!-- {', '.join(notes)}; {source.replace('--', '- -')} -->"
