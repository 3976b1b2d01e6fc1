"""One way to connect to Redis or to a Redis watched by Sentinel, for us and for Celery.

URLs: `redis://`, `rediss://`, `unix://`, and for Sentinel
`redis+sentinel://[user:password@]host:26379,host:26379/<service>[/<db>]` (`rediss+sentinel://`
with TLS; the short form `sentinel://` is the same). `?sentinel_password=` and
`?sentinel_username=` are for the sentinels themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from redis import Redis
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import MasterDownError, OutOfMemoryError, ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry
from redis.sentinel import Sentinel

from workers.errors import PrecedentError

CONNECT_TIMEOUT_S = 1.0
SOCKET_TIMEOUT_S = 1.5
"""With CONNECT_TIMEOUT_S under the three seconds in which an acceptance must be answered."""

RETRIES = 2
RETRY_BASE_S, RETRY_CAP_S = 0.05, 0.2
"""Only refused and broken connections are tried again; a time-out has already cost its time."""

HEALTH_CHECK_S = 15
SENTINEL_PORT = 26379
SENTINEL_SCHEMES = frozenset({"sentinel", "redis+sentinel", "rediss+sentinel"})
PLAIN_SCHEMES = frozenset({"redis", "rediss", "unix"})


class RedisUrlInvalid(PrecedentError):  # noqa: N818 - says what is wrong
    """The URL is not one of ours. The message never repeats it: it may hold a password."""

    reason = "redis_url_invalid"


@dataclass(frozen=True)
class SentinelAddress:
    """A parsed Sentinel URL."""

    sentinels: tuple[tuple[str, int], ...]
    service: str
    db: int
    username: str | None
    password: str | None
    sentinel_username: str | None
    sentinel_password: str | None
    has_tls: bool

    @property
    def sentinel_options(self) -> dict[str, Any]:
        named = {"username": self.sentinel_username, "password": self.sentinel_password}
        options: dict[str, Any] = {name: value for name, value in named.items() if value}
        return options | ({"ssl": True} if self.has_tls else {})


@dataclass(frozen=True)
class Broker:
    """The same Redis as Celery's transport wants to be told about it."""

    url: str
    transport_options: dict[str, Any]
    use_ssl: bool


def connect_redis(
    url: str, *, socket_timeout_s: float = SOCKET_TIMEOUT_S, decode_responses: bool = False
) -> Redis:
    """A thread-safe client with bounded waits; nothing is sent yet. Raises RedisUrlInvalid."""
    options: dict[str, Any] = {
        "socket_connect_timeout": CONNECT_TIMEOUT_S,
        "socket_timeout": socket_timeout_s,
        "socket_keepalive": True,
        "health_check_interval": HEALTH_CHECK_S,
        "decode_responses": decode_responses,
        "retry": _retry(),
    }
    if is_sentinel(url):
        address = parse_sentinel_url(url)
        watched: Any = Sentinel(  # type: ignore[no-untyped-call]
            list(address.sentinels),
            sentinel_kwargs={
                "socket_connect_timeout": CONNECT_TIMEOUT_S,
                "socket_timeout": CONNECT_TIMEOUT_S,
                **address.sentinel_options,
            },
        )
        if address.has_tls:
            options["ssl"] = True
        master: Redis = watched.master_for(
            address.service,
            db=address.db,
            username=address.username,
            password=address.password,
            **options,
        )
        return master
    if urlsplit(url).scheme == "unix":
        del options["socket_connect_timeout"], options["socket_keepalive"]
    try:
        check_redis_url(url)
        return Redis.from_url(url, **options)
    except ValueError as error:
        raise RedisUrlInvalid(_ADVICE) from error


def is_outage(error: BaseException) -> bool:
    """Whether Redis is away, fails over or takes no writes: nothing about what it was asked."""
    if isinstance(error, ResponseError):
        known = isinstance(error, MasterDownError | OutOfMemoryError | ReadOnlyError)
        return known or str(error).startswith(("MISCONF", "NOREPLICAS"))
    return isinstance(error, RedisConnectionError | RedisTimeoutError)


def check_redis_url(url: str) -> None:
    """Raises RedisUrlInvalid for anything that `connect_redis` would not take."""
    if is_sentinel(url):
        parse_sentinel_url(url)
        return
    try:
        parts = urlsplit(url)
        is_right = parts.scheme in PLAIN_SCHEMES and bool(parts.hostname or parts.path)
        is_right = is_right and (parts.port is None or parts.port > 0)
    except ValueError:
        is_right = False
    if not is_right:
        raise RedisUrlInvalid(_ADVICE)


def is_sentinel(url: str) -> bool:
    return url.partition("://")[0] in SENTINEL_SCHEMES


def parse_sentinel_url(url: str) -> SentinelAddress:
    """Raises RedisUrlInvalid."""
    scheme, _, rest = url.partition("://")
    rest, _, query = rest.partition("?")
    authority, _, path = rest.partition("/")
    credentials, _, hosts = authority.rpartition("@")
    username, _, password = credentials.partition(":")
    service, _, db = path.partition("/")
    parameters = {name: values[-1] for name, values in parse_qs(query).items()}
    try:
        sentinels = tuple(_host_and_port(each) for each in hosts.split(","))
        if scheme not in SENTINEL_SCHEMES or not service:
            raise RedisUrlInvalid(_ADVICE)
        return SentinelAddress(
            sentinels=sentinels,
            service=unquote(service),
            db=int(db or 0),
            username=unquote(username) or None,
            password=unquote(password) or None,
            sentinel_username=parameters.get("sentinel_username"),
            sentinel_password=parameters.get("sentinel_password"),
            has_tls=scheme == "rediss+sentinel",
        )
    except ValueError as error:
        raise RedisUrlInvalid(_ADVICE) from error


def celery_broker(url: str) -> Broker:
    """How Celery reaches the same Redis. Raises RedisUrlInvalid."""
    check_redis_url(url)
    if not is_sentinel(url):
        scheme = urlsplit(url).scheme
        if scheme == "unix":
            return Broker("redis+socket" + url.removeprefix("unix"), {}, use_ssl=False)
        return Broker(url, {}, use_ssl=scheme == "rediss")
    address = parse_sentinel_url(url)
    credentials = ""
    if address.username or address.password:
        credentials = f"{quote(address.username or '')}:{quote(address.password or '', safe='')}@"
    urls = [f"sentinel://{credentials}{h}:{p}/{address.db}" for h, p in address.sentinels]
    options = {"master_name": address.service, "sentinel_kwargs": address.sentinel_options}
    return Broker(";".join(urls), options, use_ssl=address.has_tls)


_ADVICE = (
    "REDIS_URL is not a Redis URL: use redis://host:6379/0, rediss://host:6379/0, "
    "unix:///path or redis+sentinel://host:26379,host:26379/service/0."
)


def _host_and_port(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("no host")
    return parts.hostname, parts.port or SENTINEL_PORT


def _retry() -> Retry:
    return Retry(
        ExponentialBackoff(cap=RETRY_CAP_S, base=RETRY_BASE_S),
        RETRIES,
        supported_errors=(RedisConnectionError,),
    )


def text_of(value: bytes | str) -> str:
    """A text from an answer of Redis, whichever way the client decodes."""
    return value.decode() if isinstance(value, bytes) else value
