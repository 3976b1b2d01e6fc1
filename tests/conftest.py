"""Fixtures every room shares: one embedded Redis per test process, emptied for each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as redis_client
from hypothesis import settings

from deploy.sandbox.redis_server import EmbeddedRedis

# The gate tries the same examples each time, so that a change is judged by what it changes;
# `make fuzz` looks for new ones, and what it finds becomes an @example.
settings.register_profile("gate", derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile("gate")


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """A Redis of this test process only."""
    with EmbeddedRedis(Path(tmp_path_factory.mktemp("redis"))) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: EmbeddedRedis) -> str:
    """The URL of an empty Redis."""
    client = redis_client.Redis.from_url(redis_server.url)
    client.flushall()
    client.close()
    return redis_server.url


@pytest.fixture
def redis(redis_url: str) -> Iterator[redis_client.Redis]:
    """A client on an empty Redis; answers are bytes."""
    client = redis_client.Redis.from_url(redis_url)
    yield client
    client.close()


@pytest.fixture(autouse=True)
def _no_settings_from_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own REDIS_URL or keys must not reach a test."""
    for name in list(os.environ):
        if name.startswith(("GITHUB_", "SLACK_", "GOOGLE_", "REVIEW_", "REDIS_URL", "SECRET_KEY")):
            monkeypatch.delenv(name)
