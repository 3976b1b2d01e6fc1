"""Clauses round the core of a rule: the reason for it, what to use instead, and its subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph.places import place_at
from graph.scopes import Cut
from graph.words import Token

_NEVER_USE = (Token("word", "never", 0, 0), Token("word", "use", 0, 0))
_REASONS = (("because",), ("so", "that"), ("in", "order", "to"), ("as", "it"), ("since", "it"))
_FIRST_OF_A_REASON = frozenset(words[0] for words in _REASONS)
_NOT_IN_A_REASON = frozenset({"except", "unless", "if", "when", "only", "but", "however", "though",
                              "although", "otherwise", "instead", "prefer", "ideally"})  # fmt: skip
_NOT_INSTEAD = frozenset({"in", "for", "when", "if", "unless", "except", "only", "to", "where",
                          "not", "never", "no", "of", "with", "but", "because", "at",
                          "under"})  # fmt: skip
_OPENINGS = frozenset({"please", "always", "we", "must", "should", "you", "and", "also"})
_SEPARATORS = frozenset({",", ";", ".", "-", "–", "—", "(", ":", "and", "but"})
_CLOSE_SEPARATORS = frozenset({",", ";", "-", "–", "—", "(", ":"})
"""Behind a full stop or "and", "use X" without "instead" is a rule of its own."""
_MODALS = frozenset({"must", "should", "may", "can", "cannot", "shall", "do", "never", "don't",
                     "mustn't", "shouldn't", "can't", "not"})  # fmt: skip
_LONGEST_REPLACEMENT = 6


@dataclass(frozen=True)
class Clause:
    """The tokens of the rule's core, and what the rule says to use instead (or "")."""

    tokens: tuple[Token, ...]
    instead: str = ""


def clauses(tokens: Sequence[Token]) -> Iterator[Clause]:
    """The rule itself, and where it names a replacement, the prohibition that it implies."""
    core = _without_reason(tokens)
    yield Clause(core)
    for split in (_use_instead_of(core), _instead_at_the_end(core)):
        if split is not None:
            yield split


def subject_cut(tokens: Sequence[Token]) -> Cut | None:
    """The place that is the subject of a prohibition: "Tests must not call sleep()"."""
    start = 0
    while start < len(tokens) and tokens[start].key in {"all", "the", "our", "your"}:
        start += 1
    place = place_at(tokens, start)
    if place is None:
        return None
    globs, used = place
    end = start + used
    follows = tokens[end].key if end < len(tokens) else ""
    return Cut(start, end, globs) if follows in _MODALS else None


def _without_reason(tokens: Sequence[Token]) -> tuple[Token, ...]:
    for at in range(2, len(tokens) - 1):
        for words in _REASONS if tokens[at].key in _FIRST_OF_A_REASON else ():
            if tuple(token.key for token in tokens[at : at + len(words)]) == words:
                tail = tokens[at:]
                harmless = not any(
                    token.kind == "number" or token.key in _NOT_IN_A_REASON for token in tail
                )
                single = all(token.key not in {".", ";"} for token in tail[:-1])
                return tuple(tokens[:at]) if harmless and single else tuple(tokens)
    return tuple(tokens)


def _use_instead_of(tokens: Sequence[Token]) -> Clause | None:
    """ "Use A instead of B" forbids B; so do "use A rather than B" and "use A, not B"."""
    start = 0
    while start < len(tokens) and tokens[start].key in _OPENINGS:
        start += 1
    if start >= len(tokens) or tokens[start].key != "use":
        return None
    for at in range(start + 2, len(tokens) - 1):
        pair = (tokens[at].key, tokens[at + 1].key)
        if pair in {("instead", "of"), ("rather", "than"), (",", "not"), (",", "never")}:
            replacement = _replacement(tokens[start + 1 : at])
            forbidden = tuple(tokens[at + 2 :])
            return Clause((*_NEVER_USE, *forbidden), replacement) if replacement else None
    return None


def _instead_at_the_end(tokens: Sequence[Token]) -> Clause | None:
    """ "Don't use B, use A instead" and "no B; use A"."""
    end = len(tokens)
    while end and tokens[end - 1].key in {".", "!", ")"}:
        end -= 1
    said_instead = end > 0 and tokens[end - 1].key == "instead"
    end -= said_instead
    for at in range(end - 2, max(1, end - 3 - _LONGEST_REPLACEMENT), -1):
        if tokens[at].key in {"favor", "favour"} and tokens[at + 1].key == "of":
            replacement = _replacement(tokens[at + 2 : end])
            return Clause(tuple(tokens[: at - 1]), replacement) if replacement else None
        if tokens[at].key == "use" and at > 2:
            core = list(tokens[:at])
            while core and core[-1].key in {"please", "you", "should", "must", "always"}:
                core.pop()
            separator = core[-1].key if core else ""
            separated = separator in (_SEPARATORS if said_instead else _CLOSE_SEPARATORS)
            while core and core[-1].key in _SEPARATORS:
                core.pop()
            replacement = _replacement(tokens[at + 1 : end])
            return Clause(tuple(core), replacement) if separated and replacement else None
    return None


def _replacement(tokens: Sequence[Token]) -> str:
    """The words of a replacement, or "" when they say more than a name."""
    tokens = [token for token in tokens if token.key not in {"the", "a", "an"}]
    if not 1 <= len(tokens) <= _LONGEST_REPLACEMENT:
        return ""
    odd = any(
        token.kind in {"number", "decimal"}
        or token.key in _NOT_INSTEAD
        or (token.kind == "mark" and token.key not in {"-", "/", "!"})
        for token in tokens
    )
    return "" if odd else _joined(tokens)


def _joined(tokens: Sequence[Token]) -> str:
    """The text of the tokens, with the hyphens that joined them ("date-fns")."""
    text, end = "", 0
    for token in tokens:
        hyphened = text and token.glued and token.start == end + 1
        glued = token.glued and token.start == end
        text += ("-" if hyphened else "" if glued or not text else " ") + token.text
        end = token.end
    return text
