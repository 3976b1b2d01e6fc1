"""What one clause wants, told by its words: the pure rules behind the reading of a message."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from graph.clauses import MAX_HEAD_CHARACTERS
from graph.commands import ids_in
from graph.conventions import Mode
from graph.named_changes import named_change, names_one_to_change
from graph.phrases import MATCH
from graph.phrases.guards import (
    ABOUT_PEOPLE,
    HERE,
    ONE_CASE,
    ONLY_WHEN,
    OPINION,
    SAID_EARLIER,
    TELLS,
)
from graph.phrases.table import Matcher
from graph.rules_in import split_rules
from graph.taught import NAMES_A_LIMIT
from graph.topics import topic_of


@dataclass(frozen=True)
class Found:
    """A stretch of a clause and what it is."""

    kind: Literal["teach", "correct", "forget", "instruction", "preference", "ask", "none"]
    start: int = 0
    end: int = 0
    mode: Mode = "enforce"
    ids: tuple[str, ...] = ()
    action: Literal["set", "withdraw", "list"] = "set"


NOTHING = Found("none")
ASKS = Found("ask")
BACK = Found("none", -1, -1)
"""The clause speaks of the one before it: "please remember that"."""

_SEPARATORS = " ,:;.!–—-：，、；。！・=*_"


def skip(pattern: re.Pattern[str] | Matcher, text: str, start: int, end: int) -> int:
    """Where the text goes on after every match of a pattern from `start` on."""
    while start < end and (match := pattern.match(text, start, end)) and match.end() > start:
        start = match.end()
    return start


def _after_separators(text: str, start: int, end: int) -> int:
    while start < end and text[start] in _SEPARATORS:
        start += 1
    return start


_MAX_LEADS = 4
"""Nobody says "remember: from now on: rule: ..." longer than this, but a machine may."""

_LIGHT_OPENERS = re.compile(
    r"(?:please|pls|plz|kindly|also|bitte|por favor|pfv|porfa|s'il te pla[iî]t|svp|stp|请"
    r"|麻烦)(?=[\s,:，]|[\u3400-\u9fff])[\s,:，]*",
    re.IGNORECASE,
)


def read_clause(
    text: str, start: int, end: int, leads: int, carry: str, is_item: bool
) -> list[Found]:
    """Everything one clause wants."""
    is_polite = False
    start = skip(_LIGHT_OPENERS if leads else MATCH.openers, text, start, end)
    if polite := MATCH.polite.match(text, start, end):
        is_polite = True
        start = skip(MATCH.openers, text, polite.end(), end)
    while end > start and (text[end - 1] in " ,;-–—" or (is_polite and text[end - 1] in "?？")):
        end -= 1
    if start >= end:
        return []
    head = min(end, start + MAX_HEAD_CHARACTERS)
    is_question = text[end - 1] in "?？" or bool(MATCH.questions.match(text, start, head))
    if standing := _read_standing(text, start, end, is_question):
        return [standing]
    if is_question and not leads:
        return [ASKS]
    if leads >= _MAX_LEADS:
        return rules_of(text, start, end, "teach")
    if found := (
        _read_forget(text, start, end)
        or _read_correction(text, start, end, leads)
        or _read_mode(text, start, end)
        or _read_lead_in(text, start, end, leads)
    ):
        return found
    if leads or MATCH.teach_kept.match(text, start, head) or _states_a_norm(text, start, head):
        return rules_of(text, start, end, "teach")
    is_chatter = MATCH.chatter.match(text, start, head) or MATCH.chatter.match(text, 0, head)
    if is_chatter and not (carry == "list" and is_item):
        return [NOTHING]
    if not carry and (after := _after_preamble(text, start, end)):
        return read_clause(text, after, end, leads, carry, is_item)
    is_rule = bool(MATCH.rule_like.search(text[start:head])) and not MATCH.asides.match(text, start)
    if (carry == "list" and is_item) or (carry and is_rule):
        return rules_of(text, start, end, "teach")
    return [ASKS]


def _states_a_norm(text: str, start: int, end: int) -> bool:
    """ "Nobody may push to main", but not "nobody may touch this today"."""
    return bool(MATCH.norms.match(text, start, end)) and not ONE_CASE.search(text, start, end)


_PREAMBLE = re.compile(
    r"(?![\"'])(?:[^\s,:;.!?\"`]{1,30} ){0,4}[^\s,:;.!?\"`]{1,30}[,:;!–—-]{1,3}\s+"
    r"|(?![\"'])(?:[^\s:;.!?\"`]{1,30} ){4,11}[^\s:;.!?\"`]{1,30}:\s+"
    r"|[^\s,:;.!?，：。\"'`]{1,12}[，：]\s*"
)


def _after_preamble(text: str, start: int, end: int) -> int:
    """Where a lead-in begins after a few words of address: "Quick one, team: from now on ..."."""
    preamble = _PREAMBLE.match(text, start, end)
    if preamble is None:
        return 0
    at = preamble.end()
    is_rule = MATCH.teach_kept.match(text, at, end) or _states_a_norm(text, at, end)
    if ":" in preamble.group() and is_rule:
        return 0 if TELLS.match(text, start) else at
    if MATCH.asides.match(text, start, end):
        return 0
    if MATCH.lookalikes.match(text, at, end) or not MATCH.teach.match(text, at, end):
        return 0
    return at


def _read_lead_in(text: str, start: int, end: int, leads: int) -> list[Found]:
    """Cut a lead-in and read what it leads to."""
    if MATCH.lookalikes.match(text, start, end):
        return [ASKS]
    lead = MATCH.teach.match(text, start, end)
    if lead is None:
        lead = MATCH.teach_weak.match(text, start, end)
        if lead is None or not MATCH.rule_like.search(text[lead.end() : end].lstrip(_SEPARATORS)):
            return []
    rest = _after_separators(text, lead.end(), end)
    if rest >= end or ONLY_WHEN.fullmatch(text, rest, end):
        return [BACK]
    if ABOUT_PEOPLE.match(text, rest, end) or OPINION.match(text, rest, end):
        return [ASKS]
    if not leads and _is_bare_noun(text[lead.start() : lead.end()], text[rest:end]):
        return [ASKS]
    return read_clause(text, rest, end, leads + 1, "", False)


_BARE_LEAD = re.compile(r"(?:please )?\w+$", re.IGNORECASE)


def _is_bare_noun(lead: str, rest: str) -> bool:
    """ "Remember the milk" names a thing and says nothing about it."""
    is_thing = re.match(r"(?:the|a|an|my|our|your|that|this)\b", rest, re.IGNORECASE)
    if not _BARE_LEAD.fullmatch(lead.strip(" ")) or not is_thing:
        return False
    return not (MATCH.rule_like.search(rest) or re.search(r"\d", rest))


_ITSELF = re.compile(r"this (?:pr|pull request|mr|branch)", re.IGNORECASE)
"""Words about the pull request as such: "rebase this PR", "ignore this PR"."""


def _read_standing(text: str, start: int, end: int, is_question: bool) -> Found | None:
    if MATCH.instruction_lists.match(text, start, end):
        return Found("instruction", start, end, action="list")
    if is_question:
        return None
    stop = _without_full_stop(text, start, end)
    lead = MATCH.teach.match(text, start, end)
    after_lead = _after_separators(text, lead.end(), end) if lead else start
    for at in {start, after_lead}:
        if MATCH.preferences.match(text, at, end):
            return Found("preference", at, stop)
    if MATCH.instruction_withdrawals.match(text, start, end):
        return Found("instruction", start, stop, action="withdraw")
    once = MATCH.once.search(text, start, end)
    if once is None:
        return None
    rest = MATCH.once.sub(" ", text[after_lead:end])
    if _ITSELF.fullmatch(once.group()) or not MATCH.once_orders.search(rest):
        return ASKS
    return Found("instruction", after_lead, stop)


_ENDS_RULE = re.compile(
    r"\s*(?:$|[,.;!)]|[\u3040-\u30ff\u3400-\u9fff]|(?:for|in|on|about|of|that|again|from|since"
    r"|now|we|which"
    r"|too|with|against|sur|de|du|des|del|da|do|das|dos|sobre|zu|zur|zum|über|für|mit|bei|por"
    r"|para|em|en|à"
    r"|qui|que|die|der|d')(?:\b|$))",
    re.IGNORECASE,
)


def _read_forget(text: str, start: int, end: int) -> list[Found]:
    ids = ids_in(text[start:end])
    stop = _without_full_stop(text, start, end)
    if names_one_to_change(text, start, stop):
        return []
    if MATCH.forget_kept.match(text, start, end):
        return [Found("forget", start, stop, ids=(i,)) for i in ids] or [
            Found("forget", start, stop)
        ]
    verb = MATCH.forget.match(text, start, end)
    if verb is None:
        return []
    described = text[verb.end() : stop]
    if ids:
        return [Found("forget", verb.end(), stop, ids=(i,)) for i in ids]
    names_rule = any(
        _ENDS_RULE.match(described, m.end())
        for m in MATCH.forget_nouns.finditer(described)
    )  # fmt: skip
    topic, is_certain = topic_of(described)
    is_limit = "limit" in described.lower() and not NAMES_A_LIMIT.search(described)
    if SAID_EARLIER.search(verb.group()):
        return [Found("forget", verb.end(), stop)]
    if names_rule and not (is_limit and topic != "line_length"):
        return [Found("forget", verb.end(), stop)]
    if is_certain and len(described.split()) <= 6 and MATCH.forget_about.match(text, start, end):
        return [Found("forget", verb.end(), stop)]
    return []


def _read_correction(text: str, start: int, end: int, leads: int) -> list[Found]:
    if (named := named_change(text, start, _without_full_stop(text, start, end))) is not None:
        first, stop, convention_id = named
        return [Found("correct", first, stop, ids=convention_id) if first < stop else ASKS]
    opener = MATCH.correct_openers.match(text, start, end)
    at = opener.end() if opener else start
    at = skip(MATCH.openers, text, at, end) if opener else at
    if at >= end:
        return []
    if opener is None and not MATCH.correct.match(text, at, end):
        return []
    stop = _without_full_stop(text, at, end)
    words = text[at:stop]
    topic, is_certain = topic_of(words)
    if MATCH.correct.match(text, at, end) and not HERE.search(words):
        is_about_memory = topic == "line_length" or NAMES_A_LIMIT.search(words)
        if (
            opener
            or is_about_memory
            or not re.match(r"(?:please )?\w+ (?:up )?(?:the|our)\b", words)
        ):
            return [Found("correct", *_new_value(text, at, stop))]
    if opener is None:
        return []
    if lead := _read_lead_in(text, at, end, leads + 1):
        return [replace(f, kind="correct") if f.kind == "teach" else f for f in lead]
    has_number = bool(re.search(r"\d", words) or _COUNTED.search(words))
    is_said = has_number or bool(MATCH.correct_words.search(words))
    if _ANNOUNCED.search(opener.group()):
        is_said = is_said or bool(MATCH.rule_like.search(words))
        is_certain = is_certain or has_number
    is_limit = bool(has_number and NAMES_A_LIMIT.search(words))
    is_said = is_said and not (MATCH.asides.match(text, at, end) and not _CONTRAST.match(words))
    if is_said and not HERE.search(words) and (is_certain or is_limit or topic == "line_length"):
        return [Found("correct", *_new_value(text, at, stop))]
    return []


_CONTRAST = re.compile(
    r"it(?:'s| is| should be) [^.?]{2,80}\b(?:not|instead of|rather than)\b", re.I
)
"""What it is and what it isn't: more than a remark."""

_COUNTED = re.compile(
    r"\b(?:one|two|three|four|five|six|eight|ten|twelve|twenty|hundred) (?:spaces?|tabs?|blank"
    r" lines?|char\w*|col\w*|lines?|approvals?|reviewers?|seconds?|retries)\b",
    re.IGNORECASE,
)
"""A number in words, with what it counts: a "one" alone is seldom a number."""

_ANNOUNCED = re.compile(r"corre[ck]|korrektur|更正|纠正|修正|訂正|rectif", re.IGNORECASE)
_INSTEAD_FIRST = re.compile(
    r"(?:instead of|en vez de|en lugar de|em vez de|ao invés de|statt|au lieu"
    r" de)\s+\d+(?:\s\w+)??,?\s+"
    r"(?=(?:please |we |now |bitte )*(?:use|usa|usar|usamos|usem|utilis\w+|100|\D+\d))",
    re.IGNORECASE,
)
_INSTEAD_LAST = re.compile(
    r",?\s+(?:instead(?: of \d+(?: \w+)?)?|rather than \d+(?: \w+)?|(?:and )?not \d+(?: \w+)?"
    r"|statt \d+"
    r"|(?:y )?no \d+|em vez de \d+|en vez de \d+|e não \d+|(?:et )?pas \d+|nicht \d+)$",
    re.IGNORECASE,
)


def _new_value(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out the old number where it can be cut off: "instead of 88 use 100" -> "use 100"."""
    if first := _INSTEAD_FIRST.match(text, start, end):
        start = first.end()
    if (last := _INSTEAD_LAST.search(text, start, end)) and re.search(
        r"\d", text[start : last.start()]
    ):
        end = last.start()
    return start, end


def _read_mode(text: str, start: int, end: int) -> list[Found]:
    """Rules that ask for silence, and facts."""
    if MATCH.ignore.match(text, start, end) and not HERE.search(text, start, end):
        return [Found("teach", start, _without_full_stop(text, start, end), "ignore")]
    if fact := MATCH.context.match(text, start, end):
        rest = _after_separators(text, fact.end(), end)
        if told := _told_by_the_way(text, rest, end):
            return told
        if MATCH.context_subjects.match(text, rest, end):
            return [Found("teach", rest, _without_full_stop(text, rest, end), "context")]
        return [ASKS]
    return []


def _told_by_the_way(text: str, start: int, end: int) -> list[Found]:
    """ "FYI, nobody may push to main" is more than background."""
    found = read_clause(text, start, end, 0, "", False) if start < end else []
    return found if any(f.kind in {"teach", "correct", "forget"} for f in found) else []


def rules_of(text: str, start: int, end: int, kind: Literal["teach", "correct"]) -> list[Found]:
    """One rule, or the several that a sentence joins."""
    start = _after_separators(text, start, end)
    stop = _without_full_stop(text, start, end)
    if not any(c.isalnum() for c in text[start:stop]):
        return [BACK]
    found = []
    for first, last in split_rules(text, start, stop):
        mode: Mode = "ignore" if MATCH.ignore.match(text, first, last) else "enforce"
        found.append(Found(kind, first, last, mode))
    return found


def _without_full_stop(text: str, start: int, end: int) -> int:
    """The end of the rule's words: a closing full stop or "!" is punctuation of the message."""
    while end > start and text[end - 1] in " .!。！;；,，":
        if text[end - 1] == "." and text[max(start, end - 3) : end] in {"...", "tc."}:
            break
        end -= 1
    return end
