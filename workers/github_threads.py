"""Review threads, which only GraphQL knows: reading all of them, and resolving one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph.context import ReviewThread, ThreadComment
from workers.github_client import MAX_PAGES, GithubClient
from workers.github_tokens import AppIdentity

_COMMENTS = """
    pageInfo { hasNextPage endCursor }
    nodes {
      databaseId body url createdAt
      author { __typename login ... on User { databaseId } ... on Bot { databaseId } }
    }
"""

THREADS_QUERY = (
    """query ReviewThreads($pull: ID!, $after: String) {
  node(id: $pull) {
    ... on PullRequest {
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id path line originalLine startLine diffSide isResolved isOutdated
          resolvedBy { databaseId }
          comments(first: 50) {"""
    + _COMMENTS
    + """          }
        }
      }
    }
  }
}"""
)

COMMENTS_QUERY = (
    """query ThreadComments($thread: ID!, $after: String) {
  node(id: $thread) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: $after) {"""
    + _COMMENTS
    + """      }
    }
  }
}"""
)

RESOLVE_MUTATION = """mutation ResolveThread($thread: ID!) {
  resolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } }
}"""


def read_threads(
    client: GithubClient, pull_node_id: str, identity: AppIdentity
) -> tuple[ReviewThread, ...]:
    """All threads of a pull request with all their comments, every page of both."""
    threads: list[ReviewThread] = []
    after: str | None = None
    for _page in range(MAX_PAGES):
        data = client.graphql(THREADS_QUERY, {"pull": pull_node_id, "after": after})
        connection = (data.get("node") or {}).get("reviewThreads")
        if connection is None:
            break
        threads += [_thread(client, node, identity) for node in connection["nodes"]]
        after = _next(connection)
        if after is None:
            break
    return tuple(threads)


def resolve_thread(client: GithubClient, thread_id: str) -> None:
    """Mark a thread as resolved; doing it twice changes nothing. Raises NotFound."""
    client.graphql(RESOLVE_MUTATION, {"thread": thread_id})


def _thread(client: GithubClient, node: Mapping[str, Any], identity: AppIdentity) -> ReviewThread:
    comments = list(node["comments"]["nodes"])
    after = _next(node["comments"])
    while after is not None:
        data = client.graphql(COMMENTS_QUERY, {"thread": node["id"], "after": after})
        connection = data["node"]["comments"]
        comments += connection["nodes"]
        after = _next(connection)
    return ReviewThread(
        id=str(node["id"]),
        path=str(node["path"]),
        line=node.get("line"),
        is_resolved=bool(node["isResolved"]),
        is_outdated=bool(node["isOutdated"]),
        comments=tuple(_comment(comment, identity) for comment in comments),
        original_line=node.get("originalLine"),
        resolved_by_id=(node.get("resolvedBy") or {}).get("databaseId"),
        start_line=node.get("startLine"),
        side="LEFT" if node.get("diffSide") == "LEFT" else "RIGHT",
    )


def _comment(node: Mapping[str, Any], identity: AppIdentity) -> ThreadComment:
    author = node.get("author") or {}  # null once the account is gone
    is_bot = author.get("__typename") == "Bot"
    login = str(author.get("login", "ghost"))
    return ThreadComment(
        id=int(node.get("databaseId") or 0),
        author_id=int(author.get("databaseId") or 0),
        author_login=login,
        # GraphQL writes a bot's login without the brackets that REST appends.
        is_ours=is_bot and login in (identity.slug, identity.login),
        is_bot=is_bot,
        body=str(node.get("body") or ""),
        html_url=str(node.get("url", "")),
        created_at=str(node.get("createdAt", "")),
    )


def _next(connection: Mapping[str, Any]) -> str | None:
    page = connection["pageInfo"]
    return str(page["endCursor"]) if page["hasNextPage"] else None
