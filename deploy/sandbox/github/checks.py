"""Check runs and the suites that hold them; only the App writes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from deploy.sandbox.github import render_pulls
from deploy.sandbox.github.answers import Answer, RefusedError, invalid, not_found
from deploy.sandbox.github.context import Context, Endpoint
from deploy.sandbox.github.model import Account, CheckRun, CheckSuite, Repository
from deploy.sandbox.github.world import World


def suite_for(world: World, repository: Repository, head_sha: str) -> CheckSuite:
    """The App's suite of a commit; made when first needed."""
    for suite in world.check_suites.values():
        if suite.repository is repository and suite.head_sha == head_sha:
            return suite
    pulls = world.pulls_of(repository)
    branch = next((p.head_ref for p in pulls if p.head_sha == head_sha), None)
    now = world.clock()
    suite = CheckSuite(world.new_id(), repository, head_sha, branch, now, now)
    world.check_suites[suite.id] = suite
    return suite


def runs_of(world: World, suite: CheckSuite) -> list[CheckRun]:
    return [run for run in world.check_runs.values() if run.suite is suite]


def emit(
    world: World,
    action: str,
    run: CheckRun,
    sender: Account,
    requested_action: dict[str, str] | None = None,
) -> None:
    """The check_run event: created, completed, rerequested or requested_action."""
    body: dict[str, Any] = {
        "check_run": render_pulls.check_run(world.urls, world.registration, run)
    }
    suite = render_pulls.check_suite(
        world.urls, world.registration, run.suite, runs_of(world, run.suite)
    )
    kept = (
        "id", "node_id", "head_branch", "head_sha", "status", "conclusion", "url", "before",
        "after", "pull_requests", "app", "created_at", "updated_at",
    )  # fmt: skip
    body["check_run"]["check_suite"] = {key: suite[key] for key in kept}
    if requested_action is not None:
        body["requested_action"] = requested_action
    world.emit("check_run", action, run.suite.repository, sender, body)  # fmt: skip


def emit_suite(world: World, action: str, suite: CheckSuite, sender: Account) -> None:
    body = render_pulls.check_suite(world.urls, world.registration, suite, runs_of(world, suite))
    body.pop("repository")
    world.emit("check_suite", action, suite.repository, sender, {"check_suite": body})


def create_run(context: Context) -> Answer:
    world, body = context.world, context.body
    sha = str(body.get("head_sha", ""))
    if context.repository.git.object_type(sha) != "commit" or len(sha) != 40:
        raise RefusedError(422, f"No commit found for SHA: {sha}")
    now = world.clock()
    run = CheckRun(
        world.new_id(), suite_for(world, context.repository, sha), str(body["name"]), "queued", now
    )
    _apply(context, run)
    world.check_runs[run.id] = run
    emit(world, "created", run, world.registration.bot)
    if run.status == "completed":
        emit(world, "completed", run, world.registration.bot)
    return Answer(render_pulls.check_run(context.urls, world.registration, run), 201)


def update_run(context: Context) -> Answer:
    run = _run(context)
    was_completed = run.status == "completed"
    _apply(context, run)
    if run.status == "completed" and not was_completed:
        emit(context.world, "completed", run, context.world.registration.bot)
    return Answer(render_pulls.check_run(context.urls, context.world.registration, run))


def _apply(context: Context, run: CheckRun) -> None:
    """Take over what the body says, after everything in it was found valid."""
    body, limits = context.body, context.world.limits
    output = body.get("output") or {}
    annotations = output.get("annotations") or []
    if len(annotations) > limits.annotations:
        raise RefusedError(
            422,
            f"Invalid request.\n\nNo more than {limits.annotations} items are allowed; "
            f"{len(annotations)} were supplied.",
        )
    for name in ("summary", "text"):
        if len(output.get(name) or "") > limits.output_characters:
            raise invalid("CheckRun", name, f"{name} exceeds a maximum of 65535 characters")
    for annotation in annotations:
        _check_annotation(annotation)
    conclusion = body.get("conclusion")
    if body.get("status") == "completed" and conclusion is None:
        raise invalid("CheckRun", "conclusion", "conclusion is required", "missing_field")
    run.name = body.get("name", run.name)
    run.external_id = body.get("external_id", run.external_id)
    run.details_url = body.get("details_url", run.details_url)
    run.status = "completed" if conclusion else body.get("status", run.status)
    run.actions = body.get("actions", run.actions)
    if "started_at" in body:
        run.started_at = _seconds(body["started_at"])
    if conclusion:
        run.conclusion = conclusion
        at = body.get("completed_at")
        run.completed_at = _seconds(at) if at else context.world.clock()
    elif run.status != "completed":
        run.conclusion = run.completed_at = None
    for name in ("title", "summary", "text"):
        if name in output:
            setattr(run, name, output[name])
    run.annotations += annotations
    run.suite.updated_at = context.world.clock()


def _check_annotation(annotation: dict[str, Any]) -> None:
    if annotation["end_line"] < annotation["start_line"]:
        raise invalid("CheckAnnotation", "end_line", "end_line must not precede start_line")
    has_columns = "start_column" in annotation or "end_column" in annotation
    if has_columns and annotation["start_line"] != annotation["end_line"]:
        raise invalid("CheckAnnotation", "start_column", "columns need one line")


def get_run(context: Context) -> Answer:
    return Answer(render_pulls.check_run(context.urls, context.world.registration, _run(context)))


def list_annotations(context: Context) -> Answer:
    run = _run(context)
    page = context.urls.web(f"/{context.repository.full_name}/blob/{run.suite.head_sha}")
    defaults = {
        "start_column": None, "end_column": None, "annotation_level": None, "title": None,
        "message": None, "raw_details": None,
    }  # fmt: skip
    rendered = [{**defaults, **a, "blob_href": f"{page}/{a['path']}"} for a in run.annotations]
    return context.paged(rendered, hide_newest=False)


def list_runs(context: Context) -> Answer:
    """Runs of a commit; `filter` "latest" (the default) keeps the newest of each name."""
    ref, query, world = context.path["ref"], context.query, context.world
    sha = context.repository.git.resolve(ref)
    if sha is None:
        raise RefusedError(422, f"No commit found for SHA: {ref}")
    runs = [
        r
        for r in world.check_runs.values()
        if r.suite.repository is context.repository and r.suite.head_sha == sha
    ]
    if context.hides_newest and runs:
        runs.remove(max(runs, key=lambda run: run.id))
    if query.get("filter", "latest") == "latest":
        runs = list({run.name: run for run in sorted(runs, key=lambda run: run.id)}.values())
    if "check_name" in query:
        runs = [run for run in runs if run.name == query["check_name"]]
    if "status" in query:
        runs = [run for run in runs if run.status == query["status"]]
    if "app_id" in query and query["app_id"] != str(world.registration.id):
        runs = []
    runs.sort(key=lambda run: run.id, reverse=True)
    return context.paged(
        runs,
        render=lambda run: render_pulls.check_run(context.urls, world.registration, run),
        key="check_runs",
        hide_newest=False,
    )


def list_suites(context: Context) -> Answer:
    world, ref = context.world, context.path["ref"]
    sha = context.repository.git.resolve(ref)
    if sha is None:
        raise RefusedError(422, f"No commit found for SHA: {ref}")
    suites = [
        s
        for s in world.check_suites.values()
        if s.repository is context.repository and s.head_sha == sha
    ]
    return context.paged(
        suites,
        render=lambda s: render_pulls.check_suite(
            context.urls, world.registration, s, runs_of(world, s)
        ),
        key="check_suites",
    )


def _run(context: Context) -> CheckRun:
    run = context.world.check_runs.get(int(context.path["check_run_id"]))
    if run is None or run.suite.repository is not context.repository:
        raise not_found()
    return run


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


_REPO = "/repos/{owner}/{repo}"
_RUN = _REPO + "/check-runs/{check_run_id}"
ENDPOINTS = [
    Endpoint("POST", _REPO + "/check-runs", create_run, ("checks:write",)),
    Endpoint("GET", _RUN, get_run, ("checks:read",)),
    Endpoint("PATCH", _RUN, update_run, ("checks:write",)),
    Endpoint("GET", _RUN + "/annotations", list_annotations, ("checks:read",)),
    Endpoint("GET", _REPO + "/commits/{ref}/check-runs", list_runs, ("checks:read",)),
    Endpoint("GET", _REPO + "/commits/{ref}/check-suites", list_suites, ("checks:read",)),
]
