"""The HTTP face of the Slack stand-in."""

from __future__ import annotations

import html
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from deploy.sandbox.slack.faults import Fault
from deploy.sandbox.slack.forms import form_fields

if TYPE_CHECKING:
    from deploy.sandbox.slack.stand_in import SandboxSlack


def slack_routes(slack: SandboxSlack) -> list[BaseRoute]:
    """Every route of the stand-in, to be served at the root of its address."""
    return [
        Route("/slack/api/{method}", slack.web_api.handle, methods=["GET", "POST"]),
        Route("/slack/actions/{name:path}", slack.response_urls.handle, methods=["POST"]),
        Route("/slack/oauth/v2/authorize", _Authorize(slack).handle, methods=["GET", "POST"]),
        WebSocketRoute("/slack/link/", slack.socket_mode.serve),
        *_Inspection(slack).routes(),
    ]


class _Authorize:
    """The page on which a person lets the app into a workspace."""

    def __init__(self, slack: SandboxSlack) -> None:
        self._slack = slack

    async def handle(self, request: Request) -> Response:
        asked: dict[str, str] = dict(request.query_params)
        if request.method == "POST":
            asked |= await form_fields(request)
        installer = self._slack.installer
        if asked.get("client_id") != installer.client_id:
            return HTMLResponse("<p>Invalid client_id parameter</p>", status_code=400)
        redirect_uri = asked.get("redirect_uri", "")
        if not redirect_uri.startswith(("http://", "https://")):
            return HTMLResponse("<p>redirect_uri did not match any configured URIs</p>", 400)
        state = asked.get("state", "")
        if asked.get("answer") == "cancel":
            return RedirectResponse(installer.decline(redirect_uri, state), status_code=302)
        if request.method == "GET" and not self._slack.agrees_by_itself:
            return HTMLResponse(self._page(asked))
        team_id = asked.get("team") or next(iter(self._slack.world.teams), "")
        if team_id not in self._slack.world.teams:
            return HTMLResponse("<p>There is no such workspace.</p>", status_code=400)
        user_id = asked.get("user") or self._somebody(team_id)
        target = installer.agree(team_id, user_id, asked.get("scope", ""), redirect_uri, state)
        return RedirectResponse(target, status_code=302)

    def _somebody(self, team_id: str) -> str:
        people = (u for u in self._slack.world.users.values() if u.team_id == team_id)
        return next((u.id for u in people if not u.is_bot), "")

    def _page(self, asked: dict[str, str]) -> str:
        kept = ("client_id", "scope", "redirect_uri", "state")
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(asked.get(name, ""))}">'
            for name in kept
        )
        teams = "".join(
            f'<option value="{html.escape(team.id)}">{html.escape(team.name)}</option>'
            for team in self._slack.world.teams.values()
        )
        scopes = html.escape(asked.get("scope", "")).replace(",", ", ")
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Slack sandbox</title>'
            "<h1>Precedent asks to join a workspace</h1>"
            f"<p>It wants: {scopes}</p>"
            f'<form method="post" action="/slack/oauth/v2/authorize">{fields}'
            f'<label>Workspace <select name="team">{teams}</select></label> '
            '<button name="answer" value="allow">Allow</button> '
            '<button name="answer" value="cancel">Cancel</button></form></html>'
        )


class _Inspection:
    """What went over the wire, faults to come and acts of people, for other processes."""

    def __init__(self, slack: SandboxSlack) -> None:
        self._slack = slack

    def routes(self) -> list[BaseRoute]:
        at = "/_sandbox/slack"
        return [
            Route(f"{at}/calls", self.calls),
            Route(f"{at}/deliveries", self.deliveries),
            Route(f"{at}/contract_errors", self.contract_errors),
            Route(f"{at}/messages", self.messages),
            Route(f"{at}/faults", self.add_fault, methods=["POST"]),
            Route(f"{at}/faults", self.clear_faults, methods=["DELETE"]),
            Route(f"{at}/say", self.say, methods=["POST"]),
            Route(f"{at}/command", self.command, methods=["POST"]),
            Route(f"{at}/click", self.click, methods=["POST"]),
        ]

    async def calls(self, request: Request) -> Response:
        method = request.query_params.get("method")
        chosen = [c.as_json() for c in self._slack.calls if method in (None, c.method)]
        return JSONResponse({"calls": chosen})

    async def deliveries(self, _request: Request) -> Response:
        return JSONResponse({"deliveries": [d.as_json() for d in self._slack.deliveries]})

    async def contract_errors(self, _request: Request) -> Response:
        return JSONResponse({"contract_errors": self._slack.contract_errors})

    async def messages(self, request: Request) -> Response:
        channel = request.query_params.get("channel", "")
        try:
            found = self._slack.messages(channel)
            return JSONResponse({"messages": found, "ephemerals": self._slack.ephemerals(channel)})
        except LookupError as error:
            return JSONResponse({"error": str(error)}, status_code=404)

    async def add_fault(self, request: Request) -> Response:
        try:
            fault = Fault(**await request.json())
        except (ValueError, TypeError) as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        self._slack.faults.add(fault)
        return JSONResponse(asdict(fault), status_code=201)

    async def clear_faults(self, _request: Request) -> Response:
        self._slack.faults.clear()
        return Response(status_code=204)

    async def say(self, request: Request) -> Response:
        return await self._act(request, self._slack.say)

    async def command(self, request: Request) -> Response:
        return await self._act(request, self._slack.command)

    async def click(self, request: Request) -> Response:
        return await self._act(request, self._slack.click)

    async def _act(self, request: Request, act: Any) -> Response:
        try:
            delivery = await run_in_threadpool(act, **json.loads(await request.body()))
        except (LookupError, TypeError, ValueError) as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        return JSONResponse({**delivery.as_json(), "message": delivery.message}, status_code=202)
