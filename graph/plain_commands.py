"""Commands said in a sentence: "bring back C5", "what rules do you have about naming?".

Only what can be meant in one way is taken: an id that is to come back, and what asks for the list.
"""

from __future__ import annotations

import re
from typing import get_args

from graph.commands import Command, ids_in
from graph.conventions import Topic
from graph.scopes import parse_scope

_ID = r"(?:(?:rule|convention|regla|norma|regel|regra|règle|规则|ルール) ?)?#?[CO]-?\d{1,9}"
_IDS = rf"{_ID}(?:(?:,| and|,? und| y| e| et|和|、|と) ?{_ID})*"
_BEFORE = r"(?:[^?？\n]{0,80}(?:[,.:;!–—-]|\band\b|\bso\b)\s*)?"
_ASKED = (
    r"(?:(?:please|pls|plz|can|could|would|you|we|i|want|like|to|need|let's|ok|now|kannst|du|bitte"
    r"|puedes|por favor|pode|você|peux-tu|pouvez-vous|s'il te pla[iî]t|请|麻烦|帮我)[\s,]*)*"
)
_AFTER = r"(?:[\s,]+(?:please|pls|plz|again|now|bitte|por favor|svp|thanks|thx))*[\s.!。！?？]*"
_GIVE_BACK = (
    r"(?:restor(?:e|ing)|un-?delet(?:e|ing)|un-?forget|reinstate|reviv(?:e|ing)|recover"
    r"|reactivate|re-?enable|resurrect|bring back|put back|get back"
    r"|restaura|recupera|reactiva|restaurar|recuperar|traz de volta|restaure|rétablis|remets)"
)
_RESTORING = re.compile(
    rf"{_BEFORE}{_ASKED}(?:{_GIVE_BACK} (?:the |a |la |das? )?{_IDS}(?: back)?"
    rf"|(?:bring|put|get|want|hol|stelle?) {_IDS}(?: bitte)? (?:back|zurück|wieder her)"
    rf"|{_IDS} (?:bitte )?(?:wiederherstellen|zurückholen|back)"
    rf"|(?:恢复|还原|找回)(?:一下)? ?{_IDS}|(?:把|将) ?{_IDS} ?(?:恢复|还原|找回)(?:一下|回来)?"
    rf"|{_IDS} ?を?(?:元に戻|戻|復元|復活さ?)(?:し|せ)?(?:て)?(?:ください|下さい|ほしい(?:です)?)?"
    r"|[^?？\n]{0,40}[CO]-?\d{1,9}[^?？\n]{0,60}"
    rf"(?:{_GIVE_BACK} it|(?:bring|put|get) it back))" + _AFTER,
    re.IGNORECASE,
)
_RULES = r"(?:rules?|conventions?|guidelines?|standards|norms)"
_KNOWN = (
    r"(?:(?:have|know|remember|enforce|follow|check|apply|use|save|learn|hold|got)(?: (?:about|of"
    r"|for|from))?|(?:have )?(?:saved|learn(?:ed|t)|remembered|stored))"
)
_OURS = (
    r"(?: (?:us|our (?:team|repo|code|project|codebase)|this (?:repo\w*|project|team|codebase)"
    r"|so far|right now|now|at the moment|currently|here|already|please|today))*"
)
_ABOUT = r"(?: (?:about|on|for|regarding|concerning) (?:the )?([a-z]+(?:[ _][a-z]+)?))?"
_LISTING = re.compile(
    rf"(?:(?:what|which) (?:are (?:the|our|your|all) )?{_RULES}(?: (?:do|did|have|are|should)"
    r" (?:you"
    rf"|we|i|they))?(?: (?:currently|already|now))? ?(?:{_KNOWN})?(?: (?:for|about))?"
    rf"(?:(?: are)? (?:active|in force|there|saved|stored|known))?{_OURS}{_ABOUT}{_OURS}"
    r"|what (?:all )?(?:do|did|have|can) you (?:already )?(?:remember|know|learn(?:ed|t)?|saved?"
    r"|been"
    r" (?:taught|told)|got)(?: so far)? (?:about|of|from|for) (?:us|our \w+|this \w+|me and my"
    r" team)"
    r"|(?:please |can you |could you )*(?:show|list|tell|give|print)(?: me| us)? (?:all|everything"
    r"|what)(?: of)?(?: that)? you(?:'ve| have)? (?:learn(?:ed|t)|know|remember(?:ed)?|saved"
    r"|stored)"
    rf"(?: (?:about|for|from|of|in|on))?{_OURS}"
    r"|(?:please |can you )*(?:show|list|tell|give|print)(?: me| us)?(?: all)?(?: the| our)?"
    rf" {_RULES}"
    r" (?:about|on|for|regarding) (?:the )?([a-z]+(?:[ _][a-z]+)?)(?: please)?"
    r"|(?:can|could|may) (?:i|we|you)(?: please)? (?:see|have|get|show(?: me| us)?|list|print"
    r"|read)"
    rf" (?:all )?(?:of )?(?:our|the|all|your|my)(?: \w+)? {_RULES}{_ABOUT}{_OURS})[\s.!?]*",
    re.IGNORECASE,
)
_NARROWING = re.compile(
    rf"{_BEFORE}(?:(?:the |a |small |quick |correction |change |fix |update |edit |about |on |to "
    rf"|for |of )*(?P<id>{_ID})\s*[:,–—-]?"
    r" *)"
    r"(?:(?:it|this|that|which) )?(?:(?:should |must |can )?(?:only|just) (?:ever )?(?:appl(?:y"
    r"|ies)"
    r"|holds?|counts?)|(?:should )?appl(?:y|ies) only|is (?:only|just)|only|just)"
    r" (?:meant )?(?:to|for|in|under|inside) (?P<place>[^.?!;]{2,100}?)[\s.!]*",
    re.IGNORECASE,
)
_TOPIC_WORDS: dict[str, Topic] = {
    "test": "tests", "testing": "tests", "docs": "documentation", "docstrings": "documentation",
    "logs": "logging", "error handling": "errors", "exceptions": "errors", "types": "typing",
    "type hints": "typing", "names": "naming", "import": "imports", "format": "formatting",
    "line lengths": "line_length", "sql": "database", "databases": "database", "apis": "api",
}  # fmt: skip
_MAX_CHARACTERS = 200


def plain_command(text: str) -> Command | None:
    """The command that a sentence is, or None. `text` begins behind the mention."""
    said = " ".join(text.replace("’", "'").split())
    if len(said) > _MAX_CHARACTERS or "`" in said:
        return None
    if _RESTORING.fullmatch(said) and (ids := ids_in(said)):
        return Command("restore", ids)
    if narrowed := _NARROWING.fullmatch(said):
        paths = parse_scope(f"only in {narrowed['place']}: x").paths
        return Command("edit", ids_in(narrowed["id"]), paths=paths) if paths else None
    listing = _LISTING.fullmatch(said)
    if listing is None:
        return None
    words = next((g for g in listing.groups() if g), "").lower()
    topic = _TOPIC_WORDS.get(words) or next(
        (name for name in get_args(Topic) if name == words.replace(" ", "_")), None
    )
    if words and topic is None and words.split()[0] not in {"us", "our", "this"}:
        return None
    return Command("list", topic=topic)
