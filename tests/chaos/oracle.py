"""What the outside received, judged without asking Precedent anything."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.model import CheckRun
from graph.markers import marks
from tests.chaos.havoc import Pause
from tests.chaos.model_endpoint import ModelCall
from tests.chaos.world import Pull

ANSWER = re.compile(r"answer \[pr-(\d+) q(\d+)\]")
AFTER_A_PAUSE_S = 1.0
"""A process that was stopped between its check and its call makes that call when it wakes up."""


@dataclass(frozen=True)
class Verdict:
    """Counts that must all be zero, each with some examples."""

    lost_answers: list[str] = field(default_factory=list)
    lost_reviews: list[str] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)
    out_of_order: list[str] = field(default_factory=list)
    overlaps: list[str] = field(default_factory=list)
    overlaps_after_a_pause: int = 0
    reviews: int = 0
    answers: int = 0

    @property
    def faults(self) -> dict[str, list[str]]:
        return {
            "lost answers": self.lost_answers,
            "lost reviews": self.lost_reviews,
            "duplicates": self.duplicates,
            "answers out of order": self.out_of_order,
            "two runs of one pull request at once": self.overlaps,
        }

    @property
    def holds(self) -> bool:
        return not any(self.faults.values())


def is_complete(github: SandboxGitHub, pulls: Sequence[Pull]) -> bool:
    """Whether everything that must be there is there; what is there too much shows later."""
    with github.lock:
        return not any(_lost_answers(p) or _lost_reviews(github, p) for p in pulls)


def judge(
    github: SandboxGitHub, pulls: Sequence[Pull], calls: Sequence[ModelCall],
    pauses: Sequence[Pause],
) -> Verdict:  # fmt: skip
    overlaps, excused = _overlaps(calls, pauses)
    with github.lock:
        return Verdict(
            lost_answers=[lost for p in pulls for lost in _lost_answers(p)],
            lost_reviews=[lost for p in pulls for lost in _lost_reviews(github, p)],
            duplicates=[twice for p in pulls for twice in _duplicates(github, p)],
            out_of_order=[name for p in pulls for name in _out_of_order(p)],
            overlaps=overlaps,
            overlaps_after_a_pause=excused,
            reviews=sum(len(_reviews(p)) for p in pulls),
            answers=sum(len(_answers(p)) for p in pulls),
        )


def _answers(pull: Pull) -> list[int]:
    """The question numbers of our answers, in the order of the comments."""
    said = [c.body for c in pull.pull.comments.values() if c.user.type == "Bot"]
    return [int(match[2]) for body in said if (match := ANSWER.search(body))]


def _lost_answers(pull: Pull) -> list[str]:
    missing = set(range(1, pull.questions + 1)) - set(_answers(pull))
    return [f"pr-{pull.index} q{number}" for number in sorted(missing)]


def _reviews(pull: Pull) -> list[str]:
    """The publication keys of our submitted reviews."""
    return [
        mark.render()
        for review in pull.pull.reviews.values()
        if review.user.type == "Bot" and review.state != "PENDING"
        for mark in marks(review.body)
        if mark.kind == "review"
    ]


def _lost_reviews(github: SandboxGitHub, pull: Pull) -> list[str]:
    head = pull.heads[-1]
    said = any(f"sha={head}" in key for key in _reviews(pull))
    reported = any(run.status == "completed" for run in _check_runs(github, pull, head))
    lost = [] if said else [f"pr-{pull.index} has no review of {head[:7]}"]
    return lost if reported else [*lost, f"pr-{pull.index} has no check run on {head[:7]}"]


def _duplicates(github: SandboxGitHub, pull: Pull) -> list[str]:
    keys = [f"answer to q{number}" for number in _answers(pull)]
    keys += [f"reply {key}" for key in _reply_keys(pull)]
    keys += _reviews(pull)
    keys += [
        f"check run {run.external_id}"
        for head in pull.heads
        for run in _check_runs(github, pull, head)
    ]
    leftovers = [r for r in pull.pull.reviews.values() if r.state == "PENDING"]
    return [f"pr-{pull.index}: {key} x {n}" for key, n in Counter(keys).items() if n > 1] + [
        f"pr-{pull.index}: a pending review was left" for _ in leftovers
    ]


def _reply_keys(pull: Pull) -> Iterable[str]:
    """Of the notes in threads; answers to questions are counted by what they say."""
    for thread in pull.pull.threads.values():
        for comment in thread.comments.values():
            if comment.user.type == "Bot":
                yield from (m.render() for m in marks(comment.body) if m.kind == "reply")


def _out_of_order(pull: Pull) -> list[str]:
    first = list(dict.fromkeys(_answers(pull)))
    return [] if first == sorted(first) else [f"pr-{pull.index}: {first}"]


def _check_runs(github: SandboxGitHub, pull: Pull, head: str) -> list[CheckRun]:
    repository = pull.pull.repository
    return [
        run
        for run in github.check_runs.values()
        if run.suite.head_sha == head and run.suite.repository is repository
    ]


def _overlaps(calls: Sequence[ModelCall], pauses: Sequence[Pause]) -> tuple[list[str], int]:
    """Pairs of calls for one pull request at the same time that no single run can have made."""
    by_pull: dict[int, list[ModelCall]] = defaultdict(list)
    for call in calls:
        if call.question is not None:
            by_pull[call.question[0]].append(call)
    found, excused = [], 0
    for index, mine in by_pull.items():
        for one, other in combinations(mine, 2):
            is_at_once = one.started_s < other.ended_s and other.started_s < one.ended_s
            if not is_at_once:
                continue
            if _woke_up(one, pauses) or _woke_up(other, pauses):
                excused += 1
            else:
                found.append(f"pr-{index}: {one.question} and {other.question}")
    return found, excused


def _woke_up(call: ModelCall, pauses: Sequence[Pause]) -> bool:
    return any(
        p.pid == call.pid and p.began_s <= call.started_s <= p.ended_s + AFTER_A_PAUSE_S
        for p in pauses
    )
