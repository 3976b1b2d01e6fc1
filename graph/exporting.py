"""Conventions as files: JSON to move them, Markdown that is fit for an AGENTS.md."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from graph.conventions import TOPICS, Convention

FORMAT = "precedent-conventions/1"

MARK = "<!-- precedent:"
"""Begins the comment that carries an item's id and source. A shown rule never holds it."""

_BLOCK_START = re.compile(r"(?:`{3}|~{3}|[#>|=]|[-+*]+(?:\s|$)|\d+[.)]\s|-{3}|_{3}|<)")
"""What Markdown reads as the start of a block: such a rule would swallow the items after it."""


def as_json(conventions: Sequence[Convention]) -> str:
    """Everything known about each convention, in a document that `import` reads back."""
    document = {"format": FORMAT, "conventions": [c.to_json() for c in conventions]}
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True)


def as_markdown(conventions: Sequence[Convention], name: str) -> str:
    """The active rules by topic in the team's own words; ids and sources hide in comments.

    `import` reads it back, also after people edited a rule's words by hand.
    """
    lines = [f"# Conventions of {one_line(name)}"]
    for topic in TOPICS:
        of_topic = [c for c in conventions if c.topic == topic and c.status == "active"]
        if of_topic:
            lines += ["", f"## {topic.replace('_', ' ').capitalize()}", ""]
            lines += [_item(c) for c in of_topic]
    return "\n".join(lines) + "\n"


def fenced(text: str, language: str) -> str:
    """A code block that `text` cannot end."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def shown_rule(rule: str) -> str:
    """The rule as one line of Markdown that starts no block and no comment."""
    shown = one_line(rule).replace("<!--", "&lt;!--")
    return f"\\{shown}" if _BLOCK_START.match(shown) else shown


def scope_note(convention: Convention) -> str:
    """What is shown behind the rule: where it holds, and that it is no demand."""
    inside = [_code(p) for p in convention.paths if not p.startswith("!")]
    outside = [_code(p[1:]) for p in convention.paths if p.startswith("!")]
    notes = [f"in {', '.join(inside)}"] if inside else []
    notes += [f"except {', '.join(outside)}"] if outside else []
    notes += {"ignore": ["not reported in reviews"], "context": ["background"]}.get(
        convention.mode, []
    )
    return f" ({'; '.join(notes)})" if notes else ""


def digest_of(shown: str) -> str:
    """Tells whether somebody changed a shown rule by hand."""
    return hashlib.sha256(shown.encode(errors="replace")).hexdigest()[:12]


def one_line(text: str) -> str:
    return " ".join(text.split())


def _item(convention: Convention) -> str:
    shown = shown_rule(convention.rule)
    return f"- {shown}{scope_note(convention)} {MARK}{convention.id} {_data(convention, shown)} -->"


def _data(convention: Convention, shown: str) -> str:
    """Everything that the shown words do not say, as JSON that can't end the comment."""
    record: dict[str, Any] = {k: v for k, v in convention.to_json().items() if v not in _EMPTY}
    for name in ("id", "hits", "last_used_at"):
        record.pop(name, None)
    if record["rule"] == shown:
        del record["rule"]
    record["shown"] = digest_of(shown)
    record["source"] = {k: v for k, v in record["source"].items() if v not in _EMPTY}
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return text.replace("--", "-\\u002d")


_EMPTY: tuple[Any, ...] = (None, "", [], ())


def _code(glob: str) -> str:
    """A glob as code; one that holds a backtick needs more of them around."""
    return f"`` {one_line(glob)} ``" if "`" in glob else f"`{one_line(glob)}`"
