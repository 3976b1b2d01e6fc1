"""What people do with pull requests, issues and check runs, as methods of the world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from deploy.sandbox.github import discussion, issues, writing
from deploy.sandbox.github.git import Changes
from deploy.sandbox.github.model import (
    Account,
    CheckRun,
    Issue,
    IssueComment,
    PullRequest,
    Repository,
    Review,
    ReviewComment,
    ReviewThread,
)
from deploy.sandbox.github.world import World

Who = Account | str
Where = Repository | str


class Actions(World):
    """People are named by login or Account, repositories by full name or Repository.

    Whoever is not named is the author of the pull request.
    """

    def repo(self, where: Where) -> Repository:
        """Raises ValueError when there is none of that name."""
        if isinstance(where, Repository):
            return where
        found = self.repository(where)
        if found is None:
            raise ValueError(f"There is no repository {where}; add it with add_repository first.")
        return found

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
        """Push `changes` to the branch `head` (of `fork`, if given) and open a pull request."""
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
        """A commit on the head branch; `force` puts it on the merge base instead."""
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
            topic.edit_comment(self, comment, self.existing(user), body)

    def delete_comment(self, comment: IssueComment | ReviewComment, user: Who) -> None:
        with self.lock:
            topic = issues if isinstance(comment, IssueComment) else discussion
            topic.delete_comment(self, comment, self.existing(user))

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
        """A review as the API takes it; `event` None leaves it pending."""
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

    def _person(self, who: Who | None, otherwise: Account) -> Account:
        return otherwise if who is None else self.existing(who)
