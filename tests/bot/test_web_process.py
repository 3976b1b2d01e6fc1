"""The web process itself: what it loads, and what it tells of its health."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from redis import Redis

from deploy.sandbox.redis_server import free_port
from tests.bot.app import Web, environment
from workers.schema import KEY, VERSION, why_not_ready

NEVER_IN_THE_WEB = ("langgraph", "langchain_core", "langchain", "google.genai", "github", "unidiff")


def test_neither_langgraph_nor_a_model_client_is_imported() -> None:
    program = "import bot.app, sys; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "slack_bolt" in loaded
    assert not [name for name in NEVER_IN_THE_WEB if name in loaded]


def test_importing_the_rooms_connects_to_nothing() -> None:
    program = (
        "import socket\n"
        "def refuse(*_): raise AssertionError('a connection at import')\n"
        "socket.socket.connect = refuse\n"
        "import bot.app, workers.app, workers.cli\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PATH": ""})


def test_health(redis_url: str) -> None:
    web = Web(redis_url)
    assert web.client.get("/healthz").json() == {"status": "ok"}
    assert web.client.get("/readyz").status_code == 200
    away = Web(f"redis://127.0.0.1:{free_port()}/0")
    assert away.client.get("/healthz").status_code == 200
    assert away.client.get("/readyz").status_code == 503


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("99", "start the newer program"),
        ("0", "upgrade through the releases between"),
        ("rubbish", "point REDIS_URL elsewhere"),
    ],
)
def test_data_of_another_version_is_not_ready_and_says_what_to_do(
    redis: Redis, redis_url: str, version: str, said: str
) -> None:
    """After a rollback the old program answered "ready" before data that it did not know."""
    web = Web(redis_url)
    redis.set(KEY, version)
    answer = web.client.get("/readyz")
    assert (answer.status_code, answer.json()["redis"]) == (503, "ok")
    assert said in answer.json()["schema"]
    ended = subprocess.run(
        [str(Path(sys.executable).with_name("precedent")), "web", "--processes", "1"],
        env={"PATH": "/usr/bin:/bin", **environment(redis_url)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert said in ended.stderr
    redis.set(KEY, VERSION)
    assert web.client.get("/readyz").json()["status"] == "ready"


def test_data_that_a_worker_will_migrate_waits_for_it(redis: Redis) -> None:
    redis.set(KEY, "1")
    reason = why_not_ready(redis, version=3, migrations={1: lambda _: None, 2: lambda _: None})
    assert "version 1" in reason
    assert "start a worker" in reason
    assert why_not_ready(redis, version=1, migrations={}) == ""


@pytest.mark.parametrize(
    ("header", "status"), [("", 401), ("Bearer wrong", 401), ("Bearer secret-token", 200)]
)
def test_metrics_need_the_token_when_one_is_set(redis_url: str, header: str, status: int) -> None:
    web = Web(redis_url, METRICS_TOKEN="secret-token")
    answer = web.client.get("/metrics", headers={"authorization": header})
    assert answer.status_code == status
    assert ("precedent_inbox_waiting" in answer.text) is (status == 200)


def test_without_a_token_metrics_are_open(redis: Redis, redis_url: str) -> None:
    assert Web(redis_url).client.get("/metrics").status_code == 200
