"""The index of a repository's default branch: built in the background, renewed after pushes."""

from __future__ import annotations

from urllib.parse import quote

import structlog

from graph.code.building import build_index, is_made_alike
from graph.code.code_store import CodeStore, IndexAbandoned
from graph.code.embeddings import EmbeddingFailed
from workers.commit_source import GithubCommit
from workers.drain import Outcome
from workers.errors import Superseded, Transient
from workers.event import Event
from workers.github_limits import NotFound
from workers.inbox import Lease
from workers.services import Services

log = structlog.get_logger()


def on_index(services: Services, event: Event, lease: Lease) -> Outcome:
    """Index the default branch as it is now; pushes meanwhile are in it or bring it here again.

    Raises Superseded when the repository is indexed or deleted elsewhere.
    """
    installation_id, repository_id = event.installation_id, event.repository_id
    assert installation_id is not None
    assert repository_id is not None
    repository = services.tokens.repository(installation_id, repository_id)
    with repository.client:
        branch = str(repository.about()["default_branch"])
        try:
            commit_sha = str(repository.get(f"/git/ref/heads/{quote(branch)}")["object"]["sha"])
        except NotFound:
            log.info("index.skipped", reason="nothing was pushed yet")
            return Outcome()
        source = GithubCommit(repository, commit_sha, lease.check)
        store = CodeStore(services.redis, repository_id)
        try:
            report = build_index(store, source, services.embedding.load(), lease.check)
        except IndexAbandoned as error:
            raise Superseded(str(error), reason=error.reason) from error
        except EmbeddingFailed as error:  # what was read so far is kept for the next attempt
            raise Transient(str(error), reason=error.reason) from error
    log.info(
        "index.built",
        commit_sha=report.commit_sha,
        files=report.files,
        read=report.read,
        chunks=report.chunks,
        bytes=report.bytes,
        left_out=list(report.left_out),
        was_current=report.was_current,
    )
    return Outcome()


def wanted(services: Services, event: Event) -> tuple[Event, ...]:
    """The job that indexes the event's repository, when it has no index or one made otherwise."""
    if event.repository_id is None or event.installation_id is None:
        return ()
    about = CodeStore(services.redis, event.repository_id).current()
    if about is not None and is_made_alike(about, services.embedding.name):
        return ()
    return (index_event(event),)


def index_event(event: Event) -> Event:
    """A job for the event's repository; of several that wait, one is run."""
    return Event(
        id=f"job:index:{event.id}",
        kind="index",
        subject=f"index:{event.repository_id}",
        lane="background",
        installation_id=event.installation_id,
        account_id=event.account_id,
        repository_id=event.repository_id,
    )


def forget(services: Services, repository_id: int) -> None:
    """Delete the repository's index; a job that builds it stops at its next write."""
    CodeStore(services.redis, repository_id).forget()
