"""Where in Slack somebody speaks and who they are there: asked of Slack, kept for a short while.

The events do not say enough: a mention does not tell whether its channel is private, and a command
does not tell whether its author came in through Slack Connect.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

from workers.event import SlackPlace
from workers.services import Services
from workers.slack_client import SlackSpeaker
from workers.slack_errors import SlackRefused

CHANNEL_CACHE_S = 60
HOME_CACHE_S = 3_600
"""How long it is kept whether a person belongs to the workspace."""


@dataclass(frozen=True)
class ChannelFacts:
    """A channel that we do not see counts as private and shared: the careful answer.

    `is_seen` is False for it.
    """

    is_private: bool = True
    is_shared_outside: bool = True
    is_seen: bool = False


def look_around(services: Services, speaker: SlackSpeaker, place: SlackPlace) -> SlackPlace:
    """The place with what Slack says of it now: whether it is private, and the person external."""
    if place.is_direct:
        # Somebody who shares a channel with us may write to us, and their channels are our links.
        is_external = place.is_external or is_outsider(services, speaker, place)
        return replace(place, is_external=is_external)
    facts = channel_facts(services, speaker, place)
    is_external = place.is_external or (
        facts.is_shared_outside and is_outsider(services, speaker, place)
    )
    return replace(place, is_private=facts.is_private, is_external=is_external)


def channel_facts(services: Services, speaker: SlackSpeaker, place: SlackPlace) -> ChannelFacts:
    key = f"precedent:slack_channel:{place.team}:{place.channel}"
    cached = services.redis.get(key)
    if cached:
        return ChannelFacts(**json.loads(cached))
    try:
        about = speaker.channel(place.channel)
    except SlackRefused as refusal:
        if refusal.code not in {"channel_not_found", "not_in_channel", "missing_scope"}:
            raise
        return ChannelFacts()
    facts = ChannelFacts(
        is_private=bool(about.get("is_private") or about.get("is_mpim")),
        is_shared_outside=bool(about.get("is_ext_shared") or about.get("is_pending_ext_shared")),
        is_seen=True,
    )
    services.redis.set(key, json.dumps(asdict(facts)), ex=CHANNEL_CACHE_S)
    return facts


def is_outsider(services: Services, speaker: SlackSpeaker, place: SlackPlace) -> bool:
    """Whether the person came in through Slack Connect, or is nobody whom Slack shows us."""
    key = f"precedent:slack_home:{place.team}:{place.user}"
    cached = services.redis.get(key)
    if cached:
        return cached == b"outside"
    try:
        person = speaker.person(place.user)
    except SlackRefused as refusal:
        if refusal.code not in {"user_not_found", "user_not_visible"}:
            raise
        return True
    is_ours = not person.get("is_stranger") and _is_at_home(services, place, person)
    services.redis.set(key, "home" if is_ours else "outside", ex=HOME_CACHE_S)
    return not is_ours


def _is_at_home(services: Services, place: SlackPlace, person: dict[str, object]) -> bool:
    if person.get("team_id") == place.team:
        return True
    grid = person.get("enterprise_user")
    enterprise = place.enterprise or services.slack_installations.enterprise_of(place.team)
    return bool(enterprise) and isinstance(grid, dict) and grid.get("enterprise_id") == enterprise
