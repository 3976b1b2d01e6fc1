"""What the team does not want to hear: ignoring conventions, and places a pull request leaves out.

Neither ever hides a bug, a secret or a security problem.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pathspec

from graph.anchors import Anchor
from graph.conventions import Convention
from graph.findings import NEVER_IGNORED, Finding
from graph.places import place_at
from graph.state import Instruction
from graph.words import tokens_of

_LOOK_AWAY = re.compile(
    r"(?:ignore|skip|leave out|exclude|"
    r"(?:do not|don't|don’t) (?:review|check|comment on|look at|report on))\b",
    re.IGNORECASE,
)
_FILLERS = frozenset(
    {"the", "a", "all", "any", "every", "everything", "anything", "files", "file", "changes",
     "code", "in", "inside", "under", "within", "of", "and", "folder", "folders", "directory",
     "here", "this", "that", "whole", "entire", "please", "for", "now", "from", "on", "pull",
     "request", "pr"}
)  # fmt: skip


def ignored_globs(instructions: Sequence[Instruction]) -> tuple[str, ...]:
    """The places that instructions tell us to look away from, where their words say just that."""
    globs = (glob for one in instructions for glob in _places_ignored(one["words"]))
    return tuple(dict.fromkeys(globs))


def heard(
    finding: Finding,
    conventions: Mapping[str, Convention],
    ignoring: Sequence[Convention],
    ignored: Sequence[str],
) -> Finding | None:
    """The finding without the places that nobody wants to hear of; None when none is left."""
    if finding.category in NEVER_IGNORED:
        return finding
    cited = conventions.get(finding.convention_id or "")
    spec = pathspec.GitIgnoreSpec.from_lines(ignored)

    def is_unwanted(path: str) -> bool:
        return spec.match_file(path) or any(
            rule.applies_to(path) and _is_about(rule, cited) for rule in ignoring
        )

    if finding.anchor is None:
        return None if finding.path and is_unwanted(finding.path) else finding
    places = [a for a in (finding.anchor, *finding.also_at) if not is_unwanted(a.path)]
    if not places:
        return None
    return finding if places[0] == finding.anchor else _moved(finding, places)


def _moved(finding: Finding, places: Sequence[Anchor]) -> Finding:
    return replace(
        finding, path=places[0].path, anchor=places[0], also_at=tuple(places[1:]), suggestion=None
    )


def _is_about(rule: Convention, cited: Convention | None) -> bool:
    """Whether an ignoring rule means findings like this: of its topic, or all in its paths."""
    if rule.topic == "other":
        return bool(rule.paths)
    return cited is not None and cited.topic == rule.topic


def _places_ignored(words: str) -> list[str]:
    order = _LOOK_AWAY.search(words)
    if order is None:
        return []
    tokens = tokens_of(words[order.end() :])
    found: list[str] = []
    at = 0
    while at < len(tokens):
        place = place_at(tokens, at)
        if place is not None:
            found += place[0]
            at += place[1]
        elif tokens[at].text.casefold() in _FILLERS or not tokens[at].text.strip(".,;!"):
            at += 1
        else:
            return []  # about something in that place, which only a model can judge
    return found
