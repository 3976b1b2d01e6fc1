"""The webhook sender: signs, delivers from a thread of its own, records and redelivers."""

from __future__ import annotations

import hashlib
import hmac
import json
import queue
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import requests

DELIVERY_TIMEOUT_S = 10.0
"""GitHub gives a receiver ten seconds."""

USER_AGENT = "GitHub-Hookshot/5a2c1f0"


@dataclass(frozen=True)
class Delivery:
    """One signed request. `body` is what was signed, byte for byte."""

    id: int
    guid: str
    event: str
    action: str | None
    payload: Mapping[str, Any]
    body: bytes
    headers: Mapping[str, str]
    redelivery: bool = False
    delivered_at: float = 0.0
    duration_s: float = 0.0
    status_code: int = 0
    status: str = "not sent"
    response_headers: Mapping[str, str] = field(default_factory=dict)
    response_body: str = ""


class Hooks:
    """`url` None records deliveries without sending them.

    While `held` is true they wait in `waiting`, so that a test can drop, double or reorder them.
    """

    def __init__(
        self, app_id: int, secret: str, url: str | None, clock: Callable[[], float] = time.time
    ) -> None:
        self.app_id = app_id
        self.secret = secret
        self.url = url
        self.held = False
        self.waiting: list[Delivery] = []
        self.deliveries: list[Delivery] = []
        self._clock = clock
        self._lock = threading.Lock()
        self._ids = iter(range(7_000_001, 1 << 60))
        self._queue: queue.Queue[Delivery | None] = queue.Queue()
        self._thread: threading.Thread | None = None

    def build(
        self,
        event: str,
        payload: Mapping[str, Any],
        *,
        guid: str | None = None,
        secret: str | None = None,
    ) -> Delivery:
        """A signed request that nobody has sent yet."""
        body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
        digest = hmac.new((secret or self.secret).encode(), body, hashlib.sha256).hexdigest()
        legacy = hmac.new((secret or self.secret).encode(), body, "sha1").hexdigest()
        name = guid or str(uuid.uuid4())
        headers = {
            "Content-Type": "application/json", "User-Agent": USER_AGENT, "Accept": "*/*",
            "X-GitHub-Delivery": name, "X-GitHub-Event": event,
            "X-GitHub-Hook-ID": str(self.app_id + 500_000),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
            "X-GitHub-Hook-Installation-Target-ID": str(self.app_id),
            "X-Hub-Signature": f"sha1={legacy}", "X-Hub-Signature-256": f"sha256={digest}",
        }  # fmt: skip
        action = payload.get("action")
        with self._lock:
            return Delivery(next(self._ids), name, event, action, payload, body, headers)

    def post(self, delivery: Delivery) -> None:
        """Deliver soon, in order, from the sender's thread."""
        with self._lock:
            if self.held:
                self.waiting.append(delivery)
                return
            if self.url is None:
                self.deliveries.append(replace(delivery, delivered_at=self._clock()))
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="github-hooks", daemon=True)
                self._thread.start()
        self._queue.put(delivery)

    def hold(self) -> None:
        """Keep what happens from now on in `waiting`."""
        self.held = True

    def release(self, deliveries: Iterable[Delivery] | None = None) -> None:
        """Stop holding and send `deliveries`, or everything that waits, in that order."""
        with self._lock:
            self.held = False
            chosen = list(self.waiting if deliveries is None else deliveries)
            self.waiting = []
        for delivery in chosen:
            self.post(delivery)

    def send(self, delivery: Delivery) -> Delivery:
        """Deliver now, in the caller's thread; the answer or the failure is in the result."""
        if self.url is None:
            raise ValueError("There is no webhook_url to send to; set hooks.url first.")
        began = time.monotonic()
        sent = replace(delivery, delivered_at=self._clock())
        try:
            answer = requests.post(
                self.url, data=delivery.body, headers=dict(delivery.headers),
                timeout=DELIVERY_TIMEOUT_S, allow_redirects=False,
            )  # fmt: skip
        except requests.Timeout:
            sent = replace(sent, status="timed out", status_code=504)
        except requests.RequestException:
            sent = replace(sent, status="failed to connect to host", status_code=502)
        else:
            sent = replace(
                sent, status="OK" if answer.ok else answer.reason, status_code=answer.status_code,
                response_headers=dict(answer.headers), response_body=answer.text,
            )  # fmt: skip
        sent = replace(sent, duration_s=round(time.monotonic() - began, 3))
        with self._lock:
            self.deliveries.append(sent)
        return sent

    def redelivered(self, delivery: Delivery) -> Delivery:
        """The same request with the same GUID, as an attempt of its own."""
        with self._lock:
            return replace(delivery, id=next(self._ids), redelivery=True)

    def wait_idle(self, timeout_s: float = 10.0) -> None:
        """Return once everything posted was delivered. Raises TimeoutError."""
        deadline_s = time.monotonic() + timeout_s
        with self._queue.all_tasks_done:
            while self._queue.unfinished_tasks:
                left_s = deadline_s - time.monotonic()
                if left_s <= 0:
                    raise TimeoutError(f"Webhooks were still on their way after {timeout_s} s.")
                self._queue.all_tasks_done.wait(left_s)

    def close(self) -> None:
        """End the sender's thread after what was posted."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(DELIVERY_TIMEOUT_S + 1)
            self._thread = None

    def _work(self) -> None:
        while True:
            delivery = self._queue.get()
            try:
                if delivery is None:
                    return
                if self.url is not None:
                    self.send(delivery)
            finally:
                self._queue.task_done()
