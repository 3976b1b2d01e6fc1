"""What a rule would have found in earlier pull requests, as a count and in words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from graph.answers import plural
from graph.checking import violations_of, written_by_people
from graph.checks.pull_request_text import PullRequestText
from graph.conventions import Convention
from graph.diff import Diff

MAX_NAMED = 10
"""Pull requests that are named; the others are counted."""


@dataclass(frozen=True)
class Trial:
    """What one convention would have flagged in one pull request.

    `is_undecided`: the check could not be run there, so nothing found means nothing.
    """

    convention_id: str
    number: int
    places: int
    are_lines: bool
    is_undecided: bool = False


def tried(
    wanted: Sequence[Convention],
    active: Sequence[Convention],
    number: int,
    diff: Diff,
    read: Callable[[str], bytes | None],
    text: PullRequestText,
    policy: Collection[str],
) -> list[Trial]:
    """Run the checks of `wanted`, where the precedence among all the `active` ones lets them.

    `policy` are the paths that a review would leave out.
    """
    ids = {c.id for c in wanted}
    # The others take part in the precedence of paths, and run no check.
    conventions = [c if c.id in ids else replace(c, check=None) for c in active]
    result = violations_of(conventions, diff, read, text)
    told = written_by_people(result.violations, conventions, policy)
    trials = []
    for convention in wanted:
        found = [v for v in told if v.convention_id == convention.id]
        skips = [s for s in result.skipped if s.convention_id == convention.id]
        are_lines = all(v.line is not None for v in found)
        is_undecided = not found and any(not s.paths for s in skips)
        trials.append(Trial(convention.id, number, len(found), are_lines, is_undecided))
    return trials


def sentence(trials: Sequence[Trial]) -> str:
    """ "In the last 20 pull requests it would have flagged 14 lines in 5: #12 (6), …"."""
    if not trials:
        return "There is no earlier pull request here to try it on."
    decided = [t for t in trials if not t.is_undecided]
    if not decided:
        return "It can't be tried on earlier pull requests: what it needs is not kept with them."
    last = plural(len(decided), "pull request")
    since = f"In the last {last}" if len(decided) > 1 else "In the last pull request"
    flagged = [t for t in decided if t.places]
    if not flagged:
        return f"{since} it would have flagged nothing."
    places = sum(t.places for t in flagged)
    noun = plural(places, "line" if all(t.are_lines for t in flagged) else "place")
    if len(decided) == 1:
        return f"{since}, #{flagged[0].number}, it would have flagged {noun}."
    by_count = sorted(flagged, key=lambda t: (-t.places, -t.number))
    named = ", ".join(f"#{t.number} ({t.places:,})" for t in by_count[:MAX_NAMED])
    more = f" and {len(flagged) - MAX_NAMED} more" if len(flagged) > MAX_NAMED else ""
    return f"{since} it would have flagged {noun} in {len(flagged)}: {named}{more}."
