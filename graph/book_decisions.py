"""What the book decides changes on: which convention is meant, and why something can't be done."""

from __future__ import annotations

from dataclasses import replace

from graph.conventions import MAX_RULE_CHARACTERS, SINGLE_VALUED, Convention, Source
from graph.ledger import Change, Page, actor_key, slot_name
from graph.lessons import BookError, Lesson, Outcome
from graph.subjects import compare


def slot_holder(page: Page, lesson: Lesson) -> Convention | None:
    if lesson.topic not in SINGLE_VALUED or lesson.mode != "enforce":
        return None
    holder = page.slots.get(slot_name(lesson.topic, lesson.paths))
    return page.conventions[holder] if holder else None


def nothing_changed(old: Convention, by: Source) -> Change:
    return Change("unchanged", by, answer=Outcome("unchanged", old, old).to_json())


def released_slots(page: Page, old: Convention) -> dict[str, str | None]:
    return {name: None for name, holder in page.slots.items() if holder == old.id}


def is_like(one: Convention, other: Convention) -> bool:
    """Whether two states say the same; an undone change left the same state as a newer version."""
    return replace(one, version=other.version, updated_at=other.updated_at) == other


def says_the_same(old: Convention, lesson: Lesson) -> bool:
    return (
        old.topic == lesson.topic
        and old.mode == lesson.mode
        and set(old.paths) == set(lesson.paths)
        and compare(lesson.rule, old.rule) == "same"
    )


def shown_to_all(old: Convention, by: Source) -> Convention:
    """The same with words that everybody may see, which only their author can agree to."""
    if not old.source.is_private:
        return old
    if actor_key(old.source) != actor_key(by):
        raise BookError(
            "private_words",
            f"{old.id} was said in a private channel; only {old.source.name}, who said it, can "
            "agree to its being shown.",
        )
    return replace(old, source=replace(old.source, is_private=False))


def existing(page: Page, convention_id: str) -> Convention:
    convention = page.conventions.get(convention_id.upper())
    if convention is None:
        raise unknown_error(convention_id)
    if convention.status == "deleted":
        raise BookError(
            "deleted", f"{convention.id} is deleted; `restore {convention.id}` brings it back."
        )
    return convention


def frozen_error() -> BookError:
    return BookError(
        "frozen",
        "This repository changed its owner; its conventions are frozen until a maintainer "
        "confirms them with `conventions confirm`.",
    )


def unknown_error(convention_id: str) -> BookError:
    return BookError(
        "unknown_id", f"There is no {convention_id.upper()} here; `list` shows the ids."
    )


def refuse_bad_rule(rule: str) -> None:
    if not any(character.isalnum() for character in rule):
        raise BookError("empty_rule", "The rule is empty; write it after `remember`.")
    if len(rule) > MAX_RULE_CHARACTERS:
        raise BookError(
            "rule_too_long",
            f"The rule has {len(rule):,} characters; {MAX_RULE_CHARACTERS:,} are the most. "
            "Say it shorter, or put the document into the repository and name it in the rule.",
        )
