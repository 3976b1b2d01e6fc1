"""`precedent doctor`: the web process at PUBLIC_URL, asked as GitHub and Slack would ask it."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterator
from hashlib import sha256

import requests

from workers.doctor import Finding, failed, ok, warning
from workers.settings import Settings

TIMEOUT_S = 10


def examine(settings: Settings, now: Callable[[], float]) -> Iterator[Finding]:
    url = settings.public_url
    try:
        answer = requests.get(f"{url}/readyz", timeout=TIMEOUT_S)
    except requests.RequestException as error:
        yield failed(
            "web",
            f"{url} does not answer ({type(error).__name__}).",
            "Start `precedent web`, and lead PUBLIC_URL to it through the proxy, with TLS.",
        )
        return
    if reason := _schema_reason(answer):
        said, _, remedy = reason.partition(": ")
        yield failed("web", f"{url} is not ready: {said}.", f"{remedy[:1].upper()}{remedy[1:]}")
        return
    if answer.status_code != 200:
        yield failed(
            "web",
            f"{url}/readyz answers {answer.status_code}.",
            "404: something else listens there, correct PUBLIC_URL. 503: the web process does not "
            "reach Redis, correct its REDIS_URL.",
        )
        return
    yield ok("web", f"{url} is ready.")
    yield _transport(url)
    yield from _webhook_secret(settings)
    yield from _signing_secret(settings, now)


def _schema_reason(answer: requests.Response) -> str:
    """What the web process says of the data's version; "" when it says nothing."""
    try:
        about = answer.json() if answer.status_code == 503 else {}
    except ValueError:
        return ""
    return str(about.get("schema", "")) if isinstance(about, dict) else ""


def _transport(url: str) -> Finding:
    if url.startswith("https://") or "//127.0.0.1" in url or "//localhost" in url:
        return ok("tls", "PUBLIC_URL is safe on the way.")
    return warning(
        "tls",
        "PUBLIC_URL is plain http: sign-in links and code travel readable.",
        "Put a proxy with a certificate before the web process and set PUBLIC_URL to https.",
    )


def _webhook_secret(settings: Settings) -> Iterator[Finding]:
    if not settings.github.webhook_secrets:
        return
    secret = settings.github.webhook_secrets[0].reveal()
    body = json.dumps({"zen": "Speak like a human."}).encode()
    headers = {
        "X-GitHub-Event": "ping",
        "X-GitHub-Delivery": "doctor",
        "X-Hub-Signature-256": "sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest(),
        "Content-Type": "application/json",
    }
    yield _signed("github_webhook_secret", f"{settings.public_url}/github/webhook", body, headers)


def _signing_secret(settings: Settings, now: Callable[[], float]) -> Iterator[Finding]:
    if settings.slack is None or not settings.slack.signing_secrets:
        return
    secret = settings.slack.signing_secrets[0].reveal()
    body = json.dumps({"type": "url_verification", "challenge": "doctor"}).encode()
    stamp = str(int(now()))
    base = b"v0:" + stamp.encode() + b":" + body
    headers = {
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": "v0=" + hmac.new(secret.encode(), base, sha256).hexdigest(),
        "Content-Type": "application/json",
    }
    yield _signed("slack_signing_secret", f"{settings.public_url}/slack/events", body, headers)


def _signed(name: str, url: str, body: bytes, headers: dict[str, str]) -> Finding:
    setting = name.upper()
    try:
        answer = requests.post(url, data=body, headers=headers, timeout=TIMEOUT_S)
    except requests.RequestException as error:
        return failed(
            name, f"{url} broke off ({type(error).__name__}).", "See the web process's log."
        )
    if answer.status_code == 401:
        return failed(
            name,
            f"The web process refuses what is signed with the {setting} of this machine.",
            f"Give all processes the same {setting} and restart them; after a change keep the old "
            "one behind a comma until the new one is in use. A wrong clock does this too.",
        )
    if answer.status_code != 200:
        return failed(
            name,
            f"{url} answers {answer.status_code} to a signed request.",
            "Lead the whole path to the web process; a proxy must not change the body.",
        )
    return ok(name, f"The web process accepts what is signed with {setting}.")
