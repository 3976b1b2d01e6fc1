"""How a check run of ours is known again: its name, its button, and the id that it carries."""

from __future__ import annotations

import re

NAME = "Precedent"

REVIEW_AGAIN = "review_again"
"""The identifier of our button, as GitHub says it back. Limit: 20 characters."""

_EXTERNAL_ID = re.compile(r"check:([0-9]{1,16}):([0-9]{1,10}):([0-9a-f]{40,64}):[0-9]{1,6}")


def external_id(repository_id: int, number: int, head_sha: str, generation: int) -> str:
    """GitHub keeps it with the run and sends it back with every event about it."""
    return f"check:{repository_id}:{number}:{head_sha}:{generation}"


def number_in(text: str, repository_id: int, head_sha: str) -> int | None:
    """The pull request for which a run with this external id was made; None for any other text.

    A run's own list of pull requests leaves out those from forks.
    """
    found = _EXTERNAL_ID.fullmatch(text)
    if found is None or (int(found[1]), found[3]) != (repository_id, head_sha):
        return None
    return int(found[2]) or None
