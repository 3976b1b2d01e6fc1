"""Teach, correct, forget, restore: what people do to conventions, with the rules they obey.

Permission is decided before (graph.permissions); words become lessons before (graph.teaching).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from graph.book_decisions import (
    existing,
    frozen_error,
    is_like,
    nothing_changed,
    refuse_bad_rule,
    released_slots,
    says_the_same,
    shown_to_all,
    slot_holder,
    unknown_error,
)
from graph.convention_imports import Imported, decide_import, kept_count
from graph.conventions import (
    MAX_CONVENTIONS,
    SINGLE_VALUED,
    Convention,
    Source,
)
from graph.ledger import Change, Entry, Ledger, Page, Scope, actor_key, slot_name
from graph.lessons import BookError, Lesson, Outcome, Question, What
from graph.store import ConventionStore, Write
from graph.subjects import conflicts

__all__ = ["BookError", "ConventionBook", "Lesson", "Outcome", "Question"]

RESTORE_WITHIN_S = 30 * 86_400.0
"""How long a deleted convention can be restored; after it its text is erased."""

QUESTION_TTL_S = 7 * 86_400.0


class ConventionBook:
    """The conventions of one scope. Every changing method is exactly-once by its `key`."""

    def __init__(self, store: ConventionStore, scope: Scope, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self.scope = scope
        self.ledger = Ledger(store, scope, now)
        self._usage = scope.namespace("convention_usage")
        self._questions = scope.namespace("convention_questions")

    # --- reading ---

    def all(self) -> list[Convention]:
        """Every convention that still has its text, deleted ones too, by id, with its usage."""
        usage = {item.key: item.value for item in self._store.recall(self._usage)}
        return [
            replace(c, **{k: v for k, v in usage.get(c.id, {}).items() if k != "run"})
            for c in self.ledger.page().in_order()
        ]

    def active(self) -> list[Convention]:
        """What holds now. Empty while the repository is frozen after a transfer."""
        page = self.ledger.page()
        now = self._now()
        return [] if page.is_frozen else [c for c in page.in_order() if c.is_active(now)]

    def is_frozen(self) -> bool:
        """Whether nothing holds, because the repository has an owner who has not confirmed."""
        return self.ledger.page().is_frozen

    def get(self, convention_id: str) -> Convention:
        """Raises BookError("unknown_id")."""
        wanted = convention_id.upper()
        for convention in self.all():
            if convention.id == wanted:
                return convention
        raise unknown_error(wanted)

    def history(self, convention_id: str | None = None) -> list[Entry]:
        return self.ledger.entries(convention_id.upper() if convention_id else None)

    def unused(self, days: int = 90) -> list[Convention]:
        """Active conventions that no review used for that long."""
        before = self._now() - days * 86_400
        return [
            c
            for c in self.all()
            if c.status == "active" and (c.last_used_at or c.created_at) < before
        ]

    # --- changing ---

    def teach(self, lesson: Lesson, by: Source, key: str) -> Outcome:
        """Save a lesson; ask when it contradicts another convention of the same topic."""
        refuse_bad_rule(lesson.rule)
        return self._change(key, lambda page: self._decide_teach(page, lesson, by))

    def edit(self, convention_id: str, lesson: Lesson, by: Source, key: str) -> Outcome:
        """New words for an id; the id stays and its version rises."""
        refuse_bad_rule(lesson.rule)

        def decide(page: Page) -> Change:
            old = existing(page, convention_id)
            new = old.corrected(
                lesson.rule,
                by,
                self._now(),
                topic=lesson.topic,
                mode=lesson.mode,
                paths=lesson.paths,
                check=lesson.check,
                expires_at=lesson.expires_at,
            )
            slots = {**released_slots(page, old), **self._taken(page, new)}
            return self._one("edited", by, new, old, slots)

        return self._change(key, decide)

    def forget(self, convention_id: str, by: Source, key: str) -> Outcome:
        def decide(page: Page) -> Change:
            old = existing(page, convention_id)
            new = replace(old, status="deleted", updated_at=self._now())
            return self._one("forgotten", by, new, old, released_slots(page, old))

        return self._change(key, decide)

    def restore(self, convention_id: str, by: Source, key: str) -> Outcome:
        def decide(page: Page) -> Change:
            old = page.conventions.get(convention_id.upper())
            if old is None:
                raise unknown_error(convention_id)
            if old.status != "deleted":
                raise BookError("not_deleted", f"{old.id} is {old.status}; nothing to restore.")
            if old.updated_at < self._now() - RESTORE_WITHIN_S:
                raise BookError("too_late", f"{old.id} was deleted more than 30 days ago.")
            old = shown_to_all(old, by)
            new = replace(old, status="active", updated_at=self._now(), version=old.version + 1)
            return self._one("restored", by, new, old, self._taken(page, new))

        return self._change(key, decide)

    def approve(self, convention_id: str, by: Source, key: str) -> Outcome:
        def decide(page: Page) -> Change:
            old = existing(page, convention_id)
            if old.status == "active":
                return nothing_changed(old, by)
            new = replace(shown_to_all(old, by), status="active", updated_at=self._now())
            slot = slot_name(new.topic, new.paths)
            holder = page.slots.get(slot) if new.topic in SINGLE_VALUED else None
            if holder is None:
                return self._one("approved", by, new, old, self._taken(page, new))
            # An approved correction keeps the id that people know and becomes its next version.
            current = page.conventions[holder]
            merged = current.corrected(
                new.rule, new.source, self._now(), check=new.check, mode=new.mode
            )
            retired = replace(old, status="deleted", updated_at=self._now())
            answer = Outcome("approved", merged, current)
            return Change("approved", by, (merged, retired), {}, answer=answer.to_json())

        return self._change(key, decide)

    def dismiss(self, convention_id: str, by: Source, key: str) -> Outcome:
        def decide(page: Page) -> Change:
            old = existing(page, convention_id)
            if old.status != "proposed":
                raise BookError(
                    "not_proposed", f"{old.id} is {old.status}. Use `forget {old.id}` to remove it."
                )
            new = replace(old, status="deleted", updated_at=self._now())
            return self._one("dismissed", by, new, old, {})

        return self._change(key, decide)

    def import_all(
        self,
        exported: Sequence[Convention],
        sentences: Sequence[Convention],
        by: Source,
        key: str,
    ) -> Imported:
        """Take over an export under its ids, and sentences as proposals, in one change."""

        def decide(page: Page) -> Change:
            if page.is_frozen:
                raise frozen_error()
            if kept_count(page) + len(exported) > MAX_CONVENTIONS:
                raise BookError(
                    "too_many",
                    f"The file has {len(exported):,} conventions, {kept_count(page):,} are here; "
                    f"{MAX_CONVENTIONS:,} are the most. Nothing was imported.",
                )
            return decide_import(page, exported, sentences, by, self._now())

        return Imported.from_json(self.ledger.change(key, decide))

    def newest_change_by(self, by: Source) -> Entry | None:
        """What `undo` would reverse; None when there is nothing."""
        undone: set[int] = set()
        for entry in reversed(self.ledger.entries()):
            if actor_key(entry.by) != actor_key(by) or entry.after is None:
                continue
            if entry.what.startswith("undone:"):
                undone.add(int(entry.what.partition(":")[2]))
            elif entry.number not in undone:
                return entry
        return None

    def undo(self, by: Source, key: str) -> Outcome:
        """Take back the last change that this person made, if nobody has changed it since."""
        entry = self.newest_change_by(by)
        if entry is None:
            raise BookError("nothing_to_undo", "You have changed nothing here that can be undone.")

        def decide(page: Page) -> Change:
            current = page.conventions.get(entry.convention_id)
            if current is None or entry.after is None or not is_like(current, entry.after):
                raise BookError(
                    "changed_since",
                    f"{entry.convention_id} was changed since; "
                    f"`history {entry.convention_id}` shows by whom.",
                )
            before = entry.before or replace(current, status="deleted")
            new = replace(before, version=current.version + 1, updated_at=self._now())
            slots = {**released_slots(page, current), **self._taken(page, new)}
            return self._one(f"undone:{entry.number}", by, new, current, slots, said="undone")

        return self._change(key, decide)

    def answer_question(self, question: Question, *, replace_id: str | None, key: str) -> Outcome:
        """Carry out what was asked about: replace the named id, or keep both (None)."""
        lesson = replace(question.lesson, replaces=replace_id, keep_both=replace_id is None)
        outcome = self.teach(lesson, question.by, key)
        self._store.commit([Write(self._questions, question.id, None)])
        return outcome

    def open_questions(self, thread: str | None = None) -> list[Question]:
        found = [Question.from_json(item.value) for item in self._store.recall(self._questions)]
        return [q for q in found if thread in (None, q.thread)]

    def used(self, ids: Iterable[str], run: str) -> None:
        """Note that a review (`run` names it) reported findings by these conventions, once."""
        wanted = sorted(set(ids))
        records = self._store.read([(self._usage, convention_id) for convention_id in wanted])
        writes = []
        for convention_id, item in zip(wanted, records, strict=True):
            old = item.value if item else {}
            if old.get("run") != run:
                hits = old.get("hits", 0) + 1
                value = {"hits": hits, "last_used_at": self._now(), "run": run}
                writes.append(Write(self._usage, convention_id, value))
        if writes:
            self._store.commit(writes)

    def freeze(self, by: Source, key: str) -> None:
        """After a transfer: nothing holds until a maintainer of the new owner confirms."""
        self.ledger.change(key, lambda _: Change("frozen", by, freeze=True))

    def confirm(self, by: Source, owner_id: int, key: str) -> None:
        self.ledger.change(key, lambda _: Change("confirmed", by, freeze=False, owner_id=owner_id))

    # --- deciding ---

    def _change(self, key: str, decide: Callable[[Page], Change]) -> Outcome:
        return Outcome.from_json(self.ledger.change(key, decide))

    def _decide_teach(self, page: Page, lesson: Lesson, by: Source) -> Change:
        if page.is_frozen:
            raise frozen_error()
        kept = [c for c in page.in_order() if c.status != "deleted"]
        same = next((c for c in kept if says_the_same(c, lesson)), None)
        if same is not None and same.status == "active" and not lesson.is_proposal:
            has_same_end = same.expires_at == lesson.expires_at
            return (
                nothing_changed(same, by) if has_same_end else self._replace(page, same, lesson, by)
            )
        if same is not None and lesson.is_proposal:
            return nothing_changed(same, by)
        if lesson.replaces is not None and not lesson.is_proposal:
            return self._replace(page, existing(page, lesson.replaces), lesson, by)
        if not lesson.is_proposal:
            holder = slot_holder(page, lesson)
            if holder is not None:
                return self._replace(page, holder, lesson, by)
            active = [c for c in kept if c.is_active(self._now())]
            against = conflicts(lesson.rule, lesson.topic, lesson.paths, active)
            if against and not lesson.keep_both:
                return self._ask(page, lesson, by, against)
        if len(kept) >= MAX_CONVENTIONS:
            raise BookError(
                "too_many",
                f"There are already {MAX_CONVENTIONS} conventions here; forget some first "
                "(`list unused` shows those no review has used for 90 days).",
            )
        return self._add(page, lesson, by)

    def _add(self, page: Page, lesson: Lesson, by: Source) -> Change:
        now = self._now()
        new = Convention(
            id=page.new_id(),
            topic=lesson.topic,
            rule=lesson.rule,
            source=by,
            mode=lesson.mode,
            paths=lesson.paths,
            status="proposed" if lesson.is_proposal else "active",
            check=lesson.check,
            created_at=now,
            updated_at=now,
            expires_at=lesson.expires_at,
            evidence=lesson.evidence,
        )
        what: What = "proposed" if lesson.is_proposal else "taught"
        slots = {} if lesson.is_proposal else self._taken(page, new)
        return self._one(what, by, new, None, slots)

    def _replace(self, page: Page, old: Convention, lesson: Lesson, by: Source) -> Change:
        new = old.corrected(
            lesson.rule,
            by,
            self._now(),
            topic=lesson.topic,
            mode=lesson.mode,
            paths=lesson.paths or old.paths,
            check=lesson.check,
            status="active",
            expires_at=lesson.expires_at,
        )
        slots = {**released_slots(page, old), **self._taken(page, new)}
        return self._one("replaced", by, new, old, slots)

    def _ask(self, page: Page, lesson: Lesson, by: Source, against: Sequence[Convention]) -> Change:
        question = Question(
            id=f"Q{page.next_entry}-{actor_key(by)}-{int(self._now() * 1000)}",
            asker=actor_key(by),
            thread=by.thread,
            lesson=lesson,
            by=by,
            conflicting=tuple(c.id for c in against),
            asked_at=self._now(),
        )
        write = Write(self._questions, question.id, question.to_json(), ttl_s=QUESTION_TTL_S)
        answer = Outcome("question", None, against[0], question)
        return Change("question", by, extra=(write,), answer=answer.to_json())

    def _one(
        self,
        what: str,
        by: Source,
        new: Convention,
        old: Convention | None,
        slots: Mapping[str, str | None],
        said: What | None = None,
    ) -> Change:
        outcome = Outcome(said or what, new, old)  # type: ignore[arg-type]
        return Change(what, by, (new,), slots, answer=outcome.to_json())

    def _taken(self, page: Page, new: Convention) -> dict[str, str | None]:
        """The slot that `new` takes; raises BookError when another id holds it."""
        if new.topic not in SINGLE_VALUED or new.status != "active" or new.mode != "enforce":
            return {}
        name = slot_name(new.topic, new.paths)
        holder = page.slots.get(name)
        if holder not in (None, new.id):
            raise BookError(
                "slot_taken",
                f"{holder} already rules {new.topic.replace('_', ' ')} there; forget it first, or "
                f"correct it with `edit {holder} …`.",
            )
        return {name: new.id}
