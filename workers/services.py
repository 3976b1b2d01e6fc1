"""What a worker's handlers share: built once per process, from the settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from redis import Redis

from graph.code.embeddings import Embedding, embedding_of
from graph.context import ReviewContext
from graph.models import build_model, model_name
from graph.review import build_graph
from graph.saver import ThreadSaver
from graph.state import ReviewState
from graph.store import ConventionStore
from workers.app_profile import AppProfile
from workers.channels import ChannelLinks
from workers.effects import EffectLedger
from workers.github_tokens import GithubTokens
from workers.identities import Identities
from workers.inbox import Inbox
from workers.installation_registry import InstallationRegistry
from workers.login_links import LoginLinks
from workers.metrics import Metrics
from workers.pacing import Pacing
from workers.permissions import PermissionReader
from workers.redis_connection import connect_redis
from workers.schema import ensure_schema
from workers.secrets_box import SecretsBox
from workers.settings import Settings
from workers.slack_access import SlackAccess
from workers.slack_client import SlackSpeaker
from workers.slack_installations import SlackInstallations

Graph = CompiledStateGraph[ReviewState, ReviewContext, Any, Any]
LONG_READ_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Services:
    """Thread-safe parts only; what belongs to one event is made in the handlers."""

    settings: Settings
    redis: Redis
    inbox: Inbox
    store: ConventionStore
    saver: ThreadSaver
    graph: Graph
    tokens: GithubTokens
    permissions: PermissionReader
    ledger: EffectLedger
    pacing: Pacing
    metrics: Metrics
    channels: ChannelLinks
    identities: Identities
    profile: AppProfile
    installations: InstallationRegistry
    slack_installations: SlackInstallations
    logins: LoginLinks
    has_model: bool
    embedding: Embedding
    now: Callable[[], float]

    def slack(self, team: str, still_ours: Callable[[], None] = lambda: None) -> SlackSpeaker:
        """A speaker for one workspace. Raises NotInstalled, SecretUnreadable or Transient."""
        client = self.slack_access().client(team)
        return SlackSpeaker(
            client, self.ledger, team=team, still_ours=still_ours, on_call=self._count_slack
        )

    def _count_slack(self, method: str, status: str) -> None:
        self.metrics.count("precedent_slack_calls_total", method=method, status=status)

    def slack_access(self) -> SlackAccess:
        """The way to Slack with the token of the workspace that is meant."""
        return SlackAccess(self.settings.slack, self.slack_installations, self.now)

    def handle(self) -> str:
        """The name that people mention, read from the API and told to the web process."""
        slug = self.tokens.identity().slug
        self.profile.learn(slug)
        return slug


def build_services(
    settings: Settings, inbox: Inbox | None = None, metrics: Metrics | None = None
) -> Services:
    """Connects to Redis; calls no API yet. Raises ModelUnavailable and SchemaUnusable."""
    redis = connect_redis(settings.redis_url, socket_timeout_s=LONG_READ_TIMEOUT_S)
    ensure_schema(redis)
    counted = metrics or Metrics(redis)
    store = ConventionStore(redis)
    saver = ThreadSaver(redis)
    key = settings.google_api_key.reveal()
    keys = [secret.reveal() for secret in settings.secret_keys]
    model = build_model(model_name(settings.review_model, key), google_api_key=key)
    tokens = GithubTokens(
        redis,
        SecretsBox(keys, "github tokens"),
        app_id=settings.github.app_id,
        private_key=settings.github.private_key.reveal(),
        api_url=settings.github.api_url,
        on_call=lambda method, status: counted.count(
            "precedent_github_calls_total", method=method, status=status
        ),
    )
    profile = AppProfile(redis)
    return Services(
        settings=settings,
        redis=redis,
        inbox=inbox
        or Inbox(redis, quiet_s=settings.review_quiet_s, max_wait_s=settings.review_max_wait_s),
        store=store,
        saver=saver,
        graph=build_graph(store, model, checkpointer=saver),
        tokens=tokens,
        permissions=PermissionReader(tokens, redis),
        ledger=EffectLedger(redis),
        pacing=Pacing(redis),
        metrics=counted,
        channels=ChannelLinks(redis),
        identities=Identities(redis),
        profile=profile,
        installations=InstallationRegistry(redis),
        slack_installations=SlackInstallations(redis, SecretsBox(keys, "slack tokens")),
        logins=LoginLinks(redis, keys, settings.public_url),
        has_model=model is not None,
        embedding=embedding_of(settings.code_embeddings, google_api_key=key),
        now=time.time,
    )
