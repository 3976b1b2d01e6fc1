"""The stand-in as one object: a world, what people do in it, its knobs, and its ASGI app."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import jwt
from starlette.applications import Starlette

from deploy.sandbox.github import auth, discussion, issues, payloads, repositories, writing
from deploy.sandbox.github.app import build_app
from deploy.sandbox.github.contract import Contract
from deploy.sandbox.github.faults import Faults
from deploy.sandbox.github.git import Changes
from deploy.sandbox.github.hooks import Delivery
from deploy.sandbox.github.model import (
    Account, CheckRun, Installation, Issue, IssueComment, PullRequest, Repository, Review,
    ReviewComment, ReviewThread, Role, Token,
)  # fmt: skip
from deploy.sandbox.github.record import Call, Record
from deploy.sandbox.github.world import World
from deploy.sandbox.serving import AsgiServer

Who = Account | str
Where = Repository | str


class SandboxGitHub(World):
    """A small GitHub in this process. Every method may be called from any thread.

    Things that happen send webhooks to `hooks.url`; without one they are only recorded. People
    are named by login or Account, repositories by full name or Repository.
    """

    def __init__(self, directory: Path, *, webhook_secret: str, **how: Any) -> None:
        """`how`: webhook_url, app_slug, limits, clock (see World)."""
        super().__init__(directory, webhook_secret=webhook_secret, **how)
        self.faults = Faults()
        self.record = Record()
        self.contract = Contract()

    @functools.cached_property
    def app(self) -> Starlette:
        """The ASGI app; its paths are absolute."""
        return build_app(self, self.faults, self.record, self.contract)

    def serve(self, port: int = 0) -> AsgiServer:
        """A server for the app, not started yet; payloads carry its address from now on."""
        server = AsgiServer(self.app, port)
        self.base_url = server.url
        return server

    @property
    def api_url(self) -> str:
        """What PyGithub takes as base_url."""
        return f"{self.base_url}/api/v3"

    @property
    def app_id(self) -> int:
        return self.registration.id

    @property
    def app_slug(self) -> str:
        return self.registration.slug

    @property
    def bot(self) -> Account:
        """The account that installations write as, "<slug>[bot]"."""
        return self.registration.bot

    @property
    def private_key_pem(self) -> str:
        return self.registration.private_key_pem

    @property
    def client_id(self) -> str:
        return self.registration.client_id

    @property
    def client_secret(self) -> str:
        return self.registration.client_secret

    @property
    def calls(self) -> list[Call]:
        return self.record.calls

    def close(self) -> None:
        """End the webhook sender."""
        self.hooks.close()

    # People and places

    def add_user(self, login: str, id: int | None = None, type: str = "User") -> Account:  # noqa: A002
        return self.add_account(login, "Bot" if type == "Bot" else "User", id)

    def add_organization(
        self,
        login: str,
        *,
        owners: Iterable[Who] = (),
        members: Iterable[Who] = (),
        public_members: Iterable[Who] = (),
        base_role: Role = "read",
        id: int | None = None,  # noqa: A002
    ) -> Account:
        """`public_members` show their membership to everybody; others only to members."""  # fmt: skip
        with self.lock:
            account = self.add_account(login, "Organization", id)
            account.base_role = base_role
            for who in (*members, *public_members):
                account.members[self.existing(who).id] = "member"
            for who in owners:
                account.members[self.existing(who).id] = "admin"
            account.public_members |= {self.existing(who).id for who in public_members}
            return account

    def repo(self, where: Where) -> Repository:
        """Raises ValueError when there is none of that name."""
        if isinstance(where, Repository):
            return where
        found = self.repository(where)
        if found is None:
            raise ValueError(f"There is no repository {where}; add it with add_repository first.")
        return found

    def set_role(self, where: Where, who: Who, role: Role) -> None:
        """Make somebody a collaborator; "none" ends it."""
        with self.lock:
            collaborators = self.repo(where).collaborators
            collaborators[self.existing(who).id] = role
            if role == "none":
                del collaborators[self.existing(who).id]

    def add_fork(self, where: Where, owner: Who, name: str | None = None) -> Repository:
        with self.lock:
            return repositories.fork(self, self.repo(where), self.existing(owner), name)

    # The App

    def install(
        self,
        account: Who,
        repositories_: Sequence[Where] | None = None,
        *,
        permissions: dict[str, str] | None = None,
        events: list[str] | None = None,
        sender: Who | None = None,
    ) -> Installation:
        """Install the App; None means on all repositories of the account."""  # fmt: skip
        with self.lock:
            holder = self.existing(account)
            chosen = None
            if repositories_ is not None:
                chosen = {self.repo(r).id for r in repositories_}
            person = self.existing(sender) if sender is not None else holder
            return repositories.install(self, holder, chosen, permissions, events, person)

    def suspend(self, installation: Installation, sender: Who) -> None:
        with self.lock:
            repositories.set_suspended(self, installation, self.existing(sender), suspended=True)

    def unsuspend(self, installation: Installation, sender: Who) -> None:
        with self.lock:
            repositories.set_suspended(self, installation, self.existing(sender), suspended=False)

    def uninstall(self, installation: Installation, sender: Who) -> None:
        with self.lock:
            repositories.uninstall(self, installation, self.existing(sender))

    def change_installation(
        self,
        installation: Installation,
        sender: Who,
        *,
        add: Sequence[Where] = (),
        remove: Sequence[Where] = (),
    ) -> None:
        """Add or remove repositories of an installation that holds selected ones."""  # fmt: skip
        with self.lock:
            repositories.change_installation(
                self, installation, self.existing(sender), [self.repo(r) for r in add],
                [self.repo(r) for r in remove],
            )  # fmt: skip

    def user_token(self, who: Who) -> Token:
        """A token that acts as a person, as OAuth would give it."""
        with self.lock:
            return auth.user_token(self, self.existing(who))

    def app_jwt(self, *, life_s: int = 540) -> str:
        """A JSON web token as the App would sign it."""
        now = int(self.clock())
        claims = {"iss": str(self.app_id), "iat": now - 60, "exp": now + life_s}
        return jwt.encode(claims, self.private_key_pem, "RS256")

    # Repositories

    def rename(self, where: Where, name: str, sender: Who | None = None) -> None:
        self._change(where, sender, lambda r, who: repositories.rename(self, r, name, who))

    def transfer(self, where: Where, to: Who, sender: Who | None = None) -> None:
        target = self.existing(to)
        self._change(where, sender, lambda r, who: repositories.transfer(self, r, target, who))

    def archive(self, where: Where, sender: Who | None = None) -> None:
        self._change(where, sender, lambda r, who: repositories.archive(self, r, who))

    def set_private(self, where: Where, private: bool, sender: Who | None = None) -> None:
        self._change(where, sender, lambda r, who: repositories.set_private(self, r, private, who))

    def delete_repository(self, where: Where, sender: Who | None = None) -> None:
        self._change(where, sender, lambda r, who: repositories.delete(self, r, who))

    def _change(
        self, where: Where, sender: Who | None, change: Callable[[Repository, Account], None]
    ) -> None:
        with self.lock:
            repository = self.repo(where)
            person = self.existing(sender) if sender is not None else repository.owner
            change(repository, person)

    def commit(
        self,
        where: Where,
        author: Who,
        changes: Changes,
        *,
        branch: str | None = None,
        message: str = "Change files",
    ) -> str:
        """Push a commit to a branch (the default one) and return its sha."""  # fmt: skip
        with self.lock:
            repository = self.repo(where)
            name = branch or repository.default_branch
            return writing.push_branch(
                self, repository, self.existing(author), name, changes, message
            )

    # Pull requests

    def open_pull_request(
        self,
        where: Where,
        author: Who,
        title: str,
        body: str | None = None,
        head: str = "feature",
        changes: Changes | None = None,
        *,
        base: str | None = None,
        draft: bool = False,
        fork: Repository | None = None,
    ) -> PullRequest:
        """Push `changes` to the branch `head` (of `fork`, if given) and open a pull request."""  # fmt: skip
        with self.lock:
            return writing.open_pull_request(
                self, self.repo(where), self.existing(author), title, body, head, changes or {},
                base=base, draft=draft, fork=fork,
            )  # fmt: skip

    def push(
        self,
        pull: PullRequest,
        changes: Changes,
        *,
        force: bool = False,
        author: Who | None = None,
        message: str = "Change files",
    ) -> str:
        """A commit on the head branch; `force` puts it on the merge base instead."""  # fmt: skip
        with self.lock:
            person = self.existing(author) if author is not None else pull.user
            return writing.push_pull(self, pull, person, changes, message, force=force)

    def close_pull_request(self, pull: PullRequest, sender: Who | None = None) -> None:
        with self.lock:
            writing.close_pull(self, pull, self._person(sender, pull.user))

    def reopen_pull_request(self, pull: PullRequest, sender: Who | None = None) -> None:
        with self.lock:
            writing.reopen_pull(self, pull, self._person(sender, pull.user))

    def merge_pull_request(self, pull: PullRequest, sender: Who) -> str:
        """Merge and return the merge commit. Raises ValueError on a conflict."""
        with self.lock:
            return writing.merge_pull(self, pull, self.existing(sender))

    def set_draft(self, pull: PullRequest, draft: bool, sender: Who | None = None) -> None:
        with self.lock:
            writing.set_draft(self, pull, self._person(sender, pull.user), draft=draft)

    def edit_pull_request(
        self,
        pull: PullRequest,
        sender: Who | None = None,
        *,
        title: str | None = None,
        body: str | None = None,
        base: str | None = None,
    ) -> None:
        with self.lock:
            person = self._person(sender, pull.user)
            writing.edit_pull(self, pull, person, title=title, body=body, base=base)  # fmt: skip

    def label(
        self, issue: Issue, sender: Who, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> None:
        with self.lock:
            issues.set_labels(self, issue, self.existing(sender), list(add), list(remove))

    def open_issue(self, where: Where, author: Who, title: str, body: str | None = None) -> Issue:
        with self.lock:
            return writing.open_issue(self, self.repo(where), self.existing(author), title, body)

    # Talking

    def comment(self, issue: Issue, user: Who, body: str) -> IssueComment:
        """Comment on an issue or on a pull request's conversation."""
        with self.lock:
            return issues.create_comment(self, issue, self.existing(user), body)

    def edit_comment(self, comment: IssueComment | ReviewComment, user: Who, body: str) -> None:
        with self.lock:
            topic = issues if isinstance(comment, IssueComment) else discussion
            topic.edit_comment(self, comment, self.existing(user), body)  # type: ignore[arg-type]

    def delete_comment(self, comment: IssueComment | ReviewComment, user: Who) -> None:
        with self.lock:
            topic = issues if isinstance(comment, IssueComment) else discussion
            topic.delete_comment(self, comment, self.existing(user))  # type: ignore[arg-type]

    def review(
        self,
        pull: PullRequest,
        user: Who,
        *,
        body: str = "",
        event: Literal["COMMENT", "APPROVE", "REQUEST_CHANGES"] | None = "COMMENT",
        comments: list[dict[str, Any]] | None = None,
        commit_id: str | None = None,
    ) -> Review:
        """A review as the API takes it; `event` None leaves it pending."""  # fmt: skip
        with self.lock:
            return discussion.create_review(
                self, pull, self.existing(user), body=body, event=event, commit_id=commit_id,
                comments=comments,
            )  # fmt: skip

    def review_comment(
        self, pull: PullRequest, user: Who, path: str, line: int, body: str, **where: Any
    ) -> ReviewComment:
        """One comment on a line; `where` may hold side, start_line, start_side, commit_id."""
        with self.lock:
            wish = {"path": path, "line": line, "body": body, **where}
            return discussion.create_comment(self, pull, self.existing(user), wish)

    def reply(self, comment: ReviewComment, user: Who, body: str) -> ReviewComment:
        """Answer in the thread of a comment."""
        with self.lock:
            root = next(iter(comment.thread.comments.values()))
            who = self.existing(user)
            return discussion.reply(self, comment.review.pull, who, root.id, body)

    def resolve(self, thread: ReviewThread, user: Who) -> None:
        with self.lock:
            discussion.set_resolved(self, thread, self.existing(user), resolved=True)

    def unresolve(self, thread: ReviewThread, user: Who) -> None:
        with self.lock:
            discussion.set_resolved(self, thread, self.existing(user), resolved=False)

    def dismiss_review(self, review: Review, user: Who, message: str) -> None:
        with self.lock:
            discussion.dismiss(self, review, self.existing(user), message)

    def react(self, on: Issue | IssueComment | ReviewComment, user: Who, content: str) -> None:
        with self.lock:
            issues.react(self, on.reactions, self.existing(user), content)

    # Checks and webhooks

    def rerequest_check_run(self, run: CheckRun, sender: Who) -> None:
        """What the "Re-run" button does."""
        with self.lock:
            writing.rerequest(self, run, self.existing(sender))

    def request_action(self, run: CheckRun, sender: Who, identifier: str) -> None:
        """What one of the run's own buttons does."""
        with self.lock:
            writing.request_action(self, run, self.existing(sender), identifier)

    def rerequest_check_suite(self, pull: PullRequest, sender: Who) -> None:
        with self.lock:
            writing.rerequest_suite(self, pull, self.existing(sender))

    def ping(self) -> Delivery:
        """What GitHub sends when a webhook is set up."""
        with self.lock:
            delivery = self.hooks.build("ping", payloads.ping(self))
            self.hooks.post(delivery)
            return delivery

    def redeliver(self, delivery: Delivery) -> None:
        """Send a recorded delivery again, with the same GUID."""
        self.hooks.post(self.hooks.redelivered(delivery))

    def _person(self, who: Who | None, otherwise: Account) -> Account:
        return otherwise if who is None else self.existing(who)
