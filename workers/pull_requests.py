"""What happens on a pull request: reviews by themselves and on request, and people's words."""

from __future__ import annotations

from dataclasses import replace

import structlog

from graph import pausing
from graph.answers import Answer
from graph.commands import Command
from graph.context import ReviewContext
from graph.permissions import Refused, may
from graph.teaching import interpret
from workers import indexing, learning, slack_posts
from workers.backtests import Backtesting
from workers.drain import Outcome
from workers.errors import Permanent
from workers.event import Event
from workers.github_limits import NotFound
from workers.inbox import Lease
from workers.replies import ReplyPlace
from workers.runs import Run, open_repository, open_run, with_github_speaker
from workers.services import Services
from workers.turns import drop_instructions, pull_request_thread, run_turn

log = structlog.get_logger()

COMMENT_ANCHORS = {
    "issue": "issuecomment-",
    "review_comment": "discussion_r",
    "review": "pullrequestreview-",
    "": "",
}


def on_push(services: Services, event: Event, lease: Lease) -> Outcome:
    """Review the current head; asked by nobody, so every reason to skip counts."""
    with open_run(services, event, lease, "auto") as run:
        review(services, event, run.context)
    outcome = learning.when_quiet(event)
    return replace(outcome, follow_up=(*outcome.follow_up, *indexing.wanted(services, event)))


def on_closed(services: Services, event: Event, lease: Lease) -> Outcome:
    """Standing instructions die with the pull request; the thread itself expires by its TTL.

    GitHub is asked: the delivery may be late, and it alone does not prove whose repository it is.
    """
    assert event.repository_id is not None
    assert event.number is not None
    if _is_open(services, event, lease):
        log.info("pull_request.open_again")
        return Outcome()
    lease.check()
    pausing.resume(services.store, event.repository_id, event.number)
    drop_instructions(services, pull_request_thread(event.repository_id, event.number))
    slack_posts.announce(services, event)
    return learning.when_closed(event)


def _is_open(services: Services, event: Event, lease: Lease) -> bool:
    with open_repository(services, event, lease) as (repository, _):
        try:
            return bool(repository.get(f"/pulls/{event.number}")["state"] == "open")
        except NotFound:  # GitHub removes those of accounts that it has banned
            return False


def on_comment(services: Services, event: Event, lease: Lease) -> Outcome:
    """A person's words: commands of the review itself here, all else in the graph."""
    assert event.repository_id is not None
    assert event.number is not None
    with open_run(services, event, lease, f"comment:{event.comment_id}") as run:
        context = with_github_speaker(services, run, _html_url(run, event))
        context = _with_backtests(services, event, context)
        heard = interpret(event.text or "", handle=context.handle)
        if heard.command is not None and heard.command.name in _REVIEW_COMMANDS:
            _serve_review_command(services, event, context, heard.command)
        else:
            thread = pull_request_thread(event.repository_id, event.number)
            run_turn(services, event, context, thread, "message", event.text or "")
    return learning.when_quiet(event)


def _with_backtests(services: Services, event: Event, context: ReviewContext) -> ReviewContext:
    """What is taught in this message is tried on earlier pull requests."""
    assert context.replier is not None
    assert context.speaker is not None
    source = context.speaker.source
    replier = Backtesting(context.replier, services, event, context.account_id, source)
    return replace(context, replier=replier)


def on_sign(services: Services, event: Event, lease: Lease) -> Outcome:
    """The first visible sign, within seconds: a reaction to what the person wrote.

    One that is refused, as when the comment was deleted, is nobody's work: what the person asked
    for has an event of its own, which says what is wrong.
    """
    try:
        _react(services, event, lease)
    except Permanent as refusal:
        log.info("sign.refused", reason=refusal.reason)
    return Outcome()


def _react(services: Services, event: Event, lease: Lease) -> None:
    if event.slack is not None:
        services.slack(event.slack.team, lease.check).react(event.slack.channel, event.slack.ts)
        return
    assert event.number is not None
    with open_repository(services, event, lease) as (_, replies):
        place = ReplyPlace(event.number, event.comment_kind or "issue", event.comment_id)
        replies.react(place, "eyes")


_REVIEW_COMMANDS = frozenset({"review", "cancel", "pause", "resume"})


def review(services: Services, event: Event, context: ReviewContext) -> None:
    assert event.number is not None
    thread = pull_request_thread(context.repository_id, event.number)
    run_turn(services, event, context, thread, "review")
    slack_posts.announce(services, event)


def _serve_review_command(
    services: Services, event: Event, context: ReviewContext, command: Command
) -> None:
    assert context.speaker is not None
    assert context.replier is not None
    assert event.number is not None
    verdict = may(command.name, context.speaker.permission, is_public=context.is_public)
    if isinstance(verdict, Refused):
        context.replier.reply(Answer(verdict.sentence, is_refusal=True), event.id)
        return
    if command.name == "review":
        review(services, event, context)
        return
    repository_id, number = context.repository_id, event.number
    if command.name == "cancel":
        services.inbox.cancel(f"pr:{repository_id}:{number}", asked_by=event.id)
        text = "Cancelled: what waits or runs for this pull request stops at its next step."
    elif command.name == "pause":
        pausing.pause(services.store, repository_id, number, context.speaker.source.name)
        text = "Paused: pushes to this pull request are not reviewed until `resume`."
    else:
        pausing.resume(services.store, repository_id, number)
        text = "Resumed: pushes are reviewed again, beginning with the next one."
    context.replier.reply(Answer(text), event.id)


def _html_url(run: Run, event: Event) -> str:
    pull_request = run.context.reader.pull_request(event.number or 0)
    anchor = COMMENT_ANCHORS[event.comment_kind]
    return f"{pull_request.html_url}#{anchor}{event.comment_id}"
