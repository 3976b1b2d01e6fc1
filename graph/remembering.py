"""`remember_convention`: the one tool with an effect, and the quote rule that guards it."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from graph.context import ReviewContext, Speaker
from graph.conventions import Topic
from graph.desk import Desk, Visitor, lesson_from
from graph.quotes import find_quote
from graph.teaching import interpret


class RememberConvention(BaseModel):
    """Remember a rule that the person who is speaking has just stated for their repository.

    `quote` must be copied from their latest message, word for word; it is what is saved.
    """

    model_config = ConfigDict(extra="forbid")

    topic: Topic = Field(description="What the rule is about.")
    quote: str = Field(description="The rule, copied word for word from the person's message.")


class NotSaved(ValueError):  # noqa: N818
    """Nothing was saved; the message says why, for the model and for the person."""

    reason = "not_saved"


def remember(
    call: RememberConvention, context: ReviewContext, desk: Desk, key: str, handle: str
) -> str:
    """Save the person's own words, and say what was saved. Raises NotSaved.

    What code recognises as an explicit request becomes active; all else that a model hears is a
    proposal, which does nothing until someone approves it.
    """
    speaker = context.speaker
    if speaker is None:
        raise NotSaved("Nothing was saved: nobody is speaking in this turn.")
    words = find_quote(call.quote, speaker.message)
    if words is None:
        raise NotSaved(
            "Nothing was saved: those words do not stand in the person's latest message. "
            "Only what a person said themselves, outside code and quotations, can be remembered."
        )
    visitor = visitor_of(context, speaker)
    if visitor.is_direct_message:
        raise NotSaved("Nothing was saved: direct messages don't teach.")
    lesson = replace(lesson_from(words), topic=call.topic)
    is_explicit = any(
        words in t.quote or t.quote in words
        for t in interpret(speaker.message, handle=handle).teachings
    )
    is_proposal = not is_explicit or visitor.is_private_channel
    answer = desk.propose(replace(lesson, is_proposal=is_proposal), visitor, key)
    if answer.is_refusal:
        raise NotSaved(f"Nothing was saved: {answer.text}")
    return answer.text


def visitor_of(context: ReviewContext, speaker: Speaker) -> Visitor:
    return Visitor(
        source=speaker.source,
        permission=speaker.permission,
        is_public=context.is_public,
        is_org_owner=context.is_org_owner,
        is_private_channel=context.is_private_channel,
        is_direct_message=context.is_direct_message,
        is_linked=context.is_linked,
    )
