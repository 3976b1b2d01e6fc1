"""chat.* and reactions.*: what the bot says."""

from __future__ import annotations

import re
from typing import Any

from deploy.sandbox.slack.api_call import ApiCall
from deploy.sandbox.slack.block_limits import (
    MAX_MARKDOWN_TEXT,
    MAX_MESSAGE_BLOCKS,
    MAX_POSTED_TEXT,
    MAX_UPDATED_TEXT,
    block_violations,
)
from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.views import with_block_ids
from deploy.sandbox.slack.world import Channel, JsonObject

_TS = re.compile(r"\d{10}\.\d{6}")
_EMOJI = re.compile(r"[a-z0-9_+\-']+(::skin-tone-[2-6])?")


def post_message(call: ApiCall) -> JsonObject:
    """chat.postMessage."""
    call.need_scope("chat:write")
    channel = _target(call)
    content = _content(call, MAX_POSTED_TEXT)
    message = _bot_message(call) | content
    parent = _parent(call, channel)
    if parent:
        message["thread_ts"] = parent
        message["parent_user_id"] = (call.world.message(channel.id, parent) or {}).get("user")
    if parent and call.flag("reply_broadcast"):
        message["subtype"] = "thread_broadcast"
    if metadata := call.structure("metadata", "invalid_metadata_format"):
        message["metadata"] = metadata
    stored = call.world.put_message(channel.id, message)
    if channel.im_user:
        event = {"channel": channel.id, "channel_type": "im", "event_ts": stored["ts"]}
        call.emit(call.team.id, {**stored, **event})
    return {"channel": channel.id, "ts": stored["ts"], "message": stored}


def post_ephemeral(call: ApiCall) -> JsonObject:
    """chat.postEphemeral."""
    call.need_scope("chat:write")
    channel = call.member_channel()
    user_id = call.text("user")
    if user_id not in channel.members:
        raise Refusal("user_not_in_channel")
    message = _bot_message(call) | _content(call, MAX_POSTED_TEXT)
    parent = _parent(call, channel)
    if parent:
        message["thread_ts"] = parent
    stored = call.world.put_ephemeral(channel.id, user_id, message)
    return {"message_ts": stored["ts"]}


def update(call: ApiCall) -> JsonObject:
    """chat.update."""
    call.need_scope("chat:write")
    channel = call.member_channel()
    old = _own_message(call, channel, "ts", "cant_update_message")
    content = _content(call, MAX_UPDATED_TEXT)
    changes = content | {"edited": {"user": call.team.bot_user_id, "ts": call.world.next_ts()}}
    if metadata := call.structure("metadata", "invalid_metadata_format"):
        changes["metadata"] = metadata
    stored = call.world.change_message(channel.id, old["ts"], changes)
    assert stored is not None
    return {"channel": channel.id, "ts": old["ts"], "text": stored["text"], "message": stored}


def delete(call: ApiCall) -> JsonObject:
    """chat.delete."""
    call.need_scope("chat:write")
    channel = call.member_channel()
    old = _own_message(call, channel, "ts", "cant_delete_message")
    call.world.drop_message(channel.id, old["ts"])
    return {"channel": channel.id, "ts": old["ts"]}


def get_permalink(call: ApiCall) -> JsonObject:
    """chat.getPermalink."""
    channel = call.channel()
    ts = call.text("message_ts")
    message = call.world.message(channel.id, ts)
    if message is None or message.get("is_ephemeral"):
        raise Refusal("message_not_found")
    return {
        "channel": channel.id,
        "permalink": permalink(call.team.domain, channel.id, ts, message.get("thread_ts")),
    }


def permalink(domain: str, channel_id: str, ts: str, thread_ts: str | None) -> str:
    """The address of a message; a reply names its thread."""
    link = f"https://{domain}.slack.com/archives/{channel_id}/p{ts.replace('.', '')}"
    if thread_ts and thread_ts != ts:
        link += f"?thread_ts={thread_ts}&cid={channel_id}"
    return link


def add_reaction(call: ApiCall) -> JsonObject:
    """reactions.add."""
    call.need_scope("reactions:write")
    channel, message, name = _reaction(call)
    reactions = message.get("reactions", [])
    mine = call.team.bot_user_id
    entry = next((r for r in reactions if r["name"] == name), None)
    if entry is None:
        entry = {"name": name, "users": [], "count": 0}
        reactions.append(entry)
    if mine in entry["users"]:
        raise Refusal("already_reacted")
    entry["users"].append(mine)
    entry["count"] += 1
    call.world.change_message(channel.id, message["ts"], {"reactions": reactions})
    return {}


def remove_reaction(call: ApiCall) -> JsonObject:
    """reactions.remove."""
    call.need_scope("reactions:write")
    channel, message, name = _reaction(call)
    mine = call.team.bot_user_id
    reactions = message.get("reactions", [])
    entry = next((r for r in reactions if r["name"] == name), None)
    if entry is None or mine not in entry["users"]:
        raise Refusal("no_reaction")
    entry["users"].remove(mine)
    entry["count"] -= 1
    left = [r for r in reactions if r["count"]]
    call.world.change_message(channel.id, message["ts"], {"reactions": left or None})
    return {}


def checked_content(
    text: str, blocks: Any, attachments: Any, markdown_text: str, most: int
) -> JsonObject:
    """Text and blocks of a message within Slack's limits. Raises Slack's refusals."""
    if markdown_text:
        if text or blocks:
            raise Refusal("markdown_text_conflict")
        if len(markdown_text) > MAX_MARKDOWN_TEXT:
            raise Refusal("msg_too_long")
        text = markdown_text
    if len(text) > most:
        raise Refusal("msg_too_long")
    if attachments is not None and len(attachments) > 100:
        raise Refusal("too_many_attachments")
    if blocks is not None:
        found = [str(violation) for violation in block_violations(blocks, limit=MAX_MESSAGE_BLOCKS)]
        if found:
            raise Refusal("invalid_blocks", messages=found, errors=found)
    if not text.strip() and not blocks and not attachments:
        raise Refusal("no_text")
    content: JsonObject = {"text": text}
    if blocks:
        content["blocks"] = with_block_ids(blocks)
    if attachments:
        content["attachments"] = attachments
    return content


def _content(call: ApiCall, most: int) -> JsonObject:
    blocks = call.structure("blocks", "invalid_blocks_format")
    attachments = call.structure("attachments", "invalid_attachments")
    content = checked_content(
        call.text("text"), blocks, attachments, call.text("markdown_text"), most
    )
    if call.method == "chat.update" and blocks == []:
        content["blocks"] = None
    return content


def _bot_message(call: ApiCall) -> JsonObject:
    team = call.team
    return {
        "type": "message",
        "user": team.bot_user_id,
        "ts": call.world.next_ts(),
        "bot_id": team.bot_id,
        "app_id": call.world.app_id,
        "team": team.id,
        "bot_profile": {
            "id": team.bot_id,
            "app_id": call.world.app_id,
            "user_id": team.bot_user_id,
            "name": "Precedent",
            "deleted": False,
            "team_id": team.id,
        },
    }


def _target(call: ApiCall) -> Channel:
    wanted = call.text("channel")
    if wanted.startswith(("U", "W")):
        try:
            return call.world.open_im(call.team.id, call.user(wanted).id)[0]
        except Refusal as refusal:
            raise Refusal("channel_not_found") from refusal
    return call.member_channel()


def _parent(call: ApiCall, channel: Channel) -> str | None:
    ts = call.text("thread_ts")
    if not ts:
        return None
    parent = call.world.message(channel.id, ts) if _TS.fullmatch(ts) else None
    if parent is None:
        raise Refusal("thread_not_found")
    if parent.get("is_ephemeral") or parent.get("thread_ts", ts) != ts:
        raise Refusal("cannot_reply_to_message")
    return ts


def _own_message(call: ApiCall, channel: Channel, name: str, foreign_error: str) -> JsonObject:
    message = call.world.message(channel.id, call.text(name))
    if message is None or message.get("is_ephemeral"):
        raise Refusal("message_not_found")
    if message.get("bot_id") != call.team.bot_id:
        raise Refusal(foreign_error)
    return message


def _reaction(call: ApiCall) -> tuple[Channel, JsonObject, str]:
    channel = call.channel()
    name = call.text("name").strip(":")
    if not _EMOJI.fullmatch(name):
        raise Refusal("invalid_name")
    ts = call.text("timestamp")
    if not _TS.fullmatch(ts):
        raise Refusal("bad_timestamp")
    message = call.world.message(channel.id, ts)
    if message is None or message.get("is_ephemeral"):
        raise Refusal("message_not_found")
    return channel, message, name
