"""What a message wants from the team's memory, recognised by code: teach, correct, forget."""

from __future__ import annotations

import re
from dataclasses import replace

from graph.clauses import clauses_of
from graph.commands import Command, NotACommand, UnknownCommand, parse_command
from graph.message_reader import Reader
from graph.phrases import MATCH
from graph.plain_commands import plain_command
from graph.quotes import spoken
from graph.taught import (
    Interpretation,
    InterpretationKind,
    Standing,
    Teaching,
    TeachingKind,
    teaching_of,
)

__all__ = ["Interpretation", "Standing", "Teaching", "interpret"]

_GREETING = (
    r"(?:(?:hey|hi|hello|ok|okay|yo|dear|hola|hallo|olá|oi|bonjour|salut|你好"
    r"|こんにちは)[\s,!，]*)?"
)
_FREE_TEXT_COMMANDS = {"add", "edit"}
_UNKNOWN_WORDS = 6
"""A longer message that begins like a command is a sentence."""


def interpret(message: str, *, handle: str) -> Interpretation:
    """Read a message of a person. `handle` is our own name, with or without "@".

    Never raises. Code blocks and quoted text teach nothing. Every quote is an exact substring of
    the message.
    """
    said = spoken(message)
    name = re.escape(handle.lstrip("@"))
    mention = (
        rf"(?:@{name}(?:\[bot\])?(?![\w-])|{name}(?=\s*[,:：，])"
        rf"|<@[UW]\w{{1,20}}(?:\|[^>]{{0,80}})?>"
        r"|@(?-i:[UW][A-Z0-9]{6,14})\b)"
    )
    address = re.compile(rf"[\s\x00]*{_GREETING}{mention}[\s,:;.!：，、–—]*", re.IGNORECASE)
    start = 0
    while opening := address.match(said.text, start):
        start = opening.end()
    if elsewhere := _ELSEWHERE.fullmatch(said.text[start:].strip("\x00 \n\t")):
        return Interpretation(
            "unknown_command", unknown=_not_here(*elsewhere.group("verb", "repo"))
        )
    parsed = _parse(said.text[start:])
    if isinstance(parsed, Command) and (
        not _is_free_text(parsed, said.text[start:]) or _is_rule_added(said.text[start:], handle)
    ):
        return _from_command(parsed, message)
    reader = Reader(re.compile(rf"[\s,–—-]*{mention}[\s.!]*$", re.IGNORECASE))
    for clause in clauses_of(message, said.text, start):
        reader.read(clause)
    unknown = parsed if isinstance(parsed, UnknownCommand) else None
    wanted = reader.interpretation(unknown if _is_short(said.text[start:]) else None)
    if MATCH.doubts.search(said.text.replace("’", "'"), start):
        return _without_rules(wanted)
    return wanted


def _without_rules(wanted: Interpretation) -> Interpretation:
    """What is left of a message whose rules were said in jest, or to hear opinions."""
    kept = tuple(t for t in wanted.teachings if t.target_id is not None)
    if len(kept) == len(wanted.teachings):
        return wanted
    kind: InterpretationKind = "teach" if kept else "ask"
    if not kept and wanted.standing:
        kind = wanted.standing[0].kind
    return replace(wanted, kind=kind, teachings=kept, asks=True)


_ELSEWHERE = re.compile(
    r"(?:please )?(?P<verb>\w{4,10}) (?:rule |convention )?#?[CO]-?\d{1,9} (?:in|of|from|for|on|at)"
    r" (?:the )?(?:repo(?:sitory)? )?(?P<repo>[\w.-]{1,100}/[\w.-]{1,100})[\s.!]*",
    re.IGNORECASE,
)


def _not_here(verb: str, repository: str) -> UnknownCommand:
    return UnknownCommand(
        verb,
        f"I can {verb.lower()} only what belongs to this repository: name the id alone, or say it "
        f"on a pull request of {repository}.",
    )


_PLEASE = re.compile(
    r"\s*(?:(?:please|pls|plz|ok|okay|now|then|so|(?:can|could|would) you)[\s,]+)+", re.IGNORECASE
)


def _parse(text: str) -> Command | NotACommand | UnknownCommand:
    """A command, also when it is asked for politely: "please review again"."""
    parsed = parse_command(text)
    if not isinstance(parsed, Command) and (plain := plain_command(text.strip("\x00 \n\t"))):
        return plain
    polite = _PLEASE.match(text)
    if isinstance(parsed, NotACommand) and polite:
        again = parse_command(text[polite.end() :].rstrip(" ?\n\x00"))
        return again if isinstance(again, Command) else parsed
    return parsed


def _is_short(text: str) -> bool:
    return len(text.split()) <= _UNKNOWN_WORDS


def _is_free_text(command: Command, text: str) -> bool:
    """Whether what parses as a command is ordinary language: "add tests for this"."""
    if command.name not in _FREE_TEXT_COMMANDS:
        return False
    is_flagged = command.topic or command.mode or command.until or command.is_org
    if command.name == "edit" or command.paths or is_flagged:
        return False
    return not re.match(
        r"(?:repo:\S+\s+)?add\b\s*[:\"“”'‘«]", text.strip("\x00 \n\t"), re.IGNORECASE
    )


_ADDED = re.compile(r"[\s\x00]*(?:repo:\S+\s+)?add\s+", re.IGNORECASE)
_AS_A_RULE = re.compile(
    r"(?:always|never|use(?! cases?\b)|prefer|avoid|keep|don['’]?t|do not"
    r"|no(?! (?:more|tests?)\b))\b(?!-)",
    re.IGNORECASE,
)


def _is_rule_added(text: str, handle: str) -> bool:
    """Whether "add" stands before a rule ("add never use print"), not before work to be done."""
    added = _ADDED.match(text)
    if added is None:
        return False
    rule = text[added.end() :].strip("\x00 \n\t")
    if _AS_A_RULE.match(rule):
        return True
    taught = interpret(rule, handle=handle).teachings
    return bool(taught) and taught[0].kind == "teach" and rule.startswith(taught[0].quote)


def _from_command(command: Command, message: str) -> Interpretation:
    teachings: list[Teaching] = []
    if command.name in _FREE_TEXT_COMMANDS and command.text in message and command.text:
        kind: TeachingKind = "teach" if command.name == "add" else "correct"
        teaching = teaching_of(command.text, kind, command.mode or "enforce", command.ids)
        if command.topic:
            teaching = replace(teaching, topic=command.topic, topic_confidence="certain")
        teachings.append(replace(teaching, paths=command.paths))
    if command.name == "forget":
        teachings = [teaching_of(i, "forget", "enforce", (i,)) for i in command.ids]
        teachings = [replace(t, quote=_as_written(t.quote, message)) for t in teachings]
    return Interpretation("command", command, teachings=tuple(teachings))


def _as_written(convention_id: str, message: str) -> str:
    """The id as the person typed it: "c7"."""
    pattern = rf"#?{convention_id[0]}-?0*{convention_id[1:]}(?!\d)"
    found = re.search(pattern, message, re.IGNORECASE)
    return found[0] if found else convention_id
