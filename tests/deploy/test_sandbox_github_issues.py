"""Conversation, reactions, labels and check runs."""

from __future__ import annotations

from typing import Any

import pytest
from github.PullRequest import PullRequest as ApiPull
from github.Repository import Repository as ApiRepository

from tests.deploy.conftest import Acme


def test_comments_are_made_listed_edited_and_deleted(acme: Acme, pull: ApiPull) -> None:
    comment = pull.create_issue_comment("hello")
    assert comment.user.login == "precedent[bot]"
    assert comment.raw_data["performed_via_github_app"]["id"] == acme.github.app_id
    acme.github.comment(acme.pull, "tom", "hi")
    assert [c.body for c in pull.get_issue_comments()] == ["hello", "hi"]
    comment.edit("hello again")
    assert pull.get_issue_comment(comment.id).body == "hello again"
    comment.delete()
    assert [c.body for c in pull.get_issue_comments()] == ["hi"]


def test_sizes_of_comments(acme: Acme) -> None:
    path = f"/repositories/{acme.repository.id}/issues/{acme.pull.number}/comments"
    assert acme.call("POST", path, json={"body": "é" * 65_536}).status_code == 201
    for body in ("é" * 65_537, "", " "):
        assert acme.call("POST", path, json={"body": body}).status_code == 422
    assert acme.call("POST", path, data=b"{").status_code == 400


def test_somebody_elses_words_need_write(acme: Acme) -> None:
    acme.github.set_role(acme.repository, "eve", "read")
    comment = acme.github.comment(acme.pull, "tom", "hi")
    path = f"/repositories/{acme.repository.id}/issues/comments/{comment.id}"
    eve = acme.github.user_token("eve").value
    assert acme.call("DELETE", path, token=eve).status_code == 403
    assert acme.call("PATCH", path, token=eve, json={"body": "x"}).status_code == 403
    assert acme.call("DELETE", path).status_code == 204


def test_a_reaction_is_given_once(acme: Acme) -> None:
    comment = acme.github.comment(acme.pull, "tom", "hi")
    root = f"/repositories/{acme.repository.id}"
    path = f"{root}/issues/comments/{comment.id}/reactions"
    first = acme.call("POST", path, json={"content": "eyes"})
    second = acme.call("POST", path, json={"content": "eyes"})
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    acme.github.react(comment, "maria", "+1")
    assert [r["content"] for r in acme.call("GET", path).json()] == ["eyes", "+1"]
    assert len(acme.call("GET", path, params={"content": "+1"}).json()) == 1
    totals = acme.call("GET", f"{root}/issues/comments/{comment.id}").json()["reactions"]
    assert (totals["total_count"], totals["eyes"]) == (2, 1)
    assert acme.call("DELETE", f"{path}/{first.json()['id']}").status_code == 204
    assert acme.call("POST", path, json={"content": "clap"}).status_code == 422
    said = acme.github.review_comment(acme.pull, "tom", "src/app.py", 5, "hm")
    on_line = f"{root}/pulls/comments/{said.id}/reactions"
    assert acme.call("POST", on_line, json={"content": "rocket"}).status_code == 201
    on_issue = f"{root}/issues/{acme.pull.number}/reactions"
    assert acme.call("POST", on_issue, json={"content": "heart"}).status_code == 201


def test_labels(acme: Acme, pull: ApiPull) -> None:
    pull.add_to_labels("skip review", "Bug")
    acme.github.label(acme.pull, "tom", add=["bug"])
    assert [label.name for label in pull.get_labels()] == ["skip review", "Bug"]
    pull.remove_from_labels("Bug")
    assert [label.name for label in pull.get_labels()] == ["skip review"]
    pull.add_to_labels("a/b")
    assert [label.name for label in pull.get_labels()] == ["skip review", "a/b"]


def output(count: int) -> dict[str, Any]:
    note = {"path": "new.py", "start_line": 1, "end_line": 1, "annotation_level": "warning"}
    return {
        "title": "t", "summary": "s",
        "annotations": [{**note, "message": f"m{n}"} for n in range(count)],
    }  # fmt: skip


def test_a_check_run_from_start_to_end(acme: Acme, repo: ApiRepository) -> None:
    head = acme.pull.head_sha
    run = repo.create_check_run("Precedent", head, status="in_progress", external_id="7:1")
    run.edit(status="completed", conclusion="neutral", output=output(50))
    run.edit(output=output(2))
    (found,) = repo.get_commit(head).get_check_runs(check_name="Precedent")
    assert (found.conclusion, found.external_id) == ("neutral", "7:1")
    assert found.output.annotations_count == 52
    assert len(list(found.get_annotations())) == 52
    assert found.app.id == acme.github.app_id
    assert [p["number"] for p in found.raw_data["pull_requests"]] == [acme.pull.number]


def test_a_list_keeps_the_newest_run_of_each_name(acme: Acme, repo: ApiRepository) -> None:
    head = acme.pull.head_sha
    runs = [repo.create_check_run("Precedent", head).id for _ in range(2)]
    commit = repo.get_commit(head)
    assert [r.id for r in commit.get_check_runs()] == [runs[1]]
    assert [r.id for r in commit.get_check_runs(filter="all")] == runs[::-1]
    assert list(commit.get_check_runs(check_name="other")) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"output": output(51)}, "50"),
        ({"output": {"title": "t", "summary": "s" * 65_536}}, "65535"),
        ({"head_sha": "0" * 40}, "No commit found"),
        ({"status": "completed"}, "conclusion"),
        ({"conclusion": "splendid"}, "splendid"),
        ({"actions": [{"label": "l" * 21, "description": "d", "identifier": "i"}]}, "20"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_check_runs_that_are_refused(acme: Acme, change: dict[str, Any], words: str) -> None:
    wish = {"name": "Precedent", "head_sha": acme.pull.head_sha, **change}
    answer = acme.call("POST", f"/repositories/{acme.repository.id}/check-runs", json=wish)
    assert answer.status_code == 422
    assert words in answer.text
    assert acme.github.check_runs == {}
