"""The context of one run: a reader and a publisher bound to the event's repository."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from graph.code.index import open_index
from graph.context import PullRequest, ReviewContext, Speaker
from graph.conventions import Source
from graph.desk_lessons import concerns_organisation
from graph.generated import ATTRIBUTES_FILE
from graph.repository_settings import FILE as SETTINGS_FILE
from workers.documents import DefaultBranch
from workers.errors import Permanent
from workers.event import Event
from workers.github_client import RepositoryClient
from workers.github_reader import GithubReader
from workers.github_tokens import AppIdentity
from workers.inbox import Lease
from workers.installations import note_repository
from workers.publishing import GithubPublisher
from workers.repliers import GithubReplier
from workers.replies import Replies, ReplyPlace
from workers.services import Services


class RunReader(GithubReader):
    """A reader for one run: all its nodes speak of the same head and the same settings.

    A push meanwhile is noticed where it counts, by `head_sha`, which stays fresh.
    """

    def __init__(self, repository: RepositoryClient, identity: AppIdentity) -> None:
        super().__init__(repository, identity)
        self._pull_requests: dict[int, PullRequest] = {}
        self._rules: dict[tuple[str, str], bytes | None] = {}

    def pull_request(self, number: int) -> PullRequest:
        if number not in self._pull_requests:
            self._pull_requests[number] = super().pull_request(number)
        return self._pull_requests[number]

    def read_file(self, path: str, ref: str) -> bytes | None:
        if path not in (SETTINGS_FILE, ATTRIBUTES_FILE):
            return super().read_file(path, ref)
        if (path, ref) not in self._rules:
            self._rules[path, ref] = super().read_file(path, ref)
        return self._rules[path, ref]


MODEL_SHARE_OF_TIME = 0.7
"""Past this part of an event's time no model call begins; the rest is for publishing."""


@dataclass(frozen=True)
class Run:
    """What a handler works with while its event runs; the client is closed afterwards."""

    event: Event
    repository: RepositoryClient
    replies: Replies
    context: ReviewContext


@contextmanager
def open_repository(
    services: Services, event: Event, lease: Lease
) -> Iterator[tuple[RepositoryClient, Replies]]:
    """The event's repository, with a token for it alone, and what speaks in it. Calls nothing yet.

    The repository is the one that the verified delivery or the channel's link named; GitHub
    refuses a token when it does not belong to the installation.
    """
    installation_id, repository_id = event.installation_id, event.repository_id
    if installation_id is None or repository_id is None:
        raise Permanent("The event names no repository.", reason="no_repository")
    repository = services.tokens.repository(installation_id, repository_id)
    with repository.client:
        yield (
            repository,
            Replies(
                repository,
                services.tokens.identity(),
                services.ledger,
                services.pacing,
                installation_id=installation_id,
                still_ours=lease.check,
            ),
        )


@contextmanager
def open_run(services: Services, event: Event, lease: Lease, cause: str) -> Iterator[Run]:
    """The event's repository with everything that a turn of the graph needs."""
    with open_repository(services, event, lease) as (repository, replies):
        installation_id, repository_id = replies.installation_id, repository.repository_id
        identity = services.tokens.identity()
        about = repository.about()
        note_repository(services, installation_id, about)
        context = ReviewContext(
            installation_id=installation_id,
            account_id=int(about["owner"]["id"]),
            repository_id=repository_id,
            repository_name=str(about["full_name"]),
            number=event.number,
            event_id=event.id,
            cause=cause,
            reader=RunReader(repository, identity),
            publisher=GithubPublisher(
                repository,
                identity,
                services.ledger,
                services.pacing,
                replies,
                lease.check,
            ),
            still_ours=lease.check,
            now=services.now,
            is_public=not about["private"],
            handle=identity.slug,
            is_last_attempt=lease.is_last_attempt,
            documents=DefaultBranch(repository, identity),
            code=open_index(services.redis, repository_id, services.embedding.load),
            deadline=services.now() + lease.deadline_s * MODEL_SHARE_OF_TIME,
        )
        yield Run(event, repository, replies, context)


def with_github_speaker(services: Services, run: Run, html_url: str) -> ReviewContext:
    """The context of a message turn on GitHub: who speaks, and where the answer goes."""
    event, context = run.event, run.context
    assert event.actor_id is not None
    assert event.number is not None
    permission = services.permissions.permission(
        context.installation_id, context.repository_id, event.actor_login, event.actor_id
    )
    source = Source(
        place="github",
        name=event.actor_login,
        permalink=html_url,
        github_id=event.actor_id,
        thread=f"pr:{context.repository_id}:{event.number}",
        said_at=services.now(),
    )
    is_org_owner = concerns_organisation(event.text or "") and services.permissions.is_org_owner(
        context.installation_id, context.account_id, event.actor_login, event.actor_id
    )
    place = ReplyPlace(event.number, event.comment_kind or "issue", event.comment_id)
    return replace(
        context,
        speaker=Speaker(source, permission, event.text or ""),
        replier=GithubReplier(run.replies, place),
        is_org_owner=is_org_owner,
        comment_id=event.comment_id,
        comment_kind=event.comment_kind,
    )
