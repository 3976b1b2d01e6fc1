"""Who may silence a finding: through signed webhooks, on a public repository, without a model.

An open thread keeps a finding from being said twice; a dismissal also takes it out of the check,
which here fails for C1. So the check tells whose word counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as redis_client

from deploy.sandbox.github.model import PullRequest, ReviewComment
from graph.anchors import Anchor
from graph.findings import Finding
from graph.rendering import body
from tests.workers.review_stage import Reviewer, open_review, proposal
from tests.workers.stage import Stage, open_stage

LONG = f"total = {'a' * 90}\n"
SAYS_NO = "Won't fix, this is by design."


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, redis_server: object) -> Iterator[Stage]:
    url = getattr(redis_server, "url", "")
    with open_stage(Path(tmp_path_factory.mktemp("dismissals")), url) as stage:
        stage.redis.flushall()
        world = stage.world
        stage.github.set_private(world.api, False)
        stage.github.add_fork(world.api, "eve")
        stage.github.commit(world.api, "ada", {".precedent.toml": '[check]\nfail_on = ["C1"]\n'})
        stage.github.comment(
            world.api_pull, "ada", "@precedent remember: the maximum line length is 88 characters"
        )
        stage.work()
        yield stage
        assert stage.dead() == []


def _opened(stage: Stage, author: str) -> tuple[PullRequest, ReviewComment]:
    """A pull request with one finding, and the comment that tells it."""
    repository = stage.world.api
    name = f"totals-{len(repository.issues)}"
    fork = stage.github.repo("eve/api") if author == "eve" else None
    pull = stage.github.open_pull_request(
        repository, author, name, "", name, {f"{name}.py": LONG}, fork=fork
    )
    stage.work()
    (ours,) = stage.github.comments_of(pull)
    assert _verdict(stage, pull) == ("failure", "1 finding")
    return pull, ours


def _verdict(stage: Stage, pull: PullRequest) -> tuple[str | None, str]:
    runs = [r for r in stage.github.check_runs.values() if r.suite.head_sha == pull.head_sha]
    newest = max(runs, key=lambda run: run.id)
    return newest.conclusion, str(newest.title)


def _reviewed_again(stage: Stage, pull: PullRequest) -> tuple[str | None, str]:
    stage.work()
    stage.github.comment(pull, "ada", "@precedent review")
    stage.work()
    assert [c for c in stage.github.comments_of(pull) if "C1," in c.body] == [
        stage.github.comments_of(pull)[0]
    ], "A finding is said once, whatever is answered to it."
    return _verdict(stage, pull)


@pytest.mark.parametrize(
    ("author", "speaker", "counts"),
    [
        ("ben", "eve", False),    # nobody in particular, from the internet
        ("ben", "cleo", False),   # a collaborator who may read
        ("ben", "ada", True),     # maintains
        ("ben", "ben", True),     # the author, who may write
        ("eve", "eve", False),    # the author of a fork, who may not: said once, and counted
        ("eve", "ben", True),
    ],
)  # fmt: skip
def test_wont_fix_counts_from_people_who_may_write(
    stage: Stage, author: str, speaker: str, counts: bool
) -> None:
    """Before, anybody on the internet could turn a failing check green with two words."""
    pull, ours = _opened(stage, author)
    stage.github.reply(ours, speaker, SAYS_NO)
    expected = ("success", "No findings") if counts else ("failure", "1 finding")
    assert _reviewed_again(stage, pull) == expected


@pytest.mark.parametrize(("resolver", "counts"), [("eve", False), ("ben", True)])
def test_a_thread_resolved_by_an_author_who_may_not_write_still_counts(
    stage: Stage, resolver: str, counts: bool
) -> None:
    pull, ours = _opened(stage, "eve")
    stage.github.resolve(ours.thread, resolver)
    expected = ("success", "No findings") if counts else ("failure", "1 finding")
    assert _reviewed_again(stage, pull) == expected


def test_a_permission_is_asked_only_of_people_whose_words_would_settle_something(
    stage: Stage,
) -> None:
    pull, ours = _opened(stage, "ben")
    for number in range(3):
        stage.github.reply(ours, "cleo", f"Interesting, I had not seen that ({number}).")
    stage.work()
    before = len(stage.github.calls)
    assert _reviewed_again(stage, pull)[0] == "failure"
    asked = [c.path for c in stage.github.calls[before:] if c.path.endswith("/cleo/permission")]
    assert asked == []


@pytest.mark.parametrize(("speaker", "is_heard"), [("eve", False), ("ben", True)])
def test_a_strangers_words_at_the_line_take_nothing_from_a_public_review(
    tmp_path: Path, redis: redis_client.Redis, speaker: str, is_heard: bool
) -> None:
    """Whoever wrote the finding's words at its line before the review had silenced it."""
    path = "src/parts.py"
    finds = [proposal(path, 1, "a = first / count", "Count of zero divides by zero")]
    changes = {path: "a = first / count\n"}
    opened = open_review(tmp_path, redis, changes=changes, reviewer=Reviewer(finds), public=True)
    with opened as review:
        words = "The count of zero divides by zero."
        review.github.review_comment(review.pull, speaker, path, 1, words)
        review.review()
        assert len(review.comments()) == (0 if is_heard else 1)


def test_many_places_are_told_calmly() -> None:
    """A convention that is broken in 30 places had a paragraph of 20 paths in its comment."""
    anchors = [Anchor(f"src/part{n % 3}.py", n + 1, "RIGHT") for n in range(30)]
    finding = Finding(
        path="src/part0.py", category="convention", severity="medium", title="96 characters",
        message="", anchor=anchors[0], origin="check", also_at=tuple(anchors[1:]),
    )  # fmt: skip
    lines = body(finding, {}).split("\n")
    assert lines == [
        "**96 characters**", "", "<details>", "<summary>The same at 29 other places</summary>", "",
        "- `src/part1.py`: 2, 5, 8, 11, 14, 17, 20",
        "- `src/part2.py`: 3, 6, 9, 12, 15, 18, 21",
        "- `src/part0.py`: 4, 7, 10, 13, 16, 19",
        "- 9 more places, in the check's annotations", "</details>",
    ]  # fmt: skip
