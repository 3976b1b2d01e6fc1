"""What the team said, read from the store for one model call or one review. Never by similarity."""

from __future__ import annotations

from graph.context import ReviewContext
from graph.convention_book import ConventionBook
from graph.conventions import Convention
from graph.ledger import Scope
from graph.store import ConventionStore


def books(store: ConventionStore, context: ReviewContext) -> tuple[ConventionBook, ConventionBook]:
    """The repository's book and its organisation's."""
    return (
        ConventionBook(store, Scope("repository", context.repository_id), context.now),
        ConventionBook(store, Scope("organisation", context.account_id), context.now),
    )


def active_conventions(store: ConventionStore, context: ReviewContext) -> list[Convention]:
    """Everything that holds now: the repository's conventions, then the organisation's."""
    repository, organisation = books(store, context)
    return [*repository.active(), *organisation.active()]


def block(conventions: list[Convention], checked: frozenset[str] = frozenset()) -> str:
    """The part of a prompt that lists them, with ids; those in `checked` are marked as such."""
    if not conventions:
        return "This team has taught no conventions. Do not assume any."
    lines = []
    for convention in conventions:
        notes: list[str] = [convention.topic, convention.mode]
        notes += [f"paths: {' '.join(convention.paths)}"] if convention.paths else []
        notes += ["already checked by code, do not report"] if convention.id in checked else []
        rule = " ".join(convention.rule.split())
        lines.append(f"- {convention.reference} ({'; '.join(notes)}): {rule}")
    return (
        "Conventions of this team, in their own words. Only these hold; anything you remember "
        "from earlier that is not listed here was changed or deleted.\n" + "\n".join(lines)
    )
