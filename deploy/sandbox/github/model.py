"""What the stand-in remembers: plain mutable records, changed only under the world's lock.

Times are seconds since the epoch. Records point at each other; ids are unique over the world.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from deploy.sandbox.github.git import GitRepository

Role = Literal["none", "read", "triage", "write", "maintain", "admin"]
Side = Literal["LEFT", "RIGHT"]
ReviewState = Literal["PENDING", "COMMENTED", "APPROVED", "CHANGES_REQUESTED", "DISMISSED"]

ROLES: tuple[Role, ...] = ("none", "read", "triage", "write", "maintain", "admin")
"""From weakest to strongest."""


@dataclass(eq=False)
class Account:
    """A person, a bot or an organisation. `members` is filled for organisations only."""

    id: int
    login: str
    type: Literal["User", "Bot", "Organization"]
    created_at: float
    members: dict[int, Literal["admin", "member"]] = field(default_factory=dict)
    public_members: set[int] = field(default_factory=set)
    base_role: Role = "read"


@dataclass(eq=False)
class Reaction:
    id: int
    user: Account
    content: str
    created_at: float


@dataclass(eq=False)
class Repository:
    """One repository; `previous_names` are the casefolded full names that redirect to it."""

    id: int
    name: str
    owner: Account
    git: GitRepository
    created_at: float
    private: bool = True
    archived: bool = False
    default_branch: str = "main"
    parent: Repository | None = None
    collaborators: dict[int, Role] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    pushed_at: float = 0.0

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"


@dataclass(eq=False)
class Issue:
    """An issue, or the issue side of a pull request."""

    id: int
    number: int
    repository: Repository
    user: Account
    title: str
    body: str | None
    created_at: float
    updated_at: float
    state: Literal["open", "closed"] = "open"
    closed_at: float | None = None
    labels: list[str] = field(default_factory=list)
    comments: dict[int, IssueComment] = field(default_factory=dict)
    reactions: dict[int, Reaction] = field(default_factory=dict)


@dataclass(eq=False)
class PullRequest(Issue):
    """`pull_id` is the pull request's own id, `id` that of its issue, as on GitHub.

    `head_repository` is None once the fork is deleted.
    """

    pull_id: int = 0
    base_ref: str = "main"
    base_sha: str = ""
    head_ref: str = ""
    head_sha: str = ""
    head_repository: Repository | None = None
    head_owner: Account | None = None
    draft: bool = False
    merged_at: float | None = None
    merged_by: Account | None = None
    merge_commit_sha: str | None = None
    reviews: dict[int, Review] = field(default_factory=dict)
    threads: dict[int, ReviewThread] = field(default_factory=dict)


@dataclass(eq=False)
class IssueComment:
    id: int
    issue: Issue
    user: Account
    body: str
    created_at: float
    updated_at: float
    via_app: bool = False
    minimized_reason: str | None = None
    reactions: dict[int, Reaction] = field(default_factory=dict)


@dataclass(eq=False)
class Review:
    id: int
    pull: PullRequest
    user: Account
    body: str
    state: ReviewState
    commit_id: str
    updated_at: float
    submitted_at: float | None = None
    minimized_reason: str | None = None


@dataclass(frozen=True)
class Anchor:
    """Where a thread was put: lines of `commit_id` (RIGHT) or of the merge base (LEFT).

    `line` is None for a comment on a whole file.
    """

    path: str
    commit_id: str
    merge_base: str
    diff_hunk: str
    position: int | None
    line: int | None
    side: Side = "RIGHT"
    start_line: int | None = None
    start_side: Side | None = None


@dataclass(eq=False)
class ReviewThread:
    id: int
    pull: PullRequest
    anchor: Anchor
    comments: dict[int, ReviewComment] = field(default_factory=dict)
    resolved_by: Account | None = None


@dataclass(eq=False)
class ReviewComment:
    id: int
    review: Review
    thread: ReviewThread
    user: Account
    body: str
    created_at: float
    updated_at: float
    in_reply_to: int | None = None
    minimized_reason: str | None = None
    reactions: dict[int, Reaction] = field(default_factory=dict)


@dataclass(eq=False)
class CheckSuite:
    id: int
    repository: Repository
    head_sha: str
    head_branch: str | None
    created_at: float
    updated_at: float


@dataclass(eq=False)
class CheckRun:
    id: int
    suite: CheckSuite
    name: str
    status: str
    started_at: float | None
    conclusion: str | None = None
    completed_at: float | None = None
    external_id: str = ""
    details_url: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[dict[str, object]] = field(default_factory=list)
    actions: list[dict[str, object]] = field(default_factory=list)


@dataclass(eq=False)
class Installation:
    """`repository_ids` None means all repositories of the account."""

    id: int
    account: Account
    repository_ids: set[int] | None
    permissions: dict[str, str]
    events: list[str]
    created_at: float
    updated_at: float
    suspended_at: float | None = None
    suspended_by: Account | None = None

    def holds(self, repository: Repository) -> bool:
        if repository.owner is not self.account:
            return False
        return self.repository_ids is None or repository.id in self.repository_ids


@dataclass(frozen=True)
class Token:
    """An installation's or a person's token; `repository_ids` None means all of them."""

    value: str
    expires_at: float
    installation: Installation | None = None
    user: Account | None = None
    repository_ids: frozenset[int] | None = None
    permissions: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False)
class App:
    """The one GitHub App of this world; `bot` is the account it writes as."""

    id: int
    slug: str
    owner: Account
    bot: Account
    client_id: str
    client_secret: str
    private_key_pem: str
    public_key_pem: str
    permissions: dict[str, str]
    events: list[str]
    created_at: float


@dataclass(frozen=True)
class Limits:
    """GitHub's documented limits; a test may shrink those that are expensive to reach."""

    body_characters: int = 65_536
    diff_files: int = 300
    diff_lines: int = 20_000
    files_listed: int = 3_000
    file_patch_lines: int = 20_000
    file_patch_bytes: int = 500_000
    all_patches_bytes: int = 1_000_000
    contents_bytes: int = 1_000_000
    contents_raw_bytes: int = 100_000_000
    blob_bytes: int = 100_000_000
    compare_files: int = 300
    pull_commits: int = 250
    tree_entries: int = 100_000
    annotations: int = 50
    output_characters: int = 65_535
