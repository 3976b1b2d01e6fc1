"""From a person's own words to a check, or to nothing: a wrong check is worse than none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph.checks import phrases_line_length
from graph.checks.parser_grammar import Grammar
from graph.checks.specs import Check
from graph.scopes import Cut, find_cuts, joined_paths
from graph.words import Token, folded, tokens_of

MAX_CHECKED_CHARACTERS = 400
"""Longer text says more than one check can hold."""

MAX_TOKENS = 80

GRAMMARS: tuple[Grammar, ...] = (*phrases_line_length.GRAMMARS,)


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
    tokens = _prepared(tokens_of(folded(rule)))
    if not tokens or len(tokens) > MAX_TOKENS or any(token.key == "?" for token in tokens):
        return None
    cuts = find_cuts(tokens)
    paths = joined_paths(cuts)
    found = [] if paths is None else list(_checks(_left(tokens, cuts)))
    distinct = list(dict.fromkeys(found))
    if len(distinct) != 1 or paths is None:
        return None
    return ParsedCheck(distinct[0], paths)


def _checks(tokens: Sequence[Token]) -> Iterator[Check]:
    for grammar in GRAMMARS:
        yield from grammar.parse(tokens)


def _prepared(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without the hyphens that join two words ("line-length", "88-character")."""
    return [
        token
        for token, following in zip(tokens, [*tokens[1:], None], strict=True)
        if not (token.key in "-‑" and token.glued and following is not None and following.glued)
    ]


def _left(tokens: Sequence[Token], cuts: Sequence[Cut]) -> list[Token]:
    """The tokens that no scope took."""
    taken = {index for cut in cuts for index in range(cut.start, cut.end)}
    return [token for index, token in enumerate(tokens) if index not in taken]
