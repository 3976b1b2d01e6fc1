"""The App and its installations: the routes of the JWT, and tokens."""

from __future__ import annotations

import secrets

from deploy.sandbox.github import render
from deploy.sandbox.github.answers import Answer, RefusedError, not_found
from deploy.sandbox.github.context import Context, Endpoint
from deploy.sandbox.github.hooks import Delivery
from deploy.sandbox.github.model import Account, Installation, Token
from deploy.sandbox.github.render import Json
from deploy.sandbox.github.urls import iso

TOKEN_LIFE_S = 3_600
_LEVELS = ("read", "write", "admin")


def get_app(context: Context) -> Answer:
    count = len(context.world.installations)
    return Answer(
        render.app(context.urls, context.world.registration) | {"installations_count": count}
    )


def list_installations(context: Context) -> Answer:
    world = context.world
    return context.paged(
        list(world.installations.values()),
        render=lambda one: render.installation(context.urls, world.registration, one),
    )


def get_installation(context: Context) -> Answer:
    return _installation_answer(context, _installation(context))


def installation_of_repository(context: Context) -> Answer:
    return _installation_answer(context, context.world.installation_of(context.repository))


def installation_of_account(context: Context) -> Answer:
    login = context.path.get("org") or context.path["username"]
    account: Account | None = context.world.account(login)
    found = (i for i in context.world.installations.values() if i.account is account)
    return _installation_answer(context, next(found, None))


def create_token(context: Context) -> Answer:
    """An hour's token, narrowed to `repository_ids`, `repositories` and `permissions`."""
    world, one = context.world, _installation(context)
    if one.suspended_at is not None:
        raise RefusedError(403, "This installation has been suspended")
    chosen = _chosen_repositories(context, one)
    permissions = _chosen_permissions(context, one)
    token = Token(
        f"ghs_{secrets.token_hex(18)}", world.clock() + TOKEN_LIFE_S, installation=one,
        repository_ids=chosen, permissions=permissions,
    )  # fmt: skip
    world.tokens[token.value] = token
    body: Json = {
        "token": token.value, "expires_at": iso(token.expires_at), "permissions": permissions,
        "repository_selection": "all" if one.repository_ids is None else "selected",
    }  # fmt: skip
    if chosen is not None:
        body["repository_selection"] = "selected"
        body["repositories"] = [
            render.repository(context.urls, world.repositories[i]) for i in sorted(chosen)
        ]
    return Answer(body, 201)


def _chosen_repositories(context: Context, one: Installation) -> frozenset[int] | None:
    world, body = context.world, context.body
    if "repository_ids" not in body and "repositories" not in body:
        return None
    names = {str(name).casefold() for name in body.get("repositories", [])}
    held = {r.id: r for r in world.repositories.values() if one.holds(r)}
    ids = set(body.get("repository_ids", []))
    ids |= {i for i, r in held.items() if r.name.casefold() in names}
    found_names = {held[i].name.casefold() for i in ids if i in held}
    if not ids <= set(held) or not names <= found_names:
        raise RefusedError(
            422,
            "There is at least one repository that does not exist or is not accessible to the "
            "parent installation.",
        )
    return frozenset(ids)


def _chosen_permissions(context: Context, one: Installation) -> dict[str, str]:
    wanted = context.body.get("permissions") or {}
    for name, level in wanted.items():
        granted = one.permissions.get(name)
        if granted is None or _LEVELS.index(granted) < _LEVELS.index(level):
            raise RefusedError(
                422, "The permissions requested are not granted to this installation."
            )
    if not wanted:
        return dict(one.permissions)
    return {"metadata": "read", **wanted}


def list_repositories(context: Context) -> Answer:
    one, token = context.actor.installation, context.actor.token
    if one is None or token is None:
        raise RefusedError(403, "You must authenticate with an installation access token.")
    held = [
        r
        for r in context.world.repositories.values()
        if one.holds(r) and (token.repository_ids is None or r.id in token.repository_ids)
    ]
    answer = context.paged(
        held, render=lambda r: render.repository(context.urls, r), key="repositories"
    )
    answer.body["repository_selection"] = "all" if one.repository_ids is None else "selected"
    return answer


def get_hook_config(context: Context) -> Answer:
    url = context.world.hooks.url or ""
    return Answer({"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": url})


def list_deliveries(context: Context) -> Answer:
    """Newest first; the cursor is the id of the last delivery of the page before."""
    deliveries = sorted(context.world.hooks.deliveries, key=lambda d: d.id, reverse=True)
    status = context.query.get("status")
    if status:
        deliveries = [
            d for d in deliveries if (200 <= d.status_code < 400) == (status == "success")
        ]
    cursor = context.query.get("cursor", "")
    if cursor.removeprefix("v1_").isdigit():
        deliveries = [d for d in deliveries if d.id < int(cursor.removeprefix("v1_"))]
    _, size = context.page()
    page = deliveries[:size]
    headers = {}
    if len(deliveries) > size:
        address = context.urls.base + context.request_path
        extra = f"&status={status}" if status else ""
        headers["Link"] = f'<{address}?per_page={size}&cursor=v1_{page[-1].id}{extra}>; rel="next"'
    return Answer([_delivery(d) for d in page], headers=headers)


def get_delivery(context: Context) -> Answer:
    one = _find_delivery(context)
    request = {"headers": dict(one.headers), "payload": one.payload}
    response = {"headers": dict(one.response_headers), "payload": one.response_body}
    url = context.world.hooks.url or ""
    return Answer(_delivery(one) | {"url": url, "request": request, "response": response})


def redeliver(context: Context) -> Answer:
    """Send it again with the same GUID, as an attempt of its own."""
    hooks = context.world.hooks
    hooks.post(hooks.redelivered(_find_delivery(context)))
    return Answer({}, 202)


def _find_delivery(context: Context) -> Delivery:
    wanted = int(context.path["delivery_id"])
    for delivery in context.world.hooks.deliveries:
        if delivery.id == wanted:
            return delivery
    raise not_found()


def _delivery(one: Delivery) -> Json:
    repository = one.payload.get("repository") or {}
    installation = one.payload.get("installation") or {}
    return {
        "id": one.id, "guid": one.guid, "delivered_at": iso(one.delivered_at),
        "redelivery": one.redelivery, "duration": one.duration_s, "status": one.status,
        "status_code": one.status_code, "event": one.event, "action": one.action,
        "installation_id": installation.get("id"), "repository_id": repository.get("id"),
        "throttled_at": None,
    }  # fmt: skip


def _installation(context: Context) -> Installation:
    one = context.world.installations.get(int(context.path["installation_id"]))
    if one is None:
        raise not_found()
    return one


def _installation_answer(context: Context, one: Installation | None) -> Answer:
    if one is None:
        raise not_found()
    return Answer(render.installation(context.urls, context.world.registration, one))


ENDPOINTS = [
    Endpoint("GET", "/app", get_app, auth="app"),
    Endpoint("GET", "/app/installations", list_installations, auth="app"),
    Endpoint("GET", "/app/installations/{installation_id}", get_installation, auth="app"),
    Endpoint(
        "POST", "/app/installations/{installation_id}/access_tokens", create_token, auth="app"
    ),
    Endpoint("GET", "/app/hook/config", get_hook_config, auth="app"),
    Endpoint("GET", "/app/hook/deliveries", list_deliveries, auth="app"),
    Endpoint("GET", "/app/hook/deliveries/{delivery_id}", get_delivery, auth="app"),
    Endpoint("POST", "/app/hook/deliveries/{delivery_id}/attempts", redeliver, auth="app"),
    Endpoint("GET", "/installation/repositories", list_repositories),
    Endpoint("GET", "/repos/{owner}/{repo}/installation", installation_of_repository, auth="app"),
    Endpoint("GET", "/orgs/{org}/installation", installation_of_account, auth="app"),
    Endpoint("GET", "/users/{username}/installation", installation_of_account, auth="app"),
]
