"""Teaching and editing in a form: the web opens a loading view, here it is filled and saved.

What is typed into a form is said by who saves it, and the form says where it will be read: so the
words of an edit in a private channel, or of a proposal, become words that may be shown.
"""

from __future__ import annotations

from dataclasses import replace

from graph.answers import Answer
from graph.commands import Command, ids_in, parse_command
from graph.convention_book import BookError
from graph.conventions import Convention
from graph.ledger import actor_key
from workers import meant_repository
from workers.channels import ChannelLink
from workers.drain import Outcome
from workers.errors import Permanent
from workers.event import Event
from workers.inbox import Lease
from workers.repliers import PersonReplier, ResponseReplier
from workers.services import Services
from workers.slack_errors import SlackRefused
from workers.slack_home import EXTERNAL, NOT_YOURS, Visit, visit
from workers.slack_home_view import HomeState
from workers.slack_messages import desk_for, visitor_for
from workers.slack_modal_views import Form, FormPlace, form_view, read_form, told_view
from workers.slack_surroundings import look_around
from workers.slack_text import to_plain

EVERYWHERE = ("**",)
"""What an emptied field of paths means where there were some: "no change" has no field."""


def on_form_asked(services: Services, event: Event, lease: Lease) -> Outcome:
    """Put the form, or the reason why there is none, into the view that the web has opened."""
    assert event.slack is not None
    value, metadata, view_hash = [*event.arguments, "", "", ""][:3]
    here = visit(services, event, lease)
    if here is None:
        return _refuse_outsider(services, event, lease)
    if not event.slack.view_id:
        _say(here, FormPlace(0, channel=event.slack.channel, thread_ts=event.slack.thread_ts),
             Answer(_in_words(event.action, value), is_refusal=True), event.id)  # fmt: skip
        return Outcome()
    found = _target(here, event, value, metadata)
    if isinstance(found, Answer):
        view = told_view(found, 0)
    else:
        link, place = found
        view = _form(here, link, place)
    here.speaker.update_view(event.slack.view_id, view, view_hash=view_hash)
    return Outcome()


def on_form_commanded(services: Services, event: Event, lease: Lease) -> Outcome:
    """`add`, or `edit C7`, whose form the web has opened; words written after it stand in it."""
    assert event.slack is not None
    here = visit(services, event, lease)
    if here is None:
        return _refuse_outsider(services, event, lease)
    named, text = meant_repository.split_prefix(to_plain(event.text or ""))
    parsed = parse_command(text)
    found = _commanded(here, event, named, next(iter(ids_in(text)), ""))
    if isinstance(found, Answer):
        view = told_view(found, 0)
    else:
        view = _form(here, *found, parsed.text if isinstance(parsed, Command) else "")
    view_hash = event.arguments[0] if event.arguments else ""
    here.speaker.update_view(event.slack.view_id, view, view_hash=view_hash)
    return Outcome()


def _refuse_outsider(services: Services, event: Event, lease: Lease) -> Outcome:
    assert event.slack is not None
    if event.slack.view_id:
        speaker = services.slack(event.slack.team, lease.check)
        speaker.update_view(event.slack.view_id, told_view(EXTERNAL, 0))
    return Outcome()


def on_form_saved(services: Services, event: Event, lease: Lease) -> Outcome:
    """Teach or edit what was typed, and say what came of it where the form was opened."""
    here = visit(services, event, lease)
    metadata, values = [*event.arguments, "", ""][:2]
    place, form = FormPlace.from_metadata(metadata), read_form(values)
    if here is None or place is None:
        return Outcome()
    link = _link(here, place)
    if link is None or form is None:
        _say(here, place, NOT_YOURS, event.id)
    else:
        _say(here, place, _save(here, link, place, form, event.id), event.id)
    return Outcome()


def _target(
    here: Visit, event: Event, value: str, metadata: str
) -> tuple[ChannelLink, FormPlace] | Answer:
    """The repository and convention that a button means: its value's, or the channel's."""
    assert event.slack is not None
    repository, colon, convention_id = value.partition(":")
    if colon and not event.slack.channel:
        number = int(repository) if repository.isdecimal() and len(repository) < 17 else 0
        link = here.link(number)
        place = FormPlace(number, convention_id, home=metadata)
        return (link, place) if link else NOT_YOURS
    where = look_around(here.services, here.speaker, event.slack)
    if where.is_external:
        return EXTERNAL
    links = meant_repository.links_at(here.services, here.speaker, where)
    meant = meant_repository.meant(here.services, event, where, links, "")
    if meant is None:
        return Answer(_in_words(event.action, value), is_refusal=True)
    if isinstance(meant, Answer):
        return meant
    place = FormPlace(meant.repository_id, value, channel=where.channel, thread_ts=where.thread_ts)
    return meant, place


def _commanded(
    here: Visit, event: Event, named: str, convention_id: str
) -> tuple[ChannelLink, FormPlace] | Answer:
    """The repository that a command means: as for every other command."""
    assert event.slack is not None
    where = look_around(here.services, here.speaker, event.slack)
    if where.is_external:
        return EXTERNAL
    links = meant_repository.links_at(here.services, here.speaker, where)
    meant = meant_repository.meant(here.services, event, where, links, named)
    if meant is None:
        names = ", ".join(f"`repo:{link.name}`" for link in links[: meant_repository.MAX_BUTTONS])
        return Answer(f"Which repository? Begin with {names} …", is_refusal=True)
    if isinstance(meant, Answer):
        return meant
    channel = "" if where.is_direct else where.channel
    place = FormPlace(
        meant.repository_id, convention_id, channel=channel, response_url=where.response_url
    )
    return meant, place


def _form(here: Visit, link: ChannelLink, place: FormPlace, words: str = "") -> dict[str, object]:
    """The form for who may use it; else the refusal, before anything is typed."""
    try:
        desk = desk_for(here.services, link)
        visitor = visitor_for(here.services, link, here.place, "")
        old = desk.book.get(place.convention_id) if place.convention_id else None
    except (BookError, Permanent) as error:
        return told_view(Answer(str(error), is_refusal=True), link.repository_id)
    owns = old is not None and actor_key(old.source) == actor_key(visitor.source)
    refusal = desk.refusal("edit" if old else "add", visitor, owns=owns)
    if refusal is not None:
        return told_view(refusal, link.repository_id)
    place = replace(place, version=old.version if old else 0)
    return form_view(place, link.name, old, words or _first_words(old, owns=owns))


def _first_words(old: Convention | None, *, owns: bool) -> str:
    """Words of a private channel are shown to nobody but who said them."""
    if old is None or (old.source.is_private and not owns):
        return ""
    return old.rule


def _save(here: Visit, link: ChannelLink, place: FormPlace, form: Form, key: str) -> Answer:
    try:
        desk = desk_for(here.services, link)
        visitor = visitor_for(here.services, link, here.place, form.rule)
        if not place.convention_id:
            command = Command(
                "add", text=form.rule, topic=form.topic, mode=form.mode, paths=form.paths
            )
            return desk.serve(command, visitor, key)
        old = desk.book.get(place.convention_id)
    except (BookError, Permanent) as error:
        return Answer(str(error), is_refusal=True)
    if old.version != place.version:
        return Answer(
            f"{old.id} was changed while you wrote; nothing was saved. Look at it with "
            f"`show {old.id}`, then edit it again.",
            is_refusal=True,
        )
    paths = form.paths or (EVERYWHERE if old.paths else ())
    command = Command(
        "edit",
        (old.id,),
        text="" if form.rule == old.rule else form.rule,
        topic=form.topic,
        mode=form.mode,
        paths=() if paths == old.paths else paths,
    )
    return desk.serve(command, visitor, key)


def _link(here: Visit, place: FormPlace) -> ChannelLink | None:
    """The person's own link to the repository, or that of the channel where the button stood."""
    if place.channel:
        links = here.services.channels.of_channel(here.place.team, place.channel)
        return next((li for li in links if li.repository_id == place.repository_id), None)
    return here.link(place.repository_id)


def _say(here: Visit, place: FormPlace, answer: Answer, key: str) -> None:
    if place.response_url:
        try:
            ResponseReplier(here.speaker, place.response_url).reply(answer, key)
        except SlackRefused as refusal:
            if refusal.code != "response_url_gone":
                raise
        else:
            return
    elif place.channel:
        PersonReplier(here.speaker, place.channel, here.place.user, place.thread_ts).reply(
            answer, key
        )
        return
    state = HomeState.from_metadata(place.home)
    here.publish(replace(state, repository_id=place.repository_id), answer)


def _in_words(action: str, value: str) -> str:
    """What to write when no form could be opened."""
    verb = action.partition("#")[0].removeprefix("convention.")
    words = value.rpartition(":")[2]
    return f"The form could not be opened in time. Write it: `/conventions {verb} {words} …`."
