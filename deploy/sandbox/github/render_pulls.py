"""Pull requests, reviews, review comments and check runs in GitHub's JSON."""

from __future__ import annotations

from deploy.sandbox.github import render
from deploy.sandbox.github.anchors import Place, current_place
from deploy.sandbox.github.model import (
    Account,
    App,
    CheckRun,
    CheckSuite,
    Limits,
    PullRequest,
    Repository,
    Review,
    ReviewComment,
)
from deploy.sandbox.github.pull_diff import commits_of, files_of
from deploy.sandbox.github.render import Json
from deploy.sandbox.github.roles import association
from deploy.sandbox.github.urls import Urls, iso, iso_or_none, node_id


def pull_request(urls: Urls, pull: PullRequest) -> Json:
    """The form that lists have."""
    repo = pull.repository
    own = urls.api(f"/repos/{repo.full_name}/pulls/{pull.number}")
    issue = urls.api(f"/repos/{repo.full_name}/issues/{pull.number}")
    page = render.issue_page(urls, pull)
    statuses = urls.api(f"/repos/{repo.full_name}/statuses/{pull.head_sha}")
    links = {
        "self": own, "html": page, "issue": issue, "comments": f"{issue}/comments",
        "review_comments": f"{own}/comments",
        "review_comment": urls.api(f"/repos/{repo.full_name}/pulls/comments{{/number}}"),
        "commits": f"{own}/commits", "statuses": statuses,
    }  # fmt: skip
    return {
        "url": own, "id": pull.pull_id, "node_id": node_id("PR", pull.pull_id),
        "html_url": page, "diff_url": f"{page}.diff", "patch_url": f"{page}.patch",
        "issue_url": issue, "number": pull.number, "state": pull.state, "locked": False,
        "title": pull.title, "user": render.account(urls, pull.user), "body": pull.body,
        "created_at": iso(pull.created_at), "updated_at": iso(pull.updated_at),
        "closed_at": iso_or_none(pull.closed_at), "merged_at": iso_or_none(pull.merged_at),
        "merge_commit_sha": pull.merge_commit_sha, "assignee": None, "assignees": [],
        "requested_reviewers": [], "requested_teams": [],
        "labels": [render.label(urls, repo, name) for name in pull.labels], "milestone": None,
        "draft": pull.draft, "commits_url": links["commits"],
        "review_comments_url": links["review_comments"],
        "review_comment_url": links["review_comment"], "comments_url": links["comments"],
        "statuses_url": statuses,
        "head": _end(urls, pull.head_ref, pull.head_sha, pull.head_repository, pull.head_owner),
        "base": _end(urls, pull.base_ref, pull.base_sha, repo, repo.owner),
        "_links": {name: {"href": href} for name, href in links.items()},
        "author_association": association(repo, pull.user), "auto_merge": None,
        "active_lock_reason": None,
    }  # fmt: skip


def full_pull_request(urls: Urls, pull: PullRequest, *, is_mergeable: bool | None = None) -> Json:
    """The form that a single pull request and its events have.

    `is_mergeable` None is what GitHub says until it has tried the merge.
    """
    files = files_of(pull)
    state = {None: "unknown", True: "clean", False: "dirty"}[is_mergeable]
    comments = [c for t in pull.threads.values() for c in t.comments.values()]
    return pull_request(urls, pull) | {
        "merged": pull.merged_at is not None, "mergeable": is_mergeable, "rebaseable": None,
        "mergeable_state": state,
        "merged_by": render.account(urls, pull.merged_by) if pull.merged_by else None,
        "comments": len(pull.comments),
        "review_comments": sum(c.review.state != "PENDING" for c in comments),
        "maintainer_can_modify": False, "commits": len(commits_of(pull)),
        "additions": sum(f.additions for f in files), "deletions": sum(f.deletions for f in files),
        "changed_files": len(files),
    }  # fmt: skip


def _end(urls: Urls, ref: str, sha: str, repo: Repository | None, owner: Account | None) -> Json:
    label = f"{owner.login}:{ref}" if owner else ref
    return {
        "label": label,
        "ref": ref,
        "sha": sha,
        "user": render.account(urls, owner) if owner else None,
        "repo": render.repository(urls, repo) if repo else None,
    }


def review(urls: Urls, one: Review) -> Json:
    pull = one.pull
    page = f"{render.issue_page(urls, pull)}#pullrequestreview-{one.id}"
    own = urls.api(f"/repos/{pull.repository.full_name}/pulls/{pull.number}")
    body: Json = {
        "id": one.id, "node_id": node_id("PRR", one.id), "user": render.account(urls, one.user),
        "body": one.body, "state": one.state, "html_url": page, "pull_request_url": own,
        "author_association": association(pull.repository, one.user),
        "_links": {"html": {"href": page}, "pull_request": {"href": own}},
        "commit_id": one.commit_id,
    }  # fmt: skip
    if one.submitted_at is not None:
        body["submitted_at"] = iso(one.submitted_at)
    return body


def review_comment(urls: Urls, limits: Limits, one: ReviewComment) -> Json:
    pull, anchor = one.review.pull, one.thread.anchor
    repo = pull.repository
    own = urls.api(f"/repos/{repo.full_name}/pulls/comments/{one.id}")
    pull_url = urls.api(f"/repos/{repo.full_name}/pulls/{pull.number}")
    page = f"{render.issue_page(urls, pull)}#discussion_r{one.id}"
    place = current_place(pull, anchor, limits)
    body: Json = {
        "url": own, "pull_request_review_id": one.review.id, "id": one.id,
        "node_id": node_id("PRRC", one.id), "diff_hunk": anchor.diff_hunk, "path": anchor.path,
        "commit_id": anchor.commit_id if place.is_outdated else pull.head_sha,
        "original_commit_id": anchor.commit_id, "user": render.account(urls, one.user),
        "body": one.body, "created_at": iso(one.created_at), "updated_at": iso(one.updated_at),
        "html_url": page, "pull_request_url": pull_url,
        "author_association": association(repo, one.user),
        "_links": {
            "self": {"href": own}, "html": {"href": page}, "pull_request": {"href": pull_url}
        },
        "reactions": render.reaction_totals(f"{own}/reactions", one.reactions.values()),
        **_lines(one, place),
    }  # fmt: skip
    if one.in_reply_to is not None:
        body["in_reply_to_id"] = one.in_reply_to
    return body


def _lines(one: ReviewComment, place: Place) -> Json:
    anchor = one.thread.anchor
    if anchor.line is None:
        return {
            "position": 1, "original_position": 1, "line": None, "original_line": None,
            "start_line": None, "original_start_line": None, "start_side": None,
            "side": "RIGHT", "subject_type": "file",
        }  # fmt: skip
    return {
        "start_line": place.start_line, "original_start_line": anchor.start_line,
        "start_side": anchor.start_side, "line": place.line, "original_line": anchor.line,
        "side": anchor.side, "position": place.position, "original_position": anchor.position,
        "subject_type": "line",
    }  # fmt: skip


def check_suite_reference(suite: CheckSuite) -> Json:
    return {"id": suite.id}


def check_suite(urls: Urls, app: App, suite: CheckSuite, runs: list[CheckRun]) -> Json:
    repo = suite.repository
    own = urls.api(f"/repos/{repo.full_name}/check-suites/{suite.id}")
    commit = repo.git.commit(suite.head_sha)
    is_done = bool(runs) and all(run.status == "completed" for run in runs)
    conclusions = {run.conclusion for run in runs}
    return {
        "id": suite.id, "node_id": node_id("CS", suite.id), "head_branch": suite.head_branch,
        "head_sha": suite.head_sha, "status": "completed" if is_done else "queued",
        "conclusion": _worst(conclusions) if is_done else None, "url": own,
        "before": commit.parents[0] if commit.parents else None, "after": suite.head_sha,
        "pull_requests": pull_references(urls, repo, suite.head_sha),
        "app": render.app(urls, app), "created_at": iso(suite.created_at),
        "updated_at": iso(suite.updated_at), "rerequestable": True,
        "runs_rerequestable": True, "latest_check_runs_count": len(runs),
        "check_runs_url": f"{own}/check-runs",
        "head_commit": {
            "id": commit.sha, "tree_id": commit.tree, "message": commit.message,
            "timestamp": commit.date,
            "author": {"name": commit.author_name, "email": commit.author_email},
            "committer": {"name": commit.author_name, "email": commit.author_email},
        },
        "repository": render.repository(urls, repo),
    }  # fmt: skip


def _worst(conclusions: set[str | None]) -> str | None:
    order = ("failure", "timed_out", "cancelled", "action_required", "stale", "neutral", "success")
    return next((c for c in order if c in conclusions), "success")


def check_run(urls: Urls, app: App, run: CheckRun) -> Json:
    repo, sha = run.suite.repository, run.suite.head_sha
    own = urls.api(f"/repos/{repo.full_name}/check-runs/{run.id}")
    page = urls.web(f"/{repo.full_name}/runs/{run.id}")
    return {
        "id": run.id, "name": run.name, "node_id": node_id("CR", run.id), "head_sha": sha,
        "external_id": run.external_id, "url": own, "html_url": page,
        "details_url": run.details_url or page, "status": run.status,
        "conclusion": run.conclusion, "started_at": iso_or_none(run.started_at),
        "completed_at": iso_or_none(run.completed_at),
        "output": {
            "title": run.title, "summary": run.summary, "text": run.text,
            "annotations_count": len(run.annotations), "annotations_url": f"{own}/annotations",
        },
        "check_suite": check_suite_reference(run.suite), "app": render.app(urls, app),
        "pull_requests": pull_references(urls, repo, sha),
    }  # fmt: skip


def pull_references(urls: Urls, repo: Repository, head_sha: str) -> list[Json]:
    """The open pull requests of a head from the same repository; forks' are not named."""
    pulls = [
        pull
        for pull in repo.issues.values()
        if isinstance(pull, PullRequest)
        and pull.head_sha == head_sha
        and pull.head_repository is repo
        and pull.state == "open"
    ]
    reference = {
        "id": repo.id, "url": urls.api(f"/repos/{repo.full_name}"), "name": repo.name,
    }  # fmt: skip
    return [
        {
            "id": pull.pull_id, "number": pull.number,
            "url": urls.api(f"/repos/{repo.full_name}/pulls/{pull.number}"),
            "head": {"ref": pull.head_ref, "sha": pull.head_sha, "repo": reference},
            "base": {"ref": pull.base_ref, "sha": pull.base_sha, "repo": reference},
        }
        for pull in pulls
    ]  # fmt: skip
