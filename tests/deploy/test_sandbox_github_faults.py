"""The knobs, the record, and the check against GitHub's own description."""

from __future__ import annotations

import time
from typing import Any

import pytest
import requests
from github.PullRequest import PullRequest as ApiPull

from deploy.sandbox.github.contract import CUT, Contract
from tests.deploy.conftest import Acme

MISDESCRIBED = {
    # Its account is described as a user and an enterprise at once.
    ("GET /app/installations", "0/account"),
    # Labels without a description have null, as other operations say.
    ("GET /repos/{owner}/{repo}/pulls", "0/labels/0/description"),
}
"""Where GitHub's description differs from GitHub."""

REVIEWS = r"/pulls/\d+/reviews$"
WISH = {"event": "COMMENT", "body": "words"}


def test_a_write_that_landed_is_answered_with_502_once(acme: Acme) -> None:
    acme.github.faults.add("POST", REVIEWS, phase="after", status=502)
    path = f"{acme.pull_path}/reviews"
    assert acme.call("POST", path, json=WISH).status_code == 502
    assert len(acme.call("GET", path).json()) == 1
    assert acme.call("POST", path, json=WISH).status_code == 200


@pytest.mark.parametrize("phase", ["drop", "truncate"])
def test_a_write_that_landed_and_whose_answer_breaks_off(acme: Acme, phase: str) -> None:
    token = acme.token()
    acme.github.faults.add("POST", REVIEWS, phase=phase)
    path = f"{acme.pull_path}/reviews"
    with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
        acme.call("POST", path, token=token, json=WISH)
    assert len(acme.call("GET", path, token=token).json()) == 1
    (broken,) = acme.github.record.calls_to("POST", REVIEWS)
    assert (broken.status, broken.fault) == (0, phase)


def test_a_refused_request_changes_nothing(acme: Acme) -> None:
    acme.github.faults.add("*", REVIEWS, status=500, times=2)
    path = f"{acme.pull_path}/reviews"
    assert acme.call("POST", path, json=WISH).status_code == 500
    assert acme.call("GET", path).status_code == 500
    assert acme.call("GET", path).json() == []


def test_rate_limits_look_like_githubs(acme: Acme) -> None:
    faults = acme.github.faults
    faults.secondary_rate_limit("GET", r"/pulls/\d+$", retry_after_s=7)
    limited = acme.call("GET", acme.pull_path)
    assert (limited.status_code, limited.headers["Retry-After"]) == (403, "7")
    assert "secondary rate limit" in limited.json()["message"]
    faults.secondary_rate_limit("GET", r"/pulls/\d+$", retry_after_s=None, status=429)
    assert "Retry-After" not in acme.call("GET", acme.pull_path).headers
    reset = time.time() + 100
    faults.primary_rate_limit("GET", r"/pulls/\d+$", reset_at=reset)
    primary = acme.call("GET", acme.pull_path)
    assert primary.headers["X-RateLimit-Remaining"] == "0"
    assert primary.headers["X-RateLimit-Reset"] == str(int(reset))
    assert acme.call("GET", acme.pull_path).status_code == 200


def test_something_happens_while_a_request_waits(acme: Acme) -> None:
    old = acme.pull.head_sha
    acme.github.faults.add(
        "POST", REVIEWS, delay_s=0.2,
        run=lambda: acme.github.push(acme.pull, {"o.txt": "o\n"}, force=True),
    )  # fmt: skip
    began = time.monotonic()
    answer = acme.call("POST", f"{acme.pull_path}/reviews", json={**WISH, "commit_id": old})
    assert time.monotonic() - began >= 0.2
    assert answer.status_code == 422
    assert "not part of the pull request" in answer.text


def test_a_fault_is_set_over_http_and_cleared(acme: Acme) -> None:
    control = f"{acme.github.base_url}/_sandbox/faults"
    fault = {"method": "get", "path": r"/pulls/\d+$", "status": 503, "times": None}
    assert requests.post(control, json=fault, timeout=10).status_code == 201
    assert acme.call("GET", acme.pull_path).status_code == 503
    assert requests.delete(control, timeout=10).status_code == 204
    assert acme.call("GET", acme.pull_path).status_code == 200
    for bad in ({"method": "GET"}, {**fault, "what": 1}, {**fault, "phase": "sideways"}):
        assert requests.post(control, json=bad, timeout=10).status_code == 422


def test_every_call_is_recorded(acme: Acme) -> None:
    token = acme.token()
    answer = acme.call("POST", f"{acme.pull_path}/reviews", token=token, json=WISH)
    acme.call("GET", "/nothing/here", token=token)
    minted, reviewed, lost = acme.github.calls
    assert (minted.actor["kind"], minted.status) == ("app", 201)
    assert reviewed.actor == {"kind": "installation", "id": acme.installation.id}
    assert (reviewed.body, reviewed.status) == (WISH, 200)
    assert reviewed.path == f"{acme.pull_path}/reviews"
    assert reviewed.request_id == answer.headers["X-GitHub-Request-Id"]
    assert lost.status == 404
    shown = requests.get(f"{acme.github.base_url}/_sandbox/calls", timeout=10).json()
    assert [c["number"] for c in shown] == [1, 2, 3]
    assert acme.github.record.calls_to("POST", REVIEWS) == [reviewed]


def test_a_request_outside_the_contract_is_refused_and_recorded(acme: Acme) -> None:
    path = f"{acme.pull_path}/reviews"
    for wish in (
        {**WISH, "event": "PRAISE"},
        {**WISH, "comments": [{"path": "new.py", "line": "1", "body": "x"}]},
        {**WISH, "comments": [{"path": "new.py", "line": 1}]},
        {**WISH, "repository_id": 1},
    ):
        assert acme.call("POST", path, json=wish).status_code == 422
    errors = acme.github.record.contract_errors
    assert {e.where for e in errors} >= {"event", "comments/0/line", "repository_id"}
    assert acme.pull.reviews == {}
    pulls = f"/repositories/{acme.repository.id}/pulls"
    assert acme.call("GET", pulls, params={"state": "half"}).status_code == 422
    assert requests.get(f"{acme.github.base_url}/_sandbox/contract_errors", timeout=10).json()


def test_a_key_that_github_takes_undocumented_is_let_through(acme: Acme) -> None:
    comment = {"path": "new.py", "subject_type": "file", "body": "x"}
    answer = acme.call("POST", f"{acme.pull_path}/reviews", json={**WISH, "comments": [comment]})
    assert answer.status_code == 200, answer.text
    assert acme.github.record.contract_errors == []


def test_the_cut_is_small_and_names_its_licence() -> None:
    assert CUT.stat().st_size < 700_000
    assert "MIT License" in (CUT.parent / "LICENSE.octokit-openapi").read_text()
    assert len(Contract().operations) >= 70


def test_answers_have_the_shapes_that_github_describes(acme: Acme, pull: ApiPull) -> None:
    """Every kind of record is asked for once, and each answer checked against the description."""
    answers = visit_everything(acme)
    contract, wrong, checked = Contract(), [], set()
    for (method, path), answer in answers:
        (call,) = [
            c for c in acme.github.calls if c.request_id == answer.headers["X-GitHub-Request-Id"]
        ]
        assert answer.ok, (method, path, answer.text)
        if answer.status_code == 204:
            continue
        problems = contract.answer_problems(call.operation, answer.status_code, answer.json())
        wrong += [(call.operation, *problem) for problem in problems]
        checked.add(call.operation)
    assert {(operation, where) for operation, where, _ in wrong} == MISDESCRIBED
    assert len(checked) >= 40


def visit_everything(acme: Acme) -> list[tuple[tuple[str, str], requests.Response]]:
    github, root = acme.github, f"/repositories/{acme.repository.id}"
    comment = github.comment(acme.pull, "tom", "hi")
    github.label(acme.pull, "tom", add=["x"])
    said = github.review_comment(acme.pull, "tom", "src/app.py", 5, "hm")
    github.reply(said, "maria", "ha")
    review = github.review(acme.pull, "maria", event="APPROVE")
    github.edit_pull_request(acme.pull, title="New")
    issue, line = f"{root}/issues/1", f"{root}/pulls/comments/{said.id}"
    head = {"head_sha": acme.pull.head_sha, "name": "Precedent"}
    note = {"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "notice"}
    output = {"title": "t", "summary": "s", "annotations": [{**note, "message": "m"}]}
    app = {"Authorization": f"Bearer {github.app_jwt()}"}
    visits: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/app", {"headers": app}), ("GET", "/app/installations", {"headers": app}),
        ("GET", f"/app/installations/{acme.installation.id}", {"headers": app}),
        ("POST", f"/app/installations/{acme.installation.id}/access_tokens", {
            "headers": app, "json": {"repository_ids": [acme.repository.id]}}),
        ("GET", f"{root}/installation", {"headers": app}),
        ("GET", "/orgs/acme/installation", {"headers": app}),
        ("GET", "/app/hook/config", {"headers": app}),
        ("GET", "/app/hook/deliveries", {"headers": app}),
        ("GET", f"/app/hook/deliveries/{github.hooks.deliveries[-1].id}", {"headers": app}),
        ("GET", "/installation/repositories", {}), ("GET", "/rate_limit", {}),
        ("GET", "/user", {"token": github.user_token("tom").value}),
        ("GET", "/users/tom", {}), ("GET", "/orgs/acme/memberships/tom", {}),
        ("GET", root, {}), ("GET", f"{root}/pulls", {}), ("GET", acme.pull_path, {}),
        ("GET", f"{acme.pull_path}/files", {}), ("GET", f"{acme.pull_path}/commits", {}),
        ("GET", f"{root}/compare/main...feature", {}),
        ("GET", f"{root}/git/trees/main", {"params": {"recursive": "1"}}),
        ("GET", f"{root}/git/ref/heads/main", {}),
        ("GET", f"{root}/contents/src/app.py", {}), ("GET", f"{root}/contents/src", {}),
        ("GET", f"{root}/branches", {}), ("GET", f"{root}/branches/main", {}),
        ("GET", f"{root}/commits", {}), ("GET", f"{root}/commits/main", {}),
        ("GET", f"{acme.pull_path}/reviews", {}),
        ("GET", f"{acme.pull_path}/reviews/{review.id}", {}),
        ("POST", f"{acme.pull_path}/reviews", {"json": {
            **WISH, "comments": [{"path": "new.py", "line": 1, "body": "x"}]}}),
        ("GET", f"{acme.pull_path}/reviews/{said.review.id}/comments", {}),
        ("GET", f"{acme.pull_path}/comments", {}), ("GET", f"{root}/pulls/comments", {}),
        ("POST", f"{acme.pull_path}/comments", {"json": {
            "path": "new.py", "line": 1, "body": "x", "commit_id": acme.pull.head_sha}}),
        ("POST", f"{acme.pull_path}/comments/{said.id}/replies", {"json": {"body": "x"}}),
        ("GET", line, {}), ("PATCH", line, {"json": {"body": "y"}}),
        ("POST", f"{line}/reactions", {"json": {"content": "eyes"}}),
        ("GET", f"{line}/reactions", {}), ("GET", issue, {}),
        ("GET", f"{issue}/comments", {}), ("GET", f"{root}/issues/comments", {}),
        ("GET", f"{root}/issues/comments/{comment.id}", {}),
        ("POST", f"{issue}/comments", {"json": {"body": "x"}}),
        ("GET", f"{issue}/labels", {}), ("GET", f"{issue}/reactions", {}),
        ("POST", f"{root}/check-runs", {"json": {**head, "output": output}}),
        ("GET", f"{root}/commits/{acme.pull.head_sha}/check-runs", {}),
        ("GET", f"{root}/commits/{acme.pull.head_sha}/check-suites", {}),
        ("GET", f"{root}/collaborators", {}), ("GET", f"{root}/collaborators/tom", {}),
        ("GET", f"{root}/collaborators/tom/permission", {}),
    ]  # fmt: skip
    token = acme.token()
    answers = [((m, p), acme.call(m, p, **{"token": token, **how})) for m, p, how in visits]
    (run,) = github.check_runs
    for method, path, how in (
        ("GET", f"{root}/check-runs/{run}", {}),
        ("GET", f"{root}/check-runs/{run}/annotations", {}),
        ("PATCH", f"{root}/check-runs/{run}", {"json": {"conclusion": "success"}}),
    ):
        answers.append(((method, path), acme.call(method, path, token=token, **how)))
    return answers
