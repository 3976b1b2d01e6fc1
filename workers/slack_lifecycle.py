"""A Slack workspace comes and goes: installed, uninstalled, tokens revoked, channels renumbered."""

from __future__ import annotations

import structlog

from workers.drain import Outcome
from workers.event import Event
from workers.inbox import Lease
from workers.secrets_box import SecretsBox
from workers.services import Services
from workers.slack_errors import SlackRefused

log = structlog.get_logger()

CODE_GONE = frozenset({"invalid_code", "code_already_used", "code_expired", "bad_redirect_uri"})


def on_oauth(services: Services, event: Event, lease: Lease) -> Outcome:
    """Somebody agreed: exchange the code, keep the token sealed."""
    sealed, redirect_uri = event.arguments
    lease.check()
    try:
        installation, token = services.slack_access().exchange(
            code_box(services).open(sealed), redirect_uri
        )
    except SlackRefused as refusal:
        if refusal.code not in CODE_GONE:
            raise
        # Nobody can be told but the person, who sees that nothing happened and starts again.
        log.warning("slack.install_failed", reason=refusal.reason)
        return Outcome()
    services.slack_installations.save(installation, token)
    services.installations.pardon("team", installation.team_id)
    log.info("slack.installed", team=installation.team_id, enterprise=installation.enterprise_id)
    return Outcome()


def on_lifecycle(services: Services, event: Event, lease: Lease) -> Outcome:
    assert event.slack is not None
    lease.check()
    place = event.slack
    if event.action == "channel_id_changed" and event.arguments and place.channel:
        services.channels.move(place.team, event.arguments[0], place.channel)
        log.info("slack.channel_moved", team=place.team)
    elif event.action == "app_uninstalled" or _is_ours(services, event):
        _remove(services, place.team, place.enterprise)
    return Outcome()


def code_box(services: Services) -> SecretsBox:
    """Opens the codes that the web process has sealed."""
    keys = [secret.reveal() for secret in services.settings.secret_keys]
    return SecretsBox(keys, "oauth codes")


def _is_ours(services: Services, event: Event) -> bool:
    """Whether the revoked tokens are our bot's; a person's own token is none of our business."""
    assert event.slack is not None
    found = services.slack_installations.find(event.slack.enterprise, event.slack.team)
    here = found or services.slack_installations.here()
    bots = {a.removeprefix("bot:") for a in event.arguments if a.startswith("bot:")}
    return bool(bots) and (here is None or here.bot_user_id in bots)


def _remove(services: Services, team: str, enterprise: str) -> None:
    """The token goes at once, all else of the workspace when the grace is over."""
    found = services.slack_installations.find(enterprise, team)
    if found is not None:
        services.slack_installations.forget(found.team_id, found.enterprise_id)
    services.installations.doom("team", team, services.now())
    log.info("slack.removed", team=team)
