"""Which repository somebody in Slack means: the channel's, the one named, or the one they choose.

Neither words nor a model can reach a repository that the channel is not linked to.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import Any

from graph.answers import Answer
from workers.channels import ChannelLink
from workers.event import Event, SlackPlace
from workers.mrkdwn import to_mrkdwn
from workers.services import Services
from workers.slack_client import SlackSpeaker

CHOICE_TTL_S = 86_400
MAX_BUTTONS = 5
"""More are a menu."""

MAX_OPTIONS = 100
"""Slack refuses more in one menu."""

MAX_LABEL_CHARACTERS = 75
CHOOSE = "repository.choose"
UNLINKED = (
    "This channel is not linked to a repository. Someone with the maintain role links it with "
    "`/conventions link owner/name`."
)
UNLINKED_DIRECT = (
    "None of the channels that you are in is linked to a repository. Someone with the maintain "
    "role links one there with `/conventions link owner/name`."
)
OUT_OF_REACH = {
    "installation_suspended": "the GitHub App's installation is suspended there. An owner of the "
    "account unsuspends it in its settings under GitHub Apps.",
    "installation_removed": "the GitHub App is not installed there any more. An owner of the "
    "account installs it again.",
    "repository_not_installed": "the GitHub App has no access to it any more. An owner of the "
    "account adds it in the settings under GitHub Apps.",
    "repository_blocked": "GitHub has blocked access to it. Its page there says why.",
}

_PREFIX = re.compile(r"^\s*repo:\s?([\w.-]{1,100}/[\w.-]{1,100})(?=\s|$)[ \t]*", re.IGNORECASE)


def split_prefix(text: str) -> tuple[str, str]:
    """The repository that a text begins with ("repo:owner/name …", "" for none), and the rest."""
    named = _PREFIX.match(text)
    return (named[1], text[named.end() :]) if named else ("", text)


def links_at(services: Services, speaker: SlackSpeaker, place: SlackPlace) -> list[ChannelLink]:
    """The channel's repositories; in a direct message those of the person's own channels."""
    if not place.is_direct:
        return services.channels.of_channel(place.team, place.channel)
    found: dict[int, ChannelLink] = {}
    for channel in speaker.channels_of(place.user):
        for link in services.channels.of_channel(place.team, channel):
            found[link.repository_id] = link
    return sorted(found.values(), key=lambda link: link.name.casefold())


def meant(
    services: Services, event: Event, place: SlackPlace, links: list[ChannelLink], named: str
) -> ChannelLink | Answer | None:
    """The link that is meant; an answer that says why there is none; None: the person must choose.

    `event.repository_id` is set only where the person has chosen before.
    """
    if not links:
        return Answer(UNLINKED_DIRECT if place.is_direct else UNLINKED, is_refusal=True)
    chosen = event.repository_id or _of_thread(services, place)
    found = next((link for link in links if link.repository_id == chosen), None)
    if named:
        found = next((link for link in links if link.name.casefold() == named.casefold()), None)
        if found is None:
            return _unknown(named, links)
    elif found is None and len(links) == 1:
        found = links[0]
    if found is None:
        return None
    reason = services.installations.why_not(found.installation_id, found.repository_id)
    if reason in OUT_OF_REACH:
        return Answer(f"I can't reach {found.name}: {OUT_OF_REACH[reason]}", is_refusal=True)
    return found


def ask_which(
    services: Services, event: Event, place: SlackPlace, links: list[ChannelLink]
) -> tuple[str, list[dict[str, Any]]]:
    """A message with a choice; the words wait until it is made. Text and blocks."""
    choice = hashlib.sha256(event.id.encode()).hexdigest()[:16]
    services.redis.set(_choice_key(place.team, choice), event.to_json(), ex=CHOICE_TTL_S)
    shown = links[:MAX_OPTIONS]
    names = ", ".join(f"`repo:{link.name}`" for link in shown[:MAX_BUTTONS])
    text = to_mrkdwn(f"Which repository do you mean? Or begin with one of {names}.")
    section = {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}
    values = [
        (link.name[:MAX_LABEL_CHARACTERS], f"{choice} {link.repository_id}") for link in shown
    ]
    elements = [_button(label, value, n) for n, (label, value) in enumerate(values)]
    if len(values) > MAX_BUTTONS:
        elements = [_menu(values)]
    return text, [section, {"type": "actions", "elements": elements}]


def take_choice(services: Services, place: SlackPlace, value: str) -> Event | Answer:
    """The waiting words with the chosen repository, as an event of its own; once.

    Only the person who was asked may choose.
    """
    choice, _, repository = value.partition(" ")
    stored = services.redis.get(_choice_key(place.team, choice))
    if not stored or not repository.isdecimal():
        return Answer("That was answered already, or is too old: say it again.", is_refusal=True)
    waiting = Event.from_json(stored)
    assert waiting.slack is not None
    if waiting.slack.user != place.user:
        return Answer("Only the person who was asked can choose.", is_refusal=True)
    repository_id = int(repository)
    if waiting.slack.thread_ts:
        where = (place.team, waiting.slack.channel, waiting.slack.thread_ts)
        services.channels.choose(*where, repository_id)
    response_url = place.response_url or waiting.slack.response_url
    return replace(
        waiting,
        id=f"chosen:{waiting.id}:{repository_id}",
        repository_id=repository_id,
        slack=replace(waiting.slack, response_url=response_url),
    )


def forget_choice(services: Services, place: SlackPlace, value: str) -> None:
    services.redis.delete(_choice_key(place.team, value.partition(" ")[0]))


def _of_thread(services: Services, place: SlackPlace) -> int | None:
    if not place.thread_ts:
        return None
    return services.channels.chosen(place.team, place.channel, place.thread_ts)


def _unknown(named: str, links: list[ChannelLink]) -> Answer:
    names = ", ".join(f"`repo:{link.name}`" for link in links[:MAX_OPTIONS])
    return Answer(f"`{named}` is not linked here; there is {names}.", is_refusal=True)


def _button(label: str, value: str, number: int) -> dict[str, Any]:
    return {
        "type": "button",
        "action_id": f"{CHOOSE}#{number}",
        "text": {"type": "plain_text", "text": label},
        "value": value,
    }


def _menu(values: list[tuple[str, str]]) -> dict[str, Any]:
    options = [
        {"text": {"type": "plain_text", "text": label}, "value": value} for label, value in values
    ]
    return {
        "type": "static_select",
        "action_id": f"{CHOOSE}#menu",
        "placeholder": {"type": "plain_text", "text": "Repository"},
        "options": options,
    }


def _choice_key(team: str, choice: str) -> str:
    return f"precedent:choice:{team}:{choice}"
