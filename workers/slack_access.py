"""Which token speaks in which Slack workspace, and how tokens are got and renewed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from workers.errors import Permanent
from workers.settings import SlackSettings
from workers.slack_client import open_slack
from workers.slack_errors import NO_ANSWER, classify_slack
from workers.slack_installations import (
    SlackInstallation,
    SlackInstallations,
    SlackToken,
    installation_from,
    token_from,
)


class SlackUnused(Permanent):
    """Slack is not set up here."""

    reason = "slack_not_set_up"


class SlackAccess:
    """Clients by workspace. `settings` None: every call raises SlackUnused."""

    def __init__(
        self,
        settings: SlackSettings | None,
        installations: SlackInstallations,
        now: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._installations = installations
        self._now = now

    @property
    def settings(self) -> SlackSettings:
        if self._settings is None:
            raise SlackUnused("Slack is not set up: set SLACK_SIGNING_SECRET and SLACK_BOT_TOKEN.")
        return self._settings

    def client(self, team: str) -> WebClient:
        """A client with the workspace's token; the one token where there is only one."""
        token = self.settings.bot_token.reveal()
        return self._open(token or self._installations.token(team, self.refresh))

    def bot_user_id(self, team: str) -> str:
        """Our user in the workspace: as installed, or asked of Slack once in single-token mode."""
        if not self.settings.bot_token:
            found = self._installations.of_team(team)
            return found.bot_user_id if found else ""
        here = self._installations.here()
        if here is None or here.team_id != team:
            here = self.learn_here()
        return here.bot_user_id

    def learn_here(self) -> SlackInstallation:
        """Ask Slack who we are with the one token, and keep it for the web process."""
        client = self._open(self.settings.bot_token.reveal())
        answer = _data(lambda: client.auth_test())
        here = SlackInstallation(
            enterprise_id=str(answer.get("enterprise_id") or ""),
            team_id=str(answer["team_id"]),
            bot_user_id=str(answer["user_id"]),
            bot_id=str(answer.get("bot_id") or ""),
            name=str(answer.get("team") or ""),
            installed_at=self._now(),
        )
        self._installations.learn_here(here)
        return here

    def exchange(self, code: str, redirect_uri: str) -> tuple[SlackInstallation, SlackToken]:
        """An installation for the code of a person's consent.

        Raises SlackRefused for a used or expired code, Permanent, or Transient.
        """
        answer = self._oauth(code=code, redirect_uri=redirect_uri)
        return installation_from(answer, self._now())

    def refresh(self, refresh_token: str) -> SlackToken:
        """A new pair of tokens for a rotating one."""
        answer = self._oauth(grant_type="refresh_token", refresh_token=refresh_token)
        return token_from(answer, self._now())

    def _oauth(self, **arguments: str) -> dict[str, Any]:
        client = self._open("")
        return _data(
            lambda: client.oauth_v2_access(
                client_id=self.settings.client_id,
                client_secret=self.settings.client_secret.reveal(),
                **arguments,
            )
        )

    def _open(self, token: str) -> WebClient:
        return open_slack(token, self.settings.api_url + "/")


def _data(call: Callable[[], Any]) -> dict[str, Any]:
    try:
        answer = call()
    except (SlackApiError, *NO_ANSWER) as error:
        raise classify_slack(error) from error
    return dict(answer.data)
