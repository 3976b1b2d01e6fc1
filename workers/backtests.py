"""After a rule with a check was taught: what it would have found in the last pull requests.

The answer to the teaching is given at once; a background event tries the rule and adds what came
of it to that answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import structlog

from graph import backtest
from graph.answers import Answer, Button
from graph.checks.pull_request_text import PullRequestText
from graph.context import Replier, RepositoryReader
from graph.convention_book import ConventionBook
from graph.conventions import Convention, Source
from graph.diff import Diff
from graph.generated import policy_of
from graph.ledger import Scope, actor_key
from graph.repository_settings import FILE as SETTINGS_FILE
from graph.repository_settings import RepositorySettings, SettingsFileError, parse_settings
from workers.drain import Outcome
from workers.event import Event
from workers.github_client import RepositoryClient
from workers.github_reader import pull_request_diff
from workers.inbox import Lease
from workers.posted_answers import PostedAnswer
from workers.repliers import slack_messages
from workers.replies import Reply
from workers.runs import Run, open_run
from workers.services import Services
from workers.slack_errors import SlackRefused

PULL_REQUESTS = 20
LISTED = 40
"""Pull requests of one page: those that were closed without a merge are passed over."""

MAX_FILES = 300
"""A larger pull request costs more than four calls, and no rule is judged by it."""

MAX_FILE_READS = 60
"""Calls for whole files in one backtest; it must not eat the hour's rate limit."""

RECORD_TTL_S = 86_400

log = structlog.get_logger()


class Backtesting:
    """A `Replier` that orders a backtest of what the message it answers has taught.

    `event` is bound to the repository; `source` is who spoke.
    """

    def __init__(
        self, replier: Replier, services: Services, event: Event, account_id: int, source: Source
    ) -> None:
        self._replier = replier
        self._services = services
        self._event = event
        self._account_id = account_id
        self._source = source
        self._since = services.now()

    def reply(self, answer: Answer, key: str) -> object:
        posted = self._replier.reply(answer, key)
        if isinstance(posted, PostedAnswer) and not answer.is_refusal:
            self._order(answer, posted)
        return posted

    def _order(self, answer: Answer, posted: PostedAnswer) -> None:
        repository_id = self._event.repository_id
        assert repository_id is not None
        known = _known(self._services, repository_id, self._account_id)
        taught = [c for c in known if c.check is not None and self._was_taught_now(c)]
        if not taught:
            return
        record = {
            "conventions": [c.reference for c in taught],
            "text": answer.text,
            "buttons": [vars(b).copy() for b in answer.buttons],
            "posted": posted.to_json(),
        }
        event_id = f"job:backtest:{self._event.id}"
        name = _record_key(repository_id, event_id)
        self._services.redis.set(name, json.dumps(record), ex=RECORD_TTL_S, nx=True)
        self._services.inbox.accept(
            Event(
                id=event_id,
                kind="backtest",
                subject=f"backtest:{repository_id}",
                lane="background",
                installation_id=self._event.installation_id,
                account_id=self._account_id,
                repository_id=repository_id,
                slack=self._event.slack,
            )
        )

    def _was_taught_now(self, convention: Convention) -> bool:
        """By this very message; a command without a link of its own is known by its time."""
        if self._source.permalink:
            return convention.source.permalink == self._source.permalink
        is_theirs = actor_key(convention.source) == actor_key(self._source)
        return is_theirs and convention.updated_at >= self._since


def on_backtest(services: Services, event: Event, lease: Lease) -> Outcome:
    """Try the rules and add the result to the answer; nothing when they are gone already."""
    assert event.repository_id is not None
    name = _record_key(event.repository_id, event.id)
    stored = services.redis.get(name)
    if stored is None:
        return Outcome()
    record = json.loads(stored)
    with open_run(services, event, lease, "backtest") as run:
        known = _known(services, event.repository_id, run.context.account_id)
        wanted = [c for c in known if c.check is not None and c.reference in record["conventions"]]
        if wanted:
            # A proposal is tried as if it held: that is what its approver wants to know.
            others = [c for c in known if c not in wanted and c.is_active(services.now())]
            active = [*others, *(replace(c, status="active") for c in wanted)]
            trials = _trials(run, wanted, active)
            _add_to_answer(services, run, record, _words(wanted, trials))
            log.info("backtest.done", repo=event.repository_id, pull_requests=len(trials))
    services.redis.delete(name)
    return Outcome()


def _known(services: Services, repository_id: int, account_id: int) -> list[Convention]:
    """What holds or is proposed in the repository now, the organisation's rules too."""
    scopes = (Scope("repository", repository_id), Scope("organisation", account_id))
    books = [ConventionBook(services.store, scope, services.now) for scope in scopes]
    return [c for book in books for c in book.all() if c.status != "deleted"]


def recent_pull_requests(repository: RepositoryClient) -> list[Mapping[str, Any]]:
    """The newest that are open or were merged."""
    page = repository.get(
        "/pulls", state="all", sort="created", direction="desc", per_page=LISTED, page=1
    )
    return [p for p in page if p["state"] == "open" or p.get("merged_at")][:PULL_REQUESTS]


def _trials(run: Run, wanted: list[Convention], active: list[Convention]) -> list[backtest.Trial]:
    read = _FileReads(run.context.reader)
    trials: list[backtest.Trial] = []
    for pull in recent_pull_requests(run.repository):
        run.context.still_ours()
        number = int(pull["number"])
        diff = pull_request_diff(run.repository, number)
        if len(diff.files) > MAX_FILES:
            continue
        text = PullRequestText(pull["title"] or "", pull["body"] or "", pull["head"]["ref"])
        sha = str(pull["head"]["sha"])
        policy = _policy(run.context.reader, str(pull["base"]["repo"]["default_branch"]), diff)
        trials += backtest.tried(wanted, active, number, diff, read.at(sha), text, policy)
    return trials


def _policy(reader: RepositoryReader, default_branch: str, diff: Diff) -> Mapping[str, str]:
    """What a review leaves out; both files are read once in a run."""
    try:
        settings = parse_settings(reader.read_file(SETTINGS_FILE, default_branch))
    except SettingsFileError:
        settings = RepositorySettings()  # a review says what is wrong with it
    return policy_of(lambda path: reader.read_file(path, default_branch), settings, diff)


class _FileReads:
    """Whole files for the checks that need them, as many as one backtest may ask for."""

    def __init__(self, reader: RepositoryReader) -> None:
        self._reader = reader
        self._left = MAX_FILE_READS

    def at(self, sha: str) -> Callable[[str], bytes | None]:
        def read(path: str) -> bytes | None:
            self._left -= 1
            return self._reader.read_file(path, sha) if self._left >= 0 else None

        return read


def _words(wanted: list[Convention], trials: list[backtest.Trial]) -> str:
    return "\n\n".join(_sentences(wanted, trials))


def _sentences(wanted: list[Convention], trials: list[backtest.Trial]) -> Iterator[str]:
    for convention in wanted:
        own = [t for t in trials if t.convention_id == convention.id]
        name = f"**{convention.id}**: " if len(wanted) > 1 else ""
        yield name + backtest.sentence(own)


def _add_to_answer(services: Services, run: Run, record: Mapping[str, Any], words: str) -> None:
    posted = PostedAnswer.from_json(record["posted"])
    buttons = tuple(Button(**button) for button in record["buttons"])
    answer = Answer(f"{record['text']}\n\n{words}", buttons)
    if posted.kind == "github":
        reply = Reply(posted.comment_id, posted.comment_kind)  # type: ignore[arg-type]
        run.replies.edit(posted.number, reply, answer.text, posted.key)
        return
    assert run.event.slack is not None
    speaker = services.slack(run.event.slack.team, run.context.still_ours)
    messages = slack_messages(answer)
    key = f"{run.event.id}:words"
    if len(messages) != posted.messages:
        messages = slack_messages(replace(answer, text=words, buttons=()))
        if posted.kind == "slack":
            text, blocks = messages[0]
            speaker.post(posted.channel, text, key=key, thread_ts=posted.thread_ts, blocks=blocks)
        return
    text, blocks = messages[-1]
    if posted.kind == "slack":
        speaker.update(posted.channel, posted.ts, text, blocks=blocks)
        return
    try:
        speaker.respond(posted.response_url, text, key=key, blocks=blocks, replace_original=True)
    except SlackRefused as refusal:
        # A response URL ends after half an hour; the answer itself was given long ago.
        log.info("backtest.not_told", reason=refusal.reason)


def _record_key(repository_id: int, event_id: str) -> str:
    digest = hashlib.sha256(event_id.encode()).hexdigest()[:32]
    return f"precedent:backtest:{repository_id}:{digest}"
