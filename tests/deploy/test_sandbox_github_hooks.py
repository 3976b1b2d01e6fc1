"""Webhooks: signed bytes, true shapes, order, doubles and redelivery."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from deploy.sandbox.github.hooks import Delivery
from deploy.sandbox.serving import AsgiServer
from tests.deploy.conftest import CHANGE, Acme


class Receiver:
    """What arrived; `statuses` are answered one after the other, then 202."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        self._lock = threading.Lock()
        self.app = Starlette(routes=[Route("/hook", self._take, methods=["POST"])])

    async def _take(self, request: Request) -> Response:
        body = await request.body()
        with self._lock:
            self.requests.append((dict(request.headers), body))
            return Response(status_code=self.statuses.pop(0) if self.statuses else 202)


@pytest.fixture
def receiver(acme: Acme) -> Iterator[Receiver]:
    one = Receiver()
    with AsgiServer(one.app) as server:
        acme.github.hooks.url = f"{server.url}/hook"
        yield one
        acme.github.hooks.wait_idle()


def last(acme: Acme, event: str) -> dict[str, Any]:
    found = [d for d in acme.github.hooks.deliveries if d.event == event]
    payload: dict[str, Any] = json.loads(found[-1].body)
    return payload


def named(deliveries: list[Delivery]) -> list[tuple[str, str | None]]:
    return [(d.event, d.action) for d in deliveries]


def test_a_delivery_is_signed_over_its_bytes(acme: Acme, receiver: Receiver) -> None:
    acme.github.comment(acme.pull, "tom", "Grüße 🙂")
    acme.github.hooks.wait_idle()
    ((headers, body),) = receiver.requests
    expected = hmac.new(b"a secret of the hook", body, hashlib.sha256).hexdigest()
    assert headers["x-hub-signature-256"] == f"sha256={expected}"
    assert headers["x-github-event"] == "issue_comment"
    assert headers["x-github-hook-installation-target-type"] == "integration"
    assert headers["x-github-hook-installation-target-id"] == str(acme.github.app_id)
    assert json.loads(body)["comment"]["body"] == "Grüße 🙂"
    recorded = acme.github.hooks.deliveries[-1]
    assert (recorded.status_code, recorded.guid) == (202, headers["x-github-delivery"])


def test_deliveries_keep_their_order_and_can_be_held(acme: Acme, receiver: Receiver) -> None:
    hooks = acme.github.hooks
    hooks.hold()
    for n in range(3):
        acme.github.comment(acme.pull, "tom", str(n))
    one, two, three = hooks.waiting
    assert receiver.requests == []
    hooks.release([three, one, one])
    hooks.wait_idle()
    assert [json.loads(b)["comment"]["body"] for _, b in receiver.requests] == ["2", "0", "0"]
    guids = [h["x-github-delivery"] for h, _ in receiver.requests]
    assert guids == [three.guid, one.guid, one.guid]
    assert two.guid not in guids


def test_a_request_is_built_with_a_chosen_id_and_secret(acme: Acme, receiver: Receiver) -> None:
    hooks = acme.github.hooks
    built = hooks.build("ping", {"zen": "x"}, guid="g-1", secret="the old one")
    assert (
        built.headers["X-Hub-Signature-256"]
        == "sha256=" + hmac.new(b"the old one", built.body, hashlib.sha256).hexdigest()
    )
    assert hooks.send(built).status_code == 202
    assert receiver.requests[0][0]["x-github-delivery"] == "g-1"


def test_failures_are_recorded_and_redelivered_over_the_api(acme: Acme, receiver: Receiver) -> None:
    receiver.statuses = [503]
    acme.github.comment(acme.pull, "tom", "hi")
    acme.github.hooks.wait_idle()
    headers = {"Authorization": f"Bearer {acme.github.app_jwt()}"}
    path = "/app/hook/deliveries"
    (failed,) = acme.call("GET", path, headers=headers, params={"status": "failure"}).json()[:1]
    assert (failed["status_code"], failed["event"]) == (503, "issue_comment")
    assert failed["installation_id"] == acme.installation.id
    detail = acme.call("GET", f"{path}/{failed['id']}", headers=headers).json()
    assert detail["request"]["payload"]["comment"]["body"] == "hi"
    again = acme.call("POST", f"{path}/{failed['id']}/attempts", headers=headers)
    assert again.status_code == 202
    acme.github.hooks.wait_idle()
    newest = acme.call("GET", path, headers=headers, params={"per_page": "1"})
    (retried,) = newest.json()
    assert (retried["guid"], retried["redelivery"]) == (failed["guid"], True)
    assert retried["status_code"] == 202
    assert "cursor=" in newest.links["next"]["url"]
    bodies = [body for _, body in receiver.requests]
    assert bodies[0] == bodies[1]


def test_nobody_listening_is_a_recorded_failure(acme: Acme) -> None:
    acme.github.hooks.url = "http://127.0.0.1:9/hook"
    acme.github.comment(acme.pull, "tom", "hi")
    acme.github.hooks.wait_idle()
    assert acme.github.hooks.deliveries[-1].status_code == 502


def test_each_act_sends_its_event(acme: Acme) -> None:
    github, pull = acme.github, acme.pull
    github.hooks.deliveries.clear()
    github.push(pull, {"more.txt": "m\n"})
    github.set_draft(pull, True)
    github.set_draft(pull, False)
    github.edit_pull_request(pull, title="New")
    github.label(pull, "tom", add=["x"], remove=["x"])
    github.close_pull_request(pull)
    github.reopen_pull_request(pull)
    issue = github.open_issue(acme.repository, "tom", "A plain issue")
    comment = github.comment(issue, "eve", "hi")
    github.edit_comment(comment, "eve", "ho")
    github.delete_comment(comment, "eve")
    said = github.review_comment(pull, "maria", "src/app.py", 5, "why?")
    github.reply(said, "tom", "because")
    github.resolve(said.thread, "tom")
    github.unresolve(said.thread, "tom")
    review = github.review(pull, "maria", event="APPROVE")
    github.dismiss_review(review, "tom", "no")
    assert named(github.hooks.deliveries) == [
        ("push", None), ("pull_request", "synchronize"),
        ("pull_request", "converted_to_draft"), ("pull_request", "ready_for_review"),
        ("pull_request", "edited"), ("pull_request", "labeled"), ("pull_request", "unlabeled"),
        ("pull_request", "closed"), ("pull_request", "reopened"),
        ("issue_comment", "created"), ("issue_comment", "edited"), ("issue_comment", "deleted"),
        ("pull_request_review", "submitted"), ("pull_request_review_comment", "created"),
        ("pull_request_review", "submitted"), ("pull_request_review_comment", "created"),
        ("pull_request_review_thread", "resolved"),
        ("pull_request_review_thread", "unresolved"),
        ("pull_request_review", "submitted"), ("pull_request_review", "dismissed"),
    ]  # fmt: skip
    for delivery in github.hooks.deliveries:
        payload = json.loads(delivery.body)
        assert payload["installation"]["id"] == acme.installation.id
        assert payload["repository"]["id"] == acme.repository.id
        assert payload["sender"]["id"] in {acme.tom.id, acme.maria.id, acme.eve.id}
        assert payload["organization"]["login"] == "acme"


def test_shapes_of_pull_request_and_comment_events(acme: Acme) -> None:
    github, before = acme.github, acme.pull.head_sha
    after = github.push(acme.pull, {"more.txt": "m\n"})
    synchronized = last(acme, "pull_request")
    assert (synchronized["before"], synchronized["after"]) == (before, after)
    assert synchronized["pull_request"]["head"]["sha"] == after
    assert synchronized["pull_request"]["mergeable"] is None
    assert synchronized["pull_request"]["changed_files"] == 5
    pushed = last(acme, "push")
    assert isinstance(pushed["repository"]["pushed_at"], int)
    assert pushed["ref"] == "refs/heads/feature"
    assert pushed["commits"][0]["added"] == ["more.txt"]
    assert pushed["forced"] is False
    github.push(acme.pull, CHANGE, force=True)
    assert last(acme, "push")["forced"] is True

    github.comment(acme.pull, "eve", "hi")
    on_pull = last(acme, "issue_comment")
    assert on_pull["issue"]["pull_request"]["url"].endswith("/pulls/1")
    assert on_pull["comment"]["author_association"] == "NONE"
    github.comment(acme.pull, "tom", "hi")
    assert last(acme, "issue_comment")["comment"]["author_association"] == "COLLABORATOR"
    issue = github.open_issue(acme.repository, "tom", "Plain")
    github.comment(issue, "maria", "hi")
    on_issue = last(acme, "issue_comment")
    assert "pull_request" not in on_issue["issue"]
    # Her membership is private, so it does not show.
    assert on_issue["comment"]["author_association"] == "NONE"

    github.review_comment(acme.pull, "maria", "src/app.py", 5, "why?")
    said = last(acme, "pull_request_review_comment")
    assert (said["comment"]["line"], said["comment"]["side"]) == (5, "RIGHT")
    assert "mergeable" not in said["pull_request"]
    assert last(acme, "pull_request_review")["review"]["state"] == "commented"


def test_what_the_app_writes_comes_back_with_a_bot_as_sender(acme: Acme) -> None:
    path = f"/repositories/{acme.repository.id}/issues/{acme.pull.number}/comments"
    acme.call("POST", path, json={"body": "mine"})
    payload = last(acme, "issue_comment")
    assert payload["sender"]["type"] == "Bot"
    assert payload["sender"]["login"] == "precedent[bot]"
    assert payload["comment"]["performed_via_github_app"]["id"] == acme.github.app_id


def test_installation_and_repository_events(acme: Acme) -> None:
    github = acme.github
    github.hooks.deliveries.clear()
    web = github.add_repository("acme", "web")
    github.change_installation(acme.installation, "maria", add=[web])
    assert last(acme, "installation_repositories")["repositories_added"][0]["id"] == web.id
    github.rename(web, "site", "maria")
    assert last(acme, "repository")["changes"]["repository"]["name"]["from"] == "web"
    github.set_private(web, False, "maria")
    github.archive(web, "maria")
    github.transfer(web, "eve", "maria")
    moved = last(acme, "repository")
    assert moved["changes"]["owner"]["from"]["organization"]["login"] == "acme"
    assert moved["repository"]["owner"]["login"] == "eve"
    github.suspend(acme.installation, "maria")
    github.comment(acme.pull, "tom", "not heard")
    github.unsuspend(acme.installation, "maria")
    github.delete_repository(acme.repository, "maria")
    github.uninstall(acme.installation, "maria")
    github.ping()
    assert named(github.hooks.deliveries) == [
        ("installation_repositories", "added"), ("repository", "renamed"),
        ("repository", "publicized"), ("repository", "archived"),
        ("repository", "transferred"), ("installation", "suspend"),
        ("installation", "unsuspend"), ("repository", "deleted"),
        ("installation", "deleted"), ("ping", None),
    ]  # fmt: skip
    assert last(acme, "ping")["hook"]["app_id"] == github.app_id


def test_buttons_of_check_runs(acme: Acme) -> None:
    button = {"label": "Again", "description": "Review again", "identifier": "again"}
    wish = {"name": "Precedent", "head_sha": acme.pull.head_sha, "actions": [button]}
    acme.call("POST", f"/repositories/{acme.repository.id}/check-runs", json=wish)
    (run,) = acme.github.check_runs.values()
    acme.github.rerequest_check_run(run, "tom")
    again = last(acme, "check_run")
    assert (again["action"], again["check_run"]["id"]) == ("rerequested", run.id)
    assert again["check_run"]["check_suite"]["head_sha"] == acme.pull.head_sha
    acme.github.request_action(run, "tom", "again")
    assert last(acme, "check_run")["requested_action"] == {"identifier": "again"}
    with pytest.raises(ValueError, match="no action"):
        acme.github.request_action(run, "tom", "other")
    acme.github.rerequest_check_suite(acme.pull, "tom")
    assert last(acme, "check_suite")["check_suite"]["head_sha"] == acme.pull.head_sha


def test_no_event_without_an_installation(acme: Acme) -> None:
    acme.github.hooks.deliveries.clear()
    elsewhere = acme.github.add_repository("eve", "own")
    acme.github.open_pull_request(elsewhere, "eve", "Unheard", changes={"x": "y"})
    assert acme.github.hooks.deliveries == []
