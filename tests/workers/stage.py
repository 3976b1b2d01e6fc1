"""The whole of Precedent in one process: both stand-ins and our web over HTTP, handlers in place.

    def test_story(stage: Stage) -> None:          # fixture `stage` of tests/workers/conftest.py
        stage.slack.command("api-reviews", "ada", "/conventions", "list")
        stage.work()
        assert "No conventions" in stage.told("ada")

What people do in the stand-ins arrives at the real web app as signed requests; `work` then runs
what is due in the inbox, in the test's thread. `handle` runs one event without the inbox.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis as redis_client

from bot.app import create_app
from deploy.sandbox.app import create_sandbox_app, set_base_url
from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.seed import World, seed
from deploy.sandbox.serving import AsgiServer
from deploy.sandbox.slack import SandboxSlack
from workers.channels import ChannelLink
from workers.drain import Drain, Outcome
from workers.event import Event
from workers.handlers import handler_of
from workers.identities import Identity
from workers.inbox import Lease
from workers.inbox.inspection import DeadLetter
from workers.services import Services, build_services
from workers.settings import Settings

WEBHOOK_SECRET = "a-webhook-secret-of-this-test"
SIGNING_SECRET = "a-signing-secret-of-this-test"
BOT_TOKEN = "xoxb-of-this-test"
SECRET_KEY = "a-secret-key-of-this-test-with-enough-letters"
MAX_ROUNDS = 200


@dataclass
class Stage:
    """The stand-ins as `deploy.sandbox.seed` fills them, and our services beside them."""

    github: SandboxGitHub
    slack: SandboxSlack
    world: World
    services: Services
    settings: Settings
    web: AsgiServer
    redis: redis_client.Redis

    def work(self) -> None:
        """Run what is due, what follows from it too, until nothing is."""
        self.github.hooks.wait_idle()
        drain = Drain(self.services.inbox, handler_of(self.services), slots={})
        for _ in range(MAX_ROUNDS):
            if not drain.run("reviews") + drain.run("background"):
                return
            self.github.hooks.wait_idle()
        raise AssertionError("There is no end to what is due.")

    def handle(self, event: Event) -> Outcome:
        """Run one event as if it had just been claimed; raises what its handler raises."""
        return handler_of(self.services)(event, lease_of(event))

    def dead(self) -> list[DeadLetter]:
        return self.services.inbox.dead_letters()

    def link(self, channel: str = "api-reviews", repository: str = "acme/api") -> None:
        """The channel's link, as if somebody with the maintain role had made it."""
        linked = self.github.repo(repository)
        link = ChannelLink(
            repository_id=linked.id,
            installation_id=self.world.installation.id,
            account_id=linked.owner.id,
            name=linked.full_name,
            linked_by=self.world.people["ada"][0],
        )
        found = next(c for c in self.slack.world.channels.values() if c.name == channel)
        self.services.channels.link(self.world.team.id, found.id, link)

    def identify(self, *names: str) -> None:
        """The people's GitHub accounts, as if they had linked them themselves."""
        for name in names or tuple(self.world.people):
            github_id, slack_id = self.world.people[name]
            self.services.identities.link(self.world.team.id, slack_id, Identity(github_id, name))

    def told(self, name: str) -> str:
        """What only this person was told in Slack, everything, oldest first."""
        slack_id = self.world.people[name][1]
        texts = [m["text"] for m in self.slack.ephemerals() if m.get("recipient") == slack_id]
        return "\n".join(texts)

    def said_in(self, channel: str) -> list[str]:
        """What the bot said in a channel, oldest first."""
        return [m["text"] for m in self.slack.messages(channel) if m.get("bot_id")]

    def keys_with(self, *words: str) -> list[bytes]:
        """Keys of Redis whose name or content holds one of `words`, whole."""
        return sorted(k for k in self.redis.scan_iter("*", count=1_000) if self._holds(k, words))

    def _holds(self, key: bytes, words: tuple[str, ...]) -> bool:
        return any(_has_word(text, word) for text in _texts(self.redis, key) for word in words)


def lease_of(event: Event) -> Lease:
    """A lease that nobody contests."""
    return Lease(
        event=event,
        fence=1,
        attempt=1,
        token="t",
        valid_until_s=time.monotonic() + 600,
        ask=lambda _lease: "ok",
        stopping=threading.Event(),
    )


@contextmanager
def open_stage(
    directory: Path, redis_url: str, *, app_slug: str = "precedent", **environment: str
) -> Iterator[Stage]:
    """Serve everything; at the end no call we sent may contradict the two API descriptions."""
    github = SandboxGitHub(directory / "github", webhook_secret=WEBHOOK_SECRET, app_slug=app_slug)
    slack = SandboxSlack(signing_secret=SIGNING_SECRET, bot_token=BOT_TOKEN)
    slack.sender.is_synchronous = True
    slack.sender.time_scale = 0.0
    with AsgiServer(create_sandbox_app(github, slack)) as sandbox:
        set_base_url(github, slack, sandbox.url)
        world = seed(github, slack)
        web = AsgiServer(_later)
        settings = settings_for(github, slack, redis_url, web.url, environment)
        web.app = create_app(settings)
        services = build_services(settings)
        client = redis_client.Redis.from_url(redis_url)
        with web:
            github.hooks.url = f"{web.url}/github/webhook"
            slack.events_url = f"{web.url}/slack/events"
            yield Stage(github, slack, world, services, settings, web, client)
        github.close()
        slack.stop()
        client.close()
        services.redis.close()
    assert github.record.contract_errors == []
    assert slack.contract_errors == []


def settings_for(
    github: SandboxGitHub,
    slack: SandboxSlack,
    redis_url: str,
    public_url: str,
    environment: dict[str, str],
) -> Settings:
    """The settings of web and worker; an empty text in `environment` takes a setting away."""
    values = {
        "REDIS_URL": redis_url,
        "PUBLIC_URL": public_url,
        "SECRET_KEY": SECRET_KEY,
        "GITHUB_API_URL": github.api_url,
        "GITHUB_APP_ID": str(github.app_id),
        "GITHUB_APP_PRIVATE_KEY": github.private_key_pem,
        "GITHUB_WEBHOOK_SECRET": WEBHOOK_SECRET,
        "GITHUB_CLIENT_ID": github.client_id,
        "GITHUB_CLIENT_SECRET": github.client_secret,
        "SLACK_API_URL": slack.api_url.rstrip("/"),
        "SLACK_SIGNING_SECRET": SIGNING_SECRET,
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "REVIEW_QUIET_S": "0",
        "REVIEW_MAX_WAIT_S": "0",
        "REVIEW_MODEL": "none",
        **environment,
    }
    return Settings.from_env({k: v for k, v in values.items() if v}, role="worker")


async def _later(*_: object) -> None:
    raise RuntimeError("The app is set before the server starts.")


def _texts(redis: redis_client.Redis, key: bytes) -> Iterator[str]:
    yield key.decode(errors="replace")
    kind = redis.type(key)
    parts: list[object]
    if kind == b"string":
        parts = [redis.get(key)]
    elif kind == b"hash":
        parts = [part for pair in redis.hgetall(key).items() for part in pair]
    elif kind == b"zset":
        parts = list(redis.zrange(key, 0, -1))
    elif kind == b"set":
        parts = list(redis.smembers(key))
    elif kind == b"list":
        parts = list(redis.lrange(key, 0, -1))
    else:
        parts = [json.dumps(str(kind)).encode()]
    yield from (p.decode(errors="replace") if isinstance(p, bytes) else str(p) for p in parts)


def _has_word(text: str, word: str) -> bool:
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not (before.isalnum() or after.isalnum()):
            return True
        at = text.find(word, at + 1)
    return False
