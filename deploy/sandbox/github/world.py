"""The state of the stand-in: accounts, repositories, installations, tokens, and their ids."""

from __future__ import annotations

import functools
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from deploy.sandbox.github import payloads
from deploy.sandbox.github.git import Changes, GitRepository
from deploy.sandbox.github.hooks import Hooks
from deploy.sandbox.github.model import (
    Account,
    App,
    CheckRun,
    CheckSuite,
    Installation,
    Issue,
    IssueComment,
    Limits,
    PullRequest,
    Repository,
    Review,
    ReviewComment,
    ReviewThread,
    Role,
    Token,
)
from deploy.sandbox.github.urls import Urls

FIRST_ID = 100_001
"""Ids are large enough never to be mistaken for a number of a pull request."""

APP_PERMISSIONS = {
    "metadata": "read", "contents": "read", "pull_requests": "write", "issues": "write",
    "checks": "write", "members": "read",
}  # fmt: skip
APP_EVENTS = [
    "check_run", "check_suite", "issue_comment", "pull_request", "pull_request_review",
    "pull_request_review_comment", "pull_request_review_thread", "push", "repository",
]  # fmt: skip


@dataclass(frozen=True)
class Grant:
    """An OAuth code that waits to be exchanged."""

    user: Account
    redirect_uri: str
    expires_at: float
    challenge: str = ""


class World:
    """Everything that exists. Hold `lock` while reading or changing it."""

    def __init__(
        self,
        directory: Path,
        *,
        webhook_secret: str,
        webhook_url: str | None = None,
        app_slug: str = "precedent",
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.directory = directory
        self.limits = limits or Limits()
        self.clock = clock
        self.lock = threading.RLock()
        self.base_url = "http://127.0.0.1"
        self.pages_url: str | None = None
        self._last_id = FIRST_ID - 1
        self.accounts: dict[int, Account] = {}
        self.repositories: dict[int, Repository] = {}
        self.redirects: dict[str, int] = {}
        self.installations: dict[int, Installation] = {}
        self.tokens: dict[str, Token] = {}
        self.refresh_tokens: dict[str, Account] = {}
        self.grants: dict[str, Grant] = {}
        self.oauth_user: Account | None = None
        self.issue_comments: dict[int, IssueComment] = {}
        self.reviews: dict[int, Review] = {}
        self.threads: dict[int, ReviewThread] = {}
        self.review_comments: dict[int, ReviewComment] = {}
        self.check_suites: dict[int, CheckSuite] = {}
        self.check_runs: dict[int, CheckRun] = {}
        self.registration = self._make_app(app_slug)
        self.hooks = Hooks(self.registration.id, webhook_secret, webhook_url, clock)

    def new_id(self) -> int:
        self._last_id += 1
        return self._last_id

    @property
    def urls(self) -> Urls:
        """The addresses for payloads; answers use the address of their request."""
        return self.urls_at(self.base_url)

    def urls_at(self, base: str) -> Urls:
        return Urls(base, self.pages_url or base)

    def account(self, login: str) -> Account | None:
        wanted = login.casefold()
        return next((a for a in self.accounts.values() if a.login.casefold() == wanted), None)

    def repository(self, full_name: str) -> Repository | None:
        """By its present name in any case; old names are in `redirects`."""
        wanted = full_name.casefold()
        return next(
            (r for r in self.repositories.values() if r.full_name.casefold() == wanted), None
        )

    def installation_of(self, repository: Repository) -> Installation | None:
        return next((i for i in self.installations.values() if i.holds(repository)), None)

    def pulls_of(self, repository: Repository) -> list[PullRequest]:
        return [i for i in repository.issues.values() if isinstance(i, PullRequest)]

    def add_account(
        self, login: str, kind: Literal["User", "Bot", "Organization"], account_id: int | None
    ) -> Account:
        """Raises ValueError when the login or the id is taken."""
        with self.lock:
            if self.account(login) is not None or account_id in self.accounts:
                raise ValueError(f"The account {login} or its id exists already.")
            account = Account(account_id or self.new_id(), login, kind, self.clock())
            self.accounts[account.id] = account
            return account

    def add_repository(
        self,
        owner: Account | str,
        name: str,
        files: Changes | None = None,
        *,
        private: bool = True,
        collaborators: Mapping[str, Role] | None = None,
        repository_id: int | None = None,
    ) -> Repository:
        """A repository whose default branch holds `files` (a README when none are given)."""
        with self.lock:
            holder = self.existing(owner)
            if self.repository(f"{holder.login}/{name}") is not None:
                raise ValueError(f"The repository {holder.login}/{name} exists already.")
            number = repository_id or self.new_id()
            directory = self.directory / f"{number}.git"
            shutil.rmtree(directory, ignore_errors=True)
            now = self.clock()
            repository = Repository(number, name, holder, GitRepository(directory), now, private)
            repository.pushed_at = now
            for login, role in (collaborators or {}).items():
                repository.collaborators[self.existing(login).id] = role
            repository.git.commit_changes(
                repository.default_branch, files or {"README.md": f"# {name}\n"}, parent=None,
                message="Begin", author=self.identity(holder), when=now,
            )  # fmt: skip
            self.repositories[number] = repository
            self.redirects.pop(repository.full_name.casefold(), None)
            return repository

    def existing(self, who: Account | str) -> Account:
        """The account of that login. Raises ValueError when there is none."""
        if isinstance(who, Account):
            return who
        account = self.account(who)
        if account is None:
            raise ValueError(f"There is no account {who}; add it with add_user first.")
        return account

    def identity(self, who: Account) -> tuple[str, str]:
        """Name and address of a person's commits."""
        return who.login, f"{who.id}+{who.login}@users.noreply.localhost"

    def next_number(self, repository: Repository) -> int:
        return max(repository.issues, default=0) + 1

    def comments_of(self, pull: PullRequest) -> list[ReviewComment]:
        """Review comments by id, those of pending reviews included."""
        found = [c for thread in pull.threads.values() for c in thread.comments.values()]
        return sorted(found, key=lambda comment: comment.id)

    def touch(self, issue: Issue) -> float:
        issue.updated_at = self.clock()
        return issue.updated_at

    def emit(
        self,
        event: str,
        action: str | None,
        repository: Repository | None,
        sender: Account,
        body: Mapping[str, Any],
        installation: Installation | None = None,
    ) -> None:
        """Send a webhook if the App is installed there and listens to this event."""
        target = installation or (self.installation_of(repository) if repository else None)
        if target is None or (target.suspended_at and event not in payloads.ALWAYS_SENT):
            return
        if event not in payloads.ALWAYS_SENT and event not in target.events:
            return
        payload = payloads.envelope(self, action, repository, sender, body, target)
        self.hooks.post(self.hooks.build(event, payload))

    def _make_app(self, slug: str) -> App:
        private_pem, public_pem = _key_pair()
        owner = self.add_account(f"{slug}-makers", "Organization", None)
        bot = self.add_account(f"{slug}[bot]", "Bot", None)
        return App(
            id=self.new_id(), slug=slug, owner=owner, bot=bot,
            client_id=f"Iv23{secrets.token_hex(8)}", client_secret=secrets.token_hex(20),
            private_key_pem=private_pem, public_key_pem=public_pem,
            permissions=dict(APP_PERMISSIONS), events=list(APP_EVENTS), created_at=self.clock(),
        )  # fmt: skip


@functools.cache
def _key_pair() -> tuple[str, str]:
    """Private and public PEM; one pair a process, because making it takes up to a second."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    private_pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public_pem = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private_pem.decode(), public_pem.decode()
