"""One call of the Web API, as its method handlers see it, and the record that is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.triggers import Triggers
from deploy.sandbox.slack.views import Views
from deploy.sandbox.slack.world import Channel, JsonObject, Team, Token, User, World


@dataclass(frozen=True)
class CallRecord:
    """What went over the wire. The token is named by its kind and workspace only."""

    method: str
    arguments: JsonObject
    team_id: str | None
    token_kind: str | None
    content_type: str
    at: float
    status: int
    answer: JsonObject
    connection_dropped: bool = False

    @property
    def ok(self) -> bool:
        return bool(self.answer.get("ok")) and self.status == 200

    def as_json(self) -> JsonObject:
        return {**self.__dict__, "ok": self.ok}


@dataclass
class ApiCall:
    """A call whose token has been accepted; `team` is None for app-level tokens only."""

    method: str
    arguments: JsonObject
    world: World
    views: Views
    triggers: Triggers
    token: Token
    workspace: Team | None
    emit: Callable[[str, JsonObject], object]

    @property
    def team(self) -> Team:
        if self.workspace is None:
            raise Refusal("not_allowed_token_type")
        return self.workspace

    def text(self, name: str, default: str = "") -> str:
        """A string argument; raises the refusal for a structure in its place."""
        value = self.arguments.get(name)
        if value is None:
            return default
        if isinstance(value, dict | list):
            raise Refusal("invalid_arguments", messages=[f"[ERROR] {name} must be a string"])
        return str(value)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """A boolean argument in any form the SDK sends: JSON, `1`, `true`."""
        value = self.arguments.get(name)
        if value is None:
            return default
        return value is True or str(value).lower() in ("1", "true")

    def number(self, name: str, default: int, *, most: int) -> int:
        """A positive integer argument; raises invalid_limit outside 1..most."""
        value = self.arguments.get(name)
        if value in (None, ""):
            return default
        try:
            number = int(str(value))
        except ValueError as error:
            raise Refusal("invalid_limit") from error
        if not 1 <= number <= most:
            raise Refusal("invalid_limit")
        return number

    def structure(self, name: str, error: str) -> Any:
        """A JSON argument, sent as JSON or as text; None when absent. Raises `error`."""
        value = self.arguments.get(name)
        if isinstance(value, str):
            if not value:
                return None
            try:
                return json.loads(value)
            except ValueError as failure:
                raise Refusal(error) from failure
        return value

    def need_scope(self, scope: str) -> None:
        """Raise missing_scope, as Slack words it, unless the token has this scope."""
        if scope not in self.token.scopes:
            raise Refusal("missing_scope", needed=scope, provided=",".join(self.token.scopes))

    def channel(self, name: str = "channel", *, scope_action: str | None = None) -> Channel:
        """The channel named by an argument, if the bot may know that it exists.

        `scope_action` read or history also checks the scope that fits the channel's kind.
        """
        wanted = self.text(name)
        channel = self.world.channels.get(wanted)
        if channel is None and wanted.startswith("#"):
            channel = self.world.channel_named(self.team.id, wanted)
        if channel is None or not self._is_visible(channel):
            raise Refusal("channel_not_found")
        if scope_action:
            self.need_scope(f"{channel.kind}:{scope_action}")
        return channel

    def member_channel(self, name: str = "channel", *, scope_action: str | None = None) -> Channel:
        """Like `channel`, and the bot is a member of it and it is not archived."""
        channel = self.channel(name, scope_action=scope_action)
        if self.team.bot_user_id not in channel.members:
            raise Refusal("not_in_channel")
        if channel.is_archived:
            raise Refusal("is_archived")
        return channel

    def user(self, user_id: str) -> User:
        """A person whom this workspace knows: its own, or one met in a shared channel."""
        found = self.world.users.get(user_id)
        is_known = found is not None and (
            found.team_id == self.team.id
            or any(user_id in c.members for c in self.world.channels.values() if self._is_ours(c))
        )
        if found is None or not is_known:
            raise Refusal("user_not_found")
        return found

    def _is_visible(self, channel: Channel) -> bool:
        if not self._is_ours(channel):
            return False
        return not channel.is_private or self.team.bot_user_id in channel.members

    def _is_ours(self, channel: Channel) -> bool:
        return self.team.id in (channel.team_id, *channel.shared_team_ids)
