"""Whether to review at all. Every "no" has a reason, which reaches the check run."""

from __future__ import annotations

import re

from graph.context import PullRequest
from graph.repository_settings import RepositorySettings


def reason_to_skip(
    pull_request: PullRequest,
    settings: RepositorySettings,
    *,
    was_asked: bool,
    is_paused: bool,
    handle: str,
) -> str:
    """What the check run says, or "" when the pull request is to be reviewed.

    Somebody who asks for a review gets one: drafts, labels, titles and pauses bind automatic
    reviews only, and then the words to ask with are said. `handle` is the name to mention.
    """
    if not settings.enabled:
        return "Reviews are switched off for this repository (`enabled` in `.precedent.toml`)."
    if not pull_request.is_open:
        return "The pull request is closed."
    if was_asked:
        return ""
    anyway = f"comment `@{handle} review` for a review"
    if is_paused:
        return (
            "Reviews of this pull request are paused; comment "
            f"`@{handle} resume` to start them again, or `@{handle} review` for one."
        )
    if pull_request.is_draft and not settings.review_drafts:
        return f"Drafts are not reviewed; mark it as ready, or {anyway}."
    for label in settings.review_skip_labels:
        if label.casefold() in {name.casefold() for name in pull_request.labels}:
            return f"The label “{label}” says to skip it; {anyway}."
    for word in settings.review_skip_title_words:
        if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", pull_request.title, re.IGNORECASE):
            return f"The title says “{word}”; {anyway}."
    return ""
