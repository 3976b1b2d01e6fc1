"""conversations.*, users.*, team.info, bots.info: what the bot may know of a workspace."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Any

from deploy.sandbox.slack.api_call import ApiCall
from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.world import Channel, JsonObject, Team, User, with_thread_counts

_KINDS = {"public_channel": "channels", "private_channel": "groups", "im": "im", "mpim": "mpim"}


def conversations_info(call: ApiCall) -> JsonObject:
    """conversations.info."""
    channel = call.channel(scope_action="read")
    shown = channel_object(channel, call.team)
    if call.flag("include_num_members"):
        shown["num_members"] = len(channel.members)
    return {"channel": shown}


def conversations_history(call: ApiCall) -> JsonObject:
    """conversations.history: top-level messages, newest first."""
    channel = call.member_channel(scope_action="history")
    listed = with_thread_counts(call.world.messages(channel.id))
    top = [
        m
        for m in listed
        if m.get("thread_ts", m["ts"]) == m["ts"] or m.get("subtype") == "thread_broadcast"
    ]
    return _message_page(call, list(reversed(_between(call, top))))


def conversations_replies(call: ApiCall) -> JsonObject:
    """conversations.replies: a thread, its parent first."""
    channel = call.member_channel(scope_action="history")
    ts = call.text("ts")
    listed = with_thread_counts(call.world.messages(channel.id))
    thread = [m for m in listed if ts in (m["ts"], m.get("thread_ts"))]
    if not thread:
        raise Refusal("thread_not_found")
    return _message_page(call, [thread[0], *_between(call, thread[1:])])


def conversations_members(call: ApiCall) -> JsonObject:
    """conversations.members."""
    channel = call.channel(scope_action="read")
    page, cursor = _page(call, channel.members, default=100)
    return {"members": page, "response_metadata": {"next_cursor": cursor}}


def conversations_open(call: ApiCall) -> JsonObject:
    """conversations.open: the direct message with one person."""
    call.need_scope("im:write")
    if wanted := call.text("channel"):
        channel = call.world.channels.get(wanted)
        if channel is None or not channel.im_user or channel.team_id != call.team.id:
            raise Refusal("channel_not_found")
        existed = True
    else:
        users = [user for user in call.text("users").split(",") if user]
        if not users:
            raise Refusal("users_list_not_supplied")
        if len(users) > 1:
            raise Refusal("method_not_supported_for_channel_type")
        channel, existed = call.world.open_im(call.team.id, call.user(users[0]).id)
    shown = channel_object(channel, call.team) if call.flag("return_im") else {"id": channel.id}
    extra = {"no_op": True, "already_open": True} if existed else {}
    return {"channel": shown, **extra}


def users_info(call: ApiCall) -> JsonObject:
    """users.info."""
    call.need_scope("users:read")
    return {"user": user_object(call.user(call.text("user")), call.team)}


def users_conversations(call: ApiCall) -> JsonObject:
    """users.conversations: channels that a person, or else the bot, is a member of."""
    types = [t for t in re.split(r"\s*,\s*", call.text("types", "public_channel")) if t]
    if not set(types) <= set(_KINDS):
        raise Refusal("invalid_types")
    kinds = {_KINDS[t] for t in types}
    for kind in sorted(kinds):
        call.need_scope(f"{kind}:read")
    user_id = call.user(call.text("user", call.team.bot_user_id)).id
    bot = call.team.bot_user_id
    found = [
        channel_object(channel, call.team)
        for channel in call.world.channels.values()
        if call.team.id in (channel.team_id, *channel.shared_team_ids)
        and channel.kind in kinds
        and user_id in channel.members
        and (not channel.is_private or bot in channel.members)
        and not (call.flag("exclude_archived") and channel.is_archived)
    ]
    page, cursor = _page(call, found, default=100)
    return {"channels": page, "response_metadata": {"next_cursor": cursor}}


def team_info(call: ApiCall) -> JsonObject:
    """team.info."""
    call.need_scope("team:read")
    team = call.team
    if call.text("team", team.id) != team.id:
        raise Refusal("team_not_found")
    shown: JsonObject = {
        "id": team.id,
        "name": team.name,
        "domain": team.domain,
        "email_domain": "",
        "icon": {"image_default": True},
        "url": f"https://{team.domain}.slack.com/",
    }
    if team.enterprise_id:
        shown |= {"enterprise_id": team.enterprise_id, "enterprise_name": team.enterprise_name}
    return {"team": shown}


def bots_info(call: ApiCall) -> JsonObject:
    """bots.info."""
    call.need_scope("users:read")
    if call.text("bot", call.team.bot_id) != call.team.bot_id:
        raise Refusal("bot_not_found")
    return {
        "bot": {
            "id": call.team.bot_id,
            "deleted": False,
            "name": "Precedent",
            "updated": 0,
            "app_id": call.world.app_id,
            "user_id": call.team.bot_user_id,
            "icons": {},
        }
    }


def channel_object(channel: Channel, team: Team) -> JsonObject:
    """A channel as the API shows it to the bot of `team`."""
    common: JsonObject = {
        "id": channel.id,
        "created": channel.created,
        "is_archived": channel.is_archived,
        "is_im": bool(channel.im_user),
        "is_mpim": False,
        "is_org_shared": False,
        "context_team_id": team.id,
        "updated": channel.created * 1000,
    }
    if channel.im_user:
        return common | {"user": channel.im_user, "is_user_deleted": False, "priority": 0}
    return common | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": not channel.is_private,
        "is_group": channel.is_private,
        "is_private": channel.is_private,
        "is_general": False,
        "is_shared": channel.is_ext_shared,
        "is_ext_shared": channel.is_ext_shared,
        "is_pending_ext_shared": False,
        "pending_shared": [],
        "shared_team_ids": [channel.team_id, *channel.shared_team_ids],
        "is_member": team.bot_user_id in channel.members,
        "creator": channel.members[0] if channel.members else "",
        "unlinked": 0,
        "parent_conversation": None,
        "previous_names": [],
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
    }


def user_object(user: User, team: Team) -> JsonObject:
    """A person as the API shows them to the bot of `team`; no e-mail without its scope."""
    shown: JsonObject = {
        "id": user.id,
        "team_id": user.team_id,
        "name": user.name,
        "deleted": user.deleted,
        "real_name": user.real_name,
        "tz": "Etc/UTC",
        "tz_label": "Coordinated Universal Time",
        "tz_offset": 0,
        "is_bot": user.is_bot,
        "is_app_user": False,
        "is_restricted": False,
        "is_ultra_restricted": False,
        "updated": 0,
        "profile": {
            "real_name": user.real_name,
            "real_name_normalized": user.real_name,
            "display_name": user.name,
            "display_name_normalized": user.name,
            "team": user.team_id,
        },
    }
    if user.is_stranger or user.team_id != team.id:
        shown["is_stranger"] = user.is_stranger
    else:
        shown |= {"is_admin": False, "is_owner": False, "is_primary_owner": False}
    if user.enterprise_id:
        shown["enterprise_user"] = {
            "id": user.id,
            "enterprise_id": user.enterprise_id,
            "teams": [user.team_id],
        }
    return shown


def _between(call: ApiCall, messages: list[JsonObject]) -> list[JsonObject]:
    oldest, latest = call.text("oldest"), call.text("latest")
    try:
        low = float(oldest or 0)
        high = float(latest) if latest else float("inf")
    except ValueError as error:
        raise Refusal("invalid_ts_latest" if latest else "invalid_ts_oldest") from error
    if call.flag("inclusive"):
        return [m for m in messages if low <= float(m["ts"]) <= high]
    return [m for m in messages if low < float(m["ts"]) < high]


def _message_page(call: ApiCall, messages: list[JsonObject]) -> JsonObject:
    if not call.flag("include_all_metadata"):
        messages = [{k: v for k, v in m.items() if k != "metadata"} for m in messages]
    page, cursor = _page(call, messages, default=100)
    answer: JsonObject = {"messages": page, "has_more": bool(cursor)}
    if cursor:
        answer["response_metadata"] = {"next_cursor": cursor}
    return answer


def _page(call: ApiCall, items: Sequence[Any], *, default: int) -> tuple[list[Any], str]:
    limit = call.number("limit", default, most=1000)
    start = 0
    if cursor := call.text("cursor"):
        try:
            name, _, offset = base64.b64decode(cursor, validate=True).decode("ascii").partition(":")
            start = int(offset)
        except (binascii.Error, UnicodeDecodeError, ValueError) as error:
            raise Refusal("invalid_cursor") from error
        if name != "next":
            raise Refusal("invalid_cursor")
    end = start + limit
    following = base64.b64encode(f"next:{end}".encode()).decode() if end < len(items) else ""
    return list(items[start:end]), following
