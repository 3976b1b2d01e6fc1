"""Standing instructions of one pull request: said once, shown to every model call of its thread."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.state import Instruction
from graph.taught import Standing

MAX_INSTRUCTIONS = 20
"""More is nobody's overview any more, and each rides on every model call."""

MAX_WORDS_CHARACTERS = 500

_ID = re.compile(r"(?<![\w-])[iI](\d{1,3})(?!\w)")
_ALL = re.compile(
    r"\b(?:all|every|everything|alle|alles|todas?|todos?|toutes?|tous)\b|所有|全部|すべて", re.I
)
_WITHDRAW_BY_ID = re.compile(
    r"(?:please\s+)?(?:forget|drop|withdraw|remove|delete|cancel|clear)\s+"
    r"(?:(?:the\s+)?instructions?\s+)?i\d{1,3}(?:(?:\s*,\s*|\s+and\s+|\s+)i\d{1,3})*[\s.!]*",
    re.IGNORECASE,
)
_THIS_PULL_REQUEST = (
    r"(?:this|the current) (?:pr|pull request|pull-request|mr|merge request)(?: only)?"
)
_SET = re.compile(
    rf"(?:for|on|in) {_THIS_PULL_REQUEST}\s*[,:]?\s+(?P<before>\S.+)"
    rf"|(?P<after>\S.+?)\s+(?:for|on|in) {_THIS_PULL_REQUEST}[\s.!]*"
    r"|(?P<also>(?:please\s+)?also\s+(?:check|look at|review|watch|cover|consider)\s+\S.+)",
    re.IGNORECASE | re.DOTALL,
)
_ASKS = re.compile(
    r"^(?:why|what|how|when|where|who|which|is|are|was|were|do|does|did|can|could|would|will|should"
    r"|has|have|explain|tell|show|list|summari[sz]e)\b",
    re.IGNORECASE,
)


class TooManyInstructions(ValueError):  # noqa: N818
    """The thread holds as many as it may; the message says what to do."""

    reason = "too_many_instructions"


def orders_in(words: str) -> tuple[Standing, ...]:
    """Instructions that a message of one sentence states for this pull request.

    `words` is what was said without the mention. Questions are none.
    """
    said = words.strip()
    if _WITHDRAW_BY_ID.fullmatch(said):
        return (Standing("instruction", "withdraw", said),)
    found = _SET.fullmatch(said)
    if found is None or said.endswith(("?", "？")) or len(said) > MAX_WORDS_CHARACTERS:
        return ()
    order = found["before"] or found["after"] or found["also"]
    return () if _ASKS.match(order) else (Standing("instruction", "set", said),)


def add(
    instructions: list[Instruction], words: str, by: str, by_id: int | None, said_at: float
) -> list[Instruction]:
    """With one more, unless the same words stand. Its id is one above the highest that stands.

    Raises TooManyInstructions.
    """
    words = " ".join(words.split())[:MAX_WORDS_CHARACTERS]
    if any(i["words"].casefold() == words.casefold() for i in instructions):
        return instructions
    if len(instructions) >= MAX_INSTRUCTIONS:
        raise TooManyInstructions(
            f"There are {MAX_INSTRUCTIONS} instructions here already; drop one first: "
            f"`drop {instructions[0]['id']}`."
        )
    number = 1 + max((int(i["id"][1:]) for i in instructions), default=0)
    new = Instruction(id=f"I{number}", words=words, by=by, by_id=by_id, said_at=said_at)
    return [*instructions, new]


def withdraw(instructions: list[Instruction], words: str) -> list[Instruction]:
    """Without those that `words` name by id; all gone for "all", or when there is only one."""
    named = {f"I{int(number)}" for number in _ID.findall(words)}
    if named:
        return [i for i in instructions if i["id"] not in named]
    if len(instructions) == 1 or _ALL.search(words):
        return []
    return instructions


def listing(instructions: Sequence[Instruction], where: str) -> str:
    """What stands now, as it is said to people."""
    if not instructions:
        return f"No instructions stand for {where}."
    lines = "\n".join(f"- {i['id']}: {i['words']} (said by {i['by']})" for i in instructions)
    return f"For {where} only, until it is closed:\n{lines}\n\nDrop one with `drop I1`, or all."


def block(instructions: Sequence[Instruction]) -> str:
    """The part of a prompt that carries them, or ""."""
    if not instructions:
        return ""
    lines = [
        f"- {i['id']}: {' '.join(i['words'].split())} (said by {i['by']})" for i in instructions
    ]
    return (
        "Standing instructions of this pull request. They rule what to look at and how to say it, "
        "never what is true: a bug, a secret or a security problem is still told.\n"
        + "\n".join(lines)
    )
