"""The two app manifests ask for what the code needs, and the setup page makes the App with them."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml
from dotenv import dotenv_values

from workers.app_requirements import SLACK_EVENTS, SLACK_SCOPES
from workers.github_manifest import SetupFailed, SetupPage, convert, manifest, settings_of

DEPLOY = Path(__file__).parents[2] / "deploy"
APP = {
    "id": 7, "slug": "precedent", "pem": "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END-----\n",
    "webhook_secret": "w", "client_id": "Iv1.a", "client_secret": "c",
}  # fmt: skip


def test_the_github_manifest_is_the_one_that_setup_sends() -> None:
    stored = json.loads((DEPLOY / "github-app-manifest.json").read_text())
    sent = manifest("https://PUBLIC_URL", "precedent", "http://127.0.0.1:8765/created")
    assert stored == sent


def test_the_slack_manifest_has_every_scope_event_and_address() -> None:
    stored = yaml.safe_load((DEPLOY / "slack-app-manifest.yml").read_text())
    assert tuple(stored["oauth_config"]["scopes"]["bot"]) == SLACK_SCOPES
    events = stored["settings"]["event_subscriptions"]
    assert tuple(events["bot_events"]) == SLACK_EVENTS
    (command,) = stored["features"]["slash_commands"]
    assert command["command"] == "/conventions"
    addresses = {command["url"], events["request_url"],
                 stored["settings"]["interactivity"]["request_url"]}  # fmt: skip
    assert addresses == {"https://PUBLIC_URL/slack/events"}


def test_the_page_posts_the_manifest_and_takes_only_its_own_answer() -> None:
    page = SetupPage("https://p.example", "https://ghe.example/api/v3", "our-bot", "acme")
    status, form = page.respond("/")
    assert status == 200
    assert 'action="https://ghe.example/organizations/acme/settings/apps/new?state=' in form
    sent = json.loads(html.unescape(re.search(r'value="(.*?)"', form)[1]))  # type: ignore[index]
    assert sent["hook_attributes"]["url"] == "https://p.example/github/webhook"
    assert page.respond("/created?code=abc&state=other")[0] == 400
    assert page.respond("/else?code=abc")[0] == 404
    assert page.code == ""
    assert page.respond(f"/created?code=abc&state={page.state}")[0] == 200
    assert page.code == "abc"


@pytest.fixture
def github() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            is_known = self.path == "/app-manifests/good/conversions"
            self.send_response(201 if is_known else 404)
            self.end_headers()
            self.wfile.write(json.dumps(APP if is_known else {"message": "Not Found"}).encode())

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_the_code_becomes_settings_that_dotenv_reads(github: str, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(settings_of(convert(github, "good")))
    values = dotenv_values(file)
    assert values["GITHUB_APP_ID"] == "7"
    assert (values["GITHUB_APP_PRIVATE_KEY"] or "").splitlines()[1] == "abc"
    with pytest.raises(SetupFailed, match="404"):
        convert(github, "used/../twice")
