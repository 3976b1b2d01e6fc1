"""From Slack's bodies to decisions: mentions, direct messages, commands, buttons, the home tab."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bot.decision import Accept, Decision, Ignore
from bot.encodable import encodable
from workers.event import Event, SlackPlace

MAX_TEXT_CHARACTERS = 40_000
"""Slack's own limit for a message."""

LIFECYCLE = frozenset({"app_uninstalled", "tokens_revoked", "channel_id_changed"})
TALKING_SUBTYPES = frozenset({"", "file_share", "thread_broadcast"})
"""Of the message subtypes only these are a person saying something new."""


def decide_event(body: Mapping[str, Any]) -> Decision:
    """An Events API callback. Every text field may be missing or of another type."""
    event = body.get("event")
    team, event_id = _text(body, "team_id"), _text(body, "event_id")
    if not isinstance(event, Mapping) or not team or not event_id:
        return Ignore("incomplete_payload")
    kind = _text(event, "type")
    if kind in {"app_mention", "message"}:
        return _decide_message(body, event, team, f"slack:{team}:{event_id}")
    if kind == "app_home_opened":
        return _decide_home(event, team, f"slack:{team}:{event_id}")
    if kind in LIFECYCLE:
        lifecycle = Event(
            id=f"slack:{team}:{event_id}",
            kind="slack.lifecycle",
            action=kind,
            subject=f"slack:team:{team}",
            lane="background",
            slack=SlackPlace(
                team=team,
                channel=_text(event, "new_channel_id"),
                user="",
                enterprise=_text(body, "enterprise_id"),
            ),
            arguments=tuple(filter(None, (_text(event, "old_channel_id"), *_revoked(event)))),
        )
        return Accept(lifecycle)
    return Ignore("event_not_used")


def decide_command(body: Mapping[str, Any], view_id: str = "", view_hash: str = "") -> Decision:
    """A slash command. It is not delivered again by Slack; its trigger id is unique.

    `view_id` is that of a loading view just opened; its hash is the argument.
    """
    team, channel, user = (_text(body, k) for k in ("team_id", "channel_id", "user_id"))
    trigger = _text(body, "trigger_id")
    if not (team and channel and user and trigger):
        return Ignore("incomplete_payload")
    command = Event(
        id=f"slack:command:{team}:{trigger}",
        kind="slack.command",
        action=_text(body, "command"),
        subject=f"slack:{team}:{channel}:{user}",
        text=_text(body, "text")[:MAX_TEXT_CHARACTERS],
        arguments=_without_empty_tail(view_hash),
        slack=SlackPlace(
            team=team,
            channel=channel,
            user=user,
            enterprise=_text(body, "enterprise_id"),
            view_id=view_id,
            is_direct=_text(body, "channel_name") == "directmessage",
            is_private=_text(body, "channel_name") == "privategroup",
            response_url=_text(body, "response_url"),
        ),
    )
    return Accept(command)


def decide_interaction(body: Mapping[str, Any], view_id: str = "", view_hash: str = "") -> Decision:
    """A button of ours, or a submitted modal; `view_id` is that of a loading view just opened.

    The arguments are the value, the metadata of the view in which it was clicked, and the hash of
    the loading view; of a modal they are its metadata and its state as JSON.
    """
    team, user = _text(body, "team", "id"), _text(body, "user", "id")
    trigger = _text(body, "trigger_id")
    if not (team and user and trigger):
        return Ignore("incomplete_payload")
    action, value = _action(body)
    if not action:
        return Ignore("action_not_used")
    channel = _text(body, "channel", "id") or _text(body, "container", "channel_id")
    ts = _text(body, "container", "message_ts") or _text(body, "message", "ts")
    thread_ts = _text(body, "message", "thread_ts") or _text(body, "container", "thread_ts") or ts
    at = f"{channel}:{thread_ts or user}" if channel else f"home:{user}"
    interaction = Event(
        id=f"slack:action:{team}:{trigger}",
        kind="slack.action",
        action=action,
        subject=f"slack:{team}:{at}",
        arguments=_without_empty_tail(*value, view_hash),
        slack=SlackPlace(
            team=team,
            channel=channel,
            user=user,
            ts=ts,
            thread_ts=thread_ts,
            enterprise=_text(body, "enterprise", "id"),
            is_external=_text(body, "user", "team_id") not in ("", team),
            response_url=_text(body, "response_url"),
            view_id=view_id or _text(body, "view", "id"),
        ),
    )
    return Accept(interaction)


def _decide_message(
    body: Mapping[str, Any], event: Mapping[str, Any], team: str, event_id: str
) -> Decision:
    if _text(event, "bot_id") or isinstance(event.get("bot_profile"), Mapping):
        return Ignore("sender_is_a_bot")
    if _text(event, "subtype") not in TALKING_SUBTYPES or isinstance(event.get("edited"), Mapping):
        return Ignore("not_a_new_message")
    is_direct = _text(event, "channel_type") == "im"
    if _text(event, "type") == "message" and not is_direct:
        # A mention in a channel arrives as app_mention as well; that one is used.
        return Ignore("message_without_mention")
    channel, ts, user = (_text(event, k) for k in ("channel", "ts", "user"))
    if not (channel and ts and user):
        return Ignore("incomplete_payload")
    thread_ts = _text(event, "thread_ts") or ts
    home = _text(event, "user_team") or _text(event, "source_team") or _text(event, "team") or team
    place = SlackPlace(
        team=team,
        channel=channel,
        user=user,
        ts=ts,
        thread_ts=thread_ts,
        enterprise=_text(body, "enterprise_id"),
        is_direct=is_direct,
        is_private=_text(event, "channel_type") in {"group", "mpim"},
        is_external=home != team,
    )
    mention = Event(
        id=event_id,
        kind="slack.mention",
        subject=f"slack:{team}:{channel}:{thread_ts}",
        text=_text(event, "text")[:MAX_TEXT_CHARACTERS],
        slack=place,
    )
    seen = f"slack:message:{team}:{channel}:{ts}"
    sign = Event(id=f"sign:{seen}", kind="sign", subject=f"sign:{seen}", slack=place)
    return Accept(mention, also_seen=(seen,), follow=(sign,))


def _decide_home(event: Mapping[str, Any], team: str, event_id: str) -> Decision:
    user = _text(event, "user")
    if not user or _text(event, "tab") not in ("", "home"):
        return Ignore("event_not_used")
    place = SlackPlace(team=team, channel="", user=user, view_id=_text(event, "view", "id"))
    home = Event(
        id=event_id,
        kind="slack.home",
        subject=f"slack:{team}:home:{user}",
        arguments=_without_empty_tail(_text(event, "view", "private_metadata")),
        slack=place,
    )
    return Accept(home)


def _action(body: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The action's name and its values: a button's value, or a modal's callback and its state."""
    actions = body.get("actions")
    if isinstance(actions, list) and actions and isinstance(actions[0], Mapping):
        first = actions[0]
        chosen = first.get("selected_option")
        value = _text(first, "value") or (
            _text(chosen, "value") if isinstance(chosen, Mapping) else ""
        )
        return _text(first, "action_id"), [value, _text(body, "view", "private_metadata")]
    view = body.get("view")
    if _text(body, "type") == "view_submission" and isinstance(view, Mapping):
        state = view.get("state")
        values = encodable(json.dumps(state, ensure_ascii=False))[:MAX_TEXT_CHARACTERS]
        return _text(view, "callback_id"), [_text(view, "private_metadata"), values]
    return "", []


def _without_empty_tail(*values: str) -> tuple[str, ...]:
    kept = list(values)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def _revoked(event: Mapping[str, Any]) -> list[str]:
    tokens = event.get("tokens")
    bots = tokens.get("bot") if isinstance(tokens, Mapping) else None
    return (
        [f"bot:{user}" for user in bots if isinstance(user, str)] if isinstance(bots, list) else []
    )


def _text(body: Mapping[str, Any], *path: str) -> str:
    value: Any = body
    for name in path:
        if not isinstance(value, Mapping):
            return ""
        value = value.get(name)
    return encodable(value) if isinstance(value, str) else ""
