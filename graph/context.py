"""The outside as the graph sees it: records, small Protocols, and the context of one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from graph.anchors import Anchor
from graph.answers import Answer
from graph.conventions import Source
from graph.diff import Diff
from graph.importing import Documents

if TYPE_CHECKING:
    from graph.code.index import CodeIndex

HANDLE = "precedent"
"""The name that people mention where the App has no other."""

Conclusion = Literal["success", "neutral", "failure", "skipped", "cancelled", "action_required"]
Permission = Literal["none", "read", "triage", "write", "maintain", "admin"]


@dataclass(frozen=True)
class PullRequest:
    """The current state of a pull request, as the API says it now."""

    repository_id: int
    repository_name: str
    number: int
    title: str
    body: str
    author_id: int
    author_login: str
    author_is_bot: bool
    is_draft: bool
    is_open: bool
    is_public_repository: bool
    labels: tuple[str, ...]
    base_ref: str
    base_sha: str
    head_ref: str
    head_sha: str
    default_branch: str
    html_url: str
    commit_messages: tuple[str, ...] = ()


@dataclass(frozen=True)
class ThreadComment:
    id: int
    author_id: int
    author_login: str
    is_ours: bool
    is_bot: bool
    body: str
    html_url: str = ""
    created_at: str = ""


@dataclass(frozen=True)
class ReviewThread:
    """One review thread. `id` is GitHub's node id; `line` is None once the thread is outdated."""

    id: str
    path: str
    line: int | None
    is_resolved: bool
    is_outdated: bool
    comments: tuple[ThreadComment, ...]
    original_line: int | None = None
    resolved_by_id: int | None = None
    start_line: int | None = None
    side: Literal["LEFT", "RIGHT"] = "RIGHT"


@dataclass(frozen=True)
class InlineComment:
    anchor: Anchor
    body: str


@dataclass(frozen=True)
class Annotation:
    path: str
    start_line: int
    end_line: int
    level: Literal["notice", "warning", "failure"]
    title: str
    message: str


@dataclass(frozen=True)
class CheckReport:
    """What the check run "Precedent" says. A report always carries a reason in `title`."""

    conclusion: Conclusion
    title: str
    summary: str
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True)
class ReviewDraft:
    """A review before it is published. `cause` is "auto", or "comment:<id>" or "check:<id>".

    `body` may be empty: then nothing but the check run is published. `cause` and `head_sha` make
    the publication key together with repository and number.
    """

    number: int
    head_sha: str
    cause: str
    body: str
    comments: tuple[InlineComment, ...] = ()
    resolutions: tuple[Resolution, ...] = ()
    check: CheckReport | None = None


@dataclass(frozen=True)
class Resolution:
    """A thread of ours whose cause is gone, and the note that says why."""

    thread_id: str
    comment_id: int
    note: str


@dataclass(frozen=True)
class Publication:
    """What was published. `review_id` is None when there was nothing to say inline or in a body.

    `moved_to_body` counts comments that GitHub would not place.
    """

    review_id: int | None
    review_url: str = ""
    comment_ids: tuple[int, ...] = ()
    moved_to_body: int = 0
    check_run_id: int | None = None
    already_published: bool = False


class RepositoryReader(Protocol):
    """Reads one repository, fixed when the reader was made. No method takes a repository."""

    def pull_request(self, number: int) -> PullRequest: ...

    def diff(self, pull_request: PullRequest) -> Diff: ...

    def compare(self, base_sha: str, head_sha: str) -> Diff | None:
        """The diff from an ancestor to a head; None when `base_sha` is no ancestor or is gone."""
        ...

    def read_file(self, path: str, ref: str) -> bytes | None:
        """The file's content at a ref; None when there is none, or it is no regular file."""
        ...

    def permission(self, login: str, user_id: int) -> Permission:
        """What a person may do in this repository now; `login` is only a hint."""
        ...

    def threads(self, number: int) -> tuple[ReviewThread, ...]:
        """Every review thread, all pages."""
        ...

    def conversation(self, number: int) -> tuple[ThreadComment, ...]:
        """The issue comments of a pull request, oldest first, all pages."""
        ...

    def head_sha(self, number: int) -> str:
        """The head now, read fresh."""
        ...


class Publisher(Protocol):
    """Speaks on pull requests of one repository. Every method is idempotent by its key."""

    def publish(self, draft: ReviewDraft) -> Publication: ...

    def report(self, number: int, head_sha: str, report: CheckReport) -> int:
        """Create or patch the check run "Precedent" on a sha; returns its id."""
        ...


class Replier(Protocol):
    """Answers where the person spoke; the place was fixed when the replier was made."""

    def reply(self, answer: Answer, key: str) -> object:
        """Post once per `key`; a later call with the same key changes nothing.

        What it answers is the place's own business: the graph does not look at it.
        """
        ...


StillOurs = Callable[[], None]
"""Called between nodes and before every write; raises when the run must stop without writing."""


@dataclass(frozen=True)
class Speaker:
    """The person whose message is being answered, with the permission GitHub says they have now.

    `message` is the text as it was signed; quotes for new conventions are cut from it.
    """

    source: Source
    permission: Permission
    message: str


@dataclass(frozen=True)
class ReviewContext:
    """The context of one graph run (LangGraph `context_schema`): frozen, never checkpointed.

    `repository_id` comes from the verified installation or a channel link, and from nowhere else.
    `is_last_attempt`: what fails now is not tried again, so it must be told. Past `deadline`, by
    the clock of `now`, no further model call begins. `code` is the repository's index, if any.
    """

    installation_id: int
    account_id: int
    repository_id: int
    repository_name: str
    number: int | None
    event_id: str
    cause: str
    reader: RepositoryReader
    publisher: Publisher
    still_ours: StillOurs
    now: Callable[[], float]
    speaker: Speaker | None = None
    replier: Replier | None = None
    is_public: bool = False
    is_private_channel: bool = False
    is_direct_message: bool = False
    is_linked: bool = True
    handle: str = HANDLE
    is_org_owner: bool = False
    is_last_attempt: bool = False
    documents: Documents | None = None
    code: CodeIndex | None = None
    deadline: float = float("inf")
    comment_id: int | None = None
    comment_kind: Literal["", "issue", "review_comment", "review"] = ""
