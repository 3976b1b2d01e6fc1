"""The ASGI app: routes, and the one path that every request takes."""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import Route

from deploy.sandbox.github import (
    auth,
    checks,
    contents,
    installations,
    issues,
    people,
    pulls,
    reviews,
    threads_graphql,
)
from deploy.sandbox.github.answers import Answer, RefusedError, not_found
from deploy.sandbox.github.context import Actor, Context, Endpoint
from deploy.sandbox.github.contract import Contract
from deploy.sandbox.github.control import control_routes
from deploy.sandbox.github.faults import Fault, Faults, Phase
from deploy.sandbox.github.model import Repository
from deploy.sandbox.github.record import Call, Record
from deploy.sandbox.github.urls import API
from deploy.sandbox.github.wire import CutResponse, WireResponse
from deploy.sandbox.github.world import World

GREEDY = {"path", "ref", "basehead", "branch", "tree_sha", "name"}
"""Path parameters that may hold slashes."""

RATE_LIMIT = 5_000


def all_endpoints() -> list[Endpoint]:
    """Every endpoint; those that end in a greedy parameter last, so that they shadow nothing."""
    topics = (auth, installations, people, issues, reviews, pulls, checks, contents)
    endpoints = [e for topic in topics for e in topic.ENDPOINTS] + threads_graphql.ENDPOINTS
    endpoints.append(Endpoint("GET", "/rate_limit", get_rate_limit, auth="any"))
    return sorted(endpoints, key=lambda e: e.path.rsplit("{", 1)[-1].rstrip("}") in GREEDY)


def get_rate_limit(context: Context) -> Answer:
    reset = int(context.world.clock()) + 3_600
    core = {"limit": RATE_LIMIT, "remaining": RATE_LIMIT - 1, "reset": reset, "used": 1}
    resources = {name: {**core, "resource": name} for name in ("core", "graphql", "search")}
    return Answer({"resources": resources, "rate": core})


def build_app(world: World, faults: Faults, record: Record, contract: Contract) -> Starlette:
    """The app over a world. Its paths are absolute: /api/v3/..., /api/graphql, /login/oauth/..."""
    pipeline = Pipeline(world, faults, record, contract)
    routes = list(control_routes(world, faults, record))
    for endpoint in all_endpoints():
        for path in _route_paths(endpoint):
            handler = pipeline.handler(endpoint)
            routes.append(Route(path, handler, methods=[endpoint.method], name=endpoint.operation))
    unknown = pipeline.handler(Endpoint("*", "", _unknown, auth="any"))
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    routes.append(Route("/{rest:path}", unknown, methods=methods))
    return Starlette(routes=routes)


def _route_paths(endpoint: Endpoint) -> list[str]:
    path = re.sub(r"\{(\w+)\}", lambda m: "{" + _parameter(m.group(1)) + "}", endpoint.path)
    if path.startswith(("/login/", "/api/")):
        return [path]
    paths = [API + path]
    if endpoint.is_of_repository:
        rest = path.removeprefix("/repos/{owner}/{repo}")
        paths.append(f"{API}/repositories/{{repository_id:int}}{rest}")
    return paths


def _parameter(name: str) -> str:
    if name in GREEDY:
        return f"{name}:path"
    return f"{name}:int" if name.endswith(("_id", "_number")) else name


def _unknown(_: Context) -> Answer:
    raise not_found()


@dataclass(frozen=True)
class _Incoming:
    """One request, read completely."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    parameters: dict[str, str]
    raw: bytes
    base_url: str

    @property
    def api_path(self) -> str:
        return self.path.removeprefix(API)


class Pipeline:
    """Record, faults, contract, identity, repository, permission, handler, headers."""

    def __init__(self, world: World, faults: Faults, record: Record, contract: Contract) -> None:
        self.world = world
        self.faults = faults
        self.record = record
        self.contract = contract

    def handler(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Any]]:
        async def handle(request: Request) -> Any:
            incoming = await _read(request)
            return await self._answer(request, incoming, endpoint)

        return handle

    async def _answer(self, request: Request, incoming: _Incoming, endpoint: Endpoint) -> Any:
        began = time.monotonic()
        met = self.faults.take(incoming.method, incoming.api_path)
        call = self.record.begin(
            incoming.method, incoming.api_path, incoming.query, _json_or_none(incoming.raw),
            self.world.clock(), uuid.uuid4().hex.upper(),
        )  # fmt: skip
        call.operation, call.fault = endpoint.operation, ",".join(met)
        for fault in met.values():
            await asyncio.sleep(fault.delay_s)
            if fault.run is not None:
                await run_in_threadpool(fault.run)
        answer = await run_in_threadpool(self._process, incoming, endpoint, call, met)
        is_cut = "drop" in met or "truncate" in met
        call.status = 0 if is_cut else answer.status
        call.duration_s = round(time.monotonic() - began, 4)
        response = WireResponse(
            answer, self._headers(call, answer), incoming.method, incoming.headers
        )
        if is_cut:
            return CutResponse(response, request, keep=0 if "drop" in met else 0.5)
        return response

    def _process(
        self, incoming: _Incoming, endpoint: Endpoint, call: Call, met: dict[Phase, Fault]
    ) -> Answer:
        before, after = met.get("before"), met.get("after")
        if before is not None and before.status:
            return _fault_answer(before)
        try:
            with self.world.lock:
                context = self._context(incoming, endpoint, call, hides_newest="lag" in met)
                answer = endpoint.handler(context)
        except RefusedError as error:
            answer = error.answer()
        return _fault_answer(after) if after is not None else answer

    def _context(
        self, incoming: _Incoming, endpoint: Endpoint, call: Call, *, hides_newest: bool
    ) -> Context:
        world = self.world
        actor = self._actor(incoming, endpoint)
        call.actor = actor.describe()
        context = Context(
            world=world, urls=world.urls_at(incoming.base_url), actor=actor, endpoint=endpoint,
            request_path=incoming.path, path=incoming.parameters, query=incoming.query,
            headers=incoming.headers, body=_body(incoming, endpoint), hides_newest=hides_newest,
        )  # fmt: skip
        if endpoint.is_of_repository:
            repository = self._repository(incoming, actor)
            context.found_repository = repository
            is_write = incoming.method not in ("GET", "HEAD")
            if is_write and repository.archived:
                raise RefusedError(403, "Repository was archived so is read-only.")
        auth.check_permission(actor, endpoint.needs, context.found_repository)
        problems = self.contract.problems(endpoint.operation, context.query, context.body)
        if problems:
            for where, message in problems:
                self.record.refuse(endpoint.operation, where, message, call.request_id)
            message = "Invalid request.\n\n" + "\n".join(m for _, m in problems)
            raise RefusedError(422, message)
        return context

    def _actor(self, incoming: _Incoming, endpoint: Endpoint) -> Actor:
        if endpoint.auth == "none":
            return Actor()
        header = incoming.headers.get("authorization", "")
        if endpoint.auth == "any":
            is_jwt = header.count(".") == 2
            return auth.identify(self.world, header, expects_jwt=is_jwt)
        return auth.identify(self.world, header, expects_jwt=endpoint.auth == "app")

    def _repository(self, incoming: _Incoming, actor: Actor) -> Repository:
        """The repository of the path. An old name gives 301 (GET) or 307 to the numeric form."""
        world, found = self.world, incoming.parameters
        if "repository_id" in found:
            repository = world.repositories.get(int(found["repository_id"]))
        else:
            name = f"{found['owner']}/{found['repo']}"
            repository = world.repository(name)
            moved_to = world.redirects.get(name.casefold()) if repository is None else None
            if moved_to is not None and moved_to in world.repositories:
                rest = incoming.path.removeprefix(f"{API}/repos/{name}")
                address = f"{incoming.base_url}{API}/repositories/{moved_to}{rest}"
                raise _MovedError(301 if incoming.method == "GET" else 307, address)
        if repository is None or not (actor.is_app or auth.sees(actor, repository)):
            raise not_found()
        return repository

    def _headers(self, call: Call, answer: Answer) -> dict[str, str]:
        now = int(self.world.clock())
        used = min(call.number, RATE_LIMIT - 1)
        return {
            "X-GitHub-Media-Type": "github.v3; format=json",
            "X-GitHub-Request-Id": call.request_id,
            "X-RateLimit-Limit": str(RATE_LIMIT), "X-RateLimit-Used": str(used),
            "X-RateLimit-Remaining": str(RATE_LIMIT - used),
            "X-RateLimit-Reset": str(now - now % 3_600 + 3_600), "X-RateLimit-Resource": "core",
            "X-GitHub-Api-Version-Selected": "2022-11-28", **answer.headers,
        }  # fmt: skip


class _MovedError(RefusedError):
    """A redirect, in the form that GitHub gives renamed repositories."""

    reason = "repository_moved"

    def __init__(self, status: int, address: str) -> None:
        message = "Moved Permanently" if status == 301 else "Temporary Redirect"
        super().__init__(status, message, headers={"Location": address})
        self.address = address

    def answer(self) -> Answer:
        return Answer({"message": self.message, "url": self.address}, self.status, self.headers)


def _fault_answer(fault: Fault) -> Answer:
    body = fault.body
    if body is None:
        body = {"message": "Server Error" if fault.status >= 500 else "Refused by a fault"}
    return Answer(body, fault.status, fault.headers)


async def _read(request: Request) -> _Incoming:
    return _Incoming(
        method=request.method,
        path=request.url.path,
        query=dict(request.query_params),
        headers={k.lower(): v for k, v in request.headers.items()},
        parameters={k: str(v) for k, v in request.path_params.items()},
        raw=await request.body(),
        base_url=f"{request.url.scheme}://{request.url.netloc}",
    )


def _body(incoming: _Incoming, endpoint: Endpoint) -> dict[str, Any]:
    if not incoming.raw.strip():
        return {}
    if incoming.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(incoming.raw.decode("utf-8", "replace")))
    try:
        body = json.loads(incoming.raw)
    except ValueError as error:
        raise RefusedError(400, "Problems parsing JSON") from error
    if isinstance(body, list) and endpoint.operation.endswith("/labels"):
        return {"labels": body}
    if not isinstance(body, dict):
        raise RefusedError(400, "Body should be a JSON object")
    return body


def _json_or_none(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None
