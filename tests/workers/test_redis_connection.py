"""URLs of Redis and Sentinel, for us and for Celery; one run against a real Sentinel."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from redis import Redis
from redis.exceptions import RedisError

from deploy.sandbox.redis_server import EmbeddedRedis, _find_server, free_port
from tests.workers.inbox_events import comment
from workers.app import create_celery
from workers.bell import Bell, queue_key
from workers.inbox import Inbox
from workers.redis_connection import (
    RedisUrlInvalid,
    celery_broker,
    connect_redis,
    parse_sentinel_url,
)
from workers.settings import Settings


@pytest.mark.parametrize(
    "url",
    [
        "", "redis://", "http://h:1", "redis://h:port", "redis+sentinel://h:1",
        "redis+sentinel:///service", "redis+sentinel://h:x/service", "sentinel://h/service/db",
    ],
)  # fmt: skip
def test_a_wrong_url_is_told_without_repeating_it(url: str) -> None:
    for use in (connect_redis, celery_broker):
        with pytest.raises(RedisUrlInvalid) as raised:
            use(url)
        assert "redis+sentinel://host:26379" in str(raised.value)


def test_a_sentinel_url_is_read_whole() -> None:
    address = parse_sentinel_url(
        "rediss+sentinel://us%40er:p%2Fw@a:1,[::1]:2,c/mymaster/3?sentinel_password=s"
    )
    assert address.sentinels == (("a", 1), ("::1", 2), ("c", 26379))
    assert (address.service, address.db, address.has_tls) == ("mymaster", 3, True)
    assert (address.username, address.password) == ("us@er", "p/w")
    assert address.sentinel_options == {"password": "s", "ssl": True}


def test_celery_is_told_the_same() -> None:
    assert celery_broker("redis://:p@h:1/2").url == "redis://:p@h:1/2"
    assert celery_broker("rediss://h:1/2").use_ssl
    assert celery_broker("unix:///run/redis.sock").url == "redis+socket:///run/redis.sock"
    broker = celery_broker("redis+sentinel://:p%2Fw@a:1,b:2/mymaster/3")
    assert broker.url == "sentinel://:p%2Fw@a:1/3;sentinel://:p%2Fw@b:2/3"
    assert broker.transport_options["master_name"] == "mymaster"


@pytest.fixture
def sentinel_url(redis_server: EmbeddedRedis, redis: Redis, tmp_path: Path) -> Iterator[str]:
    executable, _ = _find_server()
    port = free_port()
    configuration = tmp_path / "sentinel.conf"
    configuration.write_text(
        f"port {port}\nbind 127.0.0.1\ndir {tmp_path}\n"
        f"sentinel monitor mymaster 127.0.0.1 {redis_server.port} 1\n"
    )
    process = subprocess.Popen(
        [executable, configuration, "--sentinel"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield f"redis+sentinel://127.0.0.1:{port}/mymaster/0"
    process.terminate()
    process.wait()


def test_the_inbox_and_the_bell_find_their_redis_through_sentinel(
    sentinel_url: str, redis: Redis
) -> None:
    client = connect_redis(sentinel_url)
    deadline_s = time.monotonic() + 10
    while True:
        try:
            client.ping()
            break
        except RedisError:
            assert time.monotonic() < deadline_s
            time.sleep(0.05)
    inbox = Inbox(client)
    assert inbox.accept(comment("c1")) == "accepted"
    assert inbox.claim("reviews") is not None
    celery: Celery = create_celery(Settings(redis_url=sentinel_url))
    assert Bell(celery).ring("reviews")
    assert redis.llen(queue_key("reviews")) == 1
    celery.close()
    client.close()
