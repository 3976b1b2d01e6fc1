"""From a person's own words to a check, or to nothing: a wrong check is worse than none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graph.checks import (
    phrases_change,
    phrases_companions,
    phrases_forbidden,
    phrases_format,
    phrases_line_length,
    phrases_naming,
    phrases_structure,
)
from graph.checks.homes import at_home
from graph.checks.languages import language_of
from graph.checks.parser_clauses import clauses, subject_cut
from graph.checks.parser_grammar import Grammar
from graph.checks.parser_proposals import ProposalError, validate_proposal
from graph.checks.specs import (
    Check,
    FinalNewline,
    ForbiddenCall,
    ForbiddenImport,
    ForbiddenPath,
    ForbiddenSyntax,
    ForbiddenText,
    ForbiddenTodo,
    Indentation,
    LineEndings,
    MaxFunctionLines,
    MaxNesting,
    MaxParameters,
    Naming,
    QuoteStyle,
    RequiredCompanion,
    RequiredDocstring,
    RequiredPattern,
    RequiredTypes,
    TrailingWhitespace,
)
from graph.places import MIGRATION_GLOBS, place_words
from graph.scopes import Cut, find_cuts, joined_paths
from graph.words import Token, folded, tokens_of

__all__ = ["ParsedCheck", "ProposalError", "describe_parsed", "parse_check", "validate_proposal"]

MAX_CHECKED_CHARACTERS = 400
"""Longer text says more than one check can hold."""

MAX_TOKENS = 80

GRAMMARS: tuple[Grammar, ...] = (
    *phrases_line_length.GRAMMARS,
    *phrases_format.GRAMMARS,
    *phrases_forbidden.GRAMMARS,
    *phrases_structure.GRAMMARS,
    *phrases_naming.GRAMMARS,
    *phrases_change.GRAMMARS,
    *phrases_companions.GRAMMARS,
)

_VOCABULARY = frozenset(word for grammar in GRAMMARS for word in grammar.lexicon.vocabulary)
"""Every word that some phrase has: most sentences of prose are done with at a first look."""

_WITH_INSTEAD = (ForbiddenCall, ForbiddenImport, ForbiddenSyntax, ForbiddenText)
_OF_PLACES = (*_WITH_INSTEAD, ForbiddenTodo, TrailingWhitespace, FinalNewline)
_TURNED_BY_ONLY = (*_WITH_INSTEAD, ForbiddenTodo, Indentation, QuoteStyle, LineEndings)

_OF_SYNTAX = (ForbiddenCall, ForbiddenImport, ForbiddenSyntax, QuoteStyle, MaxFunctionLines,
              MaxParameters, MaxNesting, Naming, RequiredDocstring, RequiredTypes)  # fmt: skip


@dataclass(frozen=True)
class ParsedCheck:
    """A check that the words say with certainty, and the globs of their scope (empty: all)."""

    check: Check
    paths: tuple[str, ...]


def parse_check(rule: str) -> ParsedCheck | None:
    """The check that `rule` states, or None for what code can't decide with certainty.

    Every word of the rule is accounted for: a soft limit, a condition, a second requirement or a
    word that no grammar knows leaves the rule a plain convention. Never raises.
    """
    if len(rule) > MAX_CHECKED_CHARACTERS:
        return None
    tokens = _prepared(tokens_of(_undecorated(folded(rule))))
    if not tokens or len(tokens) > MAX_TOKENS or any(token.key == "?" for token in tokens):
        return None
    found = list(
        dict.fromkeys(
            replace(reading, check=at_home(reading.check, rule, reading.paths))
            for reading in _readings(tokens)
        )
    )
    return found[0] if len(found) == 1 else None


def describe_parsed(parsed: ParsedCheck) -> str:
    """What will be flagged and where, as it is told to the person who stated the rule."""
    inside = tuple(glob for glob in parsed.paths if not glob.startswith("!"))
    outside = tuple(glob[1:] for glob in parsed.paths if glob.startswith("!"))
    where = f" {place_words(inside)}" if inside else ""
    except_where = f", except {place_words(outside)}" if outside else ""
    return f"I'll flag {parsed.check.describe()}{where}{except_where}."


_DECORATION = re.compile(
    r"""
    ^\s*(?:\d+(?:\.\d+)+\.?\s+|[✅✔☑]\ufe0f?\s*)
    |^\s*[❌🚫⛔⚠]\ufe0f?\s*(?=(?:never|no|don't|do\ not|avoid)\b)
    |\s*\((?:[A-Z]{1,4}\d{2,4}|`?eslint[^()]*|(?:e\.g\.|(?:for\ )?example[:,])[^()]*)\)(?=\W*$)
    |[.\s]*\beslint:\s*`[\w@/-]+`\s*$
    """,
    re.IGNORECASE | re.VERBOSE,
)


def _undecorated(rule: str) -> str:
    """Without what guides put round a rule: its number, a tick, the linter's name for it."""
    return _DECORATION.sub("", rule)


def _readings(tokens: Sequence[Token]) -> Iterator[ParsedCheck]:
    """Each way to read the rule: its places as its scope, as its subject, or as its object."""
    cuts = find_cuts(tokens)
    paths = joined_paths(cuts)
    if paths is not None:
        for check in _checks(_left(tokens, cuts)):
            if not _turned_round(check, cuts) and not _sees_nothing(check, paths):
                yield ParsedCheck(check, paths or _own_paths(check))
    if cuts:
        for check in _checks(tokens):
            if isinstance(check, ForbiddenPath | RequiredCompanion):
                yield ParsedCheck(check, ())
    subject = subject_cut(tokens)
    if subject is not None and not cuts:
        for check in _checks(_left(tokens, [subject])):
            if isinstance(check, _OF_PLACES):
                yield ParsedCheck(check, subject.globs)


def _checks(tokens: Sequence[Token]) -> Iterator[Check]:
    for clause in clauses(tokens):
        if any(token.kind == "word" and token.key not in _VOCABULARY for token in clause.tokens):
            continue
        for grammar in GRAMMARS:
            for check in grammar.parse(clause.tokens):
                if not clause.instead:
                    yield check
                elif isinstance(check, _WITH_INSTEAD):
                    yield replace(check, instead=clause.instead)


def _turned_round(check: Check, cuts: Sequence[Cut]) -> bool:
    """Whether "only" may turn the rule round: "no print, only in tests" allows it there."""
    return isinstance(check, _TURNED_BY_ONLY) and any(cut.only and cut.start for cut in cuts)


def _sees_nothing(check: Check, paths: Sequence[str]) -> bool:
    """Whether the check reads syntax and the rule is for files whose syntax nobody here reads.

    "CSS classes in kebab-case" would be told as checked, and nothing would ever be found.
    """
    if not isinstance(check, _OF_SYNTAX) or (isinstance(check, Naming) and check.target == "file"):
        return False
    endings = [glob.rpartition("*")[2] for glob in paths if not glob.startswith("!")]
    named = endings and all(re.fullmatch(r"\.\w+", ending) for ending in endings)
    return bool(named) and not any(language_of(f"file{ending}") for ending in endings)


def _own_paths(check: Check) -> tuple[str, ...]:
    """A down step is asked of migrations without anybody saying where those are."""
    return MIGRATION_GLOBS if isinstance(check, RequiredPattern) else ()


def _prepared(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without the hyphens that join two words ("line-length", "88-character")."""
    return [
        token
        for at, token in enumerate(tokens)
        if not (
            token.key in {"-", "‑"}
            and token.glued
            and at + 1 < len(tokens)
            and tokens[at + 1].glued
        )
    ]


def _left(tokens: Sequence[Token], cuts: Sequence[Cut]) -> list[Token]:
    """The tokens that no scope took."""
    taken = {index for cut in cuts for index in range(cut.start, cut.end)}
    return [token for index, token in enumerate(tokens) if index not in taken]
