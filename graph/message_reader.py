"""Reads a message clause by clause, because a lead-in holds for what follows it."""

from __future__ import annotations

import re
from typing import Literal

from graph.clauses import Clause, announced, without_slips
from graph.commands import UnknownCommand, unquoted
from graph.meanings import ASKS, BACK, NOTHING, Found, read_clause, rules_of, skip
from graph.phrases import MATCH
from graph.phrases.guards import JEST
from graph.taught import (
    Interpretation,
    InterpretationKind,
    Standing,
    StandingKind,
    Teaching,
    TeachingKind,
    teaching_of,
    with_topic_of_lead,
)
from graph.topics import topic_of

_PREAMBLE = re.compile(r"(?=[^:]* )[^:.!?]{3,60}:\s+")
"""Before the rule in a sentence that "remember that" speaks of."""

_KEEP = re.compile(r"\b(?:remember|note|save|forget|keep)\b[^?]*$", re.IGNORECASE)
"""Asks in so many words to be kept: then "I'd prefer" before it is politeness, and no doubt."""

_TAIL_CHARACTERS = 100
"""Where courtesies and "from now on" are looked for at the end of a clause."""

_NO_RULE = UnknownCommand(
    "remember",
    'Write the rule in plain words after it: "remember: never log access tokens". Code blocks and '
    "quoted text don't become rules.",
)

_STATEMENT = re.compile(r"(?:we|our|the team|nobody|no ?one|everyone|everybody)\b", re.IGNORECASE)

_LONGEST_WORD = 30
"""A longer run of letters is no word, and gets the answer for what is too long."""

_SHORT_CHARACTERS = 25
"""A shorter sentence that does not read like a rule is an exclamation."""


class Reader:
    """Reads the clauses of one message in order, because a lead-in holds for what follows it."""

    def __init__(self, mention_at_end: re.Pattern[str]) -> None:
        self._mention_at_end = mention_at_end
        self._teachings: list[Teaching] = []
        self._standing: list[Standing] = []
        self._asks = False
        self._carry: Literal["", "sentences", "list"] = ""
        self._has_items = False
        self._announced = False
        self._before: Clause | None = None
        self._is_bare = False

    def interpretation(self, unknown: UnknownCommand | None) -> Interpretation:
        if self._is_bare and not self._teachings and not self._standing:
            return Interpretation("unknown_command", unknown=_NO_RULE)
        is_vague = all(t.kind == "forget" and t.topic == "other" for t in self._teachings)
        if unknown and self._teachings and is_vague:
            return Interpretation("unknown_command", unknown=unknown)
        if self._teachings:
            kind: InterpretationKind = "teach"
        elif self._standing:
            kind = self._standing[0].kind
        elif unknown and self._asks:
            return Interpretation("unknown_command", unknown=unknown)
        else:
            kind = "ask" if self._asks else "none"
        return Interpretation(
            kind,
            teachings=tuple(self._teachings),
            standing=tuple(self._standing),
            asks=self._asks,
        )

    def read(self, clause: Clause) -> None:
        self._leave_scope(clause)
        if self._announced:
            clause = announced(clause)
        self._announced = bool(MATCH.correct_openers.fullmatch(clause.text))
        carry = self._carry
        wants = self._classify(clause)
        if wants == [ASKS] and (corrected := without_slips(clause)):
            clause, wants = corrected, self._classify(corrected)
        if not carry and self._answers_a_question(wants, clause):
            wants, self._carry = [ASKS], ""
        for found in wants:
            self._keep(found, clause)
        self._before = clause

    def _answers_a_question(self, wants: list[Found], clause: Clause) -> bool:
        """ "Why? We never use print here." argues; "Why? Remember: never use print" teaches."""
        if self._before is None or not self._before.text.endswith(("?", "？")) or not wants:
            return False
        start = skip(MATCH.openers, clause.text, 0, len(clause.text))
        is_bare = wants[0].kind == "teach" and wants[0].start <= start
        return is_bare and bool(_STATEMENT.match(clause.text, start))

    def _leave_scope(self, clause: Clause) -> None:
        """A heading holds until its list ends, a sentence's lead-in until its paragraph ends."""
        is_in_list = self._carry == "list"
        if is_in_list and clause.is_item:
            self._has_items = True
        elif (is_in_list and self._has_items) or (clause.opens_paragraph and not is_in_list):
            self._carry = ""

    def _keep(self, found: Found, clause: Clause) -> None:
        quote = unquoted(clause.cut(found.start, found.end))
        if found.kind == "ask":
            self._asks = True
        elif found.kind in {"instruction", "preference"}:
            kind: StandingKind = "instruction" if found.kind == "instruction" else "preference"
            self._standing.append(Standing(kind, found.action, quote))
        elif found.kind in {"teach", "correct", "forget"} and quote:
            kinds: dict[str, TeachingKind] = {
                "teach": "teach", "correct": "correct", "forget": "forget",
            }  # fmt: skip
            if found.kind == "teach" and (_is_one_word(quote) or _is_jest(quote)):
                self._asks = True
                return
            teaching = teaching_of(quote, kinds[found.kind], found.mode, found.ids)
            self._teachings.append(with_topic_of_lead(teaching, clause.text[: found.start]))

    def _classify(self, clause: Clause) -> list[Found]:
        text = clause.text
        if MATCH.teach_headings.fullmatch(text) and self._is_heading(clause):
            self._carry, self._has_items = "list", False
            self._is_bare = self._before is None and bool(MATCH.teach.match(text))
            return []
        start, end, leads, is_asked_for = 0, len(text), 0, False
        first = skip(MATCH.openers, text, start, end)
        while True:
            tail = max(start, end - _TAIL_CHARACTERS)
            ending = self._mention_at_end.search(text, tail, end)
            ending = ending or MATCH.courtesies.search(text, tail, end)
            if ending and ending.start() > start:
                end = ending.start()
                continue
            ending = MATCH.teach_after.search(text, max(first, tail), end)
            if ending is None or ending.start() <= first:
                break
            end, leads = ending.start(), 1
            is_asked_for = is_asked_for or bool(_KEEP.search(ending.group()))
        if MATCH.reported.match(text, start, end):
            return [ASKS]
        if MATCH.hedges.match(text, first, end) and not is_asked_for:
            return [ASKS]
        if MATCH.refusals.match(text, first):
            self._carry = ""
            return [NOTHING]
        self._is_bare = False
        found = read_clause(text, start, end, leads, self._carry, clause.is_item)
        if found and found[0].kind == "teach" and not self._carry:
            self._carry = "sentences"
        return self._teach_before() if found == [BACK] else found

    def _is_heading(self, clause: Clause) -> bool:
        return clause.text.rstrip(" *_").endswith((":", "：")) or self._before is None

    def _teach_before(self) -> list[Found]:
        """ "Max line length is 88. Please remember that." teaches the sentence before it."""
        before = self._before
        if before is None:
            self._is_bare = True
        if before is None or self._teachings:
            return [ASKS]
        text = before.text
        start = skip(MATCH.openers, text, 0, len(text))
        if preamble := _PREAMBLE.match(text, start):
            start = preamble.end()
        is_doubtful = MATCH.hedges.match(text, start) or MATCH.reported.match(text, start)
        is_rule = not text.endswith(("?", "？")) and (
            MATCH.rule_like.search(text[start:])
            or (len(text) - start > _SHORT_CHARACTERS and not MATCH.asides.match(text, start))
        )
        if is_doubtful or not is_rule:
            return [ASKS]
        self._asks = False
        for found in rules_of(text, start, len(text), "teach"):
            self._keep(found, before)
        return []


def _is_jest(quote: str) -> bool:
    """Whether it speaks of people and their coffee, and neither of code nor of the work on it."""
    return bool(JEST.search(quote)) and "`" not in quote and not topic_of(quote)[1]


def _is_one_word(quote: str) -> bool:
    """Whether it is the name of something, and no rule about it."""
    return quote.isascii() and quote.isalpha() and len(quote) <= _LONGEST_WORD
