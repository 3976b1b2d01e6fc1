"""The App Home: the conventions of a person's repositories, and what they change there.

In the home there is no channel, so a button's value names the repository. It comes back from
Slack, and counts only when one of the person's own channels is linked to that repository and
GitHub lets the person read it now.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import structlog

from graph.answers import Answer
from graph.commands import Command, parse_command
from workers import channel_linking
from workers.channels import ChannelLink
from workers.drain import Outcome
from workers.errors import Permanent
from workers.event import Event, SlackPlace
from workers.inbox import Lease
from workers.meant_repository import OUT_OF_REACH
from workers.services import Services
from workers.slack_client import SlackSpeaker
from workers.slack_home_view import Home, HomeState, home_view
from workers.slack_messages import desk_for, settled, visitor_for
from workers.slack_modal_views import told_view
from workers.slack_surroundings import is_outsider

log = structlog.get_logger()

MAX_REPOSITORIES = 100
"""As many as a menu of Slack holds; each costs a question to GitHub a minute."""

NOT_YOURS = Answer(
    "That repository is linked to none of your channels any more, or you may no longer read it.",
    is_refusal=True,
)
EXTERNAL = Answer("People from outside this workspace can't use me here.", is_refusal=True)


@dataclass(frozen=True)
class Visit:
    """One person at their App Home, and the repositories that are theirs to see."""

    services: Services
    speaker: SlackSpeaker
    place: SlackPlace
    links: tuple[ChannelLink, ...]

    def link(self, repository_id: int) -> ChannelLink | None:
        return next((li for li in self.links if li.repository_id == repository_id), None)

    def publish(self, state: HomeState, notice: Answer | None = None) -> None:
        """Show the home as things are now. What was chosen and is gone falls back."""
        link = self.link(state.repository_id)
        if link is None and self.links:
            link, state = self.links[0], HomeState(self.links[0].repository_id)
        person = self.services.identities.of(self.place.team, self.place.user)
        home = Home(
            state=state,
            links=self.links,
            login=person.login if person else "",
            conventions=desk_for(self.services, link).book.all() if link else (),
            notice=notice,
        )
        self.speaker.publish_home(self.place.user, home_view(home))


def visit(services: Services, event: Event, lease: Lease) -> Visit | None:
    """None for people from outside the workspace, who get no home."""
    assert event.slack is not None
    place = event.slack
    services.slack_installations.learn_enterprise(place.team, place.enterprise)
    speaker = services.slack(place.team, lease.check)
    if place.is_external or is_outsider(services, speaker, place):
        return None
    return Visit(services, speaker, place, tuple(_links(services, speaker, place)))


def on_home(services: Services, event: Event, lease: Lease) -> Outcome:
    """The person opened the home: show it where they left it."""
    here = visit(services, event, lease)
    if here is not None:
        here.publish(HomeState.from_metadata(event.arguments[0] if event.arguments else ""))
    return Outcome()


def on_home_action(services: Services, event: Event, lease: Lease) -> Outcome:
    """A menu or a button of the home, or a button in a modal of ours."""
    here = visit(services, event, lease)
    if here is None:
        return Outcome()
    value, metadata = [*event.arguments, "", ""][:2]
    name = event.action.partition("#")[0]
    state = HomeState.from_metadata(metadata)
    if name in {"home.login", "home.logout"}:
        here.publish(state, _account(here, name))
        return Outcome()
    if name.startswith("home."):
        here.publish(state.chosen(name.removeprefix("home."), value))
        return Outcome()
    repository, _, rest = value.partition(":")
    repository_id = int(repository) if repository.isdecimal() and len(repository) < 17 else 0
    answer = act(here, repository_id, name, rest, event.id)
    if metadata:
        here.publish(replace(state, repository_id=repository_id), answer)
    else:
        here.speaker.update_view(event.slack.view_id if event.slack else "",
                                 told_view(answer, repository_id))  # fmt: skip
    return Outcome()


def act(here: Visit, repository_id: int, name: str, value: str, key: str) -> Answer:
    """Carry out a click on a convention or on a question, through the desk."""
    link = here.link(repository_id)
    if link is None:
        return NOT_YOURS
    try:
        desk = desk_for(here.services, link)
        visitor = visitor_for(here.services, link, here.place, f"{name} {value}")
    except Permanent as error:
        if error.reason not in OUT_OF_REACH:
            raise
        return Answer(f"I can't reach {link.name}. {error}", is_refusal=True)
    if name.startswith("question."):
        return settled(desk, visitor, name, value, key)
    parsed = parse_command(f"{name.removeprefix('convention.')} {value}")
    if not isinstance(parsed, Command) or not parsed.ids:
        return Answer("I don't know that button any more; open the home again.", is_refusal=True)
    return desk.serve(parsed, visitor, key)


def _account(here: Visit, name: str) -> Answer:
    if name == "home.login":
        return channel_linking.login(here.services, here.speaker, here.place)
    return channel_linking.logout(here.services, here.place)


def _links(services: Services, speaker: SlackSpeaker, place: SlackPlace) -> list[ChannelLink]:
    found: dict[int, ChannelLink] = {}
    for channel in speaker.channels_of(place.user):
        for link in services.channels.of_channel(place.team, channel):
            found[link.repository_id] = link
    by_name = sorted(found.values(), key=lambda link: link.name.casefold())
    return [link for link in by_name[:MAX_REPOSITORIES] if _may_read(services, link, place)]


def _may_read(services: Services, link: ChannelLink, place: SlackPlace) -> bool:
    """Who sits in a linked channel may read; who has linked an account, as GitHub says now."""
    if services.installations.why_not(link.installation_id, link.repository_id) in OUT_OF_REACH:
        return False
    try:
        visitor = visitor_for(services, link, place, "")
    except Permanent as error:
        log.info("home.repository_out_of_reach", repo=link.repository_id, reason=error.reason)
        return False
    return visitor.permission != "none"
