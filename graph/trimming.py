"""History fitted to a budget when it is read: whole human turns, tool calls with their results."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AnyMessage, HumanMessage

CHARACTERS_PER_TOKEN = 3.2
"""A rough count that errs on the high side for code, so that nothing has to be downloaded."""


def tokens_of(message: AnyMessage) -> int:
    """About how many tokens a message costs, its tool calls included."""
    calls = getattr(message, "tool_calls", None) or []
    characters = len(str(message.text)) + sum(len(str(call["args"])) + 40 for call in calls)
    return int(characters / CHARACTERS_PER_TOKEN) + 8


def trimmed(messages: Sequence[AnyMessage], budget_tokens: int) -> list[AnyMessage]:
    """The last turns that fit. A turn is a human message and all up to the next one.

    The newest turn is always kept, also when it alone is over the budget.
    """
    turns: list[list[AnyMessage]] = []
    for message in messages:
        if isinstance(message, HumanMessage) or not turns:
            turns.append([])
        turns[-1].append(message)
    kept: list[list[AnyMessage]] = []
    for turn in reversed(turns):
        budget_tokens -= sum(tokens_of(message) for message in turn)
        if kept and budget_tokens < 0:
            break
        kept.insert(0, turn)
    return [message for turn in kept for message in turn]
