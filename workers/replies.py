"""Answers to people on GitHub, each said once: comments, replies in a thread, reactions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from graph.context import StillOurs
from graph.markers import Mark, has_mark, reply_mark, without_keys
from workers.effects import Effect, EffectLedger
from workers.errors import PrecedentError
from workers.github_client import RepositoryClient
from workers.github_limits import DoubtfulWrite, Rejected
from workers.github_tokens import AppIdentity
from workers.own_reviews import OwnReviews, stands_in_the_way
from workers.pacing import Pacing
from workers.review_text import cut, room_beside, with_mark

CommentKind = Literal["issue", "review_comment", "review"]
Reaction = Literal["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"]

CLOCK_SKEW_S = 600
"""How far our clock may be ahead of GitHub's when a lost comment is looked for by its time."""


@dataclass(frozen=True)
class ReplyPlace:
    """What is answered: a comment of a pull request, or the pull request itself."""

    number: int
    kind: CommentKind = "issue"
    comment_id: int | None = None


@dataclass(frozen=True)
class Reply:
    """A comment of ours. `kind` says to which list of GitHub its id belongs."""

    id: int
    kind: Literal["issue", "review_comment"]
    html_url: str = ""


class Replies:
    """Speaks in one repository. What carries a key is said once per key."""

    def __init__(
        self,
        repository: RepositoryClient,
        identity: AppIdentity,
        ledger: EffectLedger,
        pacing: Pacing,
        *,
        installation_id: int,
        still_ours: StillOurs,
    ) -> None:
        self._repository = repository
        self._identity = identity
        self._ledger = ledger
        self._pacing = pacing
        self.installation_id = installation_id
        self._still_ours = still_ours
        self._own = OwnReviews(repository, identity, still_ours)

    def reply(self, place: ReplyPlace, body: str, key: str) -> Reply:
        """Answer at `place`; a repetition with the same key gives the first answer back.

        A review comment is answered in its thread, all else in the conversation.
        """
        name = f"reply:{self._repository.repository_id}:{place.number}:{key}"
        effect = self._ledger.read(name)
        if effect and effect.outcome:
            return Reply(**effect.outcome)
        found = self._find(place, reply_mark(name), effect) if effect else None
        if found is None:
            found = self._post(place, body, name, effect)
        self._ledger.done(name, asdict(found))
        return found

    def edit(self, number: int, reply: Reply, body: str, key: str) -> None:
        """Replace the text of what was answered with `key`."""
        self._still_ours()
        mark = reply_mark(f"reply:{self._repository.repository_id}:{number}:{key}")
        list_name = "issues" if reply.kind == "issue" else "pulls"
        self._repository.patch(f"/{list_name}/comments/{reply.id}", {"body": _marked(body, mark)})

    def react(self, place: ReplyPlace, content: Reaction = "eyes") -> None:
        """React to a comment. GitHub keeps one reaction of a kind per account: no key is needed.

        REST has no reactions on the body of a review; then the pull request itself gets it.
        """
        self._still_ours()
        if place.comment_id is None or place.kind == "review":
            path = f"/issues/{place.number}/reactions"
        elif place.kind == "review_comment":
            path = f"/pulls/comments/{place.comment_id}/reactions"
        else:
            path = f"/issues/comments/{place.comment_id}/reactions"
        self._repository.post(path, {"content": content})

    def _post(self, place: ReplyPlace, body: str, name: str, effect: Effect | None) -> Reply:
        mark = reply_mark(name)
        path = self._path(place)
        self._pacing.take(self.installation_id)
        self._still_ours()
        intent = self._ledger.intend(name)
        try:
            return self._reply(place, self._write(place, path, _marked(body, mark)))
        except DoubtfulWrite:
            found = self._find(place, mark, intent)
            if found is None:
                raise
            return found
        except PrecedentError:
            if effect is None:  # surely not said: the next attempt needs no search
                self._ledger.forget(name)
            raise

    def _write(self, place: ReplyPlace, path: str, body: str) -> Mapping[str, Any]:
        """A reply in a thread is a review to GitHub, so a pending one of ours stands in its way.

        Such a leftover of a run that died for good is deleted; a run that comes back writes anew.
        """
        try:
            answer: Mapping[str, Any] = self._repository.post(path, {"body": body})
        except Rejected as refusal:
            if not stands_in_the_way(refusal):
                raise
            self._own.discard_pending(place.number)
            self._still_ours()
            answer = self._repository.post(path, {"body": body})
        return answer

    def _path(self, place: ReplyPlace) -> str:
        if not _is_threaded(place):
            return f"/issues/{place.number}/comments"
        # GitHub takes replies only to the first comment of a thread.
        comment = self._repository.get(f"/pulls/comments/{place.comment_id}")
        first_id = comment.get("in_reply_to_id") or comment["id"]
        return f"/pulls/{place.number}/comments/{first_id}/replies"

    def _find(self, place: ReplyPlace, mark: Mark, effect: Effect) -> Reply | None:
        since = datetime.fromtimestamp(effect.intended_at - CLOCK_SKEW_S, UTC)
        list_name = "pulls" if _is_threaded(place) else "issues"
        comments = self._repository.pages(
            f"/{list_name}/{place.number}/comments", since=since.strftime("%Y-%m-%dT%H:%M:%SZ")
        )
        for comment in comments:
            ours = self._identity.wrote(comment.get("user"))
            if ours and has_mark(comment.get("body") or "", mark):
                return self._reply(place, comment)
        return None

    def _reply(self, place: ReplyPlace, comment: Mapping[str, Any]) -> Reply:
        kind: Literal["issue", "review_comment"]
        kind = "review_comment" if _is_threaded(place) else "issue"
        return Reply(int(comment["id"]), kind, str(comment.get("html_url", "")))


def _is_threaded(place: ReplyPlace) -> bool:
    return place.kind == "review_comment" and place.comment_id is not None


def _marked(body: str, mark: Mark) -> str:
    return with_mark(cut(without_keys(body), room_beside(mark)), mark)
