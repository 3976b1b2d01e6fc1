"""Review threads over GraphQL, and hiding comments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import github as pygithub
import pytest

from deploy.sandbox.github.urls import node_id, split_node_id
from tests.deploy.conftest import CHANGE, Acme

APP = "src/app.py"
THREADS = """
query($owner: String!, $name: String!, $number: Int!, $first: Int, $after: String) {
  repository(owner: $owner, name: $name) { databaseId pullRequest(number: $number) {
    id headRefOid
    reviewThreads(first: $first, after: $after) {
      totalCount pageInfo { hasNextPage endCursor }
      nodes {
        id isResolved isOutdated path line originalLine startLine subjectType
        resolvedBy { login databaseId }
        comments(first: 100) { totalCount nodes {
          databaseId body url createdAt outdated isMinimized minimizedReason
          replyTo { databaseId } pullRequestReview { databaseId state }
          author { __typename login ... on User { databaseId } ... on Bot { databaseId } }
        } }
      }
    }
  } }
}
"""


def threads(acme: Acme, *, token: str | None = None, **page: Any) -> dict[str, Any]:
    answer = acme.graphql(
        THREADS, token=token, owner="acme", name="API", number=acme.pull.number,
        **{"first": 100, **page},
    )  # fmt: skip
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"]["repository"]["pullRequest"]["reviewThreads"]
    return found


def test_a_thread_tells_its_place_and_its_comments(acme: Acme) -> None:
    first = acme.github.review_comment(acme.pull, "tom", APP, 5, "why?")
    acme.github.reply(first, "maria", "because")
    (thread,) = threads(acme)["nodes"]
    assert (thread["path"], thread["line"], thread["isOutdated"]) == (APP, 5, False)
    one, two = thread["comments"]["nodes"]
    assert (one["databaseId"], one["author"]["databaseId"]) == (first.id, acme.tom.id)
    assert two["replyTo"] == {"databaseId": first.id}
    assert two["author"]["__typename"] == "User"
    edited = str(CHANGE[APP]).replace("five", "FIVE")
    acme.github.push(acme.pull, {APP: edited})
    (thread,) = threads(acme)["nodes"]
    assert (thread["line"], thread["originalLine"], thread["isOutdated"]) == (None, 5, True)


def test_pygithub_resolves_and_reopens_a_thread(
    acme: Acme, client: Callable[..., pygithub.Github]
) -> None:
    acme.github.review_comment(acme.pull, "tom", APP, 5, "why?")
    requester = client().requester
    thread_id = threads(acme)["nodes"][0]["id"]
    _, data = requester.graphql_named_mutation(
        "resolveReviewThread", {"threadId": thread_id}, "thread { isResolved resolvedBy { login } }"
    )
    assert data["thread"] == {"isResolved": True, "resolvedBy": {"login": "precedent"}}
    requester.graphql_named_mutation(
        "unresolveReviewThread", {"threadId": thread_id}, "thread {id}"
    )
    assert threads(acme)["nodes"][0]["isResolved"] is False
    acme.github.resolve(next(iter(acme.pull.threads.values())), "maria")
    assert threads(acme)["nodes"][0]["resolvedBy"]["databaseId"] == acme.maria.id


def test_threads_come_in_pages(acme: Acme) -> None:
    for line in (3, 4, 5, 7, 8):
        acme.github.review_comment(acme.pull, "tom", APP, line, f"at {line}")
    seen, cursor = [], None
    for _ in range(3):
        page = threads(acme, first=2, after=cursor)
        seen += [node["line"] for node in page["nodes"]]
        cursor = page["pageInfo"]["endCursor"]
    assert seen == [3, 4, 5, 7, 8]
    assert page["pageInfo"]["hasNextPage"] is False
    assert page["totalCount"] == 5


@pytest.mark.parametrize(("first", "kind"), [(None, "MISSING"), (101, "EXCESSIVE")])
def test_a_page_needs_a_size_up_to_a_hundred(acme: Acme, first: int | None, kind: str) -> None:
    answer = acme.graphql(THREADS, owner="acme", name="api", number=acme.pull.number, first=first)
    assert answer["errors"][0]["type"].startswith(kind)


def test_a_pending_thread_is_seen_by_its_author_alone(acme: Acme) -> None:
    acme.github.review(
        acme.pull, "tom", event=None, comments=[{"path": APP, "line": 5, "body": "draft"}]
    )
    assert threads(acme)["nodes"] == []
    own = threads(acme, token=acme.github.user_token("tom").value)
    assert own["nodes"][0]["comments"]["nodes"][0]["pullRequestReview"]["state"] == "PENDING"


def test_a_comment_is_hidden_with_a_reason(acme: Acme) -> None:
    comment = acme.github.comment(acme.pull, "tom", "noise")
    answer = acme.graphql(
        """mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) {
             minimizedComment { isMinimized minimizedReason } } }""",
        id=node_id("IC", comment.id),
    )
    hidden = {"isMinimized": True, "minimizedReason": "outdated"}
    assert answer["data"]["minimizeComment"]["minimizedComment"] == hidden


def test_errors_have_githubs_type(acme: Acme) -> None:
    answer = acme.graphql(THREADS, owner="acme", name="none", number=1, first=1)
    assert answer["data"] == {"repository": None}
    assert answer["errors"][0]["type"] == "NOT_FOUND"
    acme.github.add_repository("eve", "own")
    assert acme.graphql('{repository(owner:"eve",name:"own"){id}}')["errors"]
    assert acme.graphql('{node(id:"nonsense"){id}}')["errors"][0]["type"] == "NOT_FOUND"
    assert "data" not in acme.graphql("{ nothing }")
    assert acme.call("POST", "/api/graphql", json={"query": 1}).status_code == 400


def test_a_token_without_write_cannot_resolve(acme: Acme) -> None:
    acme.github.review_comment(acme.pull, "tom", APP, 5, "why?")
    thread_id = threads(acme)["nodes"][0]["id"]
    answer = acme.graphql(
        "mutation($id: ID!) {resolveReviewThread(input: {threadId: $id}) {thread {id}}}",
        token=acme.token(permissions={"pull_requests": "read"}), id=thread_id,
    )  # fmt: skip
    assert answer["errors"]
    assert threads(acme)["nodes"][0]["isResolved"] is False


def test_global_ids_are_read_back() -> None:
    assert split_node_id(node_id("PRRT", 123_456)) == ("PRRT", 123_456)
    for nonsense in ("", "PRRT_kwDO", "PRRT_kwDO!!!", "x"):
        assert split_node_id(nonsense) is None
