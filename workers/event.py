"""What happened, as ids: the small frozen record that travels from a request to a worker."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

Lane = Literal["reviews", "background"]
EventKind = Literal[
    "pull_request.push",       # opened, reopened, ready, base changed, synchronized: review it
    "pull_request.closed",
    "check.rerequested",       # review it again; without a number: every one that has this head
    "github.comment",          # a person's words in an issue comment, review comment or review body
    "slack.mention",           # a person's words in a channel or a direct message
    "slack.command",           # a slash command
    "slack.action",            # a button or a submitted modal
    "slack.home",
    "slack.lifecycle",         # uninstalled, tokens revoked, channel changed
    "installation",            # created, deleted, suspended, repositories added or removed
    "github.oauth",            # a person came back from GitHub with a code: link their account
    "slack.oauth",             # somebody installed the Slack app: exchange the code for a token
    "slack.post",              # the message about a reviewed pull request in its channels
    "housekeeping",            # the hourly job: purges, reconciliation, token renewal
    "reconcile",               # every five minutes: failed deliveries, heads without a review
    "repository",              # renamed, transferred, archived, publicised, deleted
    "sign",                    # the tiny event whose only effect is the first visible sign
    "learn",                   # background extraction
    "index",                   # background indexing of the default branch
    "backtest",                # what a new check would have found in recent pull requests
]  # fmt: skip


@dataclass(frozen=True)
class SlackPlace:
    """Where in Slack something was said. `thread_ts` is the thread's root, `ts` the message."""

    team: str
    channel: str
    user: str
    ts: str = ""
    thread_ts: str = ""
    is_direct: bool = False
    is_private: bool = False
    is_external: bool = False
    enterprise: str = ""
    response_url: str = ""
    view_id: str = ""


@dataclass(frozen=True)
class Event:
    """One accepted fact. Ids only, and for a person's message the words as they were signed.

    `id` is unique over all sources ("gh:<delivery>", "slack:<team>:<event id>", "job:<name>:...").
    `subject` is what runs one at a time and in order: "pr:<repository id>:<number>",
    "slack:<team>:<channel>:<thread ts>", "repo:<id>", "inst:<id>", "sign:<place>".
    `action` is the source's own word ("opened", "synchronize", "created", an action_id ...).
    """

    id: str
    kind: EventKind
    subject: str
    lane: Lane = "reviews"
    action: str = ""
    installation_id: int | None = None
    account_id: int | None = None
    repository_id: int | None = None
    number: int | None = None
    head_sha: str | None = None
    actor_id: int | None = None
    actor_login: str = ""
    comment_id: int | None = None
    comment_kind: Literal["", "issue", "review_comment", "review"] = ""
    check_run_id: int | None = None
    text: str | None = None
    slack: SlackPlace | None = None
    arguments: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Compact JSON without the fields that hold their default."""
        record = {**vars(self), "slack": self.slack and vars(self.slack)}
        return json.dumps(
            {k: v for k, v in record.items() if v not in (None, "", (), [])},
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @staticmethod
    def from_json(data: str | bytes) -> Event:
        """The inverse of `to_json`. Raises ValueError, KeyError or TypeError on anything else."""
        record = json.loads(data)
        if record.get("slack"):
            record["slack"] = SlackPlace(**record["slack"])
        record["arguments"] = tuple(record.get("arguments", ()))
        return Event(**record)
