"""`precedent doctor`: the GitHub App, its key, permissions, installations and deliveries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import requests
from github import Auth

from workers.app_requirements import (
    GITHUB_EVENTS,
    GITHUB_PERMISSIONS,
    OPTIONAL_GITHUB_PERMISSIONS,
    lacking,
)
from workers.doctor import Finding, failed, ok, warning
from workers.github_addresses import access_token_url, install_url, web_url
from workers.settings import Settings

TIMEOUT_S = 10
MAX_SKEW_S = 60
"""GitHub allows the App's own signature about a minute; Slack's requests expire after five."""

LOOKED_AT_DELIVERIES = 30
MAX_PAGES = 20
Json = Any


def examine(settings: Settings, now: Callable[[], float]) -> Iterator[Finding]:
    way = _Way(settings)
    try:
        answer = way.get("/app")
    except requests.RequestException as error:
        yield failed(
            "github_reachable",
            f"{settings.github.api_url} does not answer ({type(error).__name__}).",
            "Let this machine reach GitHub (HTTPS_PROXY for a proxy, REQUESTS_CA_BUNDLE for an own "
            "certificate authority), or correct GITHUB_API_URL (Enterprise Server: "
            "https://HOST/api/v3).",
        )
        return
    yield _clock(answer, now())
    if answer.status_code != 200:
        yield _refused(settings, answer.status_code)
        return
    app = _app(answer)
    if app is None:
        yield failed(
            "github_reachable",
            f"{settings.github.api_url} answers, but not as GitHub does.",
            "Correct GITHUB_API_URL (Enterprise Server: https://HOST/api/v3); a proxy's own page "
            "looks like this too.",
        )
        return
    yield ok("github_app", f"GitHub knows the App {app['slug']} by this key.")
    page = _permissions_page(app)
    yield from _permissions("github_permissions", app["permissions"], "The App", page)
    yield _events(app, page)
    yield from _installations(settings, way, app)
    yield from _webhook(settings, way, app)
    yield from _login(settings)


@dataclass(frozen=True)
class _Way:
    """Requests as the App itself."""

    settings: Settings

    def get(self, path: str, **parameters: str | int) -> requests.Response:
        github = self.settings.github
        token = Auth.AppAuth(github.app_id, github.private_key.reveal()).token
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        return requests.get(
            github.api_url + path, params=parameters, headers=headers, timeout=TIMEOUT_S
        )

    def pages(self, path: str) -> Iterator[Json]:
        for page in range(1, MAX_PAGES + 1):
            answer = self.get(path, per_page=100, page=page)
            answer.raise_for_status()
            yield from answer.json()
            if "next" not in answer.links:
                return


def _app(answer: requests.Response) -> Mapping[str, Json] | None:
    """The App as GitHub describes it; None for anything else."""
    try:
        app = answer.json()
    except ValueError:
        return None
    wanted = {"slug": str, "permissions": dict, "events": list}
    is_app = isinstance(app, dict) and all(isinstance(app.get(k), t) for k, t in wanted.items())
    return app if is_app else None


def _clock(answer: requests.Response, now: float) -> Finding:
    date = answer.headers.get("Date")
    if not date:
        return warning("clock", "GitHub's answer had no date.", "A proxy should pass it on.")
    skew_s = now - parsedate_to_datetime(date).timestamp()
    if abs(skew_s) > MAX_SKEW_S:
        ahead = "ahead" if skew_s > 0 else "behind"
        return failed(
            "clock",
            f"This machine's clock is {abs(skew_s):.0f} s {ahead}.",
            "Let it follow a time server: `timedatectl set-ntp true`, or chrony.",
        )
    return ok("clock", "The clock agrees with GitHub's.")


def _refused(settings: Settings, status: int) -> Finding:
    root = web_url(settings.github.api_url)
    if status == 404:
        return failed(
            "github_app_id",
            f"GitHub knows no App with the id {settings.github.app_id}.",
            f"Copy the App ID from {root}/settings/apps → your App → General to GITHUB_APP_ID.",
        )
    if status == 401:
        return failed(
            "github_app_key",
            "GitHub does not accept GITHUB_APP_PRIVATE_KEY for this App.",
            f"Make a new key at {root}/settings/apps → your App → Private keys, and check the "
            "clock if that finding failed too.",
        )
    return failed(
        "github_reachable",
        f"{settings.github.api_url}/app answers {status}.",
        "Correct GITHUB_API_URL; 5xx: wait, and see GitHub's status page.",
    )


def _permissions_page(app: Mapping[str, Json]) -> str:
    root = str(app["html_url"]).partition("/apps/")[0].removesuffix("/github-apps")
    owner = app.get("owner") or {}
    if owner.get("type") == "Organization":
        root += f"/organizations/{owner['login']}"
    return f"{root}/settings/apps/{app['slug']}/permissions"


def _permissions(
    name: str, granted: dict[str, str], who: str, page: str, verb: str = "Grant it at"
) -> Iterator[Finding]:
    missing = lacking(granted, GITHUB_PERMISSIONS)
    for permission, level in missing.items():
        said = f"{who} lacks the permission {permission}: {level}."
        yield failed(name, said, f"{verb} {page}")
    for permission, level in lacking(granted, OPTIONAL_GITHUB_PERMISSIONS).items():
        yield warning(
            name,
            f"{who} lacks the permission {permission}: {level}; rules of a whole organisation "
            "can't be taught.",
            f"{verb} {page}, if you want them.",
        )
    if not missing:
        yield ok(name, f"{who} has every permission that is needed.")


def _events(app: Mapping[str, Json], page: str) -> Finding:
    missing = sorted(set(GITHUB_EVENTS) - set(app["events"]))
    if missing:
        return failed(
            "github_events",
            f"The App is not subscribed to {', '.join(missing)}.",
            f"Subscribe to them at {page}, below the permissions.",
        )
    return ok("github_events", "The App is subscribed to every event that is needed.")


def _installations(settings: Settings, way: _Way, app: Mapping[str, Json]) -> Iterator[Finding]:
    found = 0
    try:
        for one in way.pages("/app/installations"):
            found += 1
            yield from _installation(one)
    except requests.RequestException as error:
        yield failed(
            "github_installations",
            f"The installations can't be listed ({type(error).__name__}).",
            "Try again; see GitHub's status page.",
        )
        return
    if not found:
        yield failed(
            "github_installations",
            "The App is installed nowhere.",
            f"Install it at {install_url(settings.github.api_url, app['slug'])}",
        )


def _installation(one: Mapping[str, Json]) -> Iterator[Finding]:
    login, page = one["account"]["login"], one["html_url"]
    if one.get("suspended_at"):
        yield failed(
            "github_installation",
            f"The installation on {login} is suspended.",
            f"Its owner lifts that at {page}",
        )
        return
    who = f"The installation on {login}"
    yield from _permissions(
        "github_installation", one["permissions"], who, page, "An owner accepts it at"
    )
    missing = sorted(set(GITHUB_EVENTS) - set(one["events"]))
    if missing:
        yield failed(
            "github_installation",
            f"{who} does not send {', '.join(missing)}.",
            f"An owner accepts the App's changed permissions at {page}",
        )


def _webhook(settings: Settings, way: _Way, app: Mapping[str, Json]) -> Iterator[Finding]:
    page = _permissions_page(app).removesuffix("/permissions")
    wanted = f"{settings.public_url}/github/webhook"
    try:
        hook = way.get("/app/hook/config")
        deliveries = way.get("/app/hook/deliveries", per_page=LOOKED_AT_DELIVERIES)
        hook.raise_for_status()
        deliveries.raise_for_status()
    except requests.RequestException as error:
        yield failed(
            "github_webhook",
            f"The webhook's settings can't be read ({type(error).__name__}).",
            f"Switch the webhook on at {page}",
        )
        return
    config = hook.json()
    if str(config.get("url") or "").rstrip("/") != wanted:
        yield failed(
            "github_webhook",
            f"The App sends its events to {config.get('url') or 'nowhere'}.",
            f"Set the webhook URL to {wanted} at {page}",
        )
    elif str(config.get("insecure_ssl", "0")) != "0":
        yield warning(
            "github_webhook",
            "GitHub does not check the certificate of the webhook URL.",
            f"Enable SSL verification at {page}",
        )
    else:
        yield ok("github_webhook", "The App sends its events to PUBLIC_URL.")
    yield _deliveries(deliveries.json(), page)


def _deliveries(recent: list[Mapping[str, Json]], page: str) -> Finding:
    if not recent:
        return warning(
            "github_deliveries",
            "GitHub has delivered nothing in the last days.",
            f"Open a pull request, or redeliver the ping at {page}/advanced",
        )
    last = int(recent[0].get("status_code") or 0)
    lost = sum(1 for one in recent if not 200 <= int(one.get("status_code") or 0) < 300)
    if last == 401:
        return failed(
            "github_deliveries",
            "The last delivery was refused for its signature (401).",
            f"Set the webhook secret at {page} to the first value of GITHUB_WEBHOOK_SECRET.",
        )
    if not 200 <= last < 300:
        return failed(
            "github_deliveries",
            f"The last delivery failed ({last or recent[0].get('status')}).",
            f"Make PUBLIC_URL reachable from GitHub; {page}/advanced shows what it met.",
        )
    if lost:
        return warning(
            "github_deliveries",
            f"{lost} of the last {len(recent)} deliveries failed.",
            f"Redeliver them at {page}/advanced",
        )
    return ok("github_deliveries", f"The last {len(recent)} deliveries arrived.")


def _login(settings: Settings) -> Iterator[Finding]:
    """A code that can't exist: GitHub checks the client's id and secret before it."""
    github = settings.github
    if not github.client_id:
        return
    form = {
        "client_id": github.client_id,
        "client_secret": github.client_secret.reveal(),
        "code": "0" * 20,
    }
    url = access_token_url(github.api_url)
    try:
        answer = requests.post(
            url, data=form, headers={"Accept": "application/json"}, timeout=TIMEOUT_S
        )
        error = str(answer.json().get("error", ""))
    except (requests.RequestException, ValueError, AttributeError) as problem:
        yield failed(
            "github_login",
            f"{url} does not answer as GitHub does ({type(problem).__name__}).",
            "Let this machine reach GitHub's web address as well as its API.",
        )
        return
    if error in {"incorrect_client_credentials", "Not Found", ""}:
        yield failed(
            "github_login",
            "GitHub does not accept GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET.",
            f"Copy both from {web_url(github.api_url)}/settings/apps → your App → General; "
            "a secret is shown once, so make a new one.",
        )
        return
    yield ok("github_login", "People can link their GitHub account.")
