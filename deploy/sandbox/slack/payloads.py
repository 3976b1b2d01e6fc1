"""What Slack sends to an app: events in their envelope, slash commands, interactions."""

from __future__ import annotations

import json
import time
from typing import Any

from deploy.sandbox.slack.elements import input_state
from deploy.sandbox.slack.world import Channel, JsonObject, Team, User

VERIFICATION_TOKEN = "sandbox-verification-token"  # noqa: S105 - deprecated by Slack, still sent


def as_bytes(payload: JsonObject) -> bytes:
    """The JSON body as Slack sends it."""
    return json.dumps(payload, ensure_ascii=False).encode()


def event_envelope(
    team: Team,
    app_id: str,
    event: JsonObject,
    event_id: str,
    *,
    channel: Channel | None = None,
) -> JsonObject:
    """An `event_callback`, as the Events API posts it."""
    at = float(event.get("event_ts") or time.time())
    envelope: JsonObject = {
        "token": VERIFICATION_TOKEN,
        "team_id": team.id,
        "context_team_id": team.id,
        "context_enterprise_id": team.enterprise_id,
        "api_app_id": app_id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": int(at),
        "authorizations": [
            {
                "enterprise_id": team.enterprise_id,
                "team_id": team.id,
                "user_id": team.bot_user_id,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": bool(channel and channel.is_ext_shared),
        "event_context": f"4-{event_id}",
    }
    if team.enterprise_id:
        envelope["enterprise_id"] = team.enterprise_id
    return envelope


def message_event(message: JsonObject, channel: Channel) -> JsonObject:
    """A `message` event for a stored message."""
    kind = {"channels": "channel", "groups": "group", "im": "im"}[channel.kind]
    return {**message, "channel": channel.id, "channel_type": kind, "event_ts": message["ts"]}


def mention_event(message: JsonObject, channel: Channel) -> JsonObject:
    """An `app_mention` event for a stored message."""
    return {**message, "type": "app_mention", "channel": channel.id, "event_ts": message["ts"]}


def changed_event(
    subtype: str, channel: Channel, ts: str, now: JsonObject | None, before: JsonObject
) -> JsonObject:
    """A `message_changed` or `message_deleted` event."""
    kind = {"channels": "channel", "groups": "group", "im": "im"}[channel.kind]
    event: JsonObject = {
        "type": "message",
        "subtype": subtype,
        "hidden": True,
        "channel": channel.id,
        "channel_type": kind,
        "ts": ts,
        "event_ts": ts,
        "previous_message": before,
    }
    if now is None:
        return event | {"deleted_ts": before["ts"]}
    return event | {"message": now}


def slash_command(
    team: Team,
    app_id: str,
    channel: Channel,
    user: User,
    *,
    command: str,
    text: str,
    trigger_id: str,
    response_url: str,
) -> JsonObject:
    """The fields of a slash command, which travels as a form."""
    names = {"groups": "privategroup", "im": "directmessage"}
    fields: JsonObject = {
        "token": VERIFICATION_TOKEN,
        "team_id": team.id,
        "team_domain": team.domain,
        "channel_id": channel.id,
        "channel_name": names.get(channel.kind, channel.name),
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": app_id,
        "is_enterprise_install": "false",
        "response_url": response_url,
        "trigger_id": trigger_id,
    }
    if team.enterprise_id:
        fields |= {"enterprise_id": team.enterprise_id, "enterprise_name": team.enterprise_name}
    return fields


def interaction(kind: str, team: Team, app_id: str, user: User, **more: Any) -> JsonObject:
    """An interaction payload of one kind; `more` are the keys of that kind."""
    person: JsonObject = {
        "id": user.id,
        "username": user.name,
        "name": user.name,
        "team_id": user.team_id,
    }
    enterprise = None
    if team.enterprise_id:
        enterprise = {"id": team.enterprise_id, "name": team.enterprise_name}
    return {
        "type": kind,
        "user": person,
        "api_app_id": app_id,
        "token": VERIFICATION_TOKEN,
        "team": {"id": team.id, "domain": team.domain},
        "enterprise": enterprise,
        "is_enterprise_install": False,
        **more,
    }


def action(block_id: str, element: JsonObject, at: str, entered: Any = None) -> JsonObject:
    """One entry of `actions`: what was pressed or chosen. `entered` is the value chosen."""
    shown: JsonObject = {
        "type": element["type"],
        "action_id": element["action_id"],
        "block_id": block_id,
        "action_ts": at,
    }
    if element["type"] == "button":
        shown["text"] = element["text"]
        for name in ("value", "style", "url"):
            if name in element:
                shown[name] = element[name]
        return shown
    return shown | input_state(element, entered)
