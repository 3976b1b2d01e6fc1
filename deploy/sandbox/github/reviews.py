"""The routes of reviews and review comments."""

from __future__ import annotations

from deploy.sandbox.github import discussion, render_pulls
from deploy.sandbox.github.answers import Answer, RefusedError, not_found
from deploy.sandbox.github.context import Context, Endpoint
from deploy.sandbox.github.issues import check_may_change
from deploy.sandbox.github.model import Review, ReviewComment
from deploy.sandbox.github.urls import iso


def list_reviews(context: Context) -> Answer:
    reviews = discussion.visible_reviews(context.pull(), context.author)
    return context.paged(reviews, render=lambda r: render_pulls.review(context.urls, r))


def post_review(context: Context) -> Answer:
    body = context.body
    review = discussion.create_review(
        context.world, context.pull(), context.author, body=body.get("body"),
        event=body.get("event"), commit_id=body.get("commit_id"), comments=body.get("comments"),
    )  # fmt: skip
    return _review_answer(context, review)


def get_review(context: Context) -> Answer:
    return _review_answer(context, _review(context))


def put_review(context: Context) -> Answer:
    review = _own_review(context)
    discussion.edit_review(context.world, review, context.author, context.body.get("body"))
    return _review_answer(context, review)


def delete_review(context: Context) -> Answer:
    review = _own_review(context)
    answer = _review_answer(context, review)
    discussion.delete_pending(context.world, review)
    return answer


def submit_review(context: Context) -> Answer:
    review = _own_review(context)
    event, body = context.body.get("event"), context.body.get("body")
    discussion.submit_review(context.world, review, context.author, event, body)
    return _review_answer(context, review)


def dismiss_review(context: Context) -> Answer:
    review = _review(context)
    discussion.dismiss(context.world, review, context.author, context.body.get("message"))
    return _review_answer(context, review)


def list_review_comments(context: Context) -> Answer:
    review = _review(context)
    return _listed(context, [c for c in _visible(context) if c.review is review])


def list_comments(context: Context) -> Answer:
    return _listed(context, _visible(context))


def list_all_comments(context: Context) -> Answer:
    found: list[ReviewComment] = []
    for pull in context.world.pulls_of(context.repository):
        found += discussion.visible_comments(context.world, pull, None)
    return _listed(context, sorted(found, key=lambda c: c.id))


def post_comment(context: Context) -> Answer:
    pull, body = context.pull(), context.body
    comment = discussion.create_comment(context.world, pull, context.author, body)
    return _comment_answer(context, comment, 201)


def post_reply(context: Context) -> Answer:
    comment = discussion.reply(
        context.world, context.pull(), context.author, int(context.path["comment_id"]),
        context.body.get("body"),
    )  # fmt: skip
    return _comment_answer(context, comment, 201)


def get_comment(context: Context) -> Answer:
    return _comment_answer(context, _comment(context))


def patch_comment(context: Context) -> Answer:
    comment = _comment(context)
    check_may_change(context, comment.user)
    discussion.edit_comment(context.world, comment, context.author, context.body.get("body"))
    return _comment_answer(context, comment)


def remove_comment(context: Context) -> Answer:
    comment = _comment(context)
    check_may_change(context, comment.user)
    discussion.delete_comment(context.world, comment, context.author)
    return Answer(status=204)


def _visible(context: Context) -> list[ReviewComment]:
    return discussion.visible_comments(context.world, context.pull(), context.author)


def _listed(context: Context, comments: list[ReviewComment]) -> Answer:
    query = context.query
    if "since" in query:
        comments = [c for c in comments if iso(c.updated_at) >= query["since"]]
    if query.get("sort") in ("updated",):
        comments = sorted(comments, key=lambda c: (c.updated_at, c.id))
    # GitHub ignores the direction unless a sort is named.
    if "sort" in query and query.get("direction") == "desc":
        comments = comments[::-1]
    limits = context.world.limits
    return context.paged(
        comments, render=lambda c: render_pulls.review_comment(context.urls, limits, c)
    )


def _review(context: Context) -> Review:
    review = context.pull().reviews.get(int(context.path["review_id"]))
    if review is None or (review.state == "PENDING" and review.user is not context.author):
        raise not_found()
    return review


def _own_review(context: Context) -> Review:
    review = _review(context)
    if review.user is not context.author:
        raise RefusedError(422, "Can not change a review of somebody else.")
    return review


def _comment(context: Context) -> ReviewComment:
    comment = context.world.review_comments.get(int(context.path["comment_id"]))
    if comment is None or comment.review.pull.repository is not context.repository:
        raise not_found()
    if comment.review.state == "PENDING" and comment.user is not context.author:
        raise not_found()
    return comment


def _review_answer(context: Context, review: Review) -> Answer:
    return Answer(render_pulls.review(context.urls, review))


def _comment_answer(context: Context, comment: ReviewComment, status: int = 200) -> Answer:
    body = render_pulls.review_comment(context.urls, context.world.limits, comment)
    return Answer(body, status)


_PULLS = "/repos/{owner}/{repo}/pulls"
_PULL = _PULLS + "/{pull_number}"
_REVIEW = _PULL + "/reviews/{review_id}"
_COMMENT = _PULLS + "/comments/{comment_id}"
_READ = ("pull_requests:read",)
_WRITE = ("pull_requests:write",)
ENDPOINTS = [
    Endpoint("GET", _PULLS + "/comments", list_all_comments, _READ),
    Endpoint("GET", _COMMENT, get_comment, _READ),
    Endpoint("PATCH", _COMMENT, patch_comment, _WRITE),
    Endpoint("DELETE", _COMMENT, remove_comment, _WRITE),
    Endpoint("GET", _PULL + "/reviews", list_reviews, _READ),
    Endpoint("POST", _PULL + "/reviews", post_review, _WRITE),
    Endpoint("GET", _REVIEW, get_review, _READ),
    Endpoint("PUT", _REVIEW, put_review, _WRITE),
    Endpoint("DELETE", _REVIEW, delete_review, _WRITE),
    Endpoint("POST", _REVIEW + "/events", submit_review, _WRITE),
    Endpoint("PUT", _REVIEW + "/dismissals", dismiss_review, _WRITE),
    Endpoint("GET", _REVIEW + "/comments", list_review_comments, _READ),
    Endpoint("GET", _PULL + "/comments", list_comments, _READ),
    Endpoint("POST", _PULL + "/comments", post_comment, _WRITE),
    Endpoint("POST", _PULL + "/comments/{comment_id}/replies", post_reply, _WRITE),
]
