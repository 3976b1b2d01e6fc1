"""What the GitHub App and the Slack app must be allowed to do, and why.

The manifests in deploy/ ask for exactly this, and `precedent doctor` compares what is granted.
"""

from __future__ import annotations

GITHUB_PERMISSIONS: dict[str, str] = {
    "metadata": "read",  # every App has it; collaborators' permissions are read with it
    "contents": "read",  # files, comparisons, .precedent.toml
    "pull_requests": "write",  # reviews, review comments, replies in review threads
    "issues": "write",  # answers below a pull request, and the reactions there
    "checks": "write",  # the check run "Precedent"
}

OPTIONAL_GITHUB_PERMISSIONS: dict[str, str] = {
    "members": "read",  # who owns the organisation, for its own rules (O1, O2 …)
}

GITHUB_EVENTS: tuple[str, ...] = (
    "check_run", "check_suite", "issue_comment", "pull_request", "pull_request_review",
    "pull_request_review_comment", "push", "repository",
)  # fmt: skip
"""`installation` and `installation_repositories` are sent to every App, unasked."""

SLACK_SCOPES: tuple[str, ...] = (
    "app_mentions:read", "channels:history", "channels:read", "chat:write", "commands",
    "groups:history", "groups:read", "im:history", "im:read", "im:write", "reactions:write",
    "users:read",
)  # fmt: skip
"""The histories are read for one thing: whether a message whose answer was lost had arrived."""

SLACK_EVENTS: tuple[str, ...] = (
    "app_home_opened", "app_mention", "app_uninstalled", "channel_id_changed", "message.im",
    "tokens_revoked",
)  # fmt: skip

LEVELS = ("", "read", "write", "admin")


def lacking(granted: dict[str, str], wanted: dict[str, str]) -> dict[str, str]:
    """The permissions of `wanted` that `granted` does not reach."""
    return {
        name: level for name, level in wanted.items() if _rank(granted.get(name, "")) < _rank(level)
    }


def _rank(level: str) -> int:
    return LEVELS.index(level) if level in LEVELS else 0
