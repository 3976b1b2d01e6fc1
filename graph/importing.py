"""Conventions from files: our own exports, and the rules in a repository's own documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph.checks.parser import parse_check
from graph.checks.spec import CheckError
from graph.checks.specs import check_from_json
from graph.conventions import MAX_RULE_CHARACTERS, MODES, TOPICS, Convention, Source
from graph.document_sentences import Sentence, rule_sentences
from graph.exporting import FORMAT, MARK, digest_of, one_line, scope_note, shown_rule

DOCUMENTS = ("AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".cursorrules")
"""What `import` reads from the default branch when no path is given."""

MAX_DOCUMENT_CHARACTERS = 2_000_000
"""An export of a thousand conventions is under one; more is no document that people wrote."""

MAX_NAME_CHARACTERS = 100
MAX_PATHS = 50
MAX_PATH_CHARACTERS = 300
MAX_EVIDENCE = 20

_EXPORTED = re.compile(
    rf"- (?P<shown>.*?) {re.escape(MARK)}(?P<id>[CO]\d{{1,9}}) (?P<data>\{{.*\}}) -->"
)
_LINK = re.compile(r"https?://[^\s()<>\"'|]{1,2000}")


class ImportRefused(ValueError):  # noqa: N818
    """The file is not what it was taken for; the message says what is wrong."""

    reason = "import_refused"


@dataclass(frozen=True)
class Document:
    """A file to import. `url` is the permalink of this version of it, empty for a local file."""

    path: str
    text: str
    sha: str = ""
    url: str = ""

    def link_to(self, line: int) -> str:
        return f"{self.url}#L{line}" if self.url else ""


Documents = Callable[[str], Document | None]
"""Reads a document by its path; None when there is none. Bound to one repository."""


@dataclass(frozen=True)
class Contents:
    """What a document holds: exported conventions, and sentences that state a rule."""

    conventions: tuple[Convention, ...]
    sentences: tuple[Sentence, ...]


def contents_of(text: str) -> Contents:
    """Read a document of any kind. Raises ImportRefused."""
    if len(text) > MAX_DOCUMENT_CHARACTERS:
        raise ImportRefused(f"It has more than {MAX_DOCUMENT_CHARACTERS:,} characters.")
    if text.lstrip("\ufeff \n\r\t").startswith("{"):
        return Contents(tuple(_from_json(text.lstrip("\ufeff"))), ())
    exported = [_from_line(match) for match in map(_EXPORTED.fullmatch, _lines(text)) if match]
    others = "\n".join("" if _EXPORTED.fullmatch(line) else line for line in _lines(text))
    return Contents(tuple(exported), tuple(rule_sentences(others)))


def read_conventions(text: str) -> list[Convention]:
    """The conventions of an export, JSON or Markdown. Raises ImportRefused."""
    found = contents_of(text).conventions
    if not found and not text.lstrip().startswith("{"):
        raise ImportRefused(
            "There are no exported conventions in it. `precedent conventions --repository ID "
            "export` writes such a file; rules that people wrote down are read by `import FILE`, "
            "approved, and exported then."
        )
    return list(found)


def from_sentence(sentence: Sentence, document: Document) -> Source:
    """Where an imported sentence stands: file, line and the version that was read."""
    return Source(
        place="file",
        name=f"{document.path}:{sentence.line}" + (f"@{document.sha[:7]}" if document.sha else ""),
        permalink=document.link_to(sentence.line),
    )


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _from_json(text: str) -> list[Convention]:
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ImportRefused("It begins like JSON and is not valid JSON.") from error
    if document.get("format") != FORMAT:
        raise ImportRefused(
            f"It is JSON, but its format is not {FORMAT}, which `export json` writes."
        )
    records = document.get("conventions")
    if not isinstance(records, list):
        raise ImportRefused("Its conventions are no list.")
    return [_convention(record, f"number {n}") for n, record in enumerate(records, start=1)]


def _from_line(match: re.Match[str]) -> Convention:
    convention_id = match["id"]
    try:
        record = json.loads(match["data"])
        digest = record.pop("shown", "")
    except (json.JSONDecodeError, RecursionError, AttributeError, TypeError) as error:
        raise ImportRefused(f"The comment behind {convention_id} is not readable.") from error
    record["id"] = convention_id
    shown = match["shown"]
    convention = _convention({"rule": shown, **record}, convention_id)
    words = shown.removesuffix(scope_note(convention)).strip()
    if digest_of(words) == digest:
        rule = record.get("rule", words)
        return replace(convention, rule=rule)
    return _edited_by_hand(convention, words)


def _edited_by_hand(convention: Convention, words: str) -> Convention:
    """The words as they are now; the check must follow from them, not from the old ones."""
    if words.startswith("\\") and shown_rule(words[1:]) == words:
        words = words[1:]
    parsed = parse_check(words) if convention.mode == "enforce" else None
    return replace(convention, rule=words, check=parsed.check.to_json() if parsed else None)


def _convention(record: Any, which: str) -> Convention:
    """A convention whose every field is what it should be; a file may hold anything."""
    try:
        found = Convention.from_json(record)
        _require_shape(found)
        if found.check is not None:
            check_from_json(found.check)
    except (KeyError, TypeError, ValueError, AttributeError, CheckError) as error:
        raise ImportRefused(f"Convention {which} is not valid: {error}") from error
    return replace(
        found,
        source=_plain_source(found.source),
        version=max(1, found.version),
        hits=0,
        last_used_at=None,
    )


def _require_shape(found: Convention) -> None:
    """Raises ValueError with what is wrong."""
    _require(re.fullmatch(r"[CO]\d{1,9}", found.id) is not None, "its id is not like C7")
    _require(found.topic in TOPICS, f"there is no topic {found.topic!r}")
    _require(found.mode in MODES, f"there is no mode {found.mode!r}")
    _require(found.status in {"active", "proposed"}, f"its status is {found.status!r}")
    _require(isinstance(found.rule, str) and bool(found.rule.strip()), "its rule is empty")
    _require(len(found.rule) <= MAX_RULE_CHARACTERS, "its rule is too long")
    _require(_are_texts(found.paths, MAX_PATHS), "its paths are not globs")
    _require(_are_texts(found.evidence, MAX_EVIDENCE), "its evidence is no list of texts")
    _require(type(found.version) is int, "its version is no number")
    numbers = (found.created_at, found.updated_at, found.expires_at)
    _require(all(_is_time(n) for n in numbers), "a time of it is no number")
    _require(isinstance(found.check, Mapping | None), "its check is no object")


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise ValueError(problem)


def _are_texts(values: Sequence[object], most: int) -> bool:
    return len(values) <= most and all(
        isinstance(v, str) and 0 < len(v) <= MAX_PATH_CHARACTERS for v in values
    )


def _is_time(value: object) -> bool:
    """Seconds within the years that a date can be written in."""
    return value is None or (type(value) in (int, float) and 0 <= value < 253_402_300_800)  # type: ignore[operator]


def _plain_source(source: Source) -> Source:
    """A source that can be shown and linked: a file must not smuggle markup into our answers."""
    name = re.sub(r"[\[\]()<>|*`]", "", one_line(str(source.name)))[:MAX_NAME_CHARACTERS]
    link = str(source.permalink)
    return Source(
        place=source.place if source.place in {"github", "slack", "cli"} else "file",
        name=name or "someone",
        permalink=link if _LINK.fullmatch(link) else "",
        github_id=source.github_id if type(source.github_id) is int else None,
        slack_team=source.slack_team if isinstance(source.slack_team, str) else None,
        slack_user=source.slack_user if isinstance(source.slack_user, str) else None,
        said_at=source.said_at if _is_time(source.said_at) and source.said_at else 0.0,
    )
