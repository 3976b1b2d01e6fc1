"""`precedent doctor`: Redis, what is set up in it, and the broker that lives there too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kombu.connection import Connection
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

from workers.doctor import Finding, failed, ok, warning
from workers.redis_connection import celery_broker, connect_redis
from workers.schema import VERSION, SchemaUnusable, refuse_unusable, stored_version
from workers.settings import Settings

OLDEST_REDIS = (7, 0)
"""Functions of scripts and of sorted sets that the inbox uses came with it."""

BROKER_TIMEOUT_S = 3


def examine(settings: Settings) -> Iterator[Finding]:
    redis = connect_redis(settings.redis_url)
    try:
        info: Mapping[str, Any] = redis.info()
    except RedisError as error:
        yield failed(
            "redis",
            f"Redis does not answer ({type(error).__name__}).",
            "Start Redis, or correct REDIS_URL: its host, port, password and TLS (rediss://).",
        )
        return
    else:
        yield ok("redis", "Redis answers.")
        yield _version(info)
        yield _persistence(info)
        yield _eviction(info)
        yield _cluster(info)
        yield _schema(redis)
        yield _broker(settings)
    finally:
        redis.close()


def _version(info: Mapping[str, Any]) -> Finding:
    text = str(info.get("redis_version", "0"))
    parts = tuple(int(part) for part in text.split(".")[:2] if part.isdecimal())
    if parts < OLDEST_REDIS:
        return failed("redis_version", f"Redis is {text}.", "Upgrade Redis to 7.0 or newer.")
    return ok("redis_version", f"Redis is {text}.")


def _persistence(info: Mapping[str, Any]) -> Finding:
    if int(info.get("aof_enabled", 0)):
        return ok("redis_persistence", "Redis writes everything to disk (appendonly yes).")
    return failed(
        "redis_persistence",
        "Redis does not write to disk at once: a restart loses conventions and events.",
        "Set `appendonly yes` in redis.conf, and run `redis-cli config set appendonly yes` now.",
    )


def _eviction(info: Mapping[str, Any]) -> Finding:
    policy = str(info.get("maxmemory_policy", "noeviction"))
    if policy == "noeviction":
        return ok("redis_eviction", "Redis never throws anything away (noeviction).")
    return failed(
        "redis_eviction",
        f"maxmemory-policy is {policy}: when memory is short, Redis may drop conventions.",
        "Set `maxmemory-policy noeviction`; give a cache a Redis of its own.",
    )


def _cluster(info: Mapping[str, Any]) -> Finding:
    if not int(info.get("cluster_enabled", 0)):
        return ok("redis_cluster", "Redis is one server, or one master behind Sentinel.")
    return failed(
        "redis_cluster",
        "This is a Redis Cluster, whose scripts can't touch keys on several nodes.",
        "Use one Redis, or a master behind Sentinel (redis+sentinel://…).",
    )


def _schema(redis: Redis) -> Finding:
    try:
        found = stored_version(redis)
        if found is None:
            return ok("schema", "No data yet.")
        refuse_unusable(found)
    except SchemaUnusable as error:
        said, _, remedy = str(error).partition(": ")
        return failed("schema", f"{said}.", f"{remedy[:1].upper()}{remedy[1:]}")
    except RedisError as error:
        return failed("schema", f"{type(error).__name__} while reading.", "See the Redis log.")
    if found < VERSION:
        return warning(
            "schema",
            f"The data is of version {found} of {VERSION}.",
            "Make a backup; the next start of a worker migrates it.",
        )
    return ok("schema", f"The data is of version {found}.")


def _broker(settings: Settings) -> Finding:
    broker = celery_broker(settings.redis_url)
    options = {**broker.transport_options, "socket_connect_timeout": BROKER_TIMEOUT_S}
    connection: Any = Connection(
        broker.url, ssl=broker.use_ssl, transport_options=options, connect_timeout=BROKER_TIMEOUT_S
    )  # type: ignore[no-untyped-call]
    try:
        connection.ensure_connection(max_retries=1, timeout=BROKER_TIMEOUT_S)
    except (OperationalError, RedisError, OSError) as error:
        return failed(
            "broker",
            f"Celery can't connect to its broker ({type(error).__name__}).",
            "The broker is REDIS_URL too: let this user use every key and channel "
            "(ACL `~* &* +@all`).",
        )
    finally:
        connection.release()
    return ok("broker", "Celery reaches its broker.")
