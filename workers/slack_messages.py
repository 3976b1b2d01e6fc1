"""What people say and click in Slack: mentions in linked channels, slash commands, buttons."""

from __future__ import annotations

import re
from dataclasses import replace

import structlog

from graph.answers import Answer
from graph.commands import Command, UnknownCommand, parse_command
from graph.context import Permission, ReviewContext, Speaker
from graph.conventions import Source
from graph.desk import Desk, Visitor
from workers import learning
from workers.channels import ChannelLink
from workers.drain import Outcome
from workers.event import Event, SlackPlace
from workers.github_limits import NotFound
from workers.identities import Identity
from workers.inbox import Lease
from workers.repliers import ResponseReplier, SlackReplier
from workers.runs import open_run
from workers.services import Services
from workers.slack_pull_requests import linked_pull_request, named_number, web_host
from workers.slack_text import to_plain
from workers.turns import pull_request_of, run_turn, slack_thread

log = structlog.get_logger()

_REPOSITORY = re.compile(r"\brepo:\s?([\w.-]{1,100}/[\w.-]{1,100})", re.IGNORECASE)

UNLINKED = (
    "This channel is not linked to a repository. Someone with the maintain role links it with "
    "`/conventions link owner/name`."
)
EXTERNAL = "People from outside this workspace can't use me here; ask a colleague inside it."


def on_mention(services: Services, event: Event, lease: Lease) -> Outcome:
    """A mention in a channel, or a direct message: a turn in its own thread."""
    place, speaker = _place(event), services.slack(_place(event).team, lease.check)
    replier = SlackReplier(speaker, place.channel, place.thread_ts)
    if place.is_external:
        speaker.post_for_one(
            place.channel, place.user, EXTERNAL, key=event.id, thread_ts=place.thread_ts
        )
        return Outcome()
    text = to_plain(event.text or "")
    links = services.channels.of_channel(place.team, place.channel)
    named = linked_pull_request(text, links, web_host(services.settings.github.api_url))
    link = named[0] if named else _chosen(links, text)
    if isinstance(link, Answer):
        replier.reply(link, event.id)
        return Outcome()
    thread = slack_thread(place.team, place.channel, place.thread_ts, link.repository_id)
    about = named[1] if named else named_number(text) or pull_request_of(services, thread)
    bound = replace(_bound(event, link), number=about)
    with open_run(services, bound, lease, f"slack:{place.channel}:{place.ts}") as run:
        person = services.identities.of(place.team, place.user)
        permission = _permission(services, link, person)
        source = _source(place, person, speaker.permalink(place.channel, place.ts))
        context = replace(
            run.context,
            speaker=Speaker(source, permission, text),
            replier=replier,
            is_private_channel=place.is_private,
            is_direct_message=place.is_direct,
            is_linked=person is not None,
        )
        if about is not None and not _exists(context, about):
            replier.reply(
                Answer(f"There is no pull request #{about} in {link.name}.", is_refusal=True),
                event.id,
            )
            return Outcome()
        run_turn(services, bound, context, thread, "message", text)
        if person is not None and not (place.is_private or place.is_direct):
            learning.note_slack_message(services, link.repository_id, source, text, about)
    return Outcome() if about is None else learning.when_quiet(bound)


def _exists(context: ReviewContext, number: int) -> bool:
    try:
        context.reader.pull_request(number)
    except NotFound:
        return False
    return True


def on_command(services: Services, event: Event, lease: Lease) -> Outcome:
    """`/conventions …`: answered for the person alone."""
    place = _place(event)
    speaker = services.slack(place.team, lease.check)
    answer = _command_answer(services, event, place)
    ResponseReplier(speaker, place.response_url).reply(answer, event.id)
    return Outcome()


def on_action(services: Services, event: Event, lease: Lease) -> Outcome:
    """A button: the same as the words it stands for, by the person who clicked."""
    place = _place(event)
    speaker = services.slack(place.team, lease.check)
    replier = ResponseReplier(speaker, place.response_url)
    value = event.arguments[0] if event.arguments else ""
    name = event.action.partition("#")[0]
    link = _chosen(services.channels.of_channel(place.team, place.channel), "")
    if place.is_external or isinstance(link, Answer):
        replier.reply(Answer(EXTERNAL) if place.is_external else link, event.id)  # type: ignore[arg-type]
        return Outcome()
    desk, visitor = _desk(services, link), _visitor(services, link, place, "")
    if name.startswith("question."):
        answer = _settled(desk, visitor, name, value, event.id)
    else:
        verb = name.removeprefix("convention.")
        parsed = parse_command(f"{verb} {value}")
        if isinstance(parsed, Command):
            answer = desk.serve(parsed, visitor, event.id)
        else:
            answer = Answer(f"Write it: `{verb} {value} …`.", is_refusal=True)
    replier.reply(answer, event.id)
    return Outcome()


def _command_answer(services: Services, event: Event, place: SlackPlace) -> Answer:
    text = to_plain(event.text or "") or "list"
    parsed = parse_command(text)
    if isinstance(parsed, UnknownCommand):
        return Answer(parsed.help, is_refusal=True)
    if not isinstance(parsed, Command):
        return Answer("I don't know that command; `/conventions help` lists them.", is_refusal=True)
    link = _chosen(services.channels.of_channel(place.team, place.channel), text)
    if isinstance(link, Answer):
        return link
    visitor = _visitor(services, link, place, "")
    return _desk(services, link).serve(parsed, visitor, event.id)


def _settled(desk: Desk, visitor: Visitor, name: str, value: str, key: str) -> Answer:
    question_id, _, replace_id = value.partition(" ")
    for question in desk.book.open_questions():
        if question.id == question_id:
            chosen = replace_id if name == "question.replace" else None
            return desk.settle(question, chosen, visitor, key)
    return Answer("That question was answered already, or has expired.", is_refusal=True)


def _chosen(links: list[ChannelLink], text: str) -> ChannelLink | Answer:
    """The repository meant: the only one, or the one named; otherwise which there are."""
    if not links:
        return Answer(UNLINKED, is_refusal=True)
    named = _REPOSITORY.search(text)
    if named:
        for link in links:
            if link.name.casefold() == named[1].casefold():
                return link
    elif len(links) == 1:
        return links[0]
    names = ", ".join(f"`repo:{link.name}`" for link in links)
    return Answer(f"Which repository do you mean? Begin with one of {names}.", is_refusal=True)


def _desk(services: Services, link: ChannelLink) -> Desk:
    return Desk(services.store, link.repository_id, link.name, services.now, link.account_id)


def _visitor(services: Services, link: ChannelLink, place: SlackPlace, permalink: str) -> Visitor:
    person = services.identities.of(place.team, place.user)
    return Visitor(
        source=_source(place, person, permalink),
        permission=_permission(services, link, person),
        is_private_channel=place.is_private,
        is_direct_message=place.is_direct,
        is_external=place.is_external,
        is_linked=person is not None,
    )


def _permission(services: Services, link: ChannelLink, person: Identity | None) -> Permission:
    """What GitHub says of the linked person. Without a link: who sits in the channel may read."""
    if person is None:
        return "read"
    return services.permissions.permission(
        link.installation_id, link.repository_id, person.login, person.github_id
    )


def _source(place: SlackPlace, person: Identity | None, permalink: str) -> Source:
    return Source(
        place="slack",
        name=person.login if person else place.user,
        permalink=permalink,
        github_id=person.github_id if person else None,
        slack_team=place.team,
        slack_user=place.user,
        thread=f"slack:{place.team}:{place.channel}:{place.thread_ts}",
        said_at=float(place.ts or 0),
    )


def _bound(event: Event, link: ChannelLink) -> Event:
    """The event with the repository that the channel's link names."""
    return replace(
        event,
        installation_id=link.installation_id,
        repository_id=link.repository_id,
        account_id=link.account_id,
    )


def _place(event: Event) -> SlackPlace:
    assert event.slack is not None
    return event.slack
