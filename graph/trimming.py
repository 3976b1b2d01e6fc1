"""History fitted to a budget when it is read: whole human turns, tool calls with their results."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

CHARACTERS_PER_TOKEN = 3.2
"""A rough count that errs on the high side for code, so that nothing has to be downloaded."""

CUT_NOTE = "\n[cut here]"

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
"""Signs of which each is about a token of its own."""


def tokens_of(message: AnyMessage) -> int:
    """About how many tokens a message costs, its tool calls included."""
    calls = getattr(message, "tool_calls", None) or []
    arguments = sum(len(str(call["args"])) + 40 for call in calls)
    return tokens_in(str(message.text)) + int(arguments / CHARACTERS_PER_TOKEN) + 8


def tokens_in(text: str) -> int:
    """About how many tokens a text costs."""
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return wide + int((len(text) - wide) / CHARACTERS_PER_TOKEN)


def turns_of(messages: Sequence[AnyMessage]) -> list[list[AnyMessage]]:
    """A turn is a human message and all up to the next one."""
    turns: list[list[AnyMessage]] = []
    for message in messages:
        if isinstance(message, HumanMessage) or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def trimmed(messages: Sequence[AnyMessage], budget_tokens: int) -> list[AnyMessage]:
    """The last turns that fit. The newest is always kept, also when it alone is over the budget."""
    kept: list[list[AnyMessage]] = []
    for turn in reversed(turns_of(messages)):
        budget_tokens -= sum(tokens_of(message) for message in turn)
        if kept and budget_tokens < 0:
            break
        kept.insert(0, turn)
    return [message for turn in kept for message in turn]


def cut_text(text: str, budget_tokens: int) -> str:
    """The beginning of a text that costs at most so many tokens, with a note where it was cut."""
    if tokens_in(text) <= budget_tokens:
        return text
    size = len(text)
    while size and tokens_in(text[:size]) > budget_tokens:
        size = size * 3 // 4
    return text[:size] + CUT_NOTE


def without_long_words(messages: Sequence[AnyMessage], most_tokens: int) -> list[AnyMessage]:
    """Every person's message and tool result cut to so many tokens; nothing is left out whole."""
    return [
        message.model_copy(update={"content": cut_text(str(message.text), most_tokens)})
        if isinstance(message, HumanMessage | ToolMessage) and tokens_of(message) > most_tokens
        else message
        for message in messages
    ]


def blob_of(message: AnyMessage) -> str | None:
    """The hash of the blob that a tool's result stands for, if it does."""
    blob = message.additional_kwargs.get("blob") if isinstance(message, ToolMessage) else None
    return blob if isinstance(blob, str) else None


def expanded(
    messages: Sequence[AnyMessage],
    budget_tokens: int,
    read_blobs: Callable[[Sequence[str]], Mapping[str, str]],
) -> list[AnyMessage]:
    """Tool results with their blobs' texts, newest first, as far as the budget goes.

    The others keep what stands in the state: a beginning, and how to read the rest again.
    """
    blobs = [blob for message in reversed(messages) if (blob := blob_of(message))]
    texts = read_blobs(list(dict.fromkeys(blobs))[:20]) if blobs else {}
    answer = list(messages)
    for at in range(len(answer) - 1, -1, -1):
        text = texts.get(blob_of(answer[at]) or "")
        if text is None:
            continue
        budget_tokens -= tokens_in(text)
        if budget_tokens < 0:
            break
        answer[at] = answer[at].model_copy(update={"content": text})
    return answer
