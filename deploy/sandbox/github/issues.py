"""Issues as far as a reviewer meets them: comments, reactions, labels."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.github import payloads, render
from deploy.sandbox.github.answers import Answer, RefusedError, checked_body, not_found
from deploy.sandbox.github.context import Context, Endpoint
from deploy.sandbox.github.model import (
    ROLES,
    Account,
    Issue,
    IssueComment,
    PullRequest,
    Reaction,
    Repository,
)
from deploy.sandbox.github.roles import role_of
from deploy.sandbox.github.urls import iso
from deploy.sandbox.github.world import World


def create_comment(
    world: World, issue: Issue, user: Account, body: object, *, via_app: bool = False
) -> IssueComment:
    """Add a comment and send its event. Raises RefusedError(422) for a bad body."""
    text = checked_body(body, "IssueComment", world.limits.body_characters)
    now = world.touch(issue)
    comment = IssueComment(world.new_id(), issue, user, text, now, now, via_app)
    issue.comments[comment.id] = comment
    world.issue_comments[comment.id] = comment
    _emit(world, "created", comment, user)
    return comment


def edit_comment(world: World, comment: IssueComment, user: Account, body: object) -> None:
    text = checked_body(body, "IssueComment", world.limits.body_characters)
    before, comment.body = comment.body, text
    comment.updated_at = world.touch(comment.issue)
    _emit(world, "edited", comment, user, {"changes": {"body": {"from": before}}})


def delete_comment(world: World, comment: IssueComment, user: Account) -> None:
    del comment.issue.comments[comment.id]
    del world.issue_comments[comment.id]
    _emit(world, "deleted", comment, user)


def _emit(
    world: World,
    action: str,
    comment: IssueComment,
    sender: Account,
    extra: dict[str, Any] | None = None,
) -> None:
    urls = world.urls
    body = {
        **(extra or {}),
        "issue": render.issue(urls, comment.issue),
        "comment": render.issue_comment(urls, world.registration, comment),
    }
    world.emit("issue_comment", action, comment.issue.repository, sender, body)  # fmt: skip


def set_labels(
    world: World, issue: Issue, sender: Account, add: list[str], remove: list[str]
) -> None:
    """Change labels; each one is an event of its own, as on GitHub."""
    for name in add:
        if name.casefold() not in {label.casefold() for label in issue.labels}:
            issue.labels.append(name)
            _emit_label(world, "labeled", issue, sender, name)
    for name in remove:
        kept = [label for label in issue.labels if label.casefold() != name.casefold()]
        if len(kept) < len(issue.labels):
            issue.labels = kept
            _emit_label(world, "unlabeled", issue, sender, name)


def _emit_label(world: World, action: str, issue: Issue, sender: Account, name: str) -> None:
    world.touch(issue)
    label = render.label(world.urls, issue.repository, name)
    if isinstance(issue, PullRequest):
        body = payloads.pull_request(world, issue, label=label)
        world.emit("pull_request", action, issue.repository, sender, body)
    else:
        body = {"issue": render.issue(world.urls, issue), "label": label}
        world.emit("issues", action, issue.repository, sender, body)


def get_issue(context: Context) -> Answer:
    return Answer(render.issue(context.urls, context.issue()))


def list_comments(context: Context) -> Answer:
    return _listed(context, list(context.issue().comments.values()))


def list_all_comments(context: Context) -> Answer:
    comments = [c for i in context.repository.issues.values() for c in i.comments.values()]
    return _listed(context, sorted(comments, key=lambda c: c.id))


def _listed(context: Context, comments: list[IssueComment]) -> Answer:
    since = context.query.get("since")
    if since:
        comments = [c for c in comments if iso(c.updated_at) >= since]
    if context.query.get("direction") == "desc":
        comments = comments[::-1]
    return context.paged(
        comments, render=lambda c: render.issue_comment(context.urls, context.world.registration, c)
    )


def post_comment(context: Context) -> Answer:
    comment = create_comment(
        context.world, context.issue(), context.author, context.body.get("body"),
        via_app=context.actor.installation is not None,
    )  # fmt: skip
    return _answer(context, comment, 201)


def get_comment(context: Context) -> Answer:
    return _answer(context, _comment(context))


def patch_comment(context: Context) -> Answer:
    comment = _own_comment(context)
    edit_comment(context.world, comment, context.author, context.body.get("body"))
    return _answer(context, comment)


def remove_comment(context: Context) -> Answer:
    delete_comment(context.world, _own_comment(context), context.author)
    return Answer(status=204)


def _answer(context: Context, comment: IssueComment, status: int = 200) -> Answer:
    return Answer(render.issue_comment(context.urls, context.world.registration, comment), status)


def _comment(context: Context) -> IssueComment:
    comment = context.world.issue_comments.get(int(context.path["comment_id"]))
    if comment is None or comment.issue.repository is not context.repository:
        raise not_found()
    return comment


def _own_comment(context: Context) -> IssueComment:
    comment = _comment(context)
    check_may_change(context, comment.user)
    return comment


def check_may_change(context: Context, author: Account) -> None:
    """Words may be changed by their author, by an App with write, by people with write."""
    user = context.actor.user
    if user is None or user is author:
        return
    if ROLES.index(role_of(context.repository, user)) < ROLES.index("write"):
        raise RefusedError(403, "Must have admin rights to Repository.")


def react(
    world: World, reactions: dict[int, Reaction], user: Account, content: object
) -> tuple[Reaction, bool]:
    """The person's reaction of that kind and whether it is new. Raises RefusedError(422)."""
    if content not in render.REACTIONS:
        raise RefusedError(422, "Validation Failed", [f"content {content!r} is not a reaction"])
    for reaction in reactions.values():
        if reaction.user is user and reaction.content == content:
            return reaction, False
    reaction = Reaction(world.new_id(), user, str(content), world.clock())
    reactions[reaction.id] = reaction
    return reaction, True


def _reactions(context: Context) -> dict[int, Reaction]:
    """The reactions of what the path names; which kind of comment stands in the path."""
    if "issue_number" in context.path:
        return context.issue().reactions
    if "/pulls/" in context.endpoint.path:
        comment = context.world.review_comments.get(int(context.path["comment_id"]))
        if comment is None or comment.review.pull.repository is not context.repository:
            raise not_found()
        return comment.reactions
    return _comment(context).reactions


def post_reaction(context: Context) -> Answer:
    """201 for a new reaction, 200 for one that is there already."""
    reaction, is_new = react(
        context.world, _reactions(context), context.author, context.body.get("content")
    )
    return Answer(render.reaction(context.urls, reaction), 201 if is_new else 200)


def list_reactions(context: Context) -> Answer:
    wanted = context.query.get("content")
    found = [r for r in _reactions(context).values() if wanted in (None, r.content)]
    return context.paged(found, render=lambda r: render.reaction(context.urls, r))


def delete_reaction(context: Context) -> Answer:
    reactions, wanted = _reactions(context), int(context.path["reaction_id"])
    if wanted not in reactions or reactions[wanted].user is not context.author:
        raise not_found()
    del reactions[wanted]
    return Answer(status=204)


def _labels(context: Context, issue: Issue) -> list[Any]:
    repository: Repository = issue.repository
    return [render.label(context.urls, repository, name) for name in issue.labels]


def list_labels(context: Context) -> Answer:
    return context.paged(_labels(context, context.issue()), hide_newest=False)


def add_labels(context: Context) -> Answer:
    issue = context.issue()
    names = [n if isinstance(n, str) else str(n["name"]) for n in context.body.get("labels", [])]
    set_labels(context.world, issue, context.author, names, [])
    return Answer(_labels(context, issue))


def remove_label(context: Context) -> Answer:
    issue, name = context.issue(), context.path["name"]
    if name.casefold() not in {label.casefold() for label in issue.labels}:
        raise RefusedError(404, "Label does not exist")
    set_labels(context.world, issue, context.author, [], [name])
    return Answer(_labels(context, issue))


_REPO = "/repos/{owner}/{repo}"
_ISSUE = _REPO + "/issues/{issue_number}"
_COMMENT = _REPO + "/issues/comments/{comment_id}"
_REVIEW_COMMENT = _REPO + "/pulls/comments/{comment_id}"
_READ = ("issues:read", "pull_requests:read")
_WRITE = ("issues:write", "pull_requests:write")
ENDPOINTS = [
    Endpoint("GET", _REPO + "/issues/comments", list_all_comments, _READ),
    Endpoint("GET", _COMMENT, get_comment, _READ),
    Endpoint("PATCH", _COMMENT, patch_comment, _WRITE),
    Endpoint("DELETE", _COMMENT, remove_comment, _WRITE),
    Endpoint("GET", _COMMENT + "/reactions", list_reactions, _READ),
    Endpoint("POST", _COMMENT + "/reactions", post_reaction, _WRITE),
    Endpoint("DELETE", _COMMENT + "/reactions/{reaction_id}", delete_reaction, _WRITE),
    Endpoint("GET", _REVIEW_COMMENT + "/reactions", list_reactions, ("pull_requests:read",)),
    Endpoint("POST", _REVIEW_COMMENT + "/reactions", post_reaction, ("pull_requests:write",)),
    Endpoint(
        "DELETE", _REVIEW_COMMENT + "/reactions/{reaction_id}", delete_reaction,
        ("pull_requests:write",),
    ),
    Endpoint("GET", _ISSUE, get_issue, _READ),
    Endpoint("GET", _ISSUE + "/comments", list_comments, _READ),
    Endpoint("POST", _ISSUE + "/comments", post_comment, _WRITE),
    Endpoint("GET", _ISSUE + "/reactions", list_reactions, _READ),
    Endpoint("POST", _ISSUE + "/reactions", post_reaction, _WRITE),
    Endpoint("DELETE", _ISSUE + "/reactions/{reaction_id}", delete_reaction, _WRITE),
    Endpoint("GET", _ISSUE + "/labels", list_labels, _READ),
    Endpoint("POST", _ISSUE + "/labels", add_labels, _WRITE),
    Endpoint("DELETE", _ISSUE + "/labels/{name}", remove_label, _WRITE),
]  # fmt: skip
