"""The web process. `create_app` is its only composition: run it with `uvicorn --factory`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from redis import Redis
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.routing import Route

from bot.acceptance import Acceptance
from bot.github import GithubRoute
from bot.github_oauth import GithubLogin
from bot.health import MetricsRoute, Readiness, healthz
from bot.metering import Metering
from bot.oauth_return import OauthFlow
from bot.slack import SlackRoute
from bot.slack_authorize import authorize_from
from bot.slack_oauth import SlackInstall
from bot.slack_socket import SlackSocket
from workers.app import create_celery, create_inbox
from workers.app_profile import AppProfile
from workers.bell import Bell
from workers.login_links import LoginLinks
from workers.logs import setup_logs
from workers.metrics import SENT_EVERY_S, Metrics
from workers.oauth_states import OauthStates
from workers.secrets_box import SecretsBox
from workers.settings import Settings, SlackSettings, load_settings
from workers.slack_installations import SlackInstallations

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def create_app(settings: Settings | None = None) -> Starlette:
    """The ASGI application. Connects to nothing yet. Raises SettingsError."""
    settings = settings or load_settings("web")
    setup_logs(settings.log_level, secrets=settings.secrets)
    inbox = create_inbox(settings)
    bell = Bell(create_celery(settings, inbox=inbox), inbox.redis)
    acceptance = Acceptance(inbox, bell)
    profile = AppProfile(inbox.redis)
    github = GithubRoute(
        tuple(secret.reveal() for secret in settings.github.webhook_secrets),
        acceptance,
        profile.handle,
    )
    metrics = Metrics(inbox.redis)
    routes = [
        Route("/github/webhook", github.respond, methods=["POST"]),
        Route("/healthz", healthz),
        Route("/readyz", Readiness(inbox.redis).respond),
        Route(
            "/metrics",
            MetricsRoute(inbox, metrics, settings.metrics_token.reveal()).respond,
        ),
    ]
    socket = None
    if settings.slack is not None:
        slack_routes, socket = _slack(settings, settings.slack, inbox.redis, acceptance)
        routes += slack_routes
    return Starlette(
        routes=routes,
        lifespan=_while_up(metrics, bell, socket),
        middleware=[Middleware(Metering, metrics=metrics)],
    )


def _slack(
    settings: Settings, slack: SlackSettings, redis: Redis, acceptance: Acceptance
) -> tuple[list[Route], SlackSocket | None]:
    """Slack's routes, the logins that begin there, and the socket where one is used."""
    keys = [secret.reveal() for secret in settings.secret_keys]
    codes = SecretsBox(keys, "oauth codes")
    installations = SlackInstallations(redis, SecretsBox(keys, "slack tokens"))
    events = SlackRoute(
        tuple(secret.reveal() for secret in slack.signing_secrets),
        acceptance,
        authorize_from(installations, slack.bot_token.reveal()),
        slack.api_url,
    )
    routes = [Route("/slack/events", events.respond, methods=["POST"])]
    login = GithubLogin(
        settings,
        LoginLinks(redis, keys, settings.public_url),
        _flow(settings, redis, acceptance, "github", "/github/oauth"),
        codes,
    )
    routes += login.routes()
    if not slack.bot_token:
        flow = _flow(settings, redis, acceptance, "slack", "/slack")
        routes += SlackInstall(settings, flow, codes).routes()
    if not slack.app_token:
        return routes, None
    return routes, SlackSocket(events.app, slack.app_token.reveal(), slack.api_url)


def _flow(
    settings: Settings, redis: Redis, acceptance: Acceptance, name: str, path: str
) -> OauthFlow:
    return OauthFlow(
        OauthStates(redis, name),
        acceptance,
        cookie=f"precedent_{name}_login",
        cookie_path=path,
        is_secure=settings.public_url.startswith("https://"),
    )


def _while_up(metrics: Metrics, bell: Bell, socket: SlackSocket | None) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        with metrics.sending_every(SENT_EVERY_S), bell.ringing():
            if socket is not None:
                socket.start()
            try:
                yield
            finally:
                if socket is not None:
                    await run_in_threadpool(socket.stop)

    return lifespan
