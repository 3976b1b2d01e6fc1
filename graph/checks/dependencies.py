"""Dependencies that a change adds to a manifest, or leaves without an exact version."""

from __future__ import annotations

import re

from graph.checks.changed_file import ChangedFile
from graph.checks.manifests import MAX_MANIFEST_BYTES, ManifestError, Requirement, reader_of
from graph.checks.report import Report
from graph.checks.spec_change import Dependency


def check_dependency(check: Dependency, file: ChangedFile, report: Report) -> None:
    reader = reader_of(file.path)
    if reader is None or not file.added:
        return
    if file.text is None:
        if file.unreadable:
            report.skip(file.unreadable, file.path)
        return
    if len(file.text) > MAX_MANIFEST_BYTES:
        report.skip(("too_large", f"the manifest has over {MAX_MANIFEST_BYTES} bytes"), file.path)
        return
    try:
        requirements = list(reader(file.text))
    except ManifestError as error:
        report.skip((error.reason, str(error)), file.path)
        return
    told: set[tuple[int, str]] = set()
    for requirement in requirements:
        if not file.is_added(requirement.line) or (requirement.line, requirement.name) in told:
            continue
        told.add((requirement.line, requirement.name))
        problem = _problem(check, requirement, is_new=not _was_there(requirement.name, file))
        if problem:
            measured = requirement.version or "no version"
            report.at_line(file, requirement.line, problem, measured=measured)


def _problem(check: Dependency, requirement: Requirement, *, is_new: bool) -> str:
    name = requirement.name
    if is_new and _is_named(name, check.deny):
        return f"`{name}` is a new dependency; the rule allows none on it."
    allowed = _is_named(name, check.allow)
    if is_new and (check.no_new or check.allow) and not allowed:
        return f"`{name}` is a new dependency; the rule asks to agree on it first."
    if check.pinned and not requirement.is_pinned:
        version = requirement.version
        has = f"has the version `{version}`" if version else "has no version"
        return f"`{name}` {has}; the rule asks for an exact one."
    return ""


def _was_there(name: str, file: ChangedFile) -> bool:
    """Whether the change removes a line that names it: then it has moved, or its version has."""
    pattern = re.compile(rf"(?<![\w./-]){re.escape(name.rpartition(':')[2])}(?![\w/-])", re.I)
    lines = (line.text for line in file.diff.lines() if line.kind == "removed")
    return any(pattern.search(text) for text in lines)


def _is_named(name: str, names: tuple[str, ...]) -> bool:
    """Whether one of `names` is it, its artifact ("guava"), or a module above it ("a.com/b")."""
    plain = _plain(name)
    return any(
        plain == wanted or plain.endswith(f":{wanted}") or plain.startswith(f"{wanted}/")
        for wanted in map(_plain, names)
    )


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).casefold()
