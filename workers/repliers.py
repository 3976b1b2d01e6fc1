"""Answers put where the person asked: a GitHub comment, a Slack thread, a response URL."""

from __future__ import annotations

from typing import Any

from graph.answers import Answer, Button
from workers.mrkdwn import to_mrkdwn
from workers.posted_answers import PostedAnswer
from workers.replies import Replies, ReplyPlace
from workers.slack_client import SlackSpeaker
from workers.slack_text import split_text

SECTION_CHARACTERS = 2_900
"""Slack refuses a section text above 3,000 characters."""

MAX_BLOCKS = 48
"""Slack refuses more than 50 blocks in a message."""

MAX_RESPONSES = 4
"""Slack takes five answers to one command; one is kept for what a later job adds."""

PAGES_IN_A_RESPONSE = 3
"""Of 3,900 characters. Apps report refusals (`msg_blocks_too_long`) above about 13,000."""

CUT_OFF = Answer(
    "That is as much as one command can show. The App Home shows every convention; `list naming` "
    "and other topics show a part; an operator has `precedent conventions`.",
    is_refusal=True,
)

MAX_BUTTONS = 25
"""Slack refuses more elements in one actions block."""


class GithubReplier:
    """A `Replier` in one conversation of a pull request. Buttons become the words to write."""

    def __init__(self, replies: Replies, place: ReplyPlace) -> None:
        self._replies = replies
        self._place = place

    def reply(self, answer: Answer, key: str) -> PostedAnswer:
        reply = self._replies.reply(self._place, answer.text, key)
        return PostedAnswer(
            "github",
            key,
            number=self._place.number,
            comment_id=reply.id,
            comment_kind=reply.kind,
        )


class SlackReplier:
    """A `Replier` in one thread of a channel."""

    def __init__(self, speaker: SlackSpeaker, channel: str, thread_ts: str) -> None:
        self._speaker = speaker
        self._channel = channel
        self._thread_ts = thread_ts

    def reply(self, answer: Answer, key: str) -> PostedAnswer:
        posted = [
            self._speaker.post(
                self._channel,
                text,
                key=f"{key}:{number}",
                thread_ts=self._thread_ts,
                blocks=blocks,
            )
            for number, (text, blocks) in enumerate(slack_messages(answer))
        ]
        return PostedAnswer(
            "slack",
            key,
            channel=self._channel,
            thread_ts=self._thread_ts,
            ts=posted[-1].ts,
            messages=len(posted),
        )


class PersonReplier:
    """A `Replier` in a channel or thread that only one person sees."""

    def __init__(self, speaker: SlackSpeaker, channel: str, user: str, thread_ts: str) -> None:
        self._speaker = speaker
        self._channel = channel
        self._user = user
        self._thread_ts = thread_ts

    def reply(self, answer: Answer, key: str) -> None:
        for number, (text, blocks) in enumerate(slack_messages(answer)):
            self._speaker.post_for_one(
                self._channel,
                self._user,
                text,
                key=f"{key}:{number}",
                thread_ts=self._thread_ts,
                blocks=blocks,
            )


class ResponseReplier:
    """A `Replier` that only the person sees, through the response URL of a command or click."""

    def __init__(self, speaker: SlackSpeaker, response_url: str) -> None:
        self._speaker = speaker
        self._response_url = response_url

    def replace(self, text: str, key: str) -> None:
        """Put `text` in the place of the message whose button was pressed."""
        self._speaker.respond(
            self._response_url, text, key=f"{key}:replaced", replace_original=True
        )

    def reply(self, answer: Answer, key: str) -> PostedAnswer:
        messages = responses(answer)
        for number, (text, blocks) in enumerate(messages):
            self._speaker.respond(self._response_url, text, key=f"{key}:{number}", blocks=blocks)
        return PostedAnswer(
            "response", key, messages=len(messages), response_url=self._response_url
        )


def slack_messages(answer: Answer) -> list[tuple[str, list[dict[str, Any]]]]:
    """The messages of an answer: text for notifications, blocks, buttons under the last one."""
    pages = split_text(to_mrkdwn(answer.text))
    messages = []
    for number, page in enumerate(pages):
        blocks = [_section(part) for part in split_text(page, SECTION_CHARACTERS)]
        if number == len(pages) - 1 and answer.buttons:
            buttons = [_button(b, n) for n, b in enumerate(answer.buttons[:MAX_BUTTONS])]
            blocks.append({"type": "actions", "elements": buttons})
        messages.append((page, blocks[:MAX_BLOCKS]))
    return messages


def responses(answer: Answer) -> list[tuple[str, list[dict[str, Any]]]]:
    """The messages of an answer to a command: few, for Slack counts them, and so larger ones."""
    pages = slack_messages(answer)
    if len(pages) <= MAX_RESPONSES:
        return pages
    room = MAX_RESPONSES * PAGES_IN_A_RESPONSE
    if len(pages) > room:
        pages = [*pages[: room - 1], *slack_messages(CUT_OFF)]
    size = -(-len(pages) // MAX_RESPONSES)
    groups = [pages[at : at + size] for at in range(0, len(pages), size)]
    return [(group[0][0], [block for _, blocks in group for block in blocks]) for group in groups]


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def _button(button: Button, number: int) -> dict[str, Any]:
    # Action ids must differ within a block; the handler takes the number off again.
    element: dict[str, Any] = {
        "type": "button",
        "action_id": f"{button.action}#{number}",
        "text": {"type": "plain_text", "text": button.label[:75]},
        "value": button.value,
    }
    if button.is_dangerous:
        element["style"] = "danger"
    return element
