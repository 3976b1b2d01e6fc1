"""`link`, `unlink`, `login` and `logout`: who a channel and a person in Slack are on GitHub."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import structlog

from graph.answers import Answer
from graph.commands import Command
from graph.permissions import Refused, may
from workers.channels import ChannelLink
from workers.errors import Permanent
from workers.event import SlackPlace
from workers.github_addresses import install_url
from workers.github_limits import InstallationSuspended, NotFound, RepositoryMoved
from workers.identities import Identity
from workers.installations import note_repository, reconcile
from workers.login_links import LoginRequest
from workers.services import Services
from workers.slack_client import SlackSpeaker
from workers.slack_surroundings import channel_facts

ACCOUNT_COMMANDS = frozenset({"link", "unlink", "login", "logout"})
NEEDS_LOGIN = Answer(
    "I don't know who you are on GitHub yet: link your account with `/conventions login`, then "
    "say it again.",
    is_refusal=True,
)
IN_A_CHANNEL = Answer("Do this in the channel that it is about.", is_refusal=True)
SHARED_WARNING = (
    "\n\n:warning: This channel is shared with people from outside your workspace. They can't use "
    "me, but they see what I answer here."
)

log = structlog.get_logger()


def serve(services: Services, speaker: SlackSpeaker, place: SlackPlace, command: Command) -> Answer:
    """Carry out one of `ACCOUNT_COMMANDS`; the answer is for the person alone."""
    if command.name == "login":
        return login(services, speaker, place)
    if command.name == "logout":
        return logout(services, place)
    person = services.identities.of(place.team, place.user)
    if person is None:
        return NEEDS_LOGIN
    if place.is_direct:
        return IN_A_CHANNEL
    try:
        if command.name == "link":
            return _link(services, speaker, place, person, command.argument)
        return _unlink(services, place, person, command.argument)
    except InstallationSuspended as error:
        return Answer(str(error), is_refusal=True)


def login(services: Services, speaker: SlackSpeaker, place: SlackPlace) -> Answer:
    """A link that only this person may use, good for ten minutes and once."""
    about = speaker.person(place.user)
    services.slack_access().bot_user_id(place.team)  # learns the workspace's name where it must
    installation = services.slack_installations.of_team(place.team)
    known = installation or services.slack_installations.here()
    request = LoginRequest(
        team=place.team,
        user=place.user,
        user_name=str(about.get("real_name") or about.get("name") or place.user),
        team_name=known.name if known else "",
        response_url=place.response_url,
    )
    return Answer(
        f"[Link your GitHub account]({services.logins.make(request)}). The link works for ten "
        "minutes, once, and only for you: don't pass it on."
    )


def logout(services: Services, place: SlackPlace) -> Answer:
    if services.identities.unlink(place.team, place.user):
        log.info("login.unlinked", team=place.team, user=place.user)
        return Answer("Done: I no longer know who you are on GitHub. What you taught stays.")
    return Answer("You had no GitHub account linked.", is_refusal=True)


def _link(
    services: Services, speaker: SlackSpeaker, place: SlackPlace, person: Identity, name: str
) -> Answer:
    found = _find(services, name)
    if found is None:
        return _not_found(services, name)
    installation_id, about = found
    repository_id, full_name = int(about["id"]), str(about["full_name"])
    permission = services.permissions.permission(
        installation_id, repository_id, person.login, person.github_id
    )
    if permission == "none":
        # The same as for one that is not there: whether it exists is none of their business.
        return _not_found(services, name)
    verdict = may("link", permission)
    if isinstance(verdict, Refused):
        return Answer(verdict.sentence, is_refusal=True)
    facts = channel_facts(services, speaker, place)
    if not facts.is_seen:
        return Answer(
            "I am not in this channel: invite me with `/invite`, then link it.", is_refusal=True
        )
    known = note_repository(services, installation_id, about)
    link = ChannelLink(
        repository_id, installation_id, known.account_id, full_name, person.github_id
    )
    services.channels.link(place.team, place.channel, link)
    log.info("channel.linked", team=place.team, channel=place.channel, repo=repository_id)
    return Answer(_linked_words(services, place, full_name, is_shared=facts.is_shared_outside))


def _linked_words(services: Services, place: SlackPlace, name: str, *, is_shared: bool) -> str:
    others = [link.name for link in services.channels.of_channel(place.team, place.channel)]
    text = (
        f"This channel speaks for **{name}** now. Teach me with a mention: `remember: …`, and "
        "`/conventions` lists what I know."
    )
    if len(others) > 1:
        text += f" It has {len(others)} repositories, so begin with `repo:{name}` or I will ask."
    return text + (SHARED_WARNING if is_shared else "")


def _unlink(services: Services, place: SlackPlace, person: Identity, name: str) -> Answer:
    links = services.channels.of_channel(place.team, place.channel)
    if not links:
        return Answer("This channel is not linked to a repository.", is_refusal=True)
    named = [link for link in links if link.name.casefold() == name.casefold()]
    if name and not named:
        return Answer(f"This channel is not linked to `{name}`.", is_refusal=True)
    if not name and len(links) > 1:
        names = ", ".join(f"`unlink {link.name}`" for link in links)
        return Answer(f"Which one? {names}.", is_refusal=True)
    link = named[0] if named else links[0]
    permission = services.permissions.permission(
        link.installation_id, link.repository_id, person.login, person.github_id
    )
    verdict = may("unlink", permission)
    if isinstance(verdict, Refused):
        return Answer(verdict.sentence, is_refusal=True)
    services.channels.unlink(place.team, place.channel, link.repository_id)
    log.info("channel.unlinked", team=place.team, channel=place.channel, repo=link.repository_id)
    return Answer(f"This channel no longer speaks for **{link.name}**. Its conventions stay.")


def _find(services: Services, name: str) -> tuple[int, dict[str, Any]] | None:
    """The installation that holds the repository of this name, and what the API says of it."""
    owner, _, repository = name.partition("/")
    path = f"/repos/{quote(owner)}/{quote(repository)}"
    try:
        with services.tokens.app_client() as client:
            installation_id = int(client.get(f"{path}/installation")["id"])
        if services.installations.installation(installation_id) is None:
            reconcile(services, installation_id)
        with services.tokens.client(installation_id) as client:
            about: dict[str, Any] = client.get(path)
    except (NotFound, RepositoryMoved):
        return None
    except Permanent as error:
        if error.reason != "repository_not_installed":
            raise
        return None
    return installation_id, about


def _not_found(services: Services, name: str) -> Answer:
    slug = services.tokens.identity().slug
    address = install_url(services.settings.github.api_url, slug)
    return Answer(
        f"I don't know a repository `{name}` that you may see. Check the name; if I am not "
        f"installed there, [install the App]({address}), then link it.",
        is_refusal=True,
    )
