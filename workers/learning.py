"""The background job "learn": a quiet or closed pull request is read for rules of the team."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import structlog

from graph import learning_memory
from graph.answers import Answer
from graph.context import Permission, PullRequest, ReviewThread, ThreadComment
from graph.conventions import Source
from graph.learning import LearningContext, build_learning
from graph.learning_guards import Remark
from graph.models import build_model, model_name
from graph.repository_settings import SettingsFileError
from graph.spending import seconds_left_today
from graph.structured import ModelBusy
from graph.turn import settings_of
from workers.drain import Outcome
from workers.errors import Transient
from workers.event import Event
from workers.github_reader import issue_comment
from workers.inbox import Lease
from workers.metering import RunMeter
from workers.repliers import slack_messages
from workers.replies import ReplyPlace
from workers.runs import Run, open_run
from workers.services import Services
from workers.turns import MODEL_RETRY_S

QUIET_S = 600.0
"""How long nothing may have happened on a pull request before its discussion is read."""

log = structlog.get_logger()


def job(event: Event) -> Event:
    """The job for the event's pull request. Its id coalesces; jobs of a repository run in turn."""
    return Event(
        id=f"learn:{event.repository_id}:{event.number}",
        kind="learn",
        subject=f"learn:{event.repository_id}",
        lane="background",
        installation_id=event.installation_id,
        account_id=event.account_id,
        repository_id=event.repository_id,
        number=event.number,
    )


def when_quiet(event: Event) -> Outcome:
    """Learn once the pull request has been quiet; each further event postpones it."""
    return Outcome((job(event),), QUIET_S)


def when_closed(event: Event) -> Outcome:
    return Outcome((job(event),))


def on_learn(services: Services, event: Event, lease: Lease) -> Outcome:
    """Read, judge, propose. Switched off by `learning.enabled = false` on the default branch."""
    assert event.number is not None
    with open_run(services, event, lease, "learn") as run:
        pull_request = run.context.reader.pull_request(event.number)
        try:
            settings = settings_of(run.context, pull_request)
        except SettingsFileError:
            log.info("learning.skipped", reason="settings_file")
            return Outcome()
        if not settings.learning_enabled or not settings.enabled or settings.shadow:
            log.info("learning.skipped", reason="switched_off")
            return Outcome()
        context = _context(services, run, pull_request, settings.review_daily_tokens, lease)
        waits = _learn(services, event, context)
    if not waits:
        return Outcome()
    log.info("learning.waits", reason=waits)
    return Outcome((job(event),), seconds_left_today(services.now()))


def note_slack_message(
    services: Services, repository_id: int, source: Source, text: str, number: int | None
) -> None:
    """Keep what a person said to us in a public, linked channel for the next run of learning."""
    remark = Remark(f"{source.thread}:{source.said_at}", text, source, number)
    learning_memory.note_slack_message(services.store, repository_id, remark)


def _learn(services: Services, event: Event, context: LearningContext) -> str:
    """One run in its own checkpoint thread; it is deleted at its end, for it holds people's words.

    A run that was cut off continues where it was. Answers why it left people's words unread, or "".
    """
    key = services.settings.google_api_key.reveal()
    name = model_name(services.settings.review_model, key)
    model = build_model(name, google_api_key=key)
    graph = build_learning(
        services.store, model, checkpointer=services.saver, handle=services.handle()
    )
    thread_id = event.id
    config: Any = {
        "configurable": {"thread_id": thread_id},
        "callbacks": [RunMeter(services.metrics, name)],
    }
    is_cut_off = bool(graph.get_state(config).tasks)
    start: Any = None if is_cut_off else {"event_id": event.id}
    try:
        state = graph.invoke(start, config, context=context, durability="sync")
    except ModelBusy as error:
        raise Transient(str(error), retry_after_s=MODEL_RETRY_S, reason=error.reason) from error
    services.saver.delete_thread(thread_id)
    return str(state.get("waits") or "")


def _context(
    services: Services, run: Run, pull_request: PullRequest, daily_tokens: int, lease: Lease
) -> LearningContext:
    context, number = run.context, pull_request.number

    def permission(source: Source) -> Permission:
        if source.github_id is None:
            return "none"
        return services.permissions.permission(
            context.installation_id, context.repository_id, source.name, source.github_id
        )

    def remarks() -> list[Remark]:
        threads = context.reader.threads(number)
        said = context.reader.conversation(number)
        bodies = _review_bodies(services, run, number)
        found = remarks_of(context.repository_id, number, threads, said, bodies)
        slack = learning_memory.slack_messages(services.store, context.repository_id)
        return sorted([*found, *slack], key=lambda r: r.source.said_at)

    return LearningContext(
        installation_id=context.installation_id,
        repository_id=context.repository_id,
        repository_name=context.repository_name,
        number=number,
        event_id=context.event_id,
        daily_tokens=daily_tokens,
        remarks=remarks,
        permission=permission,
        announce=_announcer(services, run, pull_request, lease),
        still_ours=lease.check,
        now=services.now,
    )


def remarks_of(
    repository_id: int,
    number: int,
    threads: Sequence[ReviewThread],
    conversation: Sequence[ThreadComment],
    review_bodies: Sequence[ThreadComment] = (),
) -> list[Remark]:
    """Everybody's comments; our own count as a bot's."""
    thread_name = f"pr:{repository_id}:{number}"
    found = [
        _remark(
            "review_comment", comment, number, thread_name,
            path=thread.path, is_resolved=thread.is_resolved, is_outdated=thread.is_outdated,
        )
        for thread in threads
        for comment in thread.comments
    ]  # fmt: skip
    found += [_remark("issue", comment, number, thread_name) for comment in conversation]
    return found + [_remark("review", body, number, thread_name) for body in review_bodies]


def _review_bodies(services: Services, run: Run, number: int) -> list[ThreadComment]:
    """What people wrote above their reviews; of a review without a body there is nothing."""
    identity = services.tokens.identity()
    return [
        issue_comment({**review, "created_at": review.get("submitted_at") or ""}, identity)
        for review in run.repository.pages(f"/pulls/{number}/reviews")
        if review.get("body") and review["state"] != "PENDING"
    ]


def _remark(
    kind: str, comment: ThreadComment, number: int, thread: str, **about_code: Any
) -> Remark:
    source = Source(
        place="github",
        name=comment.author_login,
        permalink=comment.html_url,
        github_id=comment.author_id or None,
        thread=thread,
        said_at=_seconds(comment.created_at),
    )
    is_bot = comment.is_bot or comment.is_ours
    return Remark(f"{kind}:{comment.id}", comment.body, source, number, is_bot=is_bot, **about_code)


def _announcer(
    services: Services, run: Run, pull_request: PullRequest, lease: Lease
) -> Callable[[Answer, str], None] | None:
    """The linked channel; without one a comment, once the pull request is closed."""
    channels = services.channels.of_repository(run.context.repository_id)
    if channels and services.settings.slack is not None:
        team, channel = channels[0]
        speaker = services.slack(team, lease.check)

        def post(answer: Answer, key: str) -> None:
            for page, (text, blocks) in enumerate(slack_messages(answer)):
                speaker.post(channel, text, key=f"{key}:{page}", blocks=blocks)

        return post
    if pull_request.is_open:
        return None

    def comment(answer: Answer, key: str) -> None:
        run.replies.reply(ReplyPlace(pull_request.number), answer.text, key)

    return comment


def _seconds(created_at: str) -> float:
    """GitHub's time stamps as seconds since the epoch; 0 for one it did not send."""
    return datetime.fromisoformat(created_at).timestamp() if created_at else 0.0
