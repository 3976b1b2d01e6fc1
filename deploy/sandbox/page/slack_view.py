"""A channel of the Slack stand-in as one person sees it on the page: plain JSON."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.slack import SandboxSlack, User
from deploy.sandbox.slack.world import Channel, JsonObject

_SHOWN = ("ts", "thread_ts", "user", "text", "blocks", "reactions", "subtype", "edited")


def channel_list(slack: SandboxSlack, person: User) -> list[JsonObject]:
    """The channels the person is in, and the direct message with the bot."""
    listed = [
        {"id": channel.id, "name": f"#{channel.name}", "is_private": channel.is_private}
        for channel in slack.world.channels.values()
        if not channel.im_user and (not channel.is_private or person.id in channel.members)
    ]
    direct, _ = slack.world.open_im(person.team_id, person.id)
    return [*listed, {"id": direct.id, "name": "Precedent (direct message)", "is_private": True}]


def channel_view(slack: SandboxSlack, channel: Channel, person: User) -> JsonObject:
    """Messages in order, each with its replies; ephemeral ones only for their recipient."""
    messages = [_shown(m) for m in slack.messages(channel)]
    messages += [
        _shown(m) | {"is_ephemeral": True}
        for m in slack.ephemerals(channel)
        if m["recipient"] == person.id
    ]
    messages.sort(key=lambda message: float(message["ts"]))
    replies: dict[str, list[JsonObject]] = {}
    top = []
    for message in messages:
        parent = message.get("thread_ts")
        if parent and parent != message["ts"]:
            replies.setdefault(parent, []).append(message)
        else:
            top.append(message)
    known = {message["ts"] for message in top}
    orphans = [m for ts, group in replies.items() if ts not in known for m in group]
    threads = [m | {"replies": replies.get(m["ts"], [])} for m in (*top, *orphans)]
    return {"id": channel.id, "messages": threads}


def names(slack: SandboxSlack) -> JsonObject:
    """Display names of people and channels by id, for mentions."""
    world = slack.world
    with world.lock:
        people = {u.id: {"name": u.name, "is_bot": u.is_bot} for u in world.users.values()}
        channels = {c.id: c.name for c in world.channels.values()}
    return {"users": people, "channels": channels}


def view_on_screen(slack: SandboxSlack, person: User) -> JsonObject | None:
    """The open modal of the person."""
    return _view(slack.views.on_screen(person.id))


def home_view(slack: SandboxSlack, person: User) -> JsonObject | None:
    """The published App Home of the person."""
    return _view(slack.views.home(person.team_id, person.id))


def _view(body: JsonObject | None) -> JsonObject | None:
    kept = ("id", "hash", "type", "title", "submit", "close", "blocks")
    return {name: body.get(name) for name in kept} if body else None


def _shown(message: JsonObject) -> JsonObject:
    shown: dict[str, Any] = {name: message[name] for name in _SHOWN if name in message}
    return shown
