"""Whether to review at all. Every "no" has a reason, which reaches the check run."""

from __future__ import annotations

import re

from graph.context import PullRequest
from graph.repository_settings import RepositorySettings


def reason_to_skip(
    pull_request: PullRequest, settings: RepositorySettings, *, was_asked: bool, is_paused: bool
) -> str:
    """A sentence, or "" when the pull request is to be reviewed.

    Somebody who asks for a review gets one: drafts, labels, titles and pauses bind automatic
    reviews only.
    """
    if not settings.enabled:
        return "Reviews are switched off for this repository (`enabled` in `.precedent.toml`)."
    if not pull_request.is_open:
        return "The pull request is closed."
    if was_asked:
        return ""
    if is_paused:
        return "Reviews of this pull request are paused; `resume` starts them again."
    if pull_request.is_draft and not settings.review_drafts:
        return "Drafts are not reviewed; ask for it with `review`, or mark it as ready."
    for label in settings.review_skip_labels:
        if label.casefold() in {name.casefold() for name in pull_request.labels}:
            return f"The label “{label}” says to skip it."
    for word in settings.review_skip_title_words:
        if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", pull_request.title, re.IGNORECASE):
            return f"The title says “{word}”."
    return ""
