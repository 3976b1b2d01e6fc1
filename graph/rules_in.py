"""Several rules in one sentence, taken apart where each part says something by itself."""

from __future__ import annotations

import re

from graph.phrases import MATCH

_MIN_CHARACTERS = 8
_CONDITION = re.compile(
    r"(?:when(?:ever)?|if|unless|before|after|while|wenn|falls|si|cuando|quando|se|quand)\b[^,]*$",
    re.IGNORECASE,
)
_NEGATED_ORDER = re.compile(r"(?:never|don't|do not|no|nunca|nie|não|ne)\b", re.IGNORECASE)
_PLAIN_ORDER = re.compile(
    r"(?:use|keep|run|write|put|log|add|name|commit|push|catch|return)\b", re.IGNORECASE
)
_DANGLING = re.compile(r"(?:\b(?:and|or|but|between|both|either|y|und|e|et|ou|o|oder))\s*$", re.I)


def split_rules(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Stretches of `text`, each one rule; a single stretch when the sentence is one rule."""
    rules: list[tuple[int, int]] = []
    at = start
    for joint in MATCH.joints.finditer(text, start, end):
        if joint.start() > at and _is_between_rules(text, at, joint, end):
            rules.append((at, joint.start()))
            at = joint.end()
    return [*rules, (at, end)]


def _is_between_rules(text: str, at: int, joint: re.Match[str], end: int) -> bool:
    left, right = text[at : joint.start()], text[joint.end() : end]
    if min(len(left), len(right)) < _minimum(text) or _CONDITION.match(left):
        return False
    if text.count("`", at, joint.start()) % 2 or text.count('"', at, joint.start()) % 2:
        return False
    if _DANGLING.search(left) or (_NEGATED_ORDER.match(left) and _PLAIN_ORDER.match(right)):
        return False
    return bool(MATCH.rule_like.search(left) and MATCH.rule_like.search(right))


def _minimum(text: str) -> int:
    return _MIN_CHARACTERS if text.isascii() else _MIN_CHARACTERS // 2
