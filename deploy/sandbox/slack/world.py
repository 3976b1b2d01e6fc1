"""What exists in the stand-in's Slack: workspaces, people, channels, messages and tokens.

Plain state behind one lock. Nothing here speaks HTTP; the Web API and the actions of people both
change it through these methods.
"""

from __future__ import annotations

import copy
import itertools
import re
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

JsonObject = dict[str, Any]

# The bot scopes of the Slack manifest in deploy/.
DEFAULT_SCOPES = (
    "app_mentions:read", "chat:write", "commands", "im:history", "im:read", "im:write",
    "channels:read", "groups:read", "users:read", "reactions:write",
)  # fmt: skip
BARE_URL = re.compile(r"https?://[^\s<>|]*[^\s<>|.,;:!?)\]'\"]")


@dataclass
class Team:
    """A workspace in which the app is, was or may be installed."""

    id: str
    name: str
    domain: str
    bot_user_id: str
    bot_id: str
    enterprise_id: str | None = None
    enterprise_name: str | None = None


@dataclass
class User:
    """A person or a bot. `team_id` is the home workspace, which may be another company's."""

    id: str
    team_id: str
    name: str
    real_name: str
    is_bot: bool = False
    is_stranger: bool = False
    deleted: bool = False
    enterprise_id: str | None = None


@dataclass
class Channel:
    """A public or private channel, or a direct message (`im_user` is the other person)."""

    id: str
    team_id: str
    name: str
    is_private: bool = False
    is_ext_shared: bool = False
    is_archived: bool = False
    im_user: str | None = None
    members: list[str] = field(default_factory=list)
    shared_team_ids: list[str] = field(default_factory=list)
    created: int = 0

    @property
    def kind(self) -> str:
        """The prefix of the scopes that read it: channels, groups or im."""
        return "im" if self.im_user else "groups" if self.is_private else "channels"


@dataclass
class Token:
    """A credential. `kind` is bot or app; app tokens open Socket Mode."""

    value: str
    team_id: str | None
    kind: str = "bot"
    scopes: tuple[str, ...] = DEFAULT_SCOPES
    is_revoked: bool = False
    expires_at: float | None = None


class World:
    """All state; every public method takes the lock and returns copies of messages."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.teams: dict[str, Team] = {}
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self.tokens: dict[str, Token] = {}
        self.app_id = "A0PRECEDENT"
        self.changes = 0
        self._messages: dict[str, dict[str, JsonObject]] = {}
        self._ephemeral: list[JsonObject] = []
        self._counter = itertools.count(1)
        self._last_microseconds = 0

    def new_id(self, prefix: str) -> str:
        """An id in Slack's form: a capital letter, then capitals and digits."""
        with self.lock:
            return f"{prefix}{next(self._counter):010X}"

    def next_ts(self) -> str:
        """A message timestamp, unique and increasing over the whole world."""
        with self.lock:
            now = int(time.time() * 1_000_000)
            self._last_microseconds = max(now, self._last_microseconds + 1)
            return (
                f"{self._last_microseconds // 1_000_000}.{self._last_microseconds % 1_000_000:06d}"
            )

    def touch(self) -> None:
        """Count a change, so that a page knows when to look again."""
        with self.lock:
            self.changes += 1

    def put_message(self, channel_id: str, message: JsonObject) -> JsonObject:
        """Store a message under its `ts`; returns a copy. The channel must exist."""
        with self.lock:
            self._messages.setdefault(channel_id, {})[message["ts"]] = message
            self.touch()
            return copy.deepcopy(message)

    def put_ephemeral(self, channel_id: str, user_id: str, message: JsonObject) -> JsonObject:
        """Store a message that one person sees and no history returns."""
        with self.lock:
            stored = message | {"is_ephemeral": True, "channel": channel_id, "recipient": user_id}
            self._ephemeral.append(stored)
            self.touch()
            return copy.deepcopy(stored)

    def message(self, channel_id: str, ts: str) -> JsonObject | None:
        """One message, ephemeral ones included."""
        with self.lock:
            found = self._find(channel_id, ts)
            return copy.deepcopy(found) if found is not None else None

    def change_message(self, channel_id: str, ts: str, changes: JsonObject) -> JsonObject | None:
        """Overwrite keys of a message; a None removes the key. None when there is no message."""
        with self.lock:
            found = self._find(channel_id, ts)
            if found is None:
                return None
            for name, value in changes.items():
                if value is None:
                    found.pop(name, None)
                else:
                    found[name] = value
            self.touch()
            return copy.deepcopy(found)

    def drop_message(self, channel_id: str, ts: str) -> JsonObject | None:
        """Remove a message and return it; None when there is none."""
        with self.lock:
            dropped = self._messages.get(channel_id, {}).pop(ts, None)
            if dropped is None:
                dropped = next((m for m in self._ephemeral if self._is(m, channel_id, ts)), None)
                if dropped is not None:
                    self._ephemeral.remove(dropped)
            self.touch()
            return dropped

    def messages(self, channel_id: str) -> list[JsonObject]:
        """Every stored message of a channel, replies included, oldest first."""
        with self.lock:
            return copy.deepcopy(sorted(self._messages.get(channel_id, {}).values(), key=_by_ts))

    def ephemerals(self, channel_id: str | None = None) -> list[JsonObject]:
        """Messages that only their `recipient` sees, oldest first."""
        with self.lock:
            chosen = [m for m in self._ephemeral if channel_id in (None, m["channel"])]
            return copy.deepcopy(chosen)

    def thread(self, channel_id: str, ts: str) -> list[JsonObject]:
        """The message `ts` and its replies, oldest first; empty when there is none."""
        return [m for m in self.messages(channel_id) if ts in (m["ts"], m.get("thread_ts"))]

    def channel_named(self, team_id: str, name: str) -> Channel | None:
        """A channel of a workspace by name, with or without `#`."""
        with self.lock:
            wanted = name.removeprefix("#").casefold()
            return next(
                (
                    c
                    for c in self.channels.values()
                    if c.team_id == team_id and not c.im_user and c.name.casefold() == wanted
                ),
                None,
            )

    def open_im(self, team_id: str, user_id: str) -> tuple[Channel, bool]:
        """The direct message between the bot and a person, and whether it existed before."""
        with self.lock:
            for channel in self.channels.values():
                if channel.team_id == team_id and channel.im_user == user_id:
                    return channel, True
            bot = self.teams[team_id].bot_user_id
            channel = Channel(
                id=self.new_id("D"),
                team_id=team_id,
                name="",
                is_private=True,
                im_user=user_id,
                members=[user_id, bot],
                created=int(time.time()),
            )
            self.channels[channel.id] = channel
            self.touch()
            return channel, False

    def rename_channel(self, old_id: str, channel: Channel) -> None:
        """Move a channel and its messages from `old_id` to its present id."""
        with self.lock:
            del self.channels[old_id]
            self.channels[channel.id] = channel
            self._messages[channel.id] = self._messages.pop(old_id, {})
            for message in self._ephemeral:
                if message["channel"] == old_id:
                    message["channel"] = channel.id
            self.touch()

    def typed(self, team_id: str, text: str) -> str:
        """What Slack stores when a person types `text`: escaped, links and mentions marked."""
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        linked = BARE_URL.sub(lambda match: f"<{match.group()}>", escaped)
        with self.lock:
            team = self.teams[team_id]
            names = {u.name.casefold(): u.id for u in self.users.values()}
            names["precedent"] = team.bot_user_id

        def mention(match: re.Match[str]) -> str:
            user_id = names.get(match.group(1).casefold())
            return f"<@{user_id}>" if user_id else match.group()

        return re.sub(r"(?<![\w@/.])@([A-Za-z][\w-]*)", mention, linked)

    def _find(self, channel_id: str, ts: str) -> JsonObject | None:
        found = self._messages.get(channel_id, {}).get(ts)
        if found is not None:
            return found
        return next((m for m in self._ephemeral if self._is(m, channel_id, ts)), None)

    @staticmethod
    def _is(message: JsonObject, channel_id: str, ts: str) -> bool:
        return bool(message["channel"] == channel_id and message["ts"] == ts)


def with_thread_counts(messages: Iterable[JsonObject]) -> list[JsonObject]:
    """Messages as history shows them: a parent carries reply_count, reply_users, latest_reply."""
    listed = list(messages)
    replies: dict[str, list[JsonObject]] = {}
    for message in listed:
        parent = message.get("thread_ts")
        if parent and parent != message["ts"]:
            replies.setdefault(parent, []).append(message)
    return [_counted(message, replies.get(message["ts"], [])) for message in listed]


def _counted(message: JsonObject, replies: list[JsonObject]) -> JsonObject:
    if not replies:
        return message
    people = list(dict.fromkeys(str(reply.get("user")) for reply in replies))
    return message | {
        "thread_ts": message["ts"],
        "reply_count": len(replies),
        "reply_users": people,
        "reply_users_count": len(people),
        "latest_reply": replies[-1]["ts"],
    }


def _by_ts(message: JsonObject) -> tuple[int, int]:
    seconds, _, microseconds = str(message["ts"]).partition(".")
    return int(seconds), int(microseconds)
