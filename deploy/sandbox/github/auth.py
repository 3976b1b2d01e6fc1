"""Who is calling: the App's JWT, installation tokens, people's tokens; and OAuth's web flow."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Any
from urllib.parse import urlencode, urlsplit

import jwt

from deploy.sandbox.github.answers import Answer, RefusedError
from deploy.sandbox.github.context import Actor, Context, Endpoint
from deploy.sandbox.github.model import ROLES, Account, Repository, Token
from deploy.sandbox.github.roles import role_of
from deploy.sandbox.github.world import Grant, World

MAX_JWT_LIFE_S = 600
"""GitHub refuses an `exp` more than ten minutes ahead."""

CLOCK_DRIFT_S = 60
USER_TOKEN_LIFE_S = 28_800
CODE_LIFE_S = 600


def identify(world: World, authorization: str, *, expects_jwt: bool) -> Actor:
    """The caller of a request. Raises RefusedError(401 or 403)."""
    scheme, _, credential = authorization.strip().partition(" ")
    credential = credential.strip()
    if scheme.casefold() not in ("bearer", "token") or not credential:
        raise RefusedError(401, "Requires authentication" if not scheme else "Bad credentials")
    if credential.count(".") == 2:
        _check_jwt(world, credential)
        if not expects_jwt:
            raise RefusedError(401, "Bad credentials")
        return Actor(is_app=True)
    if expects_jwt:
        raise RefusedError(401, "A JSON web token could not be decoded")
    return _token_actor(world, credential)


def _check_jwt(world: World, credential: str) -> None:
    try:
        claims = jwt.decode(
            credential, world.registration.public_key_pem, algorithms=["RS256"],
            options={"verify_exp": False, "verify_iat": False, "verify_aud": False},
        )  # fmt: skip
    except jwt.InvalidTokenError as error:
        raise RefusedError(401, "A JSON web token could not be decoded") from error
    now = world.clock()
    if str(claims.get("iss")) not in (str(world.registration.id), world.registration.client_id):
        raise RefusedError(404, "Integration not found")
    issued, expires = claims.get("iat"), claims.get("exp")
    if not isinstance(issued, int) or issued > now + CLOCK_DRIFT_S:
        raise RefusedError(
            401,
            "'Issued at' claim ('iat') must be an Integer representing the time that the "
            "assertion was issued",
        )
    if not isinstance(expires, int) or expires <= now:
        raise RefusedError(
            401,
            "'Expiration time' claim ('exp') must be a numeric value representing the future "
            "time at which the assertion expires",
        )
    if expires > now + MAX_JWT_LIFE_S:
        raise RefusedError(401, "'Expiration time' claim ('exp') is too far in the future")


def _token_actor(world: World, credential: str) -> Actor:
    token = world.tokens.get(credential)
    if token is None or token.expires_at <= world.clock():
        raise RefusedError(401, "Bad credentials")
    installation = token.installation
    if installation is None:
        return Actor(user=token.user, token=token)
    if installation.id not in world.installations:
        raise RefusedError(401, "Bad credentials")
    if installation.suspended_at is not None:
        raise RefusedError(403, "This installation has been suspended")
    return Actor(installation=installation, token=token)


def sees(actor: Actor, repository: Repository) -> bool:
    """Whether the caller may know that the repository exists."""
    if actor.installation is not None:
        token = actor.token
        limited = token is not None and token.repository_ids is not None
        if limited and repository.id not in (token.repository_ids or ()):  # type: ignore[union-attr]
            return False
        return actor.installation.holds(repository)
    return actor.user is not None and role_of(repository, actor.user) != "none"


def check_permission(actor: Actor, needs: tuple[str, ...], repository: Repository | None) -> None:
    """Raise RefusedError(403) unless one of the alternatives is granted."""
    if not needs:
        return
    if actor.installation is not None and actor.token is not None:
        granted = actor.token.permissions
        order = ("", "read", "write", "admin")
        for need in needs:
            name, level = need.split(":")
            if order.index(granted.get(name, "")) >= order.index(level):
                return
        raise RefusedError(403, "Resource not accessible by integration")
    if actor.user is None or repository is None:
        return
    # People may read and discuss with read access; check runs are for Apps only.
    if any(need.startswith("checks:write") for need in needs):
        raise RefusedError(403, "You must authenticate via a GitHub App.")
    least = "write" if needs == ("contents:write",) else "read"
    if ROLES.index(role_of(repository, actor.user)) < ROLES.index(least):
        raise RefusedError(403, "Must have push access to repository.")


def user_token(world: World, user: Account, permissions: dict[str, str] | None = None) -> Token:
    """A new token that acts as a person."""
    token = Token(
        f"ghu_{secrets.token_hex(18)}", world.clock() + USER_TOKEN_LIFE_S, user=user,
        permissions=permissions or {},
    )  # fmt: skip
    world.tokens[token.value] = token
    return token


def authorize(context: Context) -> Answer:
    """The consent page, approved at once as `login` or the world's oauth_user."""
    world, query = context.world, context.query
    if query.get("client_id") != world.registration.client_id:
        raise RefusedError(404, "Not Found")
    redirect_uri = query.get("redirect_uri", "")
    user = world.account(query["login"]) if query.get("login") else world.oauth_user
    state = {"state": query["state"]} if "state" in query else {}
    if not urlsplit(redirect_uri).scheme.startswith("http"):
        raise RefusedError(400, "The redirect_uri must be an absolute http or https address.")
    if user is None:
        answer = {"error": "access_denied", "error_description": "The user has denied access."}
        return _redirect(redirect_uri, answer | state)
    code = secrets.token_hex(10)
    world.grants[code] = Grant(
        user, redirect_uri, world.clock() + CODE_LIFE_S, query.get("code_challenge", "")
    )
    return _redirect(redirect_uri, {"code": code} | state)


def exchange(context: Context) -> Answer:
    """A code or a refresh token for a user token; errors are 200 answers, as on GitHub."""
    world, form = context.world, {**context.query, **context.body}
    secret = str(form.get("client_secret", ""))
    if form.get("client_id") != world.registration.client_id or not hmac.compare_digest(
        secret.encode(), world.registration.client_secret.encode()
    ):
        return _form_or_json(context, {"error": "incorrect_client_credentials"})
    if form.get("grant_type") == "refresh_token":
        user = world.refresh_tokens.pop(str(form.get("refresh_token")), None)
        return _form_or_json(
            context, _token_answer(world, user) if user else {"error": "bad_refresh_token"}
        )
    grant = world.grants.pop(str(form.get("code")), None)
    if grant is None or grant.expires_at <= world.clock() or not _proves(grant, form):
        return _form_or_json(context, {"error": "bad_verification_code"})
    if form.get("redirect_uri") not in (None, grant.redirect_uri):
        return _form_or_json(context, {"error": "redirect_uri_mismatch"})
    return _form_or_json(context, _token_answer(world, grant.user))


def _proves(grant: Grant, form: dict[str, Any]) -> bool:
    if not grant.challenge:
        return True
    digest = hashlib.sha256(str(form.get("code_verifier", "")).encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") == grant.challenge


def _token_answer(world: World, user: Account) -> dict[str, Any]:
    refresh = f"ghr_{secrets.token_hex(38)}"
    world.refresh_tokens[refresh] = user
    return {
        "access_token": user_token(world, user).value, "expires_in": USER_TOKEN_LIFE_S,
        "refresh_token": refresh, "refresh_token_expires_in": 15_897_600, "scope": "",
        "token_type": "bearer",
    }  # fmt: skip


def _form_or_json(context: Context, body: dict[str, Any]) -> Answer:
    if "json" in context.headers.get("accept", ""):
        return Answer(body)
    return Answer(urlencode(body).encode(), media_type="application/x-www-form-urlencoded")


def _redirect(address: str, query: dict[str, str]) -> Answer:
    mark = "&" if urlsplit(address).query else "?"
    return Answer(status=302, headers={"Location": f"{address}{mark}{urlencode(query)}"})


ENDPOINTS = [
    Endpoint("GET", "/login/oauth/authorize", authorize, auth="none"),
    Endpoint("POST", "/login/oauth/access_token", exchange, auth="none"),
]
