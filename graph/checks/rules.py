"""From a repository's conventions to the rules that run: precedence of paths, modes, versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from graph.checks.report import Rule, Skip
from graph.checks.specs import CheckError, check_from_json
from graph.conventions import Convention, effective, specificity

_NEVER_IGNORED = frozenset({"security"})
"""Ignoring takes away opinions; it never hides a secret, a bug or a security finding."""

_TOO_WIDE_TO_IGNORE = frozenset({"other"})
"""A topic that says nothing: ignoring one thing there must not ignore all the others."""


def rules_from(conventions: Sequence[Convention]) -> tuple[tuple[Rule, ...], tuple[Skip, ...]]:
    """The enforced conventions with a check, and a skip for each whose check cannot be read.

    `conventions` are the active ones (the caller knows the time). A rule applies to a path when
    its convention is effective there and no `ignore` of its topic, or of its kind of check, that
    is as narrow or narrower holds there.
    """
    rules, skips = [], []
    holding = _holding(tuple(conventions))
    for convention in conventions:
        if convention.mode != "enforce" or convention.check is None:
            continue
        try:
            check = check_from_json(convention.check)
        except CheckError as error:
            skips.append(Skip(convention.id, error.reason, str(error)))
            continue
        rules.append(Rule(convention.id, check, _applies(convention.id, holding)))
    return tuple(rules), tuple(skips)


def _applies(convention_id: str, holding: Callable[[str], frozenset[str]]) -> Callable[[str], bool]:
    return lambda path: convention_id in holding(path)


def _holding(conventions: tuple[Convention, ...]) -> Callable[[str], frozenset[str]]:
    """The ids of the conventions that are enforced on a path; worked out once per path."""

    @cache
    def holding(path: str) -> frozenset[str]:
        here = effective(conventions, path)
        ignoring = [c for c in here if c.mode == "ignore"]
        return frozenset(
            c.id
            for c in here
            if c.mode == "enforce" and not any(_hides(i, c, path) for i in ignoring)
        )

    return holding


def _hides(ignore: Convention, rule: Convention, path: str) -> bool:
    if rule.topic in _NEVER_IGNORED:
        return False
    if ignore.check is not None and rule.check is not None:
        same = ignore.check.get("kind") == rule.check.get("kind")
    else:
        same = ignore.topic == rule.topic and rule.topic not in _TOO_WIDE_TO_IGNORE
    return same and _rank(ignore, path) >= _rank(rule, path)


def _rank(convention: Convention, path: str) -> tuple[tuple[int, int], bool, float]:
    narrowness = specificity(convention.paths, path)
    return (narrowness, convention.id.startswith("C"), convention.updated_at)
