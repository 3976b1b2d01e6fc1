"""What a message taught, as records: rules, standing instructions, preferences."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from graph.commands import Command, UnknownCommand
from graph.conventions import Mode, Topic
from graph.topics import topic_of

TeachingKind = Literal["teach", "correct", "forget"]
StandingKind = Literal["instruction", "preference"]
InterpretationKind = Literal[
    "command", "unknown_command", "teach", "instruction", "preference", "ask", "none"
]


@dataclass(frozen=True)
class Teaching:
    """One change of the memory. `quote` is the rule in the message's own characters.

    For "forget" the quote describes what is to be forgotten. `topic_confidence` is "guess" where
    the words leave a doubt. `value` and `replaces` are the new and the old number of a correction,
    as digits. `paths` come from the flags of a command; a scope in words stays in the quote.
    """

    quote: str
    kind: TeachingKind
    topic: Topic
    topic_confidence: Literal["certain", "guess"]
    mode: Mode = "enforce"
    target_id: str | None = None
    value: str | None = None
    replaces: str | None = None
    paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standing:
    """An instruction for one pull request, or a preference of one person: no convention."""

    kind: StandingKind
    action: Literal["set", "withdraw", "list"]
    quote: str


@dataclass(frozen=True)
class Interpretation:
    """What a message wants. `kind` names the most important part; the others may be there too.

    A command that changes a rule also carries it as a teaching. `asks` says that something is left
    that wants an answer in words.
    """

    kind: InterpretationKind
    command: Command | None = None
    unknown: UnknownCommand | None = None
    teachings: tuple[Teaching, ...] = ()
    standing: tuple[Standing, ...] = ()
    asks: bool = False


_OF_FINDINGS = re.compile(
    r"\b(?:findings?|comment(?:s|ing|e|ed)?|warnings?|report(?:s|ing)?|errors?|review(?:s|ing)?"
    r"|issues)\b",
    re.IGNORECASE,
)


def teaching_of(
    quote: str, kind: TeachingKind, mode: Mode = "enforce", ids: tuple[str, ...] = ()
) -> Teaching:
    """A teaching with the topic and the numbers that its words tell."""
    topic, is_certain = topic_of(_OF_FINDINGS.sub(" ", quote) if mode == "ignore" else quote)
    value, replaces = _numbers(quote) if kind == "correct" else (None, None)
    return Teaching(
        quote,
        kind,
        topic,
        "certain" if is_certain else "guess",
        mode,
        ids[0] if ids else None,
        value,
        replaces,
    )


NAMES_A_LIMIT = re.compile(
    r"(?:^|\b(?:the|our|that|new|this|a|el|la|das|die|den|o|le)\s+)(?:line "
    r"|zeilen)?(?:max(?:imum)?|limit|length|width)"
    r"\b|\b(?:rule|convention|policy|guideline|requirement|regla|norma|convención|regel"
    r"|konvention|regra|convenção"
    r"|règle)\b|规则|约定|规范|ルール|規約|上限|限制|制限",
    re.IGNORECASE,
)  # fmt: skip
"""Words for a rule or a limit as such: "the limit", "our naming convention"."""

_OLD_NUMBER = re.compile(
    r"(?:\bnot|\binstead of|\bfrom|\brather than|\bstatt|\bnicht|\ben (?:vez|lugar) de|\bno"
    r"|\bnão|\bem vez"
    r" de|\bau lieu de|\bpas|不是|而不是|\bde|\bvon|\bno longer|从|由)\s*(\d+)|(\d+)(?:文字"
    r"|字符)?(?:ではなく|じゃなくて|から)"
    , re.IGNORECASE,
)  # fmt: skip


def _numbers(quote: str) -> tuple[str | None, str | None]:
    """The new and the old number of a correction."""
    text = re.sub(r"[CcOo]\d+", " ", quote)
    old = _OLD_NUMBER.search(text)
    replaces = next((g for g in old.groups() if g), None) if old else None
    numbers = [n for n in re.findall(r"\d+", text) if n != replaces]
    return (numbers[-1] if numbers else None), replaces


def with_topic_of_lead(teaching: Teaching, lead: str) -> Teaching:
    """ "Naming convention: interfaces start with I" names the topic before the rule."""
    topic, is_certain = topic_of(lead) if NAMES_A_LIMIT.search(lead) else ("other", False)
    if teaching.topic != "other" or not is_certain:
        return teaching
    return replace(teaching, topic=topic, topic_confidence="certain")
