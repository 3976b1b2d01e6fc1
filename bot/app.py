"""The web process. `create_app` is its only composition: run it with `uvicorn --factory`."""

from __future__ import annotations

from slack_bolt.authorization import AuthorizeResult
from starlette.applications import Starlette
from starlette.routing import Route

from bot.acceptance import Acceptance
from bot.github import GithubRoute
from bot.health import MetricsRoute, Readiness, healthz
from bot.slack import Authorize, SlackRoute
from workers.app import create_celery, create_inbox
from workers.app_profile import AppProfile
from workers.bell import Bell
from workers.logs import setup_logs
from workers.metrics import Metrics
from workers.settings import Settings, load_settings


def create_app(settings: Settings | None = None) -> Starlette:
    """The ASGI application. Connects to nothing yet. Raises SettingsError."""
    settings = settings or load_settings("web")
    setup_logs(settings.log_level, secrets=settings.secrets)
    inbox = create_inbox(settings)
    acceptance = Acceptance(inbox, Bell(create_celery(settings, inbox=inbox)))
    profile = AppProfile(inbox.redis)
    github = GithubRoute(
        tuple(secret.reveal() for secret in settings.github.webhook_secrets),
        acceptance,
        profile.handle,
    )
    routes = [
        Route("/github/webhook", github.respond, methods=["POST"]),
        Route("/healthz", healthz),
        Route("/readyz", Readiness(inbox.redis).respond),
        Route(
            "/metrics",
            MetricsRoute(inbox, Metrics(inbox.redis), settings.metrics_token.reveal()).respond,
        ),
    ]
    if settings.slack is not None:
        secrets = tuple(secret.reveal() for secret in settings.slack.signing_secrets)
        slack = SlackRoute(
            secrets, acceptance, _single_workspace(settings.slack.bot_token.reveal())
        )
        routes.append(Route("/slack/events", slack.respond, methods=["POST"]))
    return Starlette(routes=routes)


def _single_workspace(token: str) -> Authorize:
    def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_token=token)

    return authorize
