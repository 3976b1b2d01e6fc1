"""What the client does with answers that are not what was hoped for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis as redis_client
from github import Auth

from deploy.sandbox.github.git import FileContent
from tests.workers.github_stage import Stage, open_stage
from workers.errors import Permanent, RateLimited
from workers.github_client import Credentials, GithubClient, RepositoryClient
from workers.github_limits import (
    DoubtfulWrite,
    GithubUnavailable,
    NotFound,
    Rejected,
    RepositoryMoved,
)

PULL = r"/pulls/\d+$"
COMMENTS = r"/issues/\d+/comments$"


@pytest.fixture
def stage(tmp_path: Path, redis: redis_client.Redis) -> Iterator[Stage]:
    with open_stage(tmp_path, redis) as opened:
        yield opened


def _comment(client: RepositoryClient, stage: Stage) -> None:
    client.post(f"/issues/{stage.number}/comments", {"body": "hello"})


@pytest.mark.parametrize("status", [500, 502, 504])
def test_a_read_is_repeated_a_write_is_not(stage: Stage, status: int) -> None:
    stage.github.faults.add("GET", PULL, status=status, times=2)
    assert stage.client().get(f"/pulls/{stage.number}")["number"] == stage.number
    assert len(stage.calls_to("GET", PULL)) == 3
    stage.github.faults.add("POST", COMMENTS, status=status, times=None)
    with pytest.raises(DoubtfulWrite):
        _comment(stage.client(), stage)
    assert len(stage.calls_to("POST", COMMENTS)) == 1


def test_a_read_that_stays_broken_is_transient(stage: Stage) -> None:
    stage.github.faults.add("GET", PULL, status=502, times=None)
    with pytest.raises(GithubUnavailable):
        stage.client().get(f"/pulls/{stage.number}")


@pytest.mark.parametrize("body", [{}, {"message": "hello"}, "<html></html>", 7], ids=str)
def test_an_answer_that_is_no_list_is_not_an_empty_list(stage: Stage, body: object) -> None:
    """An object in place of a pull request's files was read as none of them, and its check run
    was green."""
    client = stage.client()
    for path in (r"/pulls/\d+/files$", "/check-runs$"):
        stage.github.faults.add("GET", path, status=200, body=body, times=None)
    with pytest.raises(GithubUnavailable):
        list(client.pages(f"/pulls/{stage.number}/files"))
    with pytest.raises(GithubUnavailable):
        list(client.pages(f"/commits/{stage.head_sha}/check-runs", key="check_runs"))
    with pytest.raises(GithubUnavailable):
        list(client.client.linked(f"/repositories/{stage.repository_id}/pulls/1/files"))


def test_an_answer_that_is_nothing_is_tried_again(stage: Stage) -> None:
    stage.github.faults.add("GET", PULL, status=200, body="<html></html>")
    with pytest.raises(GithubUnavailable):
        stage.client().get(f"/pulls/{stage.number}")


@pytest.mark.parametrize("status", [403, 429, 503])
@pytest.mark.parametrize("verb", ["GET", "POST"])
def test_nobody_sleeps_as_long_as_github_asks(stage: Stage, status: int, verb: str) -> None:
    path = PULL if verb == "GET" else COMMENTS
    stage.github.faults.add(verb, path, status=status, headers={"Retry-After": "30"}, times=None)
    client = stage.client()
    client.get("")
    began = time.monotonic()
    with pytest.raises((RateLimited, GithubUnavailable, DoubtfulWrite)) as failed:
        client.get(f"/pulls/{stage.number}") if verb == "GET" else _comment(client, stage)
    assert time.monotonic() - began < 2
    assert failed.value.retry_after_s == 30
    assert len(stage.calls_to(verb, path)) == 1


def test_a_used_up_hour_waits_for_its_reset(stage: Stage) -> None:
    stage.github.faults.primary_rate_limit("GET", PULL, reset_at=time.time() + 600)
    with pytest.raises(RateLimited) as limited:
        stage.client().get(f"/pulls/{stage.number}")
    assert limited.value.retry_after_s == pytest.approx(601, abs=4)


def test_a_slow_answer_ends_at_the_time_out(stage: Stage) -> None:
    stage.client().get("")
    stage.github.faults.add("POST", COMMENTS, delay_s=1.5)
    began = time.monotonic()
    with pytest.raises(DoubtfulWrite, match="ReadTimeout"):
        _comment(stage.client(timeout_s=1), stage)
    assert time.monotonic() - began < 1.5


def test_a_server_that_is_not_there_is_transient(redis: redis_client.Redis) -> None:
    credentials = Credentials(lambda: Auth.Token("t"), lambda _auth: None)
    with (
        GithubClient(credentials, api_url="http://127.0.0.1:9/api/v3") as client,
        pytest.raises(GithubUnavailable),
    ):
        client.get("/rate_limit")


def test_a_redirected_write_is_a_failure_and_not_an_empty_success(stage: Stage) -> None:
    stage.github.rename(stage.repository, "renamed")
    client = stage.client()
    with pytest.raises(RepositoryMoved) as moved:
        client.client.post(f"/repos/acme/app/issues/{stage.number}/comments", {"body": "x"})
    assert moved.value.reason == "repository_moved"
    _comment(client, stage)
    assert stage.conversation() == ["hello"]


@pytest.mark.parametrize(
    ("status", "body"), [(200, {}), (201, {"url": "https://moved.example"}), (200, [])]
)
def test_a_success_without_an_id_wrote_nothing(stage: Stage, status: int, body: object) -> None:
    stage.github.faults.add("POST", COMMENTS, status=status, body=body)
    with pytest.raises(RepositoryMoved):
        _comment(stage.client(), stage)


def test_an_answer_that_is_cut_is_a_doubt(stage: Stage) -> None:
    stage.github.faults.add("POST", COMMENTS, phase="truncate")
    with pytest.raises(DoubtfulWrite):
        _comment(stage.client(), stage)
    assert stage.conversation() == ["hello"]


def test_every_page_is_read_once(stage: Stage) -> None:
    for n in range(205):
        stage.github.comment(stage.pull, "ada", f"{n}")
    assert stage.conversation() == [str(n) for n in range(205)]
    pages = [call.query["page"] for call in stage.calls_to("GET", COMMENTS)]
    assert pages == ["1", "2", "3"]


def test_graphql_limits_and_refusals_are_sorted(stage: Stage) -> None:
    client = stage.client().client
    query = "query { viewer { login } }"
    for kind, error in (("RATE_LIMITED", RateLimited), ("NOT_FOUND", NotFound),
                        ("FORBIDDEN", Permanent), ("OTHER", Rejected)):  # fmt: skip
        body = {"data": None, "errors": [{"type": kind, "message": "m"}]}
        stage.github.faults.add("POST", "graphql", status=200, body=body)
        with pytest.raises(error):
            client.graphql(query, {})
    stage.github.faults.add("POST", "graphql", status=502)
    with pytest.raises(GithubUnavailable):
        client.graphql(query, {})
    stage.github.faults.add("POST", "graphql", status=502)
    with pytest.raises(DoubtfulWrite):
        client.graphql("mutation { x }", {})


def test_calls_are_counted_with_their_status(stage: Stage) -> None:
    counted: list[tuple[str, int]] = []
    tokens = stage.tokens(on_call=lambda verb, status: counted.append((verb, status)))
    with tokens.client(stage.installation_id, stage.repository_id) as client:
        client.get(f"/repositories/{stage.repository_id}")
        with pytest.raises(NotFound):
            client.get(f"/repositories/{stage.repository_id}/pulls/999")
    assert counted == [("POST", 201), ("GET", 200), ("GET", 404)]


def test_threads_that_share_a_client_send_one_after_another(stage: Stage) -> None:
    files: dict[str, bytes | str | FileContent | None] = {f"f{n}.txt": f"{n}" for n in range(6)}
    sha = stage.github.commit(stage.repository, "ada", files)
    stage.github.faults.add("GET", "/contents/", delay_s=0.05, times=None)
    reader = stage.reader()
    with ThreadPoolExecutor(3) as pool:
        read = list(pool.map(lambda n: reader.read_file(f"f{n}.txt", sha), range(6)))
    assert read == [str(n).encode() for n in range(6)]
    calls = sorted(stage.calls_to("GET", "/contents/"), key=lambda call: call.time)
    ends = [call.time + call.duration_s for call in calls]
    assert all(call.time >= end - 0.01 for call, end in zip(calls[1:], ends, strict=False))
