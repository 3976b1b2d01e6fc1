"""Conventions from files: our own exports, and the rules in a repository's own documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph.checks.parser import parse_check
from graph.conventions import Convention, Source
from graph.exporting import FORMAT
from graph.scopes import parse_scope
from graph.topics import topic_of

DOCUMENTS = ("AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".cursorrules")
"""What `import` reads from the default branch when no path is given."""

MAX_DOCUMENT_CHARACTERS = 200_000
MAX_SENTENCE_CHARACTERS = 400
MIN_SENTENCE_WORDS = 3

_EXPORTED = re.compile(r"^- (?P<rule>.+?) <!-- (?P<notes>[^;]*); (?P<source>.*?) -->$")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?P<text>.+)$")
_RULE_WORDS = re.compile(
    r"\b(must|should|always|never|do not|don't|avoid|prefer|use|keep|require[sd]?|ensure|no)\b",
    re.IGNORECASE,
)


class ImportRefused(ValueError):  # noqa: N818
    """The file is not what it was taken for; the message says what is wrong."""

    reason = "import_refused"


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document that reads like a rule, with its line number (from 1)."""

    text: str
    line: int


def read_conventions(text: str) -> list[Convention]:
    """The conventions of an export, JSON or Markdown. Raises ImportRefused."""
    if text.lstrip().startswith("{"):
        return _from_json(text)
    found = [c for c in map(_from_line, text.splitlines()) if c is not None]
    if not found:
        raise ImportRefused("There are no exported conventions in it.")
    return found


def is_export(text: str) -> bool:
    return text.lstrip().startswith("{") or any(map(_EXPORTED.match, text.splitlines()))


def rule_sentences(document: str) -> list[Sentence]:
    """The list items and single sentences of a document that state a rule; never its code blocks."""
    return [
        Sentence(text, line)
        for text, line in _statements(document[:MAX_DOCUMENT_CHARACTERS])
        if len(text) <= MAX_SENTENCE_CHARACTERS
        and len(text.split()) >= MIN_SENTENCE_WORDS
        and not text.endswith("?")
        and (_RULE_WORDS.search(text) or parse_check(text) is not None)
    ]


def _from_json(text: str) -> list[Convention]:
    try:
        document = json.loads(text)
        if document.get("format") != FORMAT:
            raise ImportRefused(f"Its format is not {FORMAT}.")
        return [Convention.from_json(record) for record in document["conventions"]]
    except (json.JSONDecodeError, AttributeError, KeyError, TypeError) as error:
        raise ImportRefused(f"It is not a valid export ({type(error).__name__}).") from error


def _from_line(line: str) -> Convention | None:
    match = _EXPORTED.match(line)
    if match is None:
        return None
    rule, notes = match["rule"], [n.strip() for n in match["notes"].split(",")]
    paths = tuple(n.strip("`") for n in notes if n.startswith("`"))
    mode = next((n for n in notes if n in ("ignore", "context")), "enforce")
    parsed = parse_check(rule) if mode == "enforce" else None
    name, _, permalink = match["source"].partition(" ")
    return Convention(
        id=notes[0],
        topic=topic_of(rule)[0],
        rule=rule,
        source=Source(place="file", name=name, permalink=permalink),
        mode=mode,  # type: ignore[arg-type]
        paths=paths or (parsed.paths if parsed else parse_scope(rule).paths),
        check=parsed.check.to_json() if parsed else None,
    )


def _statements(document: str) -> Iterator[tuple[str, int]]:
    in_fence = False
    for number, raw in enumerate(document.splitlines(), start=1):
        if raw.lstrip().startswith(("```", "~~~")):
            in_fence = not in_fence
            continue
        if in_fence or raw.startswith(("#", ">", "|", "    ", "\t", "<")):
            continue
        item = _ITEM.match(raw)
        text = (item["text"] if item else raw).strip()
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`])", text):
            cleaned = sentence.strip().rstrip(".").replace("**", "")
            if cleaned:
                yield cleaned, number
