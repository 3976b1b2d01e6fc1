"""The page's own routes: its files, one read of everything it shows, and the acts of a person.

An act wants a JSON body with that content type, which a foreign web page can't send here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.page.acts import Act, Acts
from deploy.sandbox.page.people import people, slack_user
from deploy.sandbox.page.pull_view import find_pull, pull_list, pull_view, read_file
from deploy.sandbox.page.slack_view import (
    channel_list,
    channel_view,
    home_view,
    names,
    view_on_screen,
)
from deploy.sandbox.slack import SandboxSlack

_FILES = {
    "page.css": "text/css",
    "app.js": "text/javascript",
    "blocks.js": "text/javascript",
    "chat.js": "text/javascript",
    "dom.js": "text/javascript",
    "markup.js": "text/javascript",
    "pull.js": "text/javascript",
}
_SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def page_routes(github: SandboxGitHub, slack: SandboxSlack) -> list[BaseRoute]:
    """Routes for `/`, `/_sandbox/page/*` and `/_sandbox/ui/*`."""
    page = _Page(github, slack)
    return [
        Route("/", page.index),
        Route("/_sandbox/page/{name}", page.file),
        Route("/_sandbox/ui/state", page.state),
        Route("/_sandbox/ui/file", page.pull_file),
        *(
            Route(f"/_sandbox/ui/{name}", page.acting(act), methods=["POST"])
            for name, act in Acts(github, slack).by_name().items()
        ),
    ]


class _Page:
    def __init__(self, github: SandboxGitHub, slack: SandboxSlack) -> None:
        self._github = github
        self._slack = slack

    async def index(self, _request: Request) -> Response:
        return Response(_static("index.html"), media_type="text/html", headers=_SECURITY)

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _FILES:
            return Response(status_code=404)
        return Response(_static(name), media_type=_FILES[name], headers=_SECURITY)

    async def state(self, request: Request) -> Response:
        """Everything on the page for one person; 304 while nothing has changed."""
        query = request.query_params
        asked = (query.get("person", ""), query.get("pull", ""), query.get("channel", ""))
        state = await run_in_threadpool(self._state, *asked)
        body = json.dumps(state, ensure_ascii=False).encode()
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, media_type="application/json", headers=headers)

    async def pull_file(self, request: Request) -> Response:
        """The content of one file on the head branch of a pull request."""
        query = request.query_params
        try:
            content = await run_in_threadpool(
                read_file, self._github, query.get("pull", ""), query.get("path", "")
            )
        except LookupError as error:
            return JSONResponse({"error": str(error)}, status_code=404)
        return JSONResponse({"content": content})

    def acting(self, act: Act) -> Callable[[Request], Any]:
        """The endpoint of one act: 400 with a sentence for what can't be done."""

        async def handle(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip()
            if kind != "application/json":
                return JSONResponse({"error": "Send JSON."}, status_code=415)
            try:
                wish = json.loads(await request.body())
                done = await run_in_threadpool(act, **wish)
            except (LookupError, ValueError, TypeError, RuntimeError) as error:
                return JSONResponse({"error": str(error)}, status_code=400)
            return JSONResponse(done or {})

        return handle

    def _state(self, person: str, pull_key: str, channel_id: str) -> dict[str, Any]:
        github, slack = self._github, self._slack
        user = slack_user(slack, person)
        channels = channel_list(slack, user)
        chosen = channel_id if any(c["id"] == channel_id for c in channels) else ""
        channel = slack.world.channels[chosen or channels[0]["id"]]
        with github.lock:
            pulls = pull_list(github)
            keys = [pull["key"] for pull in pulls]
            key = pull_key if pull_key in keys else next(iter(keys), None)
            pull = pull_view(github, find_pull(github, key)) if key else None
            everyone = people(github, slack)
        return {
            "person": user.name,
            "handle": github.app_slug,
            "people": everyone,
            "names": names(slack),
            "pulls": pulls,
            "pull": pull,
            "channels": channels,
            "channel": channel_view(slack, channel, user),
            "modal": view_on_screen(slack, user),
            "home": home_view(slack, user),
        }


def _static(name: str) -> bytes:
    return files("deploy.sandbox.page").joinpath("static", name).read_bytes()
