"""Publishes a review exactly once, and never loses a finding on the way.

A review goes out in three steps: a pending review with our mark and all comments in one request,
a second look at the list, then the submission. GitHub allows one pending review per account and
pull request, so of two processes that both believe to be alone only one gets through. What a
killed process leaves behind is found by its mark and adopted, or deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import structlog

from graph.anchors import is_valid
from graph.context import (
    CheckReport,
    InlineComment,
    Publication,
    Resolution,
    ReviewDraft,
    StillOurs,
)
from graph.markers import Mark, has_mark, review_mark, without_keys
from workers.check_runs import CheckRuns
from workers.effects import EffectLedger
from workers.errors import Superseded
from workers.github_client import RepositoryClient
from workers.github_limits import DoubtfulWrite, NotFound, Rejected
from workers.github_reader import pull_request_diff
from workers.github_threads import resolve_thread
from workers.github_tokens import AppIdentity
from workers.own_reviews import OwnReviews, in_doubt, stands_in_the_way
from workers.pacing import Pacing
from workers.replies import Replies, ReplyPlace
from workers.review_text import MAX_BODY_CHARACTERS, compose, cut, room_beside, with_mark

MAX_INLINE_COMMENTS = 30
"""Per review. Past this a review is not read; what is more goes into the body."""

log = structlog.get_logger(__name__)

Json = Mapping[str, Any]


@dataclass(frozen=True)
class _Key:
    """The publication key: as a mark on GitHub and as a name in the ledger."""

    repository_id: int
    number: int
    head_sha: str
    cause: str

    @property
    def mark(self) -> Mark:
        return review_mark(self.repository_id, self.number, self.head_sha, self.cause)

    @property
    def name(self) -> str:
        return f"review:{self.repository_id}:{self.number}:{self.head_sha}:{self.cause}"

    def compose(self, summary: str, moved: Sequence[InlineComment]) -> tuple[str, tuple[str, ...]]:
        """The body of a review, beside its mark, and the comments that hold the rest."""
        return compose(summary, moved, room_beside(self.mark))


class GithubPublisher:
    """A `Publisher` for one repository and one run."""

    def __init__(
        self,
        repository: RepositoryClient,
        identity: AppIdentity,
        ledger: EffectLedger,
        pacing: Pacing,
        replies: Replies,
        still_ours: StillOurs,
    ) -> None:
        self._repository = repository
        self._identity = identity
        self._ledger = ledger
        self._pacing = pacing
        self._replies = replies
        self._still_ours = still_ours
        self._own = OwnReviews(repository, identity, still_ours)
        self._check_runs = CheckRuns(repository, identity, ledger, still_ours)

    def publish(self, draft: ReviewDraft) -> Publication:
        """Publish what `draft` says: review, resolved threads, check run, in this order.

        Raises Superseded when the head is another one by now, Transient when it may work later
        (the same draft may then be published again), Permanent otherwise.
        """
        publication = Publication(review_id=None)
        if draft.body or draft.comments:
            publication = self._review_once(draft)
        elif draft.resolutions:
            self._require_head(draft)
        for resolution in draft.resolutions:
            self._resolve(draft, resolution)
        if draft.check is not None:
            run_id = self.report(draft.number, draft.head_sha, draft.check)
            publication = replace(publication, check_run_id=run_id)
        return publication

    def report(self, number: int, head_sha: str, report: CheckReport) -> int:
        return self._check_runs.report(number, head_sha, report)

    def _review_once(self, draft: ReviewDraft) -> Publication:
        key = _Key(self._repository.repository_id, draft.number, draft.head_sha, draft.cause)
        effect = self._ledger.read(key.name)
        if effect and effect.outcome:
            outcome = dict(effect.outcome)
            comment_ids = tuple(outcome.pop("comment_ids"))
            return Publication(**outcome, comment_ids=comment_ids, already_published=True)
        self._require_head(draft)
        self._still_ours()
        self._ledger.intend(key.name)
        publication = self._review(draft, key)
        outcome = asdict(publication)
        del outcome["already_published"], outcome["check_run_id"]
        self._ledger.done(key.name, outcome)
        log.info(
            "review.published",
            repository=key.repository_id,
            number=key.number,
            head_sha=key.head_sha,
            review=publication.review_id,
            comments=len(publication.comment_ids),
            moved=publication.moved_to_body,
        )
        return publication

    def _review(self, draft: ReviewDraft, key: _Key) -> Publication:
        reviews = self._own.of(draft.number)
        published = _submitted(reviews, key.mark)
        if published:
            return replace(self._finished(draft, key, published), already_published=True)
        pending = self._adopted(draft, key, reviews)
        if pending is None:
            self._pacing.take(self._replies.installation_id)
            pending = self._created(draft, key)
        if pending is None:
            return self._as_comment(draft, key)
        # The list may have hidden what another process, or our own lost request, has posted.
        published = _submitted(self._own.of(draft.number), key.mark)
        if published and published["id"] != pending["id"]:
            self._own.discard(draft.number, pending)
            return replace(self._finished(draft, key, published), already_published=True)
        try:
            self._require_head(draft)
        except Superseded:
            self._own.discard(draft.number, pending)
            raise
        return self._finished(draft, key, self._submit(draft.number, pending))

    def _require_head(self, draft: ReviewDraft) -> None:
        head_sha = self._repository.get(f"/pulls/{draft.number}")["head"]["sha"]
        if head_sha != draft.head_sha:
            raise Superseded("The pull request has a newer head; that one is reviewed instead.")

    def _adopted(self, draft: ReviewDraft, key: _Key, reviews: Sequence[Json]) -> Json | None:
        """Our pending review for this key, if there is one; any other is in the way and goes."""
        for review in reviews:
            if review["state"] != "PENDING":
                continue
            if _is_marked(review, key.mark) and review.get("commit_id") == draft.head_sha:
                log.info("review.adopted", number=draft.number, review=review["id"])
                return review
            self._own.discard(draft.number, review)
        return None

    def _created(self, draft: ReviewDraft, key: _Key) -> Json | None:
        """A pending review; None when GitHub refuses one even without comments on lines."""
        inline = draft.comments[:MAX_INLINE_COMMENTS]
        while True:
            try:
                return self._post_pending(draft, key, inline)
            except DoubtfulWrite:
                found = self._adopted(draft, key, self._own.of(draft.number))
                if found is None:
                    raise
                return found
            except Rejected as refusal:
                if stands_in_the_way(refusal):
                    return self._of_another_process(draft, key, refusal)
                log.warning("review.refused", number=draft.number, inline=len(inline))
                self._require_head(draft)
                if not inline:
                    return None
                inline = self._placeable(draft, inline)

    def _post_pending(self, draft: ReviewDraft, key: _Key, inline: Sequence[InlineComment]) -> Json:
        moved = [comment for comment in draft.comments if comment not in inline]
        body, _more = key.compose(draft.body, moved)
        self._still_ours()
        review: Json = self._repository.post(
            f"/pulls/{draft.number}/reviews",
            {
                # Without an event the review stays pending.
                "commit_id": draft.head_sha,
                "body": with_mark(body, key.mark),
                "comments": [_line_comment(comment) for comment in inline],
            },
        )
        return review

    def _of_another_process(self, draft: ReviewDraft, key: _Key, refusal: Rejected) -> Json:
        """The pending review that stands in the way of ours, when it has the same key."""
        found = self._adopted(draft, key, self._own.of(draft.number))
        if found is None:
            raise in_doubt("Another pending review of ours stood in the way") from refusal
        return found

    def _placeable(
        self, draft: ReviewDraft, inline: Sequence[InlineComment]
    ) -> tuple[InlineComment, ...]:
        """Those of `inline` that the diff of this moment can hold; none if that is all of them.

        GitHub does not say which comment it refused. If all look right, ours is the view that is
        wrong, and only a review without any goes through.
        """
        diff = pull_request_diff(self._repository, draft.number)
        valid = tuple(comment for comment in inline if is_valid(diff, comment.anchor))
        return valid if len(valid) < len(inline) else ()

    def _submit(self, number: int, pending: Json) -> Json:
        path = f"/pulls/{number}/reviews/{pending['id']}"
        self._still_ours()
        try:
            review: Json = self._repository.post(f"{path}/events", {"event": "COMMENT"})
        except (DoubtfulWrite, Rejected, NotFound) as error:
            # By its id, for a list may lag: is it out already, by us or by another process?
            try:
                review = self._repository.get(path)
            except NotFound:
                review = pending
            if review["state"] == "PENDING":
                raise in_doubt("The review could not be submitted") from error
        return review

    def _as_comment(self, draft: ReviewDraft, key: _Key) -> Publication:
        """The last step of the ladder: everything in the conversation."""
        body, more = key.compose(draft.body, draft.comments)
        first = self._say(draft, key, 0, body)
        for number, text in enumerate(more, start=1):
            self._say(draft, key, number, text)
        return Publication(review_id=None, review_url=first, moved_to_body=len(draft.comments))

    def _finished(self, draft: ReviewDraft, key: _Key, review: Json) -> Publication:
        """What a submitted review holds; what it had no room for is said in the conversation."""
        path = f"/pulls/{draft.number}/reviews/{review['id']}/comments"
        comments = list(self._repository.pages(path))
        said = {_normal(comment.get("body") or "") for comment in comments}
        moved = [c for c in draft.comments if _normal(_body(c)) not in said]
        _body_text, more = key.compose(draft.body, moved)
        for number, text in enumerate(more, start=1):
            self._say(draft, key, number, text)
        return Publication(
            review_id=int(review["id"]),
            review_url=str(review.get("html_url", "")),
            comment_ids=tuple(int(comment["id"]) for comment in comments),
            moved_to_body=len(moved),
        )

    def _say(self, draft: ReviewDraft, key: _Key, number: int, text: str) -> str:
        reply_key = f"{key.head_sha}:{key.cause}:{number}"
        return self._replies.reply(ReplyPlace(draft.number), text, reply_key).html_url

    def _resolve(self, draft: ReviewDraft, resolution: Resolution) -> None:
        place = ReplyPlace(draft.number, "review_comment", resolution.comment_id)
        key = f"resolved:{resolution.thread_id}:{draft.head_sha}"
        try:
            self._replies.reply(place, resolution.note, key)
            self._still_ours()
            resolve_thread(self._repository.client, resolution.thread_id)
        except NotFound:
            # A person deleted the comment meanwhile: there is nothing left to resolve.
            log.info("thread.gone", number=draft.number, comment=resolution.comment_id)


def _submitted(reviews: Sequence[Json], mark: Mark) -> Json | None:
    out = (review for review in reviews if review["state"] != "PENDING")
    return next((review for review in out if _is_marked(review, mark)), None)


def _is_marked(review: Json, mark: Mark) -> bool:
    return has_mark(review.get("body") or "", mark)


def _line_comment(comment: InlineComment) -> dict[str, Any]:
    anchor = comment.anchor
    place: dict[str, Any] = {"path": anchor.path, "line": anchor.line, "side": anchor.side}
    if anchor.start_line is not None:
        place |= {"start_line": anchor.start_line, "start_side": anchor.side}
    return place | {"body": _body(comment)}


def _body(comment: InlineComment) -> str:
    return cut(without_keys(comment.body), MAX_BODY_CHARACTERS)


def _normal(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
