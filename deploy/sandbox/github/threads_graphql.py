"""The part of GraphQL that REST lacks: review threads, and hiding comments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import graphql

from deploy.sandbox.github import auth, discussion, render, render_pulls
from deploy.sandbox.github.anchors import current_place
from deploy.sandbox.github.answers import Answer, RefusedError
from deploy.sandbox.github.context import Context, Endpoint
from deploy.sandbox.github.graphql_paging import GraphRefusedError, connection
from deploy.sandbox.github.graphql_schema import schema
from deploy.sandbox.github.model import (
    Account,
    IssueComment,
    PullRequest,
    Repository,
    Review,
    ReviewComment,
    ReviewThread,
)
from deploy.sandbox.github.urls import iso, iso_or_none, node_id, split_node_id

Json = dict[str, Any]


def execute(context: Context) -> Answer:
    """Run a query; errors are 200 answers with an `errors` list, as on GitHub."""
    query = context.body.get("query")
    if not isinstance(query, str):
        raise RefusedError(400, "A query attribute must be specified and must be a string.")
    result = graphql.graphql_sync(
        schema(), query, root_value=_Root(context),
        variable_values=context.body.get("variables"),
        operation_name=context.body.get("operationName"),
    )  # fmt: skip
    body: Json = {}
    if result.data is not None or not result.errors:
        body["data"] = result.data
    if result.errors:
        body["errors"] = [_error(error) for error in result.errors]
    return Answer(body)


def _error(error: graphql.GraphQLError) -> Json:
    body: Json = {"message": error.message}
    if isinstance(error.original_error, GraphRefusedError):
        body["type"] = error.original_error.kind
    elif isinstance(error.original_error, RefusedError):
        body["type"] = "UNPROCESSABLE"
    elif error.original_error is not None:
        # A defect of the stand-in must not look like an answer.
        raise error.original_error
    if error.path:
        body["path"] = list(error.path)
    if error.locations:
        body["locations"] = [{"line": at.line, "column": at.column} for at in error.locations]
    return body


class _Root:
    """The fields of Query and Mutation; graphql calls them with the field's arguments."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.world = context.world

    def repository(self, _: Any, owner: str, name: str, followRenames: bool = True) -> Any:  # noqa: N803
        full_name = f"{owner}/{name}"
        repository = self.world.repository(full_name)
        moved_to = self.world.redirects.get(full_name.casefold())
        if repository is None and followRenames and moved_to is not None:
            repository = self.world.repositories.get(moved_to)
        if repository is None or not auth.sees(self.context.actor, repository):
            message = f"Could not resolve to a Repository with the name '{full_name}'."
            raise GraphRefusedError("NOT_FOUND", message)
        return self._repository(repository)

    def node(self, _: Any, id: str) -> Any:  # noqa: A002
        return self._node(id)

    def nodes(self, _: Any, ids: Sequence[str]) -> Any:
        return [self._node(one) for one in ids]

    def viewer(self, _: Any) -> Any:
        return self._actor(self.context.author) | {"__typename": "User"}

    def resolveReviewThread(self, _: Any, input: Json) -> Json:  # noqa: A002, N802
        return self._resolve(input, resolved=True)

    def unresolveReviewThread(self, _: Any, input: Json) -> Json:  # noqa: A002, N802
        return self._resolve(input, resolved=False)

    def minimizeComment(self, _: Any, input: Json) -> Json:  # noqa: A002, N802
        reason = str(input["classifier"]).lower().replace("_", "-")
        return {"minimizedComment": self._minimize(input, reason), **_client(input)}

    def unminimizeComment(self, _: Any, input: Json) -> Json:  # noqa: A002, N802
        return {"unminimizedComment": self._minimize(input, None), **_client(input)}

    def _resolve(self, wish: Json, *, resolved: bool) -> Json:
        thread = self._found(wish["threadId"], ReviewThread)
        needs = ("pull_requests:write",)
        auth.check_permission(self.context.actor, needs, thread.pull.repository)
        discussion.set_resolved(self.world, thread, self.context.author, resolved=resolved)
        return {"thread": self._thread(thread), **_client(wish)}

    def _minimize(self, wish: Json, reason: str | None) -> Any:
        found = self._found(wish["subjectId"], ReviewComment, IssueComment, Review)
        repository = _repository_of(found)
        needs = ("pull_requests:write", "issues:write")
        auth.check_permission(self.context.actor, needs, repository)
        found.minimized_reason = reason
        return self._render(found)

    def _found(self, global_id: str, *kinds: type) -> Any:
        found = self._lookup(global_id)
        if not isinstance(found, kinds):
            message = f"Could not resolve to a node with the global id of '{global_id}'."
            raise GraphRefusedError("NOT_FOUND", message)
        return found

    def _lookup(self, global_id: str) -> Any:
        """What a global id names, when the caller may see it."""
        parts = split_node_id(global_id)
        if parts is None:
            return None
        prefix, number = parts
        world = self.world
        pulls = (p for r in world.repositories.values() for p in world.pulls_of(r))
        finders: dict[str, Callable[[], Any]] = {
            "R": lambda: world.repositories.get(number),
            "PR": lambda: next((p for p in pulls if p.pull_id == number), None),
            "PRRT": lambda: world.threads.get(number),
            "PRRC": lambda: world.review_comments.get(number),
            "PRR": lambda: world.reviews.get(number),
            "IC": lambda: world.issue_comments.get(number),
        }
        found = finders[prefix]() if prefix in finders else None
        is_seen = found is not None and auth.sees(self.context.actor, _repository_of(found))
        return found if is_seen and self._is_visible(found) else None

    def _is_visible(self, found: Any) -> bool:
        if isinstance(found, ReviewThread):
            return any(self._is_visible(comment) for comment in found.comments.values())
        review = found.review if isinstance(found, ReviewComment) else found
        is_pending = isinstance(review, Review) and review.state == "PENDING"
        return not is_pending or review.user is self.context.author

    def _node(self, global_id: str) -> Any:
        found = self._lookup(global_id)
        if found is None:
            message = f"Could not resolve to a node with the global id of '{global_id}'."
            raise GraphRefusedError("NOT_FOUND", message)
        return self._render(found)

    def _render(self, found: Any) -> Any:
        renderers: dict[type, Callable[[Any], Any]] = {
            Repository: self._repository, PullRequest: self._pull, ReviewThread: self._thread,
            ReviewComment: self._comment, Review: self._review, IssueComment: self._issue_comment,
        }  # fmt: skip
        return renderers[type(found)](found)

    def _actor(self, account: Account) -> Json:
        urls = self.context.urls
        rendered = render.account(urls, account)
        # GraphQL names a bot without the suffix that REST shows.
        login = account.login.removesuffix("[bot]") if account.type == "Bot" else account.login
        return {
            "__typename": account.type, "id": rendered["node_id"], "login": login,
            "url": rendered["html_url"], "avatarUrl": rendered["avatar_url"],
            "databaseId": account.id,
        }  # fmt: skip

    def _repository(self, repository: Repository) -> Json:
        def pull_request(_: Any, number: int) -> Json:
            issue = repository.issues.get(number)
            if not isinstance(issue, PullRequest):
                message = f"Could not resolve to a PullRequest with the number of {number}."
                raise GraphRefusedError("NOT_FOUND", message)
            return self._pull(issue)

        return {
            "__typename": "Repository", "id": node_id("R", repository.id),
            "databaseId": repository.id, "name": repository.name,
            "nameWithOwner": repository.full_name, "isPrivate": repository.private,
            "isArchived": repository.archived, "pullRequest": pull_request,
        }  # fmt: skip

    def _pull(self, pull: PullRequest) -> Json:
        auth.check_permission(self.context.actor, ("pull_requests:read",), pull.repository)

        def review_threads(_: Any, **page: Any) -> Json:
            threads = [t for t in pull.threads.values() if self._is_visible(t)]
            if self.context.hides_newest:
                threads = threads[:-1]
            return connection("PullRequestReviewThread", threads, self._thread, page)

        return {
            "__typename": "PullRequest", "id": node_id("PR", pull.pull_id),
            "databaseId": pull.pull_id, "number": pull.number, "title": pull.title,
            "body": pull.body or "", "state": "MERGED" if pull.merged_at else pull.state.upper(),
            "isDraft": pull.draft, "headRefOid": pull.head_sha, "headRefName": pull.head_ref,
            "baseRefName": pull.base_ref, "url": render.issue_page(self.context.urls, pull),
            "author": self._actor(pull.user),
            "repository": lambda _: self._repository(pull.repository),
            "reviewThreads": review_threads,
        }  # fmt: skip

    def _thread(self, thread: ReviewThread) -> Json:
        anchor = thread.anchor
        place = current_place(thread.pull, anchor, self.world.limits)

        def comments(_: Any, **page: Any) -> Json:
            shown = [c for c in thread.comments.values() if self._is_visible(c)]
            return connection("PullRequestReviewComment", shown, self._comment, page)

        resolver = self._actor(thread.resolved_by) if thread.resolved_by else None
        return {
            "__typename": "PullRequestReviewThread", "id": node_id("PRRT", thread.id),
            "path": anchor.path, "line": place.line, "originalLine": anchor.line,
            "startLine": place.start_line, "originalStartLine": anchor.start_line,
            "diffSide": anchor.side, "startDiffSide": anchor.start_side,
            "isResolved": resolver is not None, "isOutdated": place.is_outdated,
            "isCollapsed": resolver is not None or place.is_outdated, "resolvedBy": resolver,
            "subjectType": "LINE" if anchor.line is not None else "FILE",
            "viewerCanResolve": resolver is None, "viewerCanUnresolve": resolver is not None,
            "viewerCanReply": True, "pullRequest": lambda _: self._pull(thread.pull),
            "repository": lambda _: self._repository(thread.pull.repository),
            "comments": comments,
        }  # fmt: skip

    def _comment(self, comment: ReviewComment) -> Json:
        context, anchor = self.context, comment.thread.anchor
        rendered = render_pulls.review_comment(context.urls, self.world.limits, comment)
        parent = self.world.review_comments.get(comment.in_reply_to or 0)
        is_pending = comment.review.state == "PENDING"
        return {
            "__typename": "PullRequestReviewComment", "id": rendered["node_id"],
            "databaseId": comment.id, "fullDatabaseId": str(comment.id), "body": comment.body,
            "path": anchor.path, "url": rendered["html_url"],
            "author": self._actor(comment.user), "createdAt": rendered["created_at"],
            "updatedAt": rendered["updated_at"], "line": rendered["line"],
            "originalLine": anchor.line, "startLine": rendered["start_line"],
            "originalStartLine": anchor.start_line, "outdated": rendered["position"] is None,
            "diffHunk": anchor.diff_hunk, "state": "PENDING" if is_pending else "SUBMITTED",
            "replyTo": lambda _: self._comment(parent) if parent else None,
            "pullRequestReview": lambda _: self._review(comment.review),
            "authorAssociation": rendered["author_association"], **_minimized(comment),
        }  # fmt: skip

    def _review(self, review: Review) -> Json:
        rendered = render_pulls.review(self.context.urls, review)
        return {
            "__typename": "PullRequestReview", "id": rendered["node_id"],
            "databaseId": review.id, "body": review.body, "state": review.state,
            "url": rendered["html_url"], "author": self._actor(review.user),
            "submittedAt": iso_or_none(review.submitted_at), **_minimized(review),
        }  # fmt: skip

    def _issue_comment(self, comment: IssueComment) -> Json:
        rendered = render.issue_comment(self.context.urls, self.world.registration, comment)
        return {
            "__typename": "IssueComment", "id": rendered["node_id"], "databaseId": comment.id,
            "body": comment.body, "url": rendered["html_url"],
            "author": self._actor(comment.user), "createdAt": iso(comment.created_at),
            **_minimized(comment),
        }  # fmt: skip


def _minimized(one: ReviewComment | Review | IssueComment) -> Json:
    reason = one.minimized_reason
    return {"isMinimized": reason is not None, "minimizedReason": reason}


def _client(wish: Json) -> Json:
    return {"clientMutationId": wish.get("clientMutationId")}


def _repository_of(found: Any) -> Repository:
    if isinstance(found, Repository):
        return found
    if isinstance(found, PullRequest):
        return found.repository
    if isinstance(found, ReviewComment):
        return found.review.pull.repository
    if isinstance(found, IssueComment):
        return found.issue.repository
    repository: Repository = found.pull.repository
    return repository


ENDPOINTS = [Endpoint("POST", "/api/graphql", execute)]
