"""`export` and `import` as answers: the files, what became of each rule, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph import exporting
from graph.answers import Answer, plural
from graph.checks.parser import parse_check
from graph.convention_book import ConventionBook
from graph.convention_imports import MAX_PROPOSALS, Imported
from graph.conventions import Convention, Source
from graph.document_sentences import Sentence
from graph.importing import (
    DOCUMENTS,
    Document,
    Documents,
    ImportRefused,
    contents_of,
    from_sentence,
)
from graph.scopes import parse_scope
from graph.topics import topic_of

EXPORT_BUDGET_CHARACTERS = 55_000
"""Under GitHub's 65,536 for a comment. A file cut in the middle is worth nothing."""


def exportable(conventions: Sequence[Convention], form: str, now: float) -> list[Convention]:
    """What an export holds: everything kept in JSON, what holds now in Markdown.

    Words of a private channel stay out until their author agrees to their being shown.
    """
    kept = [c for c in conventions if c.status != "deleted" and not c.source.is_private]
    return kept if form == "json" else [c for c in kept if c.is_active(now)]


def as_file(conventions: Sequence[Convention], name: str, form: str, now: float) -> str:
    """The exported file: "json", or Markdown for anything else."""
    kept = exportable(conventions, form, now)
    return exporting.as_json(kept) if form == "json" else exporting.as_markdown(kept, name)


def exported(conventions: Sequence[Convention], name: str, form: str, now: float) -> Answer:
    """The file in a code block, to be copied: outside one, its comments would not be seen."""
    text = as_file(conventions, name, form, now)
    if len(text) > EXPORT_BUDGET_CHARACTERS:
        return Answer(
            f"The export has {len(text):,} characters, too many for one message. An operator gets "
            f"it with `precedent conventions --repository ID export {form}`.",
            is_refusal=True,
        )
    return Answer(exporting.fenced(text, "json" if form == "json" else "markdown"))


def imported(
    book: ConventionBook, path: str, documents: Documents | None, by: Source, key: str
) -> Answer:
    """Read a document, or those of `DOCUMENTS` that are there, and take over what they hold."""
    if documents is None:
        return Answer("I can't read the repository's files here.", is_refusal=True)
    wanted = (path,) if path else DOCUMENTS
    found = [document for name in wanted if (document := documents(name)) is not None]
    if not found:
        return Answer(
            f"There is no {path} on the default branch."
            if path
            else f"There is none of {', '.join(DOCUMENTS)} on the default branch; name a file.",
            is_refusal=True,
        )
    exports: list[Convention] = []
    sentences: list[Convention] = []
    for document in found:
        try:
            contents = contents_of(document.text)
        except ImportRefused as refused:
            return Answer(
                f"{document.path} can't be imported: {refused} Nothing was saved.", is_refusal=True
            )
        exports += contents.conventions
        sentences += [_proposal(sentence, document, by) for sentence in contents.sentences]
    names = ", ".join(document.path for document in found)
    if not exports and not sentences:
        return Answer(f"I found no rules in {names}.", is_refusal=True)
    outcome = book.import_all(exports, sentences, by, key)
    return _answer(outcome, names, book)


def _proposal(sentence: Sentence, document: Document, by: Source) -> Convention:
    parsed = parse_check(sentence.text)
    return Convention(
        id="C0",
        topic=topic_of(sentence.text)[0],
        rule=sentence.text,
        source=replace(from_sentence(sentence, document), said_at=by.said_at),
        paths=parsed.paths if parsed else parse_scope(sentence.text).paths,
        status="proposed",
        check=parsed.check.to_json() if parsed else None,
    )


def _answer(outcome: Imported, names: str, book: ConventionBook) -> Answer:
    rules = {c.id: c.rule for c in book.all()}
    parts = [f"**Imported from {names}**"]
    if outcome.active:
        parts.append(f"Active now: {_ids(outcome.active)}.")
    if outcome.proposed:
        listed = "\n".join(f"- **{i}** “{exporting.one_line(rules[i])}”" for i in outcome.proposed)
        parts.append(f"{plural(len(outcome.proposed), 'proposal')}:\n{listed}")
        several = " ".join(outcome.proposed[:2]) + (" …" if len(outcome.proposed) > 2 else "")
        parts.append(
            "They do nothing until someone with write permission approves them: "
            f"`approve {several}`, or `dismiss {several}`."
        )
    if outcome.renamed:
        pairs = ", ".join(f"{old} became {new}" for old, new in outcome.renamed)
        parts.append(f"Ids that are taken here: {pairs}.")
    if outcome.known:
        parts.append(f"{plural(outcome.known, 'rule')} in it I had heard before.")
    if outcome.left:
        parts.append(
            f"{plural(outcome.left, 'further sentence')} left: one import takes "
            f"{MAX_PROPOSALS} at most. Import again for the next."
        )
    return Answer("\n\n".join(parts))


def _ids(ids: Sequence[str]) -> str:
    return ", ".join(ids) if len(ids) <= 20 else f"{ids[0]} to {ids[-1]} ({len(ids):,})"
