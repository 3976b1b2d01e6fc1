"""Our own reviews of a pull request: listing them, and taking a pending one out of the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph.context import StillOurs
from workers.errors import Transient
from workers.github_client import RepositoryClient
from workers.github_limits import NotFound, Rejected
from workers.github_tokens import AppIdentity

LAG_S = 10.0
"""When to look again for something that must be there and is not listed yet."""

Review = Mapping[str, Any]


class OwnReviews:
    """What our account has written as reviews in one repository."""

    def __init__(
        self, repository: RepositoryClient, identity: AppIdentity, still_ours: StillOurs
    ) -> None:
        self._repository = repository
        self._identity = identity
        self._still_ours = still_ours

    def of(self, number: int) -> list[Review]:
        """All of them, every page; pending ones are listed for their author only."""
        reviews = self._repository.pages(f"/pulls/{number}/reviews")
        return [review for review in reviews if self._identity.wrote(review.get("user"))]

    def discard(self, number: int, review: Review) -> None:
        """Delete a pending review. Raises Transient when it was submitted meanwhile."""
        self._still_ours()
        try:
            self._repository.delete(f"/pulls/{number}/reviews/{review['id']}")
        except NotFound:
            return  # gone already
        except Rejected as refusal:
            raise in_doubt("A pending review was submitted while it was deleted") from refusal

    def discard_pending(self, number: int) -> None:
        for review in self.of(number):
            if review["state"] == "PENDING":
                self.discard(number, review)


def stands_in_the_way(refusal: Rejected) -> bool:
    """Whether GitHub refused because our account has a pending review on this pull request."""
    return "pending review" in refusal.detail.lower()


def in_doubt(what: str) -> Transient:
    return Transient(
        f"{what}; it is looked at again.", retry_after_s=LAG_S, reason="review_in_doubt"
    )
