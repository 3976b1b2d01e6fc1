"""Whose installation a Slack request is about: answered from Redis, without a call to Slack."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from slack_bolt.authorization import AuthorizeResult

from workers.secrets_box import SecretUnreadable
from workers.slack_installations import NotInstalled, SlackInstallation, SlackInstallations

log = structlog.get_logger()


def authorize_from(
    installations: SlackInstallations, bot_token: str = ""
) -> Callable[[str | None, str | None], AuthorizeResult | None]:
    """Bolt's `authorize`, a plain function because Bolt reads its arguments' names.

    `bot_token` is the one token of single-token mode, else empty. It answers None for a workspace
    that has not installed the app: Bolt then calls no listener. It raises redis' errors, and then
    the request is answered 503.
    """

    def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        if bot_token:
            return _result(enterprise_id, team_id, bot_token, installations.here())
        found = installations.find(enterprise_id, team_id)
        if found is None:
            log.warning("slack.not_installed", team=team_id, enterprise=enterprise_id)
            return None
        try:
            token = installations.stored_token(enterprise_id or "", team_id or "")
        except (NotInstalled, SecretUnreadable) as error:
            log.warning("slack.not_installed", team=team_id, reason=error.reason)
            return None
        return _result(enterprise_id, team_id, token, found)

    return authorize


def _result(
    enterprise_id: str | None, team_id: str | None, token: str, found: SlackInstallation | None
) -> AuthorizeResult:
    return AuthorizeResult(
        enterprise_id=enterprise_id,
        team_id=team_id,
        bot_token=token,
        bot_user_id=found.bot_user_id if found else None,
        bot_id=(found.bot_id or None) if found else None,
    )
