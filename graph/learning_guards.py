"""What may become a proposal: guards in code over what a model or a phrasing suggests."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from graph.context import Permission
from graph.conventions import TOPICS, Convention, Source, Topic
from graph.permissions import Refused, may
from graph.quotes import find_quote, spoken
from graph.subjects import compare
from graph.teaching import interpret
from graph.topics import topic_of

MIN_WORDS = 3
MAX_QUOTE_CHARACTERS = 500

Reason = Literal[
    "no_such_comment", "bot", "not_said", "reported", "question", "too_short", "too_long",
    "no_permission", "no_evidence", "known", "dismissed", "proposed_before",
]  # fmt: skip
REASONS: tuple[Reason, ...] = get_args(Reason)

_SENTENCE = re.compile(r"[^\n.!?。！？\x00]+(?:[.!?](?=\S)[^\n.!?。！？\x00]*)*[.!?。！？]?")
_TEAM = re.compile(
    r"(?:(?:please|nit|note|fyi|btw|hm+|so|and|but|also)\b[\s,:–-]*)*"
    r"(?:(?:in|for) (?:this|our) (?:repo(?:sitory)?|project|code ?base|team),?\s+)?"
    r"(?:(?:we|our team|the team) (?:(?:all|really|generally|usually) )?"
    r"(?:always|never|only|don't|do not|avoid|prefer|use|require|want|agreed|decided|keep|put"
    r"|write)\b"
    r"|(?:always|never) \w+"
    r"|(?:our|the|a) (?:team |project )?(?:convention|rule|policy|standard|guideline)"
    r" (?:is|here is)\b"
    r"|wir (?:verwenden|nutzen|benutzen|schreiben|vermeiden)\b|(?:immer|niemals|nie) \w+"
    r"|我们(?:总是|从不|都|统一|一律|不)|(?:请)?(?:始终|一律|禁止|不要))",
    re.IGNORECASE,
)


_OPENING = ('"', "'", "“", "„", "‘", "«", "「")
_CLOSING = ('"', "'", "”", "“", "’", "»", "」")
_ATTRIBUTION = re.compile(
    r"([\w\]-]+) (?:(?:once|always|just|also) )?"
    r"(?:says?|said|writes|wrote|claims|claimed|thinks|thought|told (?:me|us))"
    r"[\s,:]*(?:that\s*)?[\"'“„‘«]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Remark:
    """What a person wrote, and what became of the code it was about.

    `id` names the comment for ever ("review_comment:12", "slack:T1:C1:17.5"). `number` is the pull
    request, None for words in Slack about none. `is_outdated`: the code changed after it.
    """

    id: str
    text: str
    source: Source
    number: int | None = None
    path: str = ""
    is_bot: bool = False
    is_resolved: bool = False
    is_outdated: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Remark:
        return Remark(**{**record, "source": Source(**record["source"])})


@dataclass(frozen=True)
class Candidate:
    """A rule that a model or a phrasing suggests. `quote` is not believed before it is judged."""

    remark_id: str
    quote: str
    topic: Topic


@dataclass(frozen=True)
class Point:
    """A judged rule in its author's own words, with where it was said."""

    remark_id: str
    quote: str
    topic: Topic
    source: Source
    number: int | None
    evidence: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Recognises the point when its words are long erased."""
        return digest_of(self.quote)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "evidence": list(self.evidence)}

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Point:
        return Point(
            **{
                **record,
                "source": Source(**record["source"]),
                "evidence": tuple(record["evidence"]),
            }
        )


def recognised(remark: Remark, handle: str) -> list[Candidate]:
    """The rules whose phrasing code recognises: "we always …", "never …", "from now on …"."""
    taught = [t for t in interpret(remark.text, handle=handle).teachings if t.kind == "teach"]
    found = {t.quote: Candidate(remark.id, t.quote, t.topic) for t in taught if t.mode == "enforce"}
    if found:
        return list(found.values())
    said = spoken(remark.text)
    for match in _SENTENCE.finditer(said.text):
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        sentence = match[0].strip()
        if _TEAM.match(sentence) and not sentence.endswith(("?", "？")):
            quote = said.cut(start, start + len(sentence)).rstrip(" .!。！")
            found[quote] = Candidate(remark.id, quote, topic_of(quote)[0])
    return list(found.values())


def judged(
    candidate: Candidate,
    remarks: Mapping[str, Remark],
    permission_of: Callable[[Source], Permission],
) -> Point | Reason:
    """The point in the person's own words, or why it is none. Evidence is looked for later."""
    remark = remarks.get(candidate.remark_id)
    if remark is None:
        return "no_such_comment"
    if remark.is_bot:
        return "bot"
    quote = find_quote(candidate.quote, remark.text)
    if quote is None:
        return "not_said"
    quote = quote.strip().rstrip(".!。！ ")
    if quote.endswith(("?", "？")) or _is_asked(quote, remark.text):
        return "question"
    if len(quote) > MAX_QUOTE_CHARACTERS:
        return "too_long"
    if len(quote.split()) < MIN_WORDS and quote.isascii():
        return "too_short"
    if isinstance(may("remember", permission_of(remark.source)), Refused):
        return "no_permission"
    if _is_reported(quote, remark.text):
        return "reported"
    topic = candidate.topic if candidate.topic in TOPICS else topic_of(quote)[0]
    return Point(remark.id, quote, topic, remark.source, remark.number)


def evidence_for(point: Point, remark: Remark, earlier: Iterable[Point]) -> tuple[str, ...]:
    """What speaks for it beside the words: what became of the code, and the same point elsewhere.

    A thread that someone closed by a click, without a change of the code, is no evidence.
    """
    found = []
    if remark.is_outdated and remark.is_resolved:
        found.append("the thread was resolved after the code had been changed")
    elif remark.is_outdated:
        found.append("the code was changed after it was said")
    for other in earlier:
        is_elsewhere = other.number != point.number and other.remark_id != point.remark_id
        if is_elsewhere and compare(point.quote, other.quote) == "same":
            where = f"in #{other.number}" if other.number else "in Slack"
            found.append(f"said {where} too: {other.source.permalink}".rstrip(": "))
            break
    return tuple(found)


def against_known(
    point: Point, existing: Sequence[Convention], proposed_before: Iterable[str]
) -> Reason | str:
    """Why it needs no proposal ("known", "dismissed"), or how it relates to what is known.

    The relation is "" for a new subject, else a phrase: "contradicts C3", "refines C3".
    """
    relation = ""
    for convention in existing:
        said = compare(point.quote, convention.rule)
        if said == "same":
            return "dismissed" if convention.status == "deleted" else "known"
        if convention.status != "active":
            continue
        if said == "conflict" and convention.topic == point.topic:
            relation = f"contradicts {convention.id}"
        elif (
            not relation
            and convention.topic == point.topic
            and _share_a_subject(point.quote, convention.rule)
        ):
            relation = f"refines {convention.id}"
    if point.digest in set(proposed_before):
        return "proposed_before"
    return relation


def digest_of(quote: str) -> str:
    words = sorted(set(re.findall(r"\w+", quote.casefold())))
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:20]


def _is_reported(quote: str, text: str) -> bool:
    """Whether the words stand as somebody else's: in quotation marks, or after "Ada says"."""
    at = text.find(quote)
    before, after = text[: max(at, 0)].rstrip(), text[at + len(quote) :].lstrip(" .,!。")
    if before.endswith(_OPENING) and after.startswith(_CLOSING):
        return True
    attribution = _ATTRIBUTION.search(before)
    return attribution is not None and attribution[1].casefold() not in {"i", "we"}


def _is_asked(quote: str, text: str) -> bool:
    """Whether the sentence that the quote was cut from is a question."""
    at = text.find(quote)
    rest = text[at + len(quote) :] if at >= 0 else ""
    end = re.search(r"[.!?。！？\n]", rest)
    return end is not None and end[0] in "?？"


def _share_a_subject(one: str, other: str) -> bool:
    mine, theirs = (
        {w for w in re.findall(r"\w+", text.casefold()) if len(w) > 3} for text in (one, other)
    )
    shorter = min(len(mine), len(theirs))
    return shorter > 0 and len(mine & theirs) / shorter >= 0.6
