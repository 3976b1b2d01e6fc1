"""What people say and click in Slack: mentions and direct messages, slash commands, buttons."""

from __future__ import annotations

from dataclasses import replace

import structlog

from graph.answers import Answer
from graph.commands import Command, UnknownCommand, parse_command
from graph.context import Permission, Replier, Speaker
from graph.conventions import Source
from graph.desk import Desk, Visitor
from graph.desk_lessons import concerns_organisation
from graph.wording import HELP
from workers import channel_linking, learning, meant_repository
from workers.backtests import Backtesting
from workers.channel_linking import ACCOUNT_COMMANDS
from workers.channels import ChannelLink
from workers.documents import linked_documents
from workers.drain import Outcome
from workers.errors import Permanent
from workers.event import Event, SlackPlace
from workers.github_limits import InstallationSuspended
from workers.identities import Identity
from workers.inbox import Lease
from workers.meant_repository import OUT_OF_REACH
from workers.repliers import PersonReplier, ResponseReplier, SlackReplier
from workers.runs import open_run
from workers.services import Services
from workers.slack_client import SlackSpeaker
from workers.slack_pull_requests import exists, linked_pull_request, named_number, web_host
from workers.slack_surroundings import look_around
from workers.slack_text import to_plain
from workers.turns import pull_request_of, run_turn, slack_thread

log = structlog.get_logger()

EXTERNAL = Answer(
    "People from outside this workspace can't use me here; ask a colleague inside it.",
    is_refusal=True,
)
HELP_IN_SLACK = Answer(
    f"{HELP}\n\n**In Slack.** `/conventions link owner/name` and `unlink` say which repository a "
    "channel is about; `/conventions login` and `logout`, who you are on GitHub."
)
"""Answered in channels without a repository too: whoever sets one up needs it most."""

UNKNOWN_COMMAND = Answer(
    "I don't know that command; `/conventions help` lists them.", is_refusal=True
)


def on_mention(services: Services, event: Event, lease: Lease) -> Outcome:
    """A mention in a channel, or a direct message: a turn in its own thread."""
    speaker, place = _arrive(services, event, lease)
    for_one = PersonReplier(speaker, place.channel, place.user, place.thread_ts)
    if place.is_external:
        for_one.reply(EXTERNAL, event.id)
        return Outcome()
    ours = services.slack_access().bot_user_id(place.team)
    named, text = meant_repository.split_prefix(to_plain(event.text or "", ours))
    parsed = parse_command(text)
    if isinstance(parsed, Command) and parsed.name in ACCOUNT_COMMANDS:
        for_one.reply(channel_linking.serve(services, speaker, place, parsed), event.id)
        return Outcome()
    replier = SlackReplier(speaker, place.channel, place.thread_ts)
    if parsed == Command("help"):
        replier.reply(HELP_IN_SLACK, event.id)
        return Outcome()
    links = meant_repository.links_at(services, speaker, place)
    linked = linked_pull_request(text, links, web_host(services.settings.github.api_url))
    if linked and not named:
        named = linked[0].name
    link = meant_repository.meant(services, event, place, links, named)
    if link is None:
        words, blocks = meant_repository.ask_which(services, event, place, links)
        key = f"which:{event.id}"
        where = {"key": key, "thread_ts": place.thread_ts, "blocks": blocks}
        speaker.post_for_one(place.channel, place.user, words, **where)  # type: ignore[arg-type]
    elif isinstance(link, Answer):
        replier.reply(link, event.id)
    else:
        return _converse(services, event, lease, (speaker, place, link, text), replier)
    return Outcome()


def on_command(services: Services, event: Event, lease: Lease) -> Outcome:
    """`/conventions …`: answered for the person alone."""
    speaker, place = _arrive(services, event, lease)
    replier = ResponseReplier(speaker, place.response_url)
    if place.is_external:
        replier.reply(EXTERNAL, event.id)
        return Outcome()
    named, text = meant_repository.split_prefix(to_plain(event.text or ""))
    parsed = parse_command(text or "list")
    if isinstance(parsed, UnknownCommand):
        replier.reply(Answer(parsed.help, is_refusal=True), event.id)
    elif not isinstance(parsed, Command):
        replier.reply(UNKNOWN_COMMAND, event.id)
    elif parsed.name in ACCOUNT_COMMANDS:
        replier.reply(channel_linking.serve(services, speaker, place, parsed), event.id)
    elif parsed.name == "help":
        replier.reply(HELP_IN_SLACK, event.id)
    else:
        _serve_command(services, event, (speaker, place), parsed, named)
    return Outcome()


def on_action(services: Services, event: Event, lease: Lease) -> Outcome:
    """A button: the same as the words it stands for, by the person who clicked."""
    speaker, place = _arrive(services, event, lease)
    replier = ResponseReplier(speaker, place.response_url)
    value = event.arguments[0] if event.arguments else ""
    name = event.action.partition("#")[0]
    if place.is_external:
        replier.reply(EXTERNAL, event.id)
        return Outcome()
    if name == meant_repository.CHOOSE:
        return _chose(services, replier, event, place, value)
    links = meant_repository.links_at(services, speaker, place)
    link = meant_repository.meant(services, event, place, links, "")
    if link is None:
        link = Answer("Write it with `repo:owner/name` in front.", is_refusal=True)
    if isinstance(link, Answer):
        replier.reply(link, event.id)
        return Outcome()
    try:
        replier.reply(_clicked(services, link, place, (name, value, event.id)), event.id)
    except InstallationSuspended as error:
        replier.reply(_out_of_reach(link, error), event.id)
    return Outcome()


def _arrive(services: Services, event: Event, lease: Lease) -> tuple[SlackSpeaker, SlackPlace]:
    """A speaker for the workspace, and the place as Slack describes it now."""
    assert event.slack is not None
    services.slack_installations.learn_enterprise(event.slack.team, event.slack.enterprise)
    speaker = services.slack(event.slack.team, lease.check)
    place = event.slack
    return speaker, look_around(services, speaker, place) if place.channel else place


def _converse(
    services: Services,
    event: Event,
    lease: Lease,
    where: tuple[SlackSpeaker, SlackPlace, ChannelLink, str],
    replier: Replier,
) -> Outcome:
    """One turn of the graph. What can't be reached on GitHub is said instead."""
    speaker, place, link, text = where
    thread = slack_thread(place.team, place.channel, place.thread_ts, link.repository_id)
    about = _pull_request_meant(services, link, thread, text)
    bound = replace(_bound(event, link), number=about)
    person = services.identities.of(place.team, place.user)
    try:
        with open_run(services, bound, lease, f"slack:{place.channel}:{place.ts}") as run:
            # The link may be older than a transfer; whose rules are meant is what GitHub says now.
            fresh = replace(link, account_id=run.context.account_id)
            permission = _permission(services, fresh, person)
            source = _source(place, person, speaker.permalink(place.channel, place.ts))
            context = replace(
                run.context,
                speaker=Speaker(source, permission, text),
                replier=Backtesting(replier, services, bound, fresh.account_id, source),
                is_org_owner=_owns(services, fresh, person, text),
                is_private_channel=place.is_private,
                is_direct_message=place.is_direct,
                is_linked=person is not None,
            )
            if about is not None and not exists(context.reader, about):
                sentence = f"There is no pull request #{about} in {link.name}."
                replier.reply(Answer(sentence, is_refusal=True), event.id)
                return Outcome()
            run_turn(services, bound, context, thread, "message", text)
            if person is not None and not source.is_private:
                learning.note_slack_message(services, link.repository_id, source, text, about)
    except Permanent as error:
        if error.reason not in OUT_OF_REACH:
            raise
        replier.reply(_out_of_reach(link, error), event.id)
        return Outcome()
    return Outcome() if about is None else learning.when_quiet(bound)


def _pull_request_meant(
    services: Services, link: ChannelLink, thread: str, text: str
) -> int | None:
    """The pull request that the words link to or name, else the one that the thread is about."""
    linked = linked_pull_request(text, [link], web_host(services.settings.github.api_url))
    return linked[1] if linked else named_number(text) or pull_request_of(services, thread)


def _serve_command(
    services: Services,
    event: Event,
    where: tuple[SlackSpeaker, SlackPlace],
    command: Command,
    named: str,
) -> None:
    speaker, place = where
    replier = ResponseReplier(speaker, place.response_url)
    links = meant_repository.links_at(services, speaker, place)
    link = meant_repository.meant(services, event, place, links, named)
    if link is None:
        words, blocks = meant_repository.ask_which(services, event, place, links)
        speaker.respond(place.response_url, words, key=f"which:{event.id}", blocks=blocks)
        return
    if isinstance(link, Answer):
        replier.reply(link, event.id)
        return
    try:
        visitor = visitor_for(services, link, place, event.text or "")
        bound = _bound(event, link)
        trying = Backtesting(replier, services, bound, link.account_id, visitor.source)
        answer = desk_for(services, link).serve(command, visitor, event.id)
    except InstallationSuspended as error:
        replier.reply(_out_of_reach(link, error), event.id)
        return
    trying.reply(answer, event.id)


def _chose(
    services: Services, replier: ResponseReplier, event: Event, place: SlackPlace, value: str
) -> Outcome:
    """The words that waited for the choice run next, as an event of their own."""
    waiting = meant_repository.take_choice(services, place, value)
    if isinstance(waiting, Answer):
        replier.reply(waiting, event.id)
        return Outcome()
    replier.replace("One moment.", event.id)
    meant_repository.forget_choice(services, place, value)
    return Outcome(follow_up=(waiting,))


def _clicked(
    services: Services, link: ChannelLink, place: SlackPlace, click: tuple[str, str, str]
) -> Answer:
    name, value, key = click
    desk = desk_for(services, link)
    visitor = visitor_for(services, link, place, f"{name} {value}")
    if name.startswith("question."):
        return settled(desk, visitor, name, value, key)
    verb = name.removeprefix("convention.")
    parsed = parse_command(f"{verb} {value}")
    if isinstance(parsed, Command):
        return desk.serve(parsed, visitor, key)
    return Answer(f"Write it: `{verb} {value} …`.", is_refusal=True)


def settled(desk: Desk, visitor: Visitor, name: str, value: str, key: str) -> Answer:
    """A click that answers "replace C3 or keep both?"; `value` names the question."""
    question_id, _, replace_id = value.partition(" ")
    for question in desk.open_questions():
        if question.id == question_id:
            chosen = replace_id if name == "question.replace" else None
            return desk.settle(question, chosen, visitor, key)
    return Answer("That question was answered already, or has expired.", is_refusal=True)


def _out_of_reach(link: ChannelLink, error: Permanent) -> Answer:
    return Answer(f"I can't reach {link.name}. {error}", is_refusal=True)


def desk_for(services: Services, link: ChannelLink) -> Desk:
    """The desk of the repository that a link names."""
    documents = linked_documents(services, link.installation_id, link.repository_id)
    return Desk(
        services.store, link.repository_id, link.name, services.now, link.account_id, documents
    )


def visitor_for(services: Services, link: ChannelLink, place: SlackPlace, words: str) -> Visitor:
    """Who clicks or commands, with the permission that GitHub says they have now."""
    person = services.identities.of(place.team, place.user)
    known = services.installations.repository(link.repository_id)
    source = _source(place, person, "")
    return Visitor(
        # A command or a click has no message whose time would count.
        source=source if place.ts else replace(source, said_at=services.now()),
        permission=_permission(services, link, person),
        is_org_owner=_owns(services, link, person, words),
        is_public=known is not None and not known.is_private,
        is_private_channel=place.is_private,
        is_direct_message=place.is_direct,
        is_external=place.is_external,
        is_linked=person is not None,
    )


def _owns(services: Services, link: ChannelLink, person: Identity | None, words: str) -> bool:
    """Whether the person owns the organisation; asked only where the words may concern it."""
    return (
        person is not None
        and concerns_organisation(words)
        and services.permissions.is_org_owner(
            link.installation_id, link.account_id, person.login, person.github_id
        )
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
        is_private=place.is_private or place.is_direct,
    )


def _bound(event: Event, link: ChannelLink) -> Event:
    """The event with the repository that the channel's link names."""
    return replace(
        event,
        installation_id=link.installation_id,
        repository_id=link.repository_id,
        account_id=link.account_id,
    )
