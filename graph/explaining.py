"""`why`: what a finding rests on, told from what was recorded, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from graph import review_history, wording
from graph.answers import Answer, plural
from graph.context import ReviewContext
from graph.convention_book import BookError
from graph.conversation_briefing import thread_of
from graph.desk import Desk
from graph.findings import Finding
from graph.markers import finding_marks
from graph.store import ConventionStore

MAX_EXPLAINED = 10
"""More is a page that nobody reads; the rest is counted."""

MAX_HISTORY = 3


def explain(
    store: ConventionStore, context: ReviewContext, desk: Desk, ids: Sequence[str]
) -> Answer | None:
    """The finding of the thread in which was asked, or all that the kept reviews told.

    `ids` name conventions and leave only the findings that cite them. None: nothing is recorded.
    """
    if context.number is None:
        return None
    findings = _findings(store, context)
    fingerprints = _of_thread(context)
    if fingerprints:
        findings = [f for f in findings if f.fingerprint in fingerprints]
    if ids:
        findings = [f for f in findings if f.convention_id in ids]
    if not findings:
        return None
    parts = [_why(finding, desk) for finding in findings[:MAX_EXPLAINED]]
    if len(findings) > MAX_EXPLAINED:
        parts.append(f"And {plural(len(findings) - MAX_EXPLAINED, 'more finding')}.")
    return Answer("\n\n".join(parts))


def _findings(store: ConventionStore, context: ReviewContext) -> list[Finding]:
    """What the kept reviews of the pull request told, newest first, each once."""
    assert context.number is not None
    found: dict[str, Finding] = {}
    for entry in review_history.of_pull_request(store, context.repository_id, context.number):
        for record in entry["findings"]:
            finding = Finding.from_json(record)
            found.setdefault(finding.fingerprint, finding)
    return list(found.values())


def _of_thread(context: ReviewContext) -> frozenset[str]:
    """The findings that our comment at the beginning of this thread tells."""
    if context.number is None or context.comment_kind != "review_comment":
        return frozenset()
    thread = thread_of(context, context.reader.threads(context.number))
    if thread is None or not thread.comments or not thread.comments[0].is_ours:
        return frozenset()
    return frozenset(mark.fingerprint for mark in finding_marks(thread.comments[0].body))


def _why(finding: Finding, desk: Desk) -> str:
    where = f" (`{finding.path}:{finding.anchor.line}`)" if finding.anchor else ""
    lines = [f"**{finding.title}**{where}"]
    if finding.convention_id is None:
        lines.append(finding.message or "No convention: it follows from the change itself.")
        lines.append(f"It cites no convention. {finding.category}, {finding.severity}.")
        return "\n\n".join(lines)
    try:
        convention = desk.convention(finding.convention_id)
        entries = desk.history_of(finding.convention_id)[-MAX_HISTORY:]
    except BookError as error:
        return "\n\n".join([*lines, str(error)])
    cited = f"It breaks **{convention.id}**, said by {wording.said_by(convention.source)}:"
    lines += [cited, wording.quoted(wording.shown_rule(convention))]
    if convention.status != "active":
        lines.append(f"{convention.id} is {convention.status} now; later reviews don't cite it.")
    elif convention.version != finding.convention_version:
        lines.append(
            f"The review cited version {finding.convention_version}; "
            f"version {convention.version} holds now."
        )
    how = "Code found it; no model was asked." if finding.origin == "check" else finding.message
    return "\n\n".join(
        [*lines, *([how] if how else []), wording.history(entries, convention.id).text]
    )
