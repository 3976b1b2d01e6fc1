"""The first node of every turn: empty the turn's channels and read what it is about."""

from __future__ import annotations

from typing import Any

import structlog
from langgraph.runtime import Runtime

from graph.context import PullRequest, ReviewContext
from graph.repository_settings import FILE, RepositorySettings, SettingsFileError, parse_settings
from graph.state import ReviewState, fresh_turn

log = structlog.get_logger()


def begin(state: ReviewState, runtime: Runtime[ReviewContext]) -> dict[str, Any]:
    """Reset the per-turn channels for the event that this run is about."""
    runtime.context.still_ours()
    return fresh_turn(state["turn"])


def load(state: ReviewState, runtime: Runtime[ReviewContext]) -> dict[str, Any]:
    """Read the pull request's current state and the repository's settings; deliveries are late."""
    context = runtime.context
    context.still_ours()
    pull_request = current(context)
    update: dict[str, Any] = {
        "head_sha": pull_request.head_sha,
        "base_sha": pull_request.base_sha,
        "started_at": context.now(),
    }
    try:
        settings_of(context, pull_request)
    except SettingsFileError as error:
        update["skip"] = str(error)
    return update


def current(context: ReviewContext) -> PullRequest:
    """The pull request of this run; the reader remembers it for the run."""
    assert context.number is not None
    return context.reader.pull_request(context.number)


def settings_of(context: ReviewContext, pull_request: PullRequest) -> RepositorySettings:
    """The settings of the default branch: what a pull request changes never binds its own review.

    Raises SettingsFileError.
    """
    return parse_settings(context.reader.read_file(FILE, pull_request.default_branch))
