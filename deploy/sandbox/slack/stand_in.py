"""A small Slack on your own machine: the Web API on real HTTP and people who act in it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from functools import partial
from typing import Any

from starlette.applications import Starlette

from deploy.sandbox.slack import payloads
from deploy.sandbox.slack.acting import Acting
from deploy.sandbox.slack.api_call import CallRecord
from deploy.sandbox.slack.faults import Fault, Faults
from deploy.sandbox.slack.installing import Installer, revoke_all
from deploy.sandbox.slack.methods_chat import permalink
from deploy.sandbox.slack.response_urls import ResponseUrls
from deploy.sandbox.slack.routes import slack_routes
from deploy.sandbox.slack.sender import Attempt, Delivery, Sender, post, sign
from deploy.sandbox.slack.socket_mode import SocketMode
from deploy.sandbox.slack.triggers import Triggers
from deploy.sandbox.slack.views import Views
from deploy.sandbox.slack.web_api import WebApi
from deploy.sandbox.slack.world import Channel, JsonObject, Team, Token, User, World

DEFAULT_SUBSCRIPTIONS = (
    "app_mention", "message.im", "app_home_opened", "app_uninstalled", "tokens_revoked",
    "channel_id_changed",
)  # fmt: skip


class SandboxSlack(Acting):
    """One Slack with one app, `precedent`, in any number of workspaces.

    The first workspace added gets `bot_token`; further ones get tokens by `install_token` or by
    the OAuth flow. `events_url` is where the app listens; without it, acts change the world and
    tell nobody. `base_url` is the stand-in's own address, needed for response URLs and set by
    whoever serves `app`.
    """

    def __init__(
        self,
        signing_secret: str,
        bot_token: str,
        client_id: str = "1000.2000",
        client_secret: str = "sandbox-client-secret",  # noqa: S107 - of the stand-in only
        events_url: str | None = None,
        *,
        app_token: str = "xapp-1-sandbox",  # noqa: S107 - of the stand-in only
        subscriptions: Iterable[str] = DEFAULT_SUBSCRIPTIONS,
        base_url: str = "",
    ) -> None:
        self.world = World()
        self.views = Views(self.world.app_id)
        self.triggers = Triggers()
        self.sender = Sender(signing_secret, events_url)
        self.socket_mode = SocketMode(self.world.app_id)
        self.response_urls = ResponseUrls(self.world)
        self.installer = Installer(self.world, client_id, client_secret)
        self.web_api = WebApi(
            self.world,
            self.views,
            self.triggers,
            self.installer,
            partial(self.emit, in_background=True),
            self._socket_url,
        )
        self.subscriptions = set(subscriptions)
        self.base_url = base_url
        self.agrees_by_itself = False
        self.bot_token = bot_token
        self.app_token = app_token
        self.world.tokens[app_token] = Token(
            app_token, None, kind="app", scopes=("connections:write",)
        )
        self.app = Starlette(routes=slack_routes(self))

    @property
    def events_url(self) -> str | None:
        """Where the app listens for events, commands and interactions."""
        return self.sender.events_url

    @events_url.setter
    def events_url(self, url: str | None) -> None:
        self.sender.events_url = url

    @property
    def signing_secret(self) -> str:
        return self.sender.signing_secret

    @property
    def client_id(self) -> str:
        return self.installer.client_id

    @property
    def client_secret(self) -> str:
        return self.installer.client_secret

    @property
    def api_url(self) -> str:
        """What slack_sdk takes as base_url."""
        return f"{self.base_url}/slack/api/"

    @property
    def calls(self) -> list[CallRecord]:
        """Every Web API call so far."""
        return list(self.web_api.calls)

    @property
    def contract_errors(self) -> list[str]:
        """What Slack's own description of the Web API would not allow."""
        return list(self.web_api.contract_errors)

    @property
    def deliveries(self) -> list[Delivery]:
        """Everything told to the app so far, or about to be."""
        return list(self.sender.deliveries)

    @property
    def faults(self) -> Faults:
        return self.web_api.faults

    def calls_of(self, method: str) -> list[CallRecord]:
        """The calls of one method, oldest first."""
        return [call for call in self.web_api.calls if call.method == method]

    def break_next(self, method: str, **fault: Any) -> Fault:
        """Make the next calls of a method go wrong; arguments as `faults.Fault` has them."""
        return self.faults.add(Fault(method, **fault))

    def add_team(
        self,
        name: str = "Acme",
        *,
        team_id: str | None = None,
        enterprise_id: str | None = None,
        bot_token: str | None = None,
        installed: bool = True,
    ) -> Team:
        """A workspace. The first one is installed with the token given to the constructor."""
        with self.world.lock:
            team = Team(
                id=team_id or self.world.new_id("T"),
                name=name,
                domain=name.lower().replace(" ", "-"),
                bot_user_id=self.world.new_id("U"),
                bot_id=self.world.new_id("B"),
                enterprise_id=enterprise_id,
                enterprise_name=f"{name} Group" if enterprise_id else None,
            )
            first = not self.world.teams
            self.world.teams[team.id] = team
            self.world.users[team.bot_user_id] = User(
                team.bot_user_id, team.id, "precedent", "Precedent", is_bot=True
            )
            token = bot_token or (self.bot_token if first else None)
            if installed and token:
                self.world.tokens[token] = Token(token, team.id)
            return team

    def install_token(self, team: Team | str, **settings: Any) -> str:
        """A further bot token of a workspace; `scopes`, `expires_at` as `world.Token` has them."""
        value = f"xoxb-{secrets.token_hex(12)}"
        with self.world.lock:
            self.world.tokens[value] = Token(value, _id(team), **settings)
        return value

    def add_user(
        self,
        name: str,
        *,
        team: Team | str | None = None,
        user_id: str | None = None,
        real_name: str = "",
        external: bool = False,
        is_bot: bool = False,
    ) -> User:
        """A person. `external` ones belong to another company, reached through Slack Connect."""
        with self.world.lock:
            home = self._team(team)
            user = User(
                id=user_id or self.world.new_id("U"),
                team_id=self.world.new_id("T") if external else home.id,
                name=name,
                real_name=real_name or name.capitalize(),
                is_bot=is_bot,
                is_stranger=external,
                enterprise_id=None if external else home.enterprise_id,
            )
            self.world.users[user.id] = user
            return user

    def add_channel(
        self,
        name: str,
        private: bool = False,
        shared: bool = False,
        members: Iterable[User | str] = (),
        *,
        team: Team | str | None = None,
        channel_id: str | None = None,
        with_bot: bool = True,
    ) -> Channel:
        """A channel with the bot in it, unless told otherwise. `shared`: with other companies."""
        with self.world.lock:
            home = self._team(team)
            people = [_id(member) for member in members]
            foreign = {self.world.users[p].team_id for p in people} - {home.id}
            channel = Channel(
                id=channel_id or self.world.new_id("C"),
                team_id=home.id,
                name=name.removeprefix("#"),
                is_private=private,
                is_ext_shared=shared,
                members=[*people, home.bot_user_id] if with_bot else people,
                shared_team_ids=sorted(foreign) if shared else [],
                created=int(time.time()),
            )
            self.world.channels[channel.id] = channel
            return channel

    def messages(self, channel: Channel | str) -> list[JsonObject]:
        """Every message of a channel, replies included, oldest first."""
        return self.world.messages(self._channel(channel).id)

    def ephemerals(self, channel: Channel | str | None = None) -> list[JsonObject]:
        """Messages that only their `recipient` sees."""
        return self.world.ephemerals(None if channel is None else self._channel(channel).id)

    def thread(self, channel: Channel | str, ts: str) -> list[JsonObject]:
        """A message and its replies, oldest first."""
        return self.world.thread(self._channel(channel).id, ts)

    def permalink(self, channel: Channel | str, ts: str) -> str:
        """The address of a message, as chat.getPermalink gives it."""
        found = self._channel(channel)
        message = self.world.message(found.id, ts) or {}
        return permalink(
            self.world.teams[found.team_id].domain, found.id, ts, message.get("thread_ts")
        )

    def use_socket_mode(self, *, on: bool = True) -> None:
        """Deliver through the app's WebSocket instead of `events_url`."""
        self.sender.socket = self.socket_mode if on else None

    def uninstall(self, team: Team | str | None = None) -> Delivery:
        """A person removes the app: tokens die, then `app_uninstalled` and `tokens_revoked`."""
        home = self._team(team)
        revoke_all(self.world, home.id)
        delivery = self.emit(home.id, {"type": "app_uninstalled"})
        tokens = {"oauth": [], "bot": [home.bot_user_id]}
        delivery.also.append(self.emit(home.id, {"type": "tokens_revoked", "tokens": tokens}))
        return delivery

    def verify_url(self) -> Attempt:
        """Slack's `url_verification`, sent once; the answer is in the attempt."""
        body = {
            "token": payloads.VERIFICATION_TOKEN,
            "type": "url_verification",
            "challenge": secrets.token_urlsafe(24),
        }
        content_type, raw = "application/json", payloads.as_bytes(body)
        headers = {"Content-Type": content_type, **sign(self.sender.signing_secret, raw)}
        if self.sender.events_url is None:
            raise LookupError("Set events_url to the app's address first.")
        return post(self.sender.events_url, raw, headers, deadline_s=self.sender.deadline_s)

    def stop(self) -> None:
        """Give up retries still to come."""
        self.sender.stop()

    def _socket_url(self, base_url: str) -> str:
        return self.socket_mode.url(self.base_url or base_url)


def _id(thing: Team | User | Channel | str) -> str:
    return thing if isinstance(thing, str) else thing.id
