"""What a message wants from the team's memory, recognised by code: teach, correct, forget."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from typing import Literal

from graph.clauses import MAX_HEAD_CHARACTERS, Clause, clauses_of
from graph.commands import Command, NotACommand, UnknownCommand, ids_in, parse_command, unquoted
from graph.conventions import Mode, Topic
from graph.phrases import MATCH
from graph.phrases.table import Matcher
from graph.quotes import spoken
from graph.rules_in import split_rules
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


_GREETING = r"(?:(?:hey|hi|hello|ok|okay|yo|dear|hola|hallo|olá|oi|bonjour|salut|你好|こんにちは)[\s,!，]*)?"
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
        rf"(?:@{name}(?:\[bot\])?(?![\w-])|{name}(?=\s*[,:：，])|<@[UW]\w{{1,20}}(?:\|[^>]{{0,80}})?>"
        r"|@(?-i:[UW][A-Z0-9]{6,14})\b)"
    )
    address = re.compile(rf"[\s\x00]*{_GREETING}{mention}[\s,:;.!：，、–—]*", re.IGNORECASE)
    start = 0
    while opening := address.match(said.text, start):
        start = opening.end()
    parsed = _parse(said.text[start:])
    if isinstance(parsed, Command) and not _is_free_text(parsed, said.text[start:]):
        return _from_command(parsed, message)
    reader = _Reader(re.compile(rf"[\s,–—-]*{mention}[\s.!]*$", re.IGNORECASE))
    for clause in clauses_of(message, said.text, start):
        reader.read(clause)
    unknown = parsed if isinstance(parsed, UnknownCommand) else None
    return reader.interpretation(unknown if _is_short(said.text[start:]) else None)


_PLEASE = re.compile(
    r"\s*(?:(?:please|pls|plz|ok|okay|now|then|so|(?:can|could|would) you)[\s,]+)+", re.IGNORECASE
)


def _parse(text: str) -> Command | NotACommand | UnknownCommand:
    """A command, also when it is asked for politely: "please review again"."""
    parsed = parse_command(text)
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
    if command.name == "edit" or command.paths or command.topic or command.mode:
        return False
    return not re.match(
        r"(?:repo:\S+\s+)?add\b\s*[:\"“”'‘«]", text.strip("\x00 \n\t"), re.IGNORECASE
    )


def _from_command(command: Command, message: str) -> Interpretation:
    teachings: list[Teaching] = []
    if command.name in _FREE_TEXT_COMMANDS and command.text in message and command.text:
        kind: TeachingKind = "teach" if command.name == "add" else "correct"
        teaching = _teaching(command.text, kind, command.mode or "enforce", command.ids)
        if command.topic:
            teaching = replace(teaching, topic=command.topic, topic_confidence="certain")
        teachings.append(replace(teaching, paths=command.paths))
    if command.name == "forget":
        teachings = [_teaching(i, "forget", "enforce", (i,)) for i in command.ids]
        teachings = [replace(t, quote=_as_written(t.quote, message)) for t in teachings]
    return Interpretation("command", command, teachings=tuple(teachings))


def _as_written(convention_id: str, message: str) -> str:
    """The id as the person typed it: "c7"."""
    pattern = rf"#?{convention_id[0]}-?0*{convention_id[1:]}(?!\d)"
    found = re.search(pattern, message, re.IGNORECASE)
    return found[0] if found else convention_id


_OF_FINDINGS = re.compile(
    r"\b(?:findings?|comment(?:s|ing|e|ed)?|warnings?|report(?:s|ing)?|errors?|review(?:s|ing)?|issues)\b", re.IGNORECASE
)


def _teaching(
    quote: str, kind: TeachingKind, mode: Mode = "enforce", ids: tuple[str, ...] = ()
) -> Teaching:
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


_OLD_NUMBER = re.compile(
    r"(?:\bnot|\binstead of|\bfrom|\brather than|\bstatt|\bnicht|\ben (?:vez|lugar) de|\bno|\bnão|\bem vez"
    r" de|\bau lieu de|\bpas|不是|而不是|\bde|\bvon|\bno longer|从|由)\s*(\d+)|(\d+)(?:文字|字符)?(?:ではなく|じゃなくて|から)"
    , re.IGNORECASE,
)  # fmt: skip


def _numbers(quote: str) -> tuple[str | None, str | None]:
    """The new and the old number of a correction."""
    text = re.sub(r"[CcOo]\d+", " ", quote)
    old = _OLD_NUMBER.search(text)
    replaces = next((g for g in old.groups() if g), None) if old else None
    numbers = [n for n in re.findall(r"\d+", text) if n != replaces]
    return (numbers[-1] if numbers else None), replaces


def _with_topic_of_lead(teaching: Teaching, lead: str) -> Teaching:
    """ "Naming convention: interfaces start with I" names the topic before the rule."""
    topic, is_certain = topic_of(lead) if _BARE_LIMIT.search(lead) else ("other", False)
    if teaching.topic != "other" or not is_certain:
        return teaching
    return replace(teaching, topic=topic, topic_confidence="certain")


@dataclass(frozen=True)
class _Found:
    """A stretch of a clause and what it is."""

    kind: Literal["teach", "correct", "forget", "instruction", "preference", "ask", "none"]
    start: int = 0
    end: int = 0
    mode: Mode = "enforce"
    ids: tuple[str, ...] = ()
    action: Literal["set", "withdraw", "list"] = "set"


_NOTHING = _Found("none")
_ASKS = _Found("ask")
_SEPARATORS = " ,:;.!–—-：，、；。！・=*_"
_TARGET = re.compile(
    r"(?:(?:rule|convention|regel|regla|regra|règle|规则|ルール)\s*)?#?(?P<id>[CO]-?\d{1,9})\s*"
    r"(?:(?:should|must|ought to|needs to)(?: now)?(?: be| say| read)?|is now|are now|now(?: says| reads)?"
    r"|becomes|changes to|changed to|to|:|=>?|->|→|应该是|应该|改成|改为|改到|は|を|debería (?:ser|decir)|debe (?:ser|decir)"
    r"|ahora es|sollte|soll|ist jetzt|lautet jetzt|deve(?:ria)? ser|agora é|doit être|devrait être)\s*[:,：]?\s*"
    r"|(?:please )?(?:change|update|replace|correct|amend|edit|set|fix|modify|cambia|ändere|altere|mude|remplace"
    r"|把|将|更新|修改)\s*(?:rule |convention |regla |regel |regra )?#?(?P<id2>[CO]-?\d{1,9})\s*(?:to say|to read"
    r"|to be|so that it says|to|with|by|:|=>?|->|→|,|a|por|zu|auf|in|para|en|par|改成|改为|为|を)\s*[:：]?\s*",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"\b(?:here|this (?:line|function|file|one|case|test|method|class|loop)|line \d+)\b", re.I
)
_BARE_LIMIT = re.compile(
    r"(?:^|\b(?:the|our|that|new|this|a|el|la|das|die|den|o|le)\s+)(?:line |zeilen)?(?:max(?:imum)?|limit|length|width)"
    r"\b|\b(?:rule|convention|policy|guideline|requirement|regla|norma|convención|regel|konvention|regra|convenção"
    r"|règle)\b|规则|约定|规范|ルール|規約|上限|限制|制限",
    re.IGNORECASE,
)  # fmt: skip


class _Reader:
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

    def interpretation(self, unknown: UnknownCommand | None) -> Interpretation:
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
            clause = _announced(clause)
        self._announced = bool(MATCH.correct_openers.fullmatch(clause.text))
        wants = self._classify(clause)
        if wants == [_ASKS] and (corrected := _without_slips(clause)):
            clause, wants = corrected, self._classify(corrected)
        for found in wants:
            self._keep(found, clause)
        self._before = clause

    def _leave_scope(self, clause: Clause) -> None:
        """A heading holds until its list ends, a sentence's lead-in until its paragraph ends."""
        if self._carry == "list" and clause.is_item:
            self._has_items = True
        elif clause.opens_paragraph and not (self._carry == "list" and not self._has_items):
            self._carry = ""
        elif self._carry == "list" and self._has_items and not clause.is_item:
            self._carry = ""

    def _keep(self, found: _Found, clause: Clause) -> None:
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
            teaching = _teaching(quote, kinds[found.kind], found.mode, found.ids)
            self._teachings.append(_with_topic_of_lead(teaching, clause.text[: found.start]))

    def _classify(self, clause: Clause) -> list[_Found]:
        text = clause.text
        if MATCH.teach_headings.fullmatch(text) and self._is_heading(clause):
            self._carry, self._has_items = "list", False
            return []
        start, end, is_explicit = 0, len(text), False
        first = _skip(MATCH.openers, text, start, end)
        while True:
            if ending := self._mention_at_end.search(text, max(start, end - _TAIL_CHARACTERS), end):
                end = ending.start()
            elif (ending := MATCH.courtesies.search(text, max(start, end - _TAIL_CHARACTERS), end)) and ending.start() > start:
                end = ending.start()
            elif (ending := MATCH.teach_after.search(text, max(first, end - _TAIL_CHARACTERS), end)) and ending.start() > first:
                end, is_explicit = ending.start(), True
            else:
                break
        if MATCH.reported.match(text, start, end):
            return [_ASKS]
        if MATCH.refusals.match(text, _skip(MATCH.openers, text, start, len(text))):
            self._carry = ""
            return [_NOTHING]
        found = _read(text, start, end, is_explicit, self._carry, clause.is_item)
        if found and found[0].kind == "teach" and not self._carry:
            self._carry = "sentences"
        if found == [_BACK]:
            return self._teach_before()
        return found

    def _is_heading(self, clause: Clause) -> bool:
        return clause.text.rstrip(" *_").endswith((":", "：")) or self._before is None

    def _teach_before(self) -> list[_Found]:
        """ "Max line length is 88. Please remember that." teaches the sentence before it."""
        before = self._before
        if before is None or not MATCH.rule_like.search(before.text) or self._teachings:
            return [_ASKS]
        self._asks = False
        for found in _rules(before.text, 0, len(before.text), "teach"):
            self._keep(found, before)
        return []


_TAIL_CHARACTERS = 100
_BACK = _Found("none", -1, -1)
_LEADING_WORDS = ("remember", "please", "always", "never", "convention", "decided", "agreed", "forward")
_HEAD_WORDS = 5


def _announced(clause: Clause) -> Clause:
    """The clause after "Correction." as if both were one sentence."""
    lead = "correction: "
    offsets = (clause.offsets[0],) * len(lead) + clause.offsets
    return replace(clause, text=lead + clause.text, offsets=offsets)


def _without_slips(clause: Clause) -> Clause | None:
    """The clause with typing slips in its lead-in put right, or None when there are none.

    Every new letter points at a letter of the word as it was typed, so quotes stay exact.
    """
    text, offsets = clause.text, clause.offsets
    for word in reversed(list(islice(re.finditer(r"[A-Za-z]{5,}", text), _HEAD_WORDS))):
        typed = word.group().lower()
        meant = get_close_matches(typed, _LEADING_WORDS, 1, 0.8)
        if not meant or meant[0] == typed or typed.removesuffix("s") == meant[0]:
            continue
        first, last = word.span()
        spread = tuple(offsets[min(first + i, last - 1)] for i in range(len(meant[0])))
        text = text[:first] + meant[0] + text[last:]
        offsets = offsets[:first] + spread + offsets[last:]
    return None if text == clause.text else replace(clause, text=text, offsets=offsets)




def _skip(pattern: re.Pattern[str] | Matcher, text: str, start: int, end: int) -> int:
    """Where the text goes on after every match of a pattern from `start` on."""
    while start < end and (match := pattern.match(text, start, end)) and match.end() > start:
        start = match.end()
    return start


def _after_separators(text: str, start: int, end: int) -> int:
    while start < end and text[start] in _SEPARATORS:
        start += 1
    return start


_LIGHT_OPENERS = re.compile(
    r"(?:please|pls|plz|kindly|also|bitte|por favor|pfv|porfa|s'il te pla[iî]t|svp|stp|请|麻烦)(?=[\s,:，]|[\u3400-\u9fff])[\s,:，]*",
    re.IGNORECASE,
)


def _read(
    text: str, start: int, end: int, is_explicit: bool, carry: str, is_item: bool
) -> list[_Found]:
    """Everything one clause wants."""
    is_polite = False
    start = _skip(_LIGHT_OPENERS if is_explicit else MATCH.openers, text, start, end)
    if polite := MATCH.polite.match(text, start, end):
        is_polite = True
        start = _skip(MATCH.openers, text, polite.end(), end)
    while end > start and (text[end - 1] in " ,;-–—" or (is_polite and text[end - 1] in "?？")):
        end -= 1
    if start >= end:
        return []
    head = min(end, start + MAX_HEAD_CHARACTERS)
    is_question = text[end - 1] in "?？" or bool(MATCH.questions.match(text, start, head))
    if standing := _read_standing(text, start, end, is_question):
        return [standing]
    if is_question and not is_explicit:
        return [_ASKS]
    for read in (_read_forget, _read_correction, _read_mode, _read_lead_in):
        if found := read(text, start, end, is_explicit):
            return found
    if is_explicit or MATCH.teach_kept.match(text, start, head):
        return _rules(text, start, end, "teach")
    is_chatter = MATCH.chatter.match(text, start, head) or MATCH.chatter.match(text, 0, head)
    if is_chatter and not (carry == "list" and is_item):
        return [_NOTHING]
    if not carry and (after := _after_preamble(text, start, end)):
        return _read(text, after, end, is_explicit, carry, is_item)
    is_rule = bool(MATCH.rule_like.search(text[start:head])) and not MATCH.asides.match(text, start)
    if (carry == "list" and is_item) or (carry and is_rule):
        return _rules(text, start, end, "teach")
    return [_ASKS]


_PREAMBLE = re.compile(
    r"(?:[^\s,:;.!?\"'`]{1,30} ){0,4}[^\s,:;.!?\"'`]{1,30}[,:;!–—-]{1,3}\s+"
    r"|[^\s,:;.!?，：。\"'`]{1,12}[，：]\s*"
)


def _after_preamble(text: str, start: int, end: int) -> int:
    """Where a lead-in begins after a few words of address: "Quick one, team: from now on ..."."""
    preamble = _PREAMBLE.match(text, start, end)
    if preamble is None or MATCH.asides.match(text, start, end):
        return 0
    at = preamble.end()
    if MATCH.lookalikes.match(text, at, end) or not MATCH.teach.match(text, at, end):
        return 0
    return at


def _read_lead_in(text: str, start: int, end: int, is_explicit: bool) -> list[_Found]:
    """Cut a lead-in and read what it leads to."""
    if MATCH.lookalikes.match(text, start, end):
        return [_ASKS]
    lead = MATCH.teach.match(text, start, end)
    if lead is None:
        lead = MATCH.teach_weak.match(text, start, end)
        if lead is None or not MATCH.rule_like.search(text[lead.end() : end].lstrip(_SEPARATORS)):
            return []
    rest = _after_separators(text, lead.end(), end)
    if rest >= end or _ONLY_WHEN.fullmatch(text, rest, end):
        return [_BACK]
    if _ABOUT_PEOPLE.match(text, rest, end):
        return [_ASKS]
    if not is_explicit and _is_bare_noun(text[lead.start() : lead.end()], text[rest:end]):
        return [_ASKS]
    return _read(text, rest, end, True, "", False)


_ONLY_WHEN = re.compile(
    r"(?:(?:for|in) (?:the |all )?(?:next|future|later|other)\b[\w ]{0,20}|from now on|please|too|as well"
    r"|everyone|always|forever|next time|in (?:the )?future|going forward|for later|rule|one|[\s.!,])+",
    re.IGNORECASE,
)
_ABOUT_PEOPLE = re.compile(
    r"(?:i'?m|i am|i'?ll|i will|i was|i'?ve|i have|you'?re|you are|he'?s|she'?s|he|she|i)\b", re.IGNORECASE
)
_BARE_LEAD = re.compile(r"(?:please )?\w+$", re.IGNORECASE)


def _is_bare_noun(lead: str, rest: str) -> bool:
    """ "Remember the milk" names a thing and says nothing about it."""
    is_thing = re.match(r"(?:the|a|an|my|our|your|that|this)\b", rest, re.IGNORECASE)
    if not _BARE_LEAD.fullmatch(lead.strip(" ")) or not is_thing:
        return False
    return not (MATCH.rule_like.search(rest) or re.search(r"\d", rest))


_ITSELF = re.compile(r"this (?:pr|pull request|mr|branch)", re.IGNORECASE)
"""Words about the pull request as such: "rebase this PR", "ignore this PR"."""


def _read_standing(text: str, start: int, end: int, is_question: bool) -> _Found | None:
    if MATCH.instruction_lists.match(text, start, end):
        return _Found("instruction", start, end, action="list")
    if is_question:
        return None
    stop = _without_full_stop(text, start, end)
    lead = MATCH.teach.match(text, start, end)
    after_lead = _after_separators(text, lead.end(), end) if lead else start
    for at in {start, after_lead}:
        if MATCH.preferences.match(text, at, end):
            return _Found("preference", at, stop)
    if MATCH.instruction_withdrawals.match(text, start, end):
        return _Found("instruction", start, stop, action="withdraw")
    once = MATCH.once.search(text, start, end)
    if once is None:
        return None
    rest = MATCH.once.sub(" ", text[after_lead:end])
    if _ITSELF.fullmatch(once.group()) or not MATCH.once_orders.search(rest):
        return _ASKS
    return _Found("instruction", after_lead, stop)


_ENDS_RULE = re.compile(
    r"\s*(?:$|[,.;!)]|[\u3040-\u30ff\u3400-\u9fff]|(?:for|in|on|about|of|that|again|from|since|now|we|which"
    r"|too|with|against|sur|de|du|des|del|da|do|das|dos|sobre|zu|zur|zum|über|für|mit|bei|por|para|em|en|à"
    r"|qui|que|die|der|d')(?:\b|$))",
    re.IGNORECASE,
)


def _read_forget(text: str, start: int, end: int, is_explicit: bool) -> list[_Found]:
    ids = ids_in(text[start:end])
    stop = _without_full_stop(text, start, end)
    if MATCH.forget_kept.match(text, start, end):
        return [_Found("forget", start, stop, ids=(i,)) for i in ids] or [
            _Found("forget", start, stop)
        ]
    verb = MATCH.forget.match(text, start, end)
    if verb is None:
        return []
    described = text[verb.end() : stop]
    if ids:
        return [_Found("forget", verb.end(), stop, ids=(i,)) for i in ids]
    names_rule = any(
        _ENDS_RULE.match(described, m.end())
        for m in MATCH.forget_nouns.finditer(described)
    )  # fmt: skip
    topic, is_certain = topic_of(described)
    is_limit = "limit" in described.lower() and not _BARE_LIMIT.search(described)
    if names_rule and not (is_limit and topic != "line_length"):
        return [_Found("forget", verb.end(), stop)]
    if is_certain and len(described.split()) <= 6 and MATCH.forget_about.match(text, start, end):
        return [_Found("forget", verb.end(), stop)]
    return []


def _read_correction(text: str, start: int, end: int, is_explicit: bool) -> list[_Found]:
    if target := _TARGET.match(text, start, end):
        convention_id = ids_in(target["id"] or target["id2"])
        if convention_id and target.end() < end:
            stop = _without_full_stop(text, target.end(), end)
            return [_Found("correct", target.end(), stop, ids=convention_id)]
    opener = MATCH.correct_openers.match(text, start, end)
    at = opener.end() if opener else start
    at = _skip(MATCH.openers, text, at, end) if opener else at
    if at >= end:
        return []
    if opener is None and not MATCH.correct.match(text, at, end):
        return []
    stop = _without_full_stop(text, at, end)
    words = text[at:stop]
    topic, is_certain = topic_of(words)
    if MATCH.correct.match(text, at, end) and not _HERE.search(words):
        is_about_memory = topic == "line_length" or _BARE_LIMIT.search(words)
        if (
            opener
            or is_about_memory
            or not re.match(r"(?:please )?\w+ (?:up )?(?:the|our)\b", words)
        ):
            return [_Found("correct", *_new_value(text, at, stop))]
    if opener is None:
        return []
    if lead := _read_lead_in(text, at, end, True):
        return [replace(f, kind="correct") if f.kind == "teach" else f for f in lead]
    has_number = bool(re.search(r"\d", words))
    is_said = has_number or bool(MATCH.correct_words.search(words))
    if _ANNOUNCED.search(opener.group()):
        is_said = is_said or bool(MATCH.rule_like.search(words))
        is_certain = is_certain or has_number
    is_limit = bool(has_number and _BARE_LIMIT.search(words))
    is_said = is_said and not MATCH.asides.match(text, at, end)
    if is_said and not _HERE.search(words) and (is_certain or is_limit or topic == "line_length"):
        return [_Found("correct", *_new_value(text, at, stop))]
    return []


_ANNOUNCED = re.compile(r"corre[ck]|korrektur|更正|纠正|修正|訂正|rectif", re.IGNORECASE)
_INSTEAD_FIRST = re.compile(
    r"(?:instead of|en vez de|en lugar de|em vez de|ao invés de|statt|au lieu de)\s+\d+(?:\s\w+)??,?\s+"
    r"(?=(?:please |we |now |bitte )*(?:use|usa|usar|usamos|usem|utilis\w+|100|\D+\d))",
    re.IGNORECASE,
)
_INSTEAD_LAST = re.compile(
    r",?\s+(?:instead(?: of \d+(?: \w+)?)?|rather than \d+(?: \w+)?|(?:and )?not \d+(?: \w+)?|statt \d+"
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


def _read_mode(text: str, start: int, end: int, is_explicit: bool) -> list[_Found]:
    """Rules that ask for silence, and facts."""
    if MATCH.ignore.match(text, start, end) and not _HERE.search(text, start, end):
        return [_Found("teach", start, _without_full_stop(text, start, end), "ignore")]
    if fact := MATCH.context.match(text, start, end):
        rest = _after_separators(text, fact.end(), end)
        if MATCH.context_subjects.match(text, rest, end):
            return [_Found("teach", rest, _without_full_stop(text, rest, end), "context")]
        return [_ASKS]
    return []


def _rules(text: str, start: int, end: int, kind: Literal["teach", "correct"]) -> list[_Found]:
    """One rule, or the several that a sentence joins."""
    start = _after_separators(text, start, end)
    stop = _without_full_stop(text, start, end)
    if not any(c.isalnum() for c in text[start:stop]):
        return [_BACK]
    found = []
    for first, last in split_rules(text, start, stop):
        mode: Mode = "ignore" if MATCH.ignore.match(text, first, last) else "enforce"
        found.append(_Found(kind, first, last, mode))
    return found


def _without_full_stop(text: str, start: int, end: int) -> int:
    """The end of the rule's words: a closing full stop or "!" is punctuation of the message."""
    while end > start and text[end - 1] in " .!。！;；,，":
        if text[end - 1] == "." and text[max(start, end - 3) : end] in {"...", "tc."}:
            break
        end -= 1
    return end
