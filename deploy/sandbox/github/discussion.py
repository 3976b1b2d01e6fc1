"""Reviews, threads and review comments: what GitHub allows, and the events it sends."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.github import payloads, render_pulls
from deploy.sandbox.github.anchors import AnchorError, place_comment
from deploy.sandbox.github.answers import RefusedError, checked_body, invalid, unprocessable
from deploy.sandbox.github.model import (
    Account,
    Anchor,
    PullRequest,
    Review,
    ReviewComment,
    ReviewState,
    ReviewThread,
)
from deploy.sandbox.github.pull_diff import commits_of
from deploy.sandbox.github.render import Json
from deploy.sandbox.github.world import World

STATES: dict[str, ReviewState] = {
    "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED",
}  # fmt: skip


def create_review(
    world: World,
    pull: PullRequest,
    user: Account,
    *,
    body: object = None,
    event: object = None,
    commit_id: object = None,
    comments: list[dict[str, Any]] | None = None,
) -> Review:
    """A pending review, or a submitted one when `event` is given.

    Everything is checked before anything is stored: one bad comment refuses the whole review.
    """  # fmt: skip
    text = checked_body(body, "PullRequestReview", world.limits.body_characters, required=False)
    commit = _commit_of(pull, commit_id)
    refuse_second_pending(pull, user)
    wishes = comments or []
    if event:
        _check_event(pull, user, str(event), text)
    problems, anchors = [], []
    for wish in wishes:
        try:
            anchors.append(place_comment(pull, commit, wish, world.limits))
        except AnchorError as error:
            problems.append(error.message)
    if problems:
        raise unprocessable(*problems)
    words = [
        checked_body(w.get("body"), "PullRequestReviewComment", world.limits.body_characters)
        for w in wishes
    ]
    review = Review(world.new_id(), pull, user, text, "PENDING", commit, world.clock())
    pull.reviews[review.id] = world.reviews[review.id] = review
    for anchor, said in zip(anchors, words, strict=True):
        _add_comment(world, review, user, said, _new_thread(world, pull, anchor))
    if event:
        _submit(world, review, STATES[str(event)])
    return review


def submit_review(world: World, review: Review, user: Account, event: object, body: object) -> None:
    """Submit a pending review; `body`, when given, replaces the pending one."""
    if review.state != "PENDING":
        raise unprocessable("Could not submit a review that is not pending.")
    limit = world.limits.body_characters
    text = checked_body(body, "PullRequestReview", limit, required=False) or review.body
    if event not in STATES:
        raise unprocessable("Event must be APPROVE, REQUEST_CHANGES or COMMENT.")
    _check_event(review.pull, user, str(event), text)
    review.body = text
    _submit(world, review, STATES[str(event)])


def edit_review(world: World, review: Review, user: Account, body: object) -> None:
    text = checked_body(body, "PullRequestReview", world.limits.body_characters)
    before, review.body, review.updated_at = review.body, text, world.clock()
    if review.state != "PENDING":
        _emit_review(world, "edited", review, user, {"changes": {"body": {"from": before}}})


def delete_pending(world: World, review: Review) -> None:
    """Delete a pending review and its comments."""
    if review.state != "PENDING":
        raise unprocessable("Can not delete a non-pending pull request review")
    for comment in [c for c in world.comments_of(review.pull) if c.review is review]:
        _forget(world, comment)
    del review.pull.reviews[review.id]
    del world.reviews[review.id]


def dismiss(world: World, review: Review, user: Account, message: object) -> None:
    if review.state not in ("APPROVED", "CHANGES_REQUESTED"):
        raise unprocessable("Can not dismiss a commented pull request review")
    checked_body(message, "PullRequestReview", world.limits.body_characters)
    review.state = "DISMISSED"
    _emit_review(world, "dismissed", review, user)


def create_comment(
    world: World, pull: PullRequest, user: Account, wish: dict[str, Any]
) -> ReviewComment:
    """One comment outside a review: GitHub wraps it into a review without a body."""
    if wish.get("in_reply_to") is not None:
        return reply(world, pull, user, int(wish["in_reply_to"]), wish.get("body"))
    text = checked_body(wish.get("body"), "PullRequestReviewComment", world.limits.body_characters)
    commit = _commit_of(pull, wish.get("commit_id"), "pull_request_review_thread.commit_id")
    refuse_second_pending(pull, user)
    try:
        anchor = place_comment(pull, commit, wish, world.limits)
    except AnchorError as error:
        raise _refused_anchor(error) from error
    review = _wrapping_review(world, pull, user, commit)
    comment = _add_comment(world, review, user, text, _new_thread(world, pull, anchor))
    _submit(world, review, "COMMENTED")
    return comment


def _refused_anchor(error: AnchorError) -> RefusedError:
    field = f"pull_request_review_thread.{error.field}"
    errors = [_error(field, f"{field} must be part of the diff")]
    if error.field == "line":
        hunk = "pull_request_review_thread.diff_hunk"
        errors.append({"resource": errors[0]["resource"], "code": "missing_field", "field": hunk})
    elif error.field != "path":
        errors = [_error(field, error.message)]
    return RefusedError(422, "Validation Failed", errors)


def _error(field: str, message: str) -> dict[str, str]:
    return {
        "resource": "PullRequestReviewComment", "code": "custom", "field": field,
        "message": message,
    }  # fmt: skip


def reply(
    world: World, pull: PullRequest, user: Account, comment_id: int, body: object
) -> ReviewComment:
    """Answer in a thread; the comment named must be its first one, as with GitHub's API."""
    parent = world.review_comments.get(comment_id)
    if parent is None or parent.review.pull is not pull or parent.review.state == "PENDING":
        raise RefusedError(404, "Not Found")
    if parent.in_reply_to is not None:
        raise invalid("PullRequestReviewComment", "in_reply_to", "Parent comment is a reply")
    text = checked_body(body, "PullRequestReviewComment", world.limits.body_characters)
    refuse_second_pending(pull, user)
    review = _wrapping_review(world, pull, user, pull.head_sha)
    comment = _add_comment(world, review, user, text, parent.thread, parent.id)
    _submit(world, review, "COMMENTED")
    return comment


def edit_comment(world: World, comment: ReviewComment, user: Account, body: object) -> None:
    text = checked_body(body, "PullRequestReviewComment", world.limits.body_characters)
    before, comment.body, comment.updated_at = comment.body, text, world.clock()
    if comment.review.state != "PENDING":
        _emit_comment(world, "edited", comment, user, {"changes": {"body": {"from": before}}})


def delete_comment(world: World, comment: ReviewComment, user: Account) -> None:
    """Delete one comment; a thread without comments and an empty wrapping review go with it."""
    was_pending = comment.review.state == "PENDING"
    if not was_pending:
        _emit_comment(world, "deleted", comment, user)
    _forget(world, comment)
    review, pull = comment.review, comment.review.pull
    is_empty = not any(c.review is review for c in world.comments_of(pull))
    if is_empty and review.state == "COMMENTED" and not review.body:
        del pull.reviews[review.id]
        del world.reviews[review.id]


def set_resolved(world: World, thread: ReviewThread, user: Account, *, resolved: bool) -> None:
    """Resolve or reopen a thread; nothing happens when it is so already."""
    if (thread.resolved_by is not None) == resolved:
        return
    thread.resolved_by = user if resolved else None
    body = {
        "pull_request": payloads.trimmed_pull_request(world, thread.pull),
        "thread": payloads.thread(world, thread),
    }
    action = "resolved" if resolved else "unresolved"
    world.emit("pull_request_review_thread", action, thread.pull.repository, user, body)


def visible_comments(
    world: World, pull: PullRequest, viewer: Account | None
) -> list[ReviewComment]:
    """Those of pending reviews only for their author."""
    return [
        c for c in world.comments_of(pull) if c.review.state != "PENDING" or c.review.user is viewer
    ]


def visible_reviews(pull: PullRequest, viewer: Account | None) -> list[Review]:
    return [r for r in pull.reviews.values() if r.state != "PENDING" or r.user is viewer]


def refuse_second_pending(pull: PullRequest, user: Account) -> None:
    if any(r.state == "PENDING" and r.user is user for r in pull.reviews.values()):
        raise unprocessable("User can only have one pending review per pull request")


def _commit_of(pull: PullRequest, wanted: object, field: str = "commit_id") -> str:
    """The commit a review is about: a commit of the pull request, the head by default."""
    if wanted is None:
        return pull.head_sha
    if wanted != pull.head_sha and wanted not in {c.sha for c in commits_of(pull)}:
        raise invalid("PullRequestReview", field, f"{field} is not part of the pull request")
    return str(wanted)


def _check_event(pull: PullRequest, user: Account, event: str, body: str) -> None:
    if event not in STATES:
        raise unprocessable("Event must be APPROVE, REQUEST_CHANGES or COMMENT.")
    if event in ("COMMENT", "REQUEST_CHANGES") and not body.strip():
        raise unprocessable("Body can't be blank")
    if user is pull.user and event == "APPROVE":
        raise unprocessable("Can not approve your own pull request")
    if user is pull.user and event == "REQUEST_CHANGES":
        raise unprocessable("Can not request changes on your own pull request")


def _wrapping_review(world: World, pull: PullRequest, user: Account, commit: str) -> Review:
    review = Review(world.new_id(), pull, user, "", "PENDING", commit, world.clock())
    pull.reviews[review.id] = world.reviews[review.id] = review
    return review


def _new_thread(world: World, pull: PullRequest, anchor: Anchor) -> ReviewThread:
    thread = ReviewThread(world.new_id(), pull, anchor)
    pull.threads[thread.id] = world.threads[thread.id] = thread
    return thread


def _add_comment(
    world: World,
    review: Review,
    user: Account,
    body: str,
    thread: ReviewThread,
    in_reply_to: int | None = None,
) -> ReviewComment:
    now = world.clock()
    comment = ReviewComment(world.new_id(), review, thread, user, body, now, now, in_reply_to)
    thread.comments[comment.id] = world.review_comments[comment.id] = comment
    return comment  # fmt: skip


def _forget(world: World, comment: ReviewComment) -> None:
    thread = comment.thread
    del thread.comments[comment.id]
    del world.review_comments[comment.id]
    if not thread.comments:
        del thread.pull.threads[thread.id]
        del world.threads[thread.id]


def _submit(world: World, review: Review, state: ReviewState) -> None:
    """Make a review visible: GitHub sends one event for it and one for each of its comments."""
    review.state = state
    review.submitted_at = review.updated_at = world.touch(review.pull)
    _emit_review(world, "submitted", review, review.user)
    for comment in world.comments_of(review.pull):
        if comment.review is review:
            _emit_comment(world, "created", comment, review.user)


def _emit_review(
    world: World, action: str, review: Review, sender: Account, extra: Json | None = None
) -> None:
    rendered = render_pulls.review(world.urls, review)
    body = {
        **(extra or {}),
        "review": rendered | {"state": review.state.lower(), "body": review.body or None},
        "pull_request": payloads.trimmed_pull_request(world, review.pull),
    }
    world.emit("pull_request_review", action, review.pull.repository, sender, body)


def _emit_comment(
    world: World, action: str, comment: ReviewComment, sender: Account, extra: Json | None = None
) -> None:
    pull = comment.review.pull
    body = {
        **(extra or {}),
        "comment": render_pulls.review_comment(world.urls, world.limits, comment),
        "pull_request": payloads.trimmed_pull_request(world, pull),
    }
    world.emit("pull_request_review_comment", action, pull.repository, sender, body)
