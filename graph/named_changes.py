"""A rule that is named by its id, and what it shall say from now on."""

from __future__ import annotations

import re

from graph.commands import ids_in

_TARGET = re.compile(
    r"(?:(?:rule|convention|regel|regla|regra|règle|规则|ルール)\s*)?#?(?P<id>[CO]-?\d{1,9})\s*"
    r"(?:(?P<wrong>(?:is|was) (?:wrong|outdated|incorrect|not right|off|too \w+)[\s,;:–—-]+(?:and"
    r" |it |that"
    r" )*)?(?:should|must|ought to|needs to)(?: now)?(?: be| say| read)?|is now|are now|now(?:"
    r" says| reads)?"
    r"|becomes|changes to|changed to|to|:|=>?|->|→|应该是|应该|改成|改为|改到|は|を|debería"
    r" (?:ser|decir)|debe (?:ser|decir)"
    r"|ahora es|sollte|soll|ist jetzt|lautet jetzt|deve(?:ria)? ser|agora é|doit être|devrait"
    r" être)\s*[:,：]?\s*"
    r"|(?:a |one |small |quick |minor |another )*(?:correction|change|update|fix|amendment|edit)"
    r" (?:on|to|of|for|in|about|regarding) (?:rule |convention"
    r" )?#?(?P<id3>[CO]-?\d{1,9})\s*[:,–—-]+\s*"
    r"|(?:please )?(?:change|update|replace|correct|amend|edit|set|fix|modify|cambia|ändere"
    r"|altere|mude|remplace"
    r"|把|将|更新|修改)\s*(?:rule |convention |regla |regel |regra"
    r" )?#?(?P<id2>[CO]-?\d{1,9})\s*(?:to say|to read"
    r"|to be|so (?:that )?it (?:says|reads|is)|to|with|by|:|=>?|->|→|,|a|por|zu|auf|in|para|en"
    r"|par|改成|改为|为"
    r"|を)\s*[:：]?\s*",
    re.IGNORECASE,
)
_NO_RULE_OF_ITS_OWN = re.compile(
    r"(?:it|this|that|that one|this one)(?:'s| is| should be| only| also| now|(?= (?:applies"
    r"|apply|holds|doesn't|does not|does|goes|counts)))* (?:only |just )?(?:for|in|about|on|under"
    r"|applies|apply|holds|hold|counts|doesn't|does not|meant)\b|(?:only|just|also|not) (?:applies"
    r"|for|in|on|under|to|valid|meant)\b|(?:applies|holds|counts|is (?:only |just )?(?:for|meant"
    r"))\b|(?:except|everywhere|thanks?|good|nice|why|what|ok|okay|great|agreed?|done|fixed|yes|no"
    r"(?= ?[,.!])|same|see|i|you)\b(?! \w+ (?:must|should))"
    r"|(?:come|be|go|get) (?:back|restored|deleted|removed|dropped|gone|away)\b"
    r"|.{0,14}(?:消|削除|不要|いらない|要らない|いりません|要りません|やめ|戻|復元|復活|見せ|教え"
    r"|おかしい|変です|間違|古い|何|なに|なぜ|どう|恢复|还原|删|忘|取消|什么|为什么|怎么)",
    re.IGNORECASE,
)
"""What is said of a rule and is no rule: where it holds, what is thought of it, what is asked."""

_AFTER_QUOTES = re.compile(r"(?<=[\"'”»])\s+(?:instead|now|please)$")


def names_one_to_change(text: str, start: int, stop: int) -> bool:
    """Whether it begins with an id and says beyond doubt that new words for it follow."""
    target = _TARGET.match(text, start, stop)
    if target is None or target.end() >= stop:
        return False
    return bool(target["wrong"] or target["id2"] or target["id3"])


def named_change(text: str, start: int, stop: int) -> tuple[int, int, tuple[str, ...]] | None:
    """Where the new words of the named rule stand, and its id; None when none is named.

    What only speaks of the rule has no words for it: then the stretch is empty.
    """
    target = _TARGET.match(text, start, stop)
    ids = ids_in(target["id"] or target["id2"] or target["id3"]) if target else ()
    if target is None or not ids or target.end() >= stop:
        return None
    first = target.end()
    if _NO_RULE_OF_ITS_OWN.match(text, first, stop):
        return first, first, ids
    if (last := _AFTER_QUOTES.search(text[first:stop])) is not None:
        stop = first + last.start()
    return first, stop, ids
