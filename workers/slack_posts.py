"""One message for each reviewed pull request in each channel that is linked to its repository.

It is updated in place; what a review found goes into its thread. Nobody is mentioned and nothing is
broadcast. `slack.posts` in .precedent.toml says when: off, findings (the default) or all.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import structlog

from graph.answers import Answer, plural
from graph.context import PullRequest, ReviewContext
from graph.repository_settings import RepositorySettings, SettingsFileError
from graph.turn import settings_of
from workers.drain import Outcome
from workers.event import Event
from workers.inbox import Lease
from workers.repliers import slack_messages
from workers.runs import open_run
from workers.services import Services
from workers.slack_client import SlackMessage, SlackSpeaker
from workers.slack_errors import SlackRefused
from workers.slack_installations import NotInstalled

POST_TTL_S = 90 * 86_400
"""As long as the thread of the pull request is kept."""

MAX_LINES = 10
"""Findings that a reply in the thread lists; the review itself has all of them."""

MAX_TITLE_CHARACTERS = 150

log = structlog.get_logger()


@dataclass(frozen=True)
class Reviewed:
    """What the last review of a pull request newly found."""

    head_sha: str
    cause: str
    findings: tuple[dict[str, Any], ...]


def announce(services: Services, event: Event) -> None:
    """After a review, or the end of a pull request: let a job tell the linked channels.

    A job of its own, so that nothing in Slack can hold up or repeat a review. Does nothing where no
    channel is linked, and once per event. Raises InboxUnavailable.
    """
    repository_id = event.repository_id
    if services.settings.slack is None or repository_id is None:
        return
    if not services.channels.of_repository(repository_id):
        return
    job = Event(
        id=f"post:{event.id}",
        kind="slack.post",
        subject=f"post:{repository_id}:{event.number}",
        lane="background",
        installation_id=event.installation_id,
        account_id=event.account_id,
        repository_id=repository_id,
        number=event.number,
    )
    services.inbox.accept(job)


def on_post(services: Services, event: Event, lease: Lease) -> Outcome:
    """Bring the messages in all linked channels up to date. Doing it twice changes nothing."""
    assert event.repository_id is not None
    assert event.number is not None
    with open_run(services, event, lease, "post") as run:
        pull_request = run.context.reader.pull_request(event.number)
        wanted = _wanted(run.context, pull_request)
        reviewed = _reviewed(services, event.repository_id, event.number)
        if reviewed is None or wanted == "off":
            return Outcome()
        for team, channel in services.channels.of_repository(event.repository_id):
            try:
                speaker = services.slack(team, lease.check)
                _tell(services, speaker, (team, channel), pull_request, reviewed, wanted)
            except (SlackRefused, NotInstalled) as refusal:
                # One channel that we may not write to must not silence the others.
                log.warning("post.refused", team=team, channel=channel, reason=refusal.reason)
    return Outcome()


def _wanted(context: ReviewContext, pull_request: PullRequest) -> str:
    try:
        settings = settings_of(context, pull_request)
    except SettingsFileError:
        settings = RepositorySettings()
    return "off" if settings.shadow else settings.slack_posts


def _reviewed(services: Services, repository_id: int, number: int) -> Reviewed | None:
    """The newest record of the pull request; one that was only skipped has none."""
    records = [item.value for item in services.store.recall(("reviews", str(repository_id)))]
    of_this = [record for record in records if record.get("number") == number]
    if not of_this:
        return None
    last = max(of_this, key=lambda record: float(record["at"]))
    return Reviewed(str(last["head_sha"]), str(last["cause"]), tuple(last["findings"]))


def _tell(
    services: Services,
    speaker: SlackSpeaker,
    where: tuple[str, str],
    pull_request: PullRequest,
    reviewed: Reviewed,
    wanted: str,
) -> None:
    team, channel = where
    name = f"pr:{pull_request.repository_id}:{pull_request.number}"
    key = f"precedent:slack_post:{pull_request.repository_id}:{pull_request.number}"
    field = f"{team}:{channel}"
    stored = services.redis.hget(key, field)
    if stored is None and wanted != "all" and not reviewed.findings:
        return
    text, blocks = slack_messages(Answer(header(pull_request, reviewed)))[0]
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    message = speaker.post(channel, text, key=name, blocks=blocks)
    if stored is not None and stored != digest.encode():
        message = speaker.update(channel, message.ts, text, blocks=blocks)
    services.redis.hset(key, field, digest)
    services.redis.expire(key, POST_TTL_S)
    if reviewed.findings:
        _detail(speaker, message, f"{name}:{reviewed.head_sha}:{reviewed.cause}", reviewed)


def _detail(speaker: SlackSpeaker, message: SlackMessage, key: str, reviewed: Reviewed) -> None:
    for number, (text, blocks) in enumerate(slack_messages(Answer(details(reviewed)))):
        speaker.post(
            message.channel, text, key=f"{key}:{number}", thread_ts=message.ts, blocks=blocks
        )


def header(pull_request: PullRequest, reviewed: Reviewed) -> str:
    """The message itself, in Markdown: which pull request, and how it stands."""
    number = f"{pull_request.repository_name}#{pull_request.number}"
    title = " ".join(pull_request.title.split())[:MAX_TITLE_CHARACTERS]
    if not pull_request.is_open:
        state = "closed"
    elif reviewed.findings:
        state = f"{plural(len(reviewed.findings), 'finding')} at `{reviewed.head_sha[:7]}`"
    else:
        state = f"nothing new at `{reviewed.head_sha[:7]}`"
    return f"[{number}]({pull_request.html_url}) {title}\n{pull_request.author_login}: {state}"


def details(reviewed: Reviewed) -> str:
    """The reply in the thread: what was found, a line each."""
    lines = []
    for finding in reviewed.findings[:MAX_LINES]:
        anchor = finding.get("anchor") or {}
        place = f"`{anchor['path']}:{anchor['line']}` " if anchor else ""
        rule = f" ({finding['convention_id']})" if finding.get("convention_id") else ""
        lines.append(f"- {place}{' '.join(str(finding.get('title') or '').split())}{rule}")
    more = len(reviewed.findings) - MAX_LINES
    if more > 0:
        lines.append(f"- … and {more} more")
    return "\n".join([f"At `{reviewed.head_sha[:7]}`:", *lines])
