"""Standing instructions of one pull request: said once, shown to every model call of its thread."""

from __future__ import annotations

from graph.state import Instruction


def add(
    instructions: list[Instruction], words: str, by: str, by_id: int | None, said_at: float
) -> list[Instruction]:
    """With one more; the same words are not kept twice. Ids are I1, I2 ... and never reused."""
    if any(i["words"].casefold() == words.casefold() for i in instructions):
        return instructions
    number = 1 + max((int(i["id"][1:]) for i in instructions), default=0)
    new = Instruction(id=f"I{number}", words=words, by=by, by_id=by_id, said_at=said_at)
    return [*instructions, new]


def withdraw(instructions: list[Instruction], instruction_id: str) -> list[Instruction]:
    """Without the one of that id; all gone for "all"."""
    wanted = instruction_id.upper()
    return [] if wanted == "ALL" else [i for i in instructions if i["id"] != wanted]


def block(instructions: list[Instruction]) -> str:
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
