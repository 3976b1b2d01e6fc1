"""Socket Mode: what Slack pushes through our WebSocket is stored as what it posts is."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from redis import Redis
from starlette.applications import Starlette

from bot.app import create_app
from deploy.sandbox.redis_server import EmbeddedRedis
from deploy.sandbox.serving import AsgiServer
from deploy.sandbox.slack import SandboxSlack
from tests.bot.app import settings
from workers.inbox.inspection import every_event


@pytest.fixture
def slack() -> Iterator[SandboxSlack]:
    stand_in = SandboxSlack(signing_secret="unused", bot_token="xoxb-1", app_token="xapp-1-test")
    stand_in.sender.is_synchronous = True
    with AsgiServer(stand_in.app) as server:
        stand_in.base_url = server.url
        stand_in.use_socket_mode()
        stand_in.sender.time_scale = 0.0
        yield stand_in
        stand_in.stop()


def test_events_and_commands_arrive_through_the_socket(
    slack: SandboxSlack, redis: Redis, redis_url: str
) -> None:
    ada = _world(slack)
    with AsgiServer(_app(slack, redis_url)):
        _wait_for(slack)
        said = slack.say("general", ada, "<@precedent> hello")
        done = slack.command("general", ada, "/conventions", "list")
        assert said.status == 200
        assert done.status == 200
    kinds = sorted(event.kind for event in every_event(redis))
    assert kinds == ["sign", "slack.command", "slack.mention"]


def test_what_could_not_be_stored_is_not_acknowledged_and_comes_again(
    slack: SandboxSlack, redis_server: EmbeddedRedis, redis: Redis, redis_url: str
) -> None:
    ada = _world(slack)
    slack.socket_mode.deadline_s = 2.0
    with AsgiServer(_app(slack, redis_url)):
        _wait_for(slack)
        redis.set("x", "1")
        redis.config_set("maxmemory", "1")
        try:
            lost = slack.say("general", ada, "<@precedent> hello")
        finally:
            redis.config_set("maxmemory", "0")
        assert not any(attempt.is_success for attempt in lost.attempts)
        assert len(lost.attempts) > 1
        assert slack.resend(lost).status == 200
    assert sorted(event.kind for event in every_event(redis)) == ["sign", "slack.mention"]


def _world(slack: SandboxSlack) -> str:
    slack.add_team("Acme", team_id="T1")
    ada = slack.add_user("ada")
    slack.add_channel("general", members=[ada])
    return ada.id


def _app(slack: SandboxSlack, redis_url: str) -> Starlette:
    more = {
        "SLACK_APP_TOKEN": "xapp-1-test",
        "SLACK_API_URL": slack.api_url.rstrip("/"),
        "SLACK_SIGNING_SECRET": "",
    }
    return create_app(settings(redis_url, **more))


def _wait_for(slack: SandboxSlack) -> None:
    deadline_s = time.monotonic() + 10
    while not slack.socket_mode.is_connected:
        assert time.monotonic() < deadline_s, "The socket was not opened."
        time.sleep(0.02)
