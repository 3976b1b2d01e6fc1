"""Signed deliveries to the app, with Slack's deadline and retries, over HTTP or a socket."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

from deploy.sandbox.slack.payloads import as_bytes
from deploy.sandbox.slack.world import JsonObject

DEADLINE_S = 3.0
RETRY_DELAYS_S = (0.0, 60.0, 300.0)  # at once, after a minute, after five


@dataclass(frozen=True)
class Attempt:
    """One try. `status` is None when nothing answered in time; `problem` then says why."""

    number: int
    status: int | None
    elapsed_s: float
    body: str = ""
    headers: JsonObject = field(default_factory=dict)
    problem: str | None = None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


@dataclass
class Delivery:
    """Something told to the app: an event, a command or an interaction, and how it went.

    `message` is the message that caused it, when there is one. `also` are further deliveries of
    the same act, as when a mention is an `app_mention` and a `message` at once.
    """

    kind: str
    payload: JsonObject
    message: JsonObject | None = None
    attempts: list[Attempt] = field(default_factory=list)
    also: list[Delivery] = field(default_factory=list)
    _done: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def event_id(self) -> str | None:
        return self.payload.get("event_id")

    @property
    def ts(self) -> str:
        """The timestamp of the message that caused it; KeyError's sentence when there is none."""
        if self.message is None:
            raise LookupError(f"This {self.kind} was not caused by a message.")
        return str(self.message["ts"])

    @property
    def status(self) -> int | None:
        """HTTP status of the last attempt; None when nothing answered or nothing was sent."""
        return self.attempts[-1].status if self.attempts else None

    @property
    def answer(self) -> JsonObject:
        """The JSON that the app answered last, or an empty object."""
        try:
            body = json.loads(self.attempts[-1].body) if self.attempts else {}
        except ValueError:
            return {}
        return body if isinstance(body, dict) else {}

    def wait(self, timeout_s: float = 10.0) -> Delivery:
        """Until every attempt is over, those of `also` included. Raises TimeoutError."""
        for each in (self, *self.also):
            if not each._done.wait(timeout_s):
                raise TimeoutError(f"The {each.kind} was not delivered within {timeout_s} s.")
        return self

    def finish(self) -> None:
        self._done.set()

    def as_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "event_id": self.event_id,
            "payload": self.payload,
            "attempts": [attempt.__dict__ for attempt in self.attempts],
            "done": self._done.is_set(),
        }


class Socket(Protocol):
    """A Socket Mode connection, as the sender needs it."""

    def send(self, envelope_type: str, payload: JsonObject, retry: int) -> JsonObject | None:
        """Deliver one envelope; the acknowledged payload, or None when it was not acknowledged."""
        ...


@dataclass
class Sender:
    """Delivers to `events_url`. `time_scale` shrinks the pauses between retries, not the deadline.

    `is_synchronous` makes each act return only after its last attempt.
    """

    signing_secret: str
    events_url: str | None = None
    deadline_s: float = DEADLINE_S
    retry_delays_s: tuple[float, ...] = RETRY_DELAYS_S
    time_scale: float = 1.0
    is_synchronous: bool = False
    socket: Socket | None = None
    deliveries: list[Delivery] = field(default_factory=list)
    _stopping: threading.Event = field(default_factory=threading.Event)

    def deliver(
        self,
        delivery: Delivery,
        *,
        retries: bool,
        then: Callable[[Delivery], None] | None = None,
        in_background: bool = False,
    ) -> Delivery:
        """Send it, in a thread of its own unless synchronous; `then` sees the outcome.

        `in_background` takes the thread in any case: an event that a Web API call causes must
        not hold up the answer to that call.
        """
        self.deliveries.append(delivery)

        def run() -> None:
            try:
                self._attempt_all(delivery, retries=retries)
                if then is not None:
                    then(delivery)
            finally:
                delivery.finish()

        if self.is_synchronous and not in_background:
            run()
        else:
            threading.Thread(target=run, name=f"slack-{delivery.kind}", daemon=True).start()
        return delivery

    def stop(self) -> None:
        """Give up every retry still to come."""
        self._stopping.set()

    def _attempt_all(self, delivery: Delivery, *, retries: bool) -> None:
        if self.events_url is None and self.socket is None:
            return
        delivery.attempts.append(self._attempt(delivery, 0, None))
        for number, delay_s in enumerate(self.retry_delays_s if retries else (), start=1):
            last = delivery.attempts[-1]
            if last.is_success or _is_told_to_stop(last):
                return
            if self._stopping.wait(delay_s * self.time_scale):
                return
            delivery.attempts.append(self._attempt(delivery, number, last))

    def _attempt(self, delivery: Delivery, number: int, last: Attempt | None) -> Attempt:
        if self.socket is not None:
            return self._over_socket(delivery, number)
        content_type, body = encode(delivery.kind, delivery.payload)
        headers = {"Content-Type": content_type, **sign(self.signing_secret, body)}
        if last is not None:
            headers["X-Slack-Retry-Num"] = str(number)
            headers["X-Slack-Retry-Reason"] = _retry_reason(last)
        assert self.events_url is not None
        return post(self.events_url, body, headers, number=number, deadline_s=self.deadline_s)

    def _over_socket(self, delivery: Delivery, number: int) -> Attempt:
        assert self.socket is not None
        started = time.monotonic()
        answer = self.socket.send(_ENVELOPES[delivery.kind], delivery.payload, number)
        elapsed_s = time.monotonic() - started
        if answer is None:
            return Attempt(number, None, elapsed_s, problem="http_timeout")
        return Attempt(number, 200, elapsed_s, body=json.dumps(answer))


_ENVELOPES = {"event": "events_api", "command": "slash_commands", "interaction": "interactive"}


def sign(secret: str, body: bytes, timestamp: int | None = None) -> dict[str, str]:
    """Slack's v0 signature headers of a body."""
    at = str(int(time.time()) if timestamp is None else timestamp)
    digest = hmac.new(secret.encode(), f"v0:{at}:".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": f"v0={digest}"}


def encode(kind: str, payload: JsonObject) -> tuple[str, bytes]:
    """(content type, body) in which Slack sends this kind."""
    if kind == "event":
        return "application/json", as_bytes(payload)
    form = "application/x-www-form-urlencoded"
    if kind == "command":
        return form, urlencode(payload).encode()
    return form, urlencode({"payload": json.dumps(payload, ensure_ascii=False)}).encode()


def post(
    url: str, body: bytes, headers: dict[str, str], *, number: int = 0, deadline_s: float
) -> Attempt:
    """POST once; an answer that is not complete by the deadline counts as none."""
    parts = urlsplit(url)
    connect: Any = (
        http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    )
    connection = connect(parts.hostname, parts.port, timeout=deadline_s)
    agent = {"User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)", "Accept": "*/*"}
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    started = time.monotonic()
    try:
        connection.request("POST", path or "/", body, agent | headers)
        response = connection.getresponse()
        text = response.read().decode("utf-8", "replace")
    except TimeoutError:
        return Attempt(number, None, time.monotonic() - started, problem="http_timeout")
    except (OSError, http.client.HTTPException) as error:
        elapsed_s = time.monotonic() - started
        return Attempt(
            number, None, elapsed_s, problem=f"connection_failed: {type(error).__name__}"
        )
    finally:
        connection.close()
    elapsed_s = time.monotonic() - started
    if elapsed_s > deadline_s:
        return Attempt(number, None, elapsed_s, problem="http_timeout")
    answered = {name.lower(): value for name, value in response.getheaders()}
    return Attempt(number, response.status, elapsed_s, text, answered)


def _retry_reason(last: Attempt) -> str:
    if last.status is not None:
        return "http_error"
    return (last.problem or "unknown_error").partition(":")[0]


def _is_told_to_stop(attempt: Attempt) -> bool:
    return str(attempt.headers.get("x-slack-no-retry", "")) == "1"
