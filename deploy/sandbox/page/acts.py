"""What the person at the page may do, each on behalf of the person chosen there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.answers import RefusedError
from deploy.sandbox.github.model import ROLES, PullRequest, Role
from deploy.sandbox.github.roles import role_of
from deploy.sandbox.page.pull_view import find_pull
from deploy.sandbox.slack import SandboxSlack

Act = Callable[..., dict[str, Any] | None]
ANSWER_TIMEOUT_S = 8.0
COMMAND = "/conventions"
"""The one that slack-app-manifest.yml declares; Slack itself answers for any other."""


class Acts:
    """Each public method is one act; its arguments are the keys of the JSON that asks for it."""

    def __init__(self, github: SandboxGitHub, slack: SandboxSlack) -> None:
        self._github = github
        self._slack = slack

    def by_name(self) -> dict[str, Act]:
        """The acts by the last part of their route."""
        return {
            "say": self.say,
            "click": self.click,
            "click_in_view": self.click_in_view,
            "submit_view": self.submit_view,
            "close_view": self.close_view,
            "open_home": self.open_home,
            "comment": self.comment,
            "resolve": self.resolve,
            "push": self.push,
        }

    def say(
        self,
        *,
        person: str,
        channel: str,
        text: str,
        thread_ts: str | None = None,
    ) -> dict[str, Any] | None:
        """A message, or a slash command when the text begins with a slash."""
        if not text.strip():
            raise ValueError("Write something first.")
        if text.startswith("/"):
            command, _, rest = text.strip().partition(" ")
            if command != COMMAND:
                raise ValueError(f"{command} is no command of this workspace; {COMMAND} is.")
            self._slack.command(channel, person, command, rest.strip())
            return None
        return {"ts": self._slack.say(channel, person, text, thread_ts).ts}

    def click(
        self,
        *,
        person: str,
        channel: str,
        ts: str,
        action_id: str,
        value: str | None = None,
    ) -> None:
        """A button or menu of a message."""
        self._slack.click({"channel": channel, "ts": ts}, action_id, person, value)

    def click_in_view(
        self,
        *,
        person: str,
        view_id: str,
        action_id: str,
        value: str | None = None,
    ) -> None:
        """A button or menu of a modal or of the App Home."""
        self._slack.click_in_view(view_id, action_id, person, value)

    def submit_view(
        self,
        *,
        person: str,
        view_id: str,
        values: dict[str, Any],
    ) -> dict[str, Any]:
        """Send a modal; the answer holds the app's complaints by block id, if it has any."""
        delivery = self._slack.submit_view(view_id, person, values).wait(ANSWER_TIMEOUT_S)
        if delivery.status != 200:
            raise RuntimeError("The app did not accept the form. Try again in a moment.")
        return {"errors": delivery.answer.get("errors", {})}

    def close_view(self, *, person: str, view_id: str) -> None:
        """Dismiss a modal."""
        self._slack.close_view(view_id, person)

    def open_home(self, *, person: str) -> None:
        """Look at the App Home."""
        self._slack.open_home(person)

    def comment(
        self,
        *,
        person: str,
        pull: str,
        body: str,
        thread_id: int | None = None,
    ) -> None:
        """A comment on the conversation, or a reply in a review thread."""
        with self._github.lock:
            found = find_pull(self._github, pull)
            self._need_role(person, found, "read")
            try:
                if thread_id is None:
                    self._github.comment(found, person, body)
                    return
                thread = found.threads.get(thread_id)
                if thread is None:
                    raise LookupError("That thread is gone.")
                self._github.reply(next(iter(thread.comments.values())), person, body)
            except RefusedError as error:
                raise ValueError(str(error)) from error

    def resolve(
        self,
        *,
        person: str,
        pull: str,
        thread_id: int,
        resolved: bool,
    ) -> None:
        """Resolve a review thread, or open it again."""
        with self._github.lock:
            found = find_pull(self._github, pull)
            self._need_role(person, found, "read" if person == found.user.login else "write")
            thread = found.threads.get(thread_id)
            if thread is None:
                raise LookupError("That thread is gone.")
            act = self._github.resolve if resolved else self._github.unresolve
            act(thread, person)

    def push(
        self,
        *,
        person: str,
        pull: str,
        path: str,
        content: str,
    ) -> dict[str, Any]:
        """Commit one changed file to the pull request's branch."""
        with self._github.lock:
            found = find_pull(self._github, pull)
            self._need_role(person, found, "write")
            sha = self._github.push(found, {path: content}, author=person, message=f"Change {path}")
        return {"sha": sha}

    def _need_role(self, person: str, pull: PullRequest, least: Role) -> None:
        account = self._github.account(person)
        role = role_of(pull.repository, account) if account else "none"
        if ROLES.index(role) < ROLES.index(least):
            where = pull.repository.full_name
            raise LookupError(f"{person} has the role {role} in {where}; this takes {least}.")
