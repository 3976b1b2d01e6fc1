"""The end of `/conventions login`: a code becomes the link from a Slack to a GitHub person."""

from __future__ import annotations

from typing import Any

import requests
import structlog
from github import Auth

from graph.answers import Answer
from workers.drain import Outcome
from workers.errors import Permanent, Transient
from workers.event import Event, SlackPlace
from workers.github_addresses import access_token_url
from workers.github_client import TIMEOUT_S, Credentials, GithubClient
from workers.identities import Identity
from workers.inbox import Lease
from workers.repliers import ResponseReplier, SlackReplier
from workers.secrets_box import SecretUnreadable
from workers.services import Services
from workers.slack_errors import SlackRefused
from workers.slack_lifecycle import code_box

AGAIN = (
    "Your GitHub account was not linked: the link was too old. Write `/conventions login` again."
)

log = structlog.get_logger()


class CodeRefused(Permanent):
    """GitHub does not exchange the code; the person has to start again."""

    reason = "github_code_refused"


def on_oauth(services: Services, event: Event, lease: Lease) -> Outcome:
    """Exchange the code, ask GitHub who its owner is, keep the ids and forget the token."""
    assert event.slack is not None
    place = event.slack
    lease.check()
    try:
        box = code_box(services)
        code, verifier = (box.open(sealed) for sealed in event.arguments)
        token = _exchange(services, code, verifier)
    except (CodeRefused, SecretUnreadable) as error:
        log.warning("login.failed", reason=error.reason)
        # An earlier attempt of this event may have used the code up and died after the link.
        if services.identities.of(place.team, place.user) is None:
            _tell(services, place, lease, Answer(AGAIN, is_refusal=True), event.id)
        return Outcome()
    identity = _owner(services, token)
    services.identities.link(place.team, place.user, identity)
    log.info("login.linked", team=place.team, user=place.user, github_id=identity.github_id)
    text = (
        f"You are **{identity.login}** on GitHub to me now, and may do here what GitHub lets "
        "that account do. `/conventions logout` takes it back."
    )
    _tell(services, place, lease, Answer(text), event.id)
    return Outcome()


def _exchange(services: Services, code: str, verifier: str) -> str:
    """A token of the person, used once and kept nowhere. Raises CodeRefused or Transient."""
    github = services.settings.github
    body = {
        "client_id": github.client_id,
        "client_secret": github.client_secret.reveal(),
        "code": code,
        "code_verifier": verifier,
        "redirect_uri": f"{services.settings.public_url}/github/oauth/callback",
    }
    try:
        answer = requests.post(
            access_token_url(github.api_url),
            data=body,
            headers={"Accept": "application/json"},
            timeout=TIMEOUT_S,
            allow_redirects=False,
        )
        found: Any = answer.json() if answer.status_code < 500 else None
    except (requests.RequestException, ValueError) as error:
        raise Transient(
            f"GitHub did not answer ({type(error).__name__}).", reason="github_unavailable"
        ) from error
    if found is None or answer.status_code == 429:
        raise Transient(f"GitHub answered {answer.status_code}.", reason="github_unavailable")
    token = found.get("access_token") if isinstance(found, dict) else None
    if isinstance(token, str) and token:
        return token
    code_name = str(found.get("error", "")) if isinstance(found, dict) else ""
    if code_name in {"bad_verification_code", "redirect_uri_mismatch"}:
        raise CodeRefused("GitHub does not accept the code any more.")
    raise Permanent(
        "GitHub does not exchange the code: check GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET and the "
        f"App's callback address ({code_name or answer.status_code}).",
        reason="github_login_misconfigured",
    )


def _owner(services: Services, token: str) -> Identity:
    credentials = Credentials(auth=lambda: Auth.Token(token), refused=lambda _auth: None)
    with GithubClient(credentials, api_url=services.settings.github.api_url) as client:
        about = client.get("/user")
    return Identity(int(about["id"]), str(about["login"]))


def _tell(services: Services, place: SlackPlace, lease: Lease, answer: Answer, key: str) -> None:
    """Where they asked, seen by them alone; in a direct message when that address is too old."""
    speaker = services.slack(place.team, lease.check)
    try:
        if place.response_url:
            ResponseReplier(speaker, place.response_url).reply(answer, key)
            return
    except SlackRefused:
        log.info("login.told_directly", team=place.team, user=place.user)
    channel = speaker.open_direct(place.user)
    SlackReplier(speaker, channel, "").reply(answer, key)
