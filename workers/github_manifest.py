"""GitHub's manifest flow: a page sends the manifest, GitHub sends a code, the code is the App."""

from __future__ import annotations

import html
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import requests

from workers.app_requirements import (
    GITHUB_EVENTS,
    GITHUB_PERMISSIONS,
    OPTIONAL_GITHUB_PERMISSIONS,
)
from workers.errors import PrecedentError
from workers.github_addresses import web_url

TIMEOUT_S = 20
WAIT_S = 900
"""As long as somebody may take in the browser; GitHub's code lives an hour."""


class SetupFailed(PrecedentError):  # noqa: N818 - says what went wrong
    """The App was not made; the message says what to do."""

    reason = "setup_failed"


def manifest(public_url: str, name: str, redirect_url: str) -> dict[str, Any]:
    """What the App asks for; deploy/github-app-manifest.json is this with a placeholder."""
    return {
        "name": name,
        "url": public_url,
        "description": "A self-hosted code reviewer that remembers what your team said.",
        "public": False,
        "redirect_url": redirect_url,
        "callback_urls": [f"{public_url}/github/oauth/callback"],
        "request_oauth_on_install": False,
        "hook_attributes": {"url": f"{public_url}/github/webhook", "active": True},
        "default_permissions": {**GITHUB_PERMISSIONS, **OPTIONAL_GITHUB_PERMISSIONS},
        "default_events": list(GITHUB_EVENTS),
    }


def settings_of(app: Mapping[str, Any]) -> str:
    """The lines for .env; the key's line breaks are written as \\n."""
    pem = str(app["pem"]).strip().replace("\n", "\\n")
    values = {
        "GITHUB_APP_ID": app["id"],
        "GITHUB_APP_PRIVATE_KEY": f'"{pem}"',
        "GITHUB_WEBHOOK_SECRET": app["webhook_secret"],
        "GITHUB_CLIENT_ID": app["client_id"],
        "GITHUB_CLIENT_SECRET": app["client_secret"],
    }
    return "".join(f"{name}={value}\n" for name, value in values.items())


def convert(api_url: str, code: str) -> dict[str, Any]:
    """Exchange the code, once and within an hour, for the App with its secrets.

    Raises SetupFailed.
    """
    url = f"{api_url}/app-manifests/{quote(code, safe='')}/conversions"
    headers = {"Accept": "application/vnd.github+json"}
    try:
        answer = requests.post(url, headers=headers, timeout=TIMEOUT_S)
        app = answer.json() if answer.status_code == 201 else None
    except (requests.RequestException, ValueError) as error:
        raise SetupFailed(f"GitHub did not answer ({type(error).__name__}): try again.") from error
    if not isinstance(app, dict) or "pem" not in app:
        raise SetupFailed(f"GitHub refused the code ({answer.status_code}): begin again.")
    return app


@dataclass
class SetupPage:
    """A page on this machine only, for the one browser that makes the App.

    `organization` "" makes it for the person who is signed in.
    """

    public_url: str
    api_url: str
    name: str
    organization: str = ""
    port: int = 8765
    code: str = ""
    state: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def wait_for_code(self) -> str:
        """Serve until GitHub has sent the browser back. Raises SetupFailed."""
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = page.respond(self.path)
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                """The query holds a code: nothing is logged."""

        try:
            server = HTTPServer(("127.0.0.1", self.port), Handler)
        except OSError as error:
            raise SetupFailed(f"Port {self.port} is taken: choose another with --port.") from error
        with server:
            self.port = server.server_port
            server.timeout = WAIT_S
            server.handle_timeout = self._give_up  # type: ignore[method-assign]
            print(f"Open {self.url} in a browser on this machine.")  # noqa: T201
            while not self.code:
                server.handle_request()
        return self.code

    def respond(self, path: str) -> tuple[int, str]:
        """The page, or the end of the flow. Only the state of this page counts."""
        parts = urlsplit(path)
        if parts.path == "/":
            return 200, self._form()
        query = parse_qs(parts.query)
        code, state = query.get("code", [""])[0], query.get("state", [""])[0]
        if parts.path != "/created" or not code:
            return 404, "Not here."
        if not secrets.compare_digest(state.encode(), self.state.encode()):
            return 400, "This answer belongs to another page: begin again."
        self.code = code
        return 200, "Done: go back to the terminal. You can close this page."

    def _form(self) -> str:
        root = web_url(self.api_url)
        owner = f"/organizations/{quote(self.organization)}" if self.organization else ""
        action = f"{root}{owner}/settings/apps/new?state={quote(self.state)}"
        text = json.dumps(manifest(self.public_url, self.name, f"{self.url}created"))
        return (
            '<!doctype html><meta charset="utf-8"><title>Precedent</title>'
            f'<form action="{html.escape(action)}" method="post">'
            f'<input type="hidden" name="manifest" value="{html.escape(text)}">'
            f"<button>Make the App {html.escape(self.name)} on {html.escape(root)}</button></form>"
        )

    def _give_up(self) -> None:
        raise SetupFailed(f"Nobody came back from GitHub in {WAIT_S // 60} minutes: begin again.")
