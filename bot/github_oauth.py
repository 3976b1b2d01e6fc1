"""`/github/oauth/start` and `/github/oauth/callback`: a Slack person shows their GitHub account."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.github import BodyTooLarge, read_body
from bot.oauth_return import OauthFlow, answered
from bot.pages import button, page
from workers.event import Event, SlackPlace
from workers.github_addresses import authorize_url
from workers.login_links import LoginLinks, LoginRequest, Pkce
from workers.secrets_box import SecretsBox
from workers.settings import Settings

AGAIN = "Write /conventions login in Slack to get a new link."
MAX_FORM_BYTES = 4_096
CALLBACK = "/github/oauth/callback"


class GithubLogin:
    """The routes. `box` seals the code and PKCE's verifier for the worker."""

    def __init__(
        self, settings: Settings, links: LoginLinks, flow: OauthFlow, box: SecretsBox
    ) -> None:
        self._settings = settings
        self._links = links
        self._flow = flow
        self._box = box

    def routes(self) -> list[Route]:
        return [
            Route("/github/oauth/start", self.show, methods=["GET"]),
            Route("/github/oauth/start", self.start, methods=["POST"]),
            Route(CALLBACK, self.come_back, methods=["GET"]),
        ]

    async def show(self, request: Request) -> Response:
        """Whose account is about to be linked, and the button that does it."""
        return await answered(self._show, request.query_params.get("token", ""))

    async def start(self, request: Request) -> Response:
        """The person's click: off to GitHub, in this browser."""
        try:
            body = await read_body(request, MAX_FORM_BYTES)
        except BodyTooLarge:
            return _gone()
        fields = parse_qs(body.decode(errors="replace"), max_num_fields=10)
        return await answered(self._start, fields.get("token", [""])[0])

    async def come_back(self, request: Request) -> Response:
        done = (
            "Almost done",
            "You can close this page. The answer comes in Slack in a moment.",
        )
        return await answered(self._flow.come_back, request, self._event, done, AGAIN)

    def _show(self, token: str) -> Response:
        asked = self._links.read(token)
        if asked is None:
            return _gone()
        return page(
            "Link your GitHub account",
            f"Precedent will know the Slack account {_who(asked)} as the GitHub account that you "
            "are signed in to in this browser, and will let it do what that GitHub account may do.",
            f"If you are not {_who(asked)}, or did not ask for this in Slack, close this page.",
            form=button("Continue to GitHub", token=token),
        )

    def _start(self, token: str) -> Response:
        asked = self._links.use(token)
        if asked is None:
            return _gone()
        proof = Pkce.fresh()
        about = {
            "team": asked.team,
            "user": asked.user,
            "response_url": asked.response_url,
            "verifier": self._box.seal(proof.verifier),
        }

        def address(state: str) -> str:
            query = {
                "client_id": self._settings.github.client_id,
                "redirect_uri": self._settings.public_url + CALLBACK,
                "state": state,
                "code_challenge": proof.challenge,
                "code_challenge_method": "S256",
            }
            return f"{authorize_url(self._settings.github.api_url)}?{urlencode(query)}"

        return self._flow.leave(about, address)

    def _event(self, code: str, about: Mapping[str, Any]) -> Event:
        place = SlackPlace(about["team"], "", about["user"], response_url=about["response_url"])
        return Event(
            id=f"github.oauth:{hashlib.sha256(code.encode()).hexdigest()[:32]}",
            kind="github.oauth",
            subject=f"login:{about['team']}:{about['user']}",
            slack=place,
            arguments=(self._box.seal(code), about["verifier"]),
        )


def _gone() -> Response:
    return page("This link does not work any more", AGAIN, status_code=400)


def _who(asked: LoginRequest) -> str:
    return f"{asked.user_name} in {asked.team_name}" if asked.team_name else asked.user_name
