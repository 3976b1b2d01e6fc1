"""How people state rules on the change as a whole: commits, titles, branches, descriptions.

Letters: n not, m must, b be, U have or use, R is required, F is forbidden; the others stand at
each grammar.
"""

from __future__ import annotations

import re

from graph.checks.parser_grammar import Grammar, Lexicon, Reading, form
from graph.checks.phrases_base import BASE, FORBIDDEN, LIMITS, NO, REQUIRED
from graph.checks.specs import (
    Check,
    RequiredDescription,
    RequiredSection,
    RequiredTicket,
    TextFormat,
)

_START_WITH_TICKET = r"^\W?(?:#[0-9]+|[A-Z][A-Z0-9]+-[0-9]+)\b"

_BRANCH_STARTS_WITH_TICKET = r"(?i)^\W?(?:#?[0-9]+|[a-z][a-z0-9]*[-_][0-9]+)\b"

_RULE = {"n": NO, "R": REQUIRED, "F": FORBIDDEN}
_UNLESS = {"n": NO.replace("without|", "")}
"""In these grammars "without" is a word of its own."""

_PLACES = {
    "t": "title|titles|pr title|pr titles|pull request title|pull request titles|"
         "title of the pull request|titles of pull requests|title of a pull request|"
         "merge request titles|title of the pr|title of a pr|title of your pull request|"
         "titles of prs|merge request title",
    "k": "branch|branches|branch name|branch names|feature branches|git branches|"
         "name of the branch|names of branches|feature branch names|git branch names",
    "c": "commit|commits|commit message|commit messages|git commit messages|git commits|"
         "git commit message|all commit messages",
    "h": "subject line|subject lines|commit subject|commit subjects|commit subject line|"
         "first line of the commit message|commit message subject|commit titles|commit title|"
         "subject line of the commit message|commit message subject line|subject of the commit|"
         "first line of commit messages|first line of a commit message|commit message title|"
         "first line of your commit message|commit subject lines|commit summary|"
         "commit message titles|subject line of commit messages|commit message subject lines|"
         "subject of commit messages|first line of the commit|commit message summary|"
         "commit message headline|summary line of the commit message|commit headline|"
         "commit message summary line|commit message subjects|commit message headers|"
         "commit message header|commit header|subject line of a commit message|"
         "subject line of commits|subject line of each commit|git commit subject lines",
    "D": "pr description|pr descriptions|pull request description|"
         "pull request descriptions|description of the pull request|pull request body|pr body|"
         "description of the pr|merge request description|pull request template",
    "p": "pull request|pull requests|pr|prs|merge request|merge requests|change|changes|mr|mrs|"
         "patch|patches",
}  # fmt: skip
PLACE_PHRASES: dict[str, str] = {
    "title": _PLACES["t"],
    "branch": _PLACES["k"],
    "commit": f"{_PLACES['c']}|{_PLACES['h']}",
    "description": f"description|body|{_PLACES['D']}",
}
_PLACE_OF = {"t": "title", "k": "branch", "c": "commit", "h": "commit", "D": "description"}

# v follow, s conventional commits, f for.
_CONVENTIONAL = {
    "": "format|specification|spec|standard|convention|style|style guide|our|for our|guidelines|"
        "all|naming convention|in|with|a|pattern|syntax|structure|writing|rules|when|"
        "v1.0.0|strictly|commit message convention|message format|message convention",
    "s": "conventional commits|conventional commit|conventional commit messages|"
         "conventional commit message|conventionalcommits|`conventional~commits|"
         "conventional commits specification|conventional changelog",
    "v": "follow|follows|use|using|adhere to|we follow|we use|conform to|be formatted according to|"
         "comply with|be in|written in|respect|be written according to|stick to|be|match|"
         "written using|be formatted as|formatted as|formatted according to|adopt|write|"
         "be written using|be written in|are written in|obey|adheres to",
    "f": "for|when writing|to write|to generate|when generating",
    "R": REQUIRED,
}  # fmt: skip

# l long, u characters.
_LENGTHS = {
    "": "long|in length|length|total|there|in total|length of|hard|of the|strict|short|in|wide",
    "u": "characters|chars|character|char|columns|characters long|chars long|"
         "characters in length|characters or fewer in total",
    "S": "be|have|of|use|write|has",
    "K": "keep|limit|restrict|limit the length of|keep the length of|limit length of|cap",
}  # fmt: skip

# g a ticket, v reference, w without, S start with.
_TICKETS = {
    "": "valid|corresponding|related|relevant|associated|existing|a|github|jira|it|them|"
        "their|with|at least one|is linked to|one|id|ids|number|body|or more|key|its|for",
    "g": "issue|ticket|issues|tickets|issue number|ticket number|jira ticket|github issue|jira id|"
         "ticket id|jira issue|issue reference|ticket reference|issue link|jira key|issue key|"
         "reference to an issue|link to an issue|reference to a ticket|link to a ticket|"
         "link to the issue|reference to the issue|link to the ticket|linked issue|issue id|"
         "jira ticket number|jira ticket id|link to a jira ticket|tracking issue|jira number|"
         "github issue number|reference to a github issue|link to a github issue|bug number|"
         "ticket key|linked ticket|link to the jira ticket",
    "v": "reference|link to|include|have|mention|be linked to|refer to|contain|reference to|link|"
         "be tied to|need|needs|cite|be associated with|has|be connected to|references|has to have|"
         "point to|be accompanied by|require|requires|carry|must have|include a reference to|"
         "include a link to|contain a reference to|contain a link to|correspond to",
    "w": "without|that lack|lacking|missing|with no",
    "S": "start with|begin with|be prefixed with|starts with|begins with|are prefixed with|prefix",
    "T": "in the|in|in their|in its|inside",
    "M": "open|merge|submit|create",
}  # fmt: skip

_DESCRIPTION = {"D": f"description|descriptions|body|{_PLACES['D']}"}

# S start with, E end with, C the literal, o contain.
_LITERALS = {
    "": "prefix|suffix|with one of|the|following|one of|named|string|word|a|name|text|either|"
        "prefixes|new|our",
    "S": "start with|begin with|be prefixed with|starts with|begins with|have the prefix|"
         "are prefixed with|use the prefix|start with one of|be named with|use the prefixes|"
         "begin with one of|be prefixed with one of|carry the prefix",
    "o": "contain|include|have|containing|with|use",
    "j": "or|,|, or|/|and",
    "w": "wip|`wip|`[wip]",
    "P": "end with a period|end with a full stop|end with a dot|end in a period|"
         "end with periods|have a trailing period|have a period at the end|"
         "end with punctuation|period at the end|a period at the end",
    "T": "in",
}  # fmt: skip

# d not empty, e empty, X section.
_DESCRIPTIONS = {
    "": "our|called|titled|named|headed|under|filled|clear|meaningful|proper|good|with|"
        "that explains the change|the heading|every|entry|in|heading|explaining the change|"
        "non empty|in it",
    "U": "have|include|contain|need|needs|has|come with|must have|require|requires|carry|provide|"
         "includes|contains|describe|fill in|fill out|write|add|complete",
    "x": "section|sections|headings",
    "e": "empty|blank|left empty|left blank",
    "w": "without|that lack|missing|lacking|with no",
    "T": "to|for",
    "u": "characters|chars",
    "l": "at least|no fewer than|a minimum of|no less than|minimum",
    "j": "and|,|&",
    "d": "description|descriptions",
}  # fmt: skip


def _place(reading: Reading) -> str:
    return next(_PLACE_OF[letter] for letter in reading.letters if letter in _PLACE_OF)


def _conventional(reading: Reading) -> Check:
    place = "title" if "t" in reading.letters else "commit"
    return TextFormat.from_json({"place": place, "style": "conventional"})


def _length(reading: Reading) -> Check | None:
    limit = reading.number() - reading.has("under")
    return TextFormat.from_json({"place": _place(reading), "max_length": limit}) if limit else None


def _ticket(reading: Reading) -> Check:
    places = {_PLACE_OF[letter] for letter in reading.letters if letter in _PLACE_OF}
    ordered = [place for place in ("title", "branch", "commit", "description") if place in places]
    return RequiredTicket(tuple(ordered)) if ordered else RequiredTicket()


def _starts_with_ticket(reading: Reading) -> Check:
    place = _place(reading)
    pattern = _BRANCH_STARTS_WITH_TICKET if place == "branch" else _START_WITH_TICKET
    record = {"place": place, "pattern": pattern, "what": "a ticket in front"}
    return TextFormat.from_json(record)


def _prefixes(reading: Reading) -> Check | None:
    texts = reading.texts("C")
    if not all(re.fullmatch(r"[\w#\[\]()/:. -]{1,40}", text) for text in texts):
        return None
    if any("<" in text or "xxx" in text.lower() for text in texts):
        return None
    literals = [re.escape(text).replace(r"\-", "-").replace(r"\ ", " ") for text in texts]
    pattern = f"^{literals[0]}" if len(literals) == 1 else f"^(?:{'|'.join(literals)})"
    what = f"the prefix {' or '.join(texts)}"
    return TextFormat.from_json({"place": _place(reading), "pattern": pattern, "what": what})


def _no_wip(reading: Reading) -> Check:
    return TextFormat.from_json(
        {"place": _place(reading), "pattern": r"\bWIP\b", "forbidden": True, "what": "WIP"}
    )


def _no_period(_: Reading) -> Check:
    return TextFormat("title", pattern=r"[^.\s]\.\s*$", forbidden=True, what="a period at the end")


def _section(reading: Reading) -> Check | None:
    headings = tuple(text.strip("# ").strip() for text in reading.texts("C"))
    return RequiredSection(headings) if all(headings) else None


def _long_description(reading: Reading) -> Check:
    return RequiredDescription(reading.number())


_SOME = "[MEGTbmS]{0,4}"
_BOUND = f"(?={_SOME}[ME]){_SOME}"
_UNDER = "(?P<under>[TmbS]{0,3}X)"
_WITHIN = f"(?:{_BOUND}|{_UNDER})"
_SUBJECT = "[thk]"

GRAMMARS: tuple[Grammar, ...] = (
    Grammar(
        Lexicon(BASE, _CONVENTIONAL, {"c": _PLACES["c"], "t": _PLACES["t"]}),
        tuple(
            form(pattern, _conventional)
            for pattern in ("[ct] m?b?v? s", "m?v s (?:f?[ct])?", "s f [ct]", "s R (?:f[ct])?")
        ),
    ),
    Grammar(
        Lexicon(BASE, LIMITS, _LENGTHS, {key: _PLACES[key] for key in "thk"}),
        tuple(
            form(pattern, _length)
            for pattern in (
                f"{_SUBJECT} {_WITHIN} Nu [RM]?",
                f"{_SUBJECT} [mbS]{{0,3}} Nu [RM]",
                f"M {_SUBJECT} [mbT]{{0,2}} Nu",
                f"{_SUBJECT} [mbS]{{0,2}} n [mbS]{{0,2}} [VE] Nu",
                f"m? [KM] {_SUBJECT} (?:{_BOUND}|T|{_UNDER}) Nu [RM]?",
                f"{_WITHIN} Nu T {_SUBJECT}",
                f"{_SUBJECT} M b? Nu",
            )
        ),
    ),
    Grammar(
        Lexicon(BASE, _RULE, _UNLESS, _TICKETS, _PLACES, _DESCRIPTION),
        (
            *(
                form(pattern, _ticket)
                for pattern in (
                    "p m?v g (?:T?[tD])?",
                    "[tkc] m?v g",
                    "n M? p w g (?:T[tD])?",
                    "p m g",
                    "pwgF",
                    "m?v g T [tkc]",
                    "g R T[tkc]",
                    "[tkc] w g F",
                    "m?v p g",
                )
            ),
            form("[tk] m? S g", _starts_with_ticket),
            form("m? S [tk] g", _starts_with_ticket),
        ),
    ),
    Grammar(
        Lexicon(BASE, _RULE, {key: _PLACES[key] for key in "tk"}, _LITERALS),
        (
            form("[tk] m?b? S C(?:j+C)*", _prefixes),
            form("t m?b?n o? w", _no_wip),
            form("n w T t", _no_wip),
            form("t m? n P", _no_period),
            form("m? n P? t P", _no_period),
        ),
    ),
    Grammar(
        Lexicon(
            BASE,
            _RULE,
            _UNLESS,
            {key: _PLACES[key] for key in "Dp"},
            _DESCRIPTIONS,
        ),
        (
            form("[pD] m?U x C x? (?:j+C x?)*", _section),
            form("[pD] m?U C(?:j+C)* x", _section),
            *(
                form(pattern, lambda *_: RequiredDescription())
                for pattern in (
                    "p m?U [dD]",
                    "D m? n b? e",
                    "n p w [dD]",
                    "D R|d R T p",
                    "n e D",
                    "m?U [dD] T p",
                    "p w [dD] F",
                    "D m? b? n e",
                    "n b? e D",
                )
            ),
            form("D [mbU]* l N u", _long_description),
            form("p m?U [dD] l N u", _long_description),
        ),
    ),
)
