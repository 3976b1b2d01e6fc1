"""Where people teach and command: one implementation for Slack, GitHub and the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graph import exporting, wording
from graph.answers import Answer, plural
from graph.checks.parser import parse_check
from graph.commands import Command
from graph.context import Permission
from graph.convention_book import BookError, ConventionBook, Lesson, Question
from graph.conventions import SINGLE_VALUED, Convention, Source
from graph.ledger import Scope, actor_key
from graph.permissions import Action, Refused, may, needs_identity
from graph.scopes import parse_scope
from graph.store import ConventionStore
from graph.teaching import Teaching
from graph.topics import topic_of


@dataclass(frozen=True)
class Visitor:
    """Who speaks, and what they may do here and now."""

    source: Source
    permission: Permission
    is_public: bool = False
    is_org_owner: bool = False
    is_operator: bool = False
    is_private_channel: bool = False
    is_direct_message: bool = False
    is_external: bool = False
    is_linked: bool = True


class Desk:
    """Serves one repository, fixed when the desk was made."""

    def __init__(
        self,
        store: ConventionStore,
        repository_id: int,
        repository_name: str,
        now: Callable[[], float],
        account_id: int | None = None,
    ) -> None:
        self.book = ConventionBook(store, Scope("repository", repository_id), now)
        self.organisation = (
            ConventionBook(store, Scope("organisation", account_id), now) if account_id else None
        )
        self._name = repository_name
        self._now = now

    def serve(self, command: Command, visitor: Visitor, key: str) -> Answer:
        """Carry out a convention command. A refusal is an answer that says what is missing."""
        try:
            return self._serve(command, visitor, key)
        except BookError as error:
            return Answer(str(error), is_refusal=True)

    def teach(self, teachings: Sequence[Teaching], visitor: Visitor, key: str) -> list[Answer]:
        """Save, correct or forget what the person explicitly said; one answer for each."""
        answers = []
        for number, teaching in enumerate(teachings):
            try:
                answers.append(self._teach(teaching, visitor, f"{key}:{number}"))
            except BookError as error:
                answers.append(Answer(str(error), is_refusal=True))
        return answers

    def propose(self, lesson: Lesson, visitor: Visitor, key: str) -> Answer:
        """Save what a model heard; the lesson's rule was cut from the person's message."""
        refusal = self.refusal("remember", visitor)
        if refusal:
            return refusal
        try:
            return wording.taught(self.book.teach(lesson, visitor.source, key))
        except BookError as error:
            return Answer(str(error), is_refusal=True)

    def answer_question(self, words: str, visitor: Visitor, key: str) -> Answer | None:
        """ "replace C3" or "keep both" after a question in this thread; None when it is neither."""
        open_here = self.book.open_questions(visitor.source.thread)
        mine = [q for q in open_here if q.asker == actor_key(visitor.source)]
        if not mine:
            return None
        question = max(mine, key=lambda q: q.asked_at)
        said = words.strip().rstrip(".!").casefold()
        for convention_id in question.conflicting:
            if said in {f"replace {convention_id}".casefold(), "replace", "replace it"}:
                return self.settle(question, convention_id, visitor, key)
        if said in {"keep both", "keep", "both"}:
            return self.settle(question, None, visitor, key)
        return None

    def settle(
        self, question: Question, replace_id: str | None, visitor: Visitor, key: str
    ) -> Answer:
        """Carry out the answer to a question, which only its asker may give."""
        if actor_key(visitor.source) != question.asker:
            return Answer("Only the person who was asked can answer this.", is_refusal=True)
        refusal = self.refusal("remember", visitor)
        if refusal:
            return refusal
        try:
            outcome = self.book.answer_question(question, replace_id=replace_id, key=key)
        except BookError as error:
            return Answer(str(error), is_refusal=True)
        return wording.taught(outcome)

    # --- commands ---

    def _serve(self, command: Command, visitor: Visitor, key: str) -> Answer:
        name, ids = command.name, command.ids
        if name == "list":
            return self.refusal("list", visitor) or self._list(command)
        if name == "help":
            return Answer(wording.HELP)
        if name == "export":
            return self.refusal("export", visitor) or self._export(command)
        if name == "undo":
            return self._undo(visitor, key)
        if name == "confirm":
            return self.refusal("confirm", visitor) or self._confirm(visitor, key)
        if name == "add":
            return self._add(command, visitor, key)
        answers = [self._serve_one(command, i, visitor, f"{key}:{i}") for i in ids]
        return Answer(
            "\n\n".join(answer.text for answer in answers),
            tuple(button for answer in answers for button in answer.buttons),
            is_refusal=all(answer.is_refusal for answer in answers),
        )

    def _serve_one(
        self, command: Command, convention_id: str, visitor: Visitor, key: str
    ) -> Answer:
        book = self._book_of(convention_id)
        convention = book.get(convention_id)
        owns = actor_key(convention.source) == actor_key(visitor.source)
        action = self._action(command.name, convention_id)
        refusal = self.refusal(action, visitor, owns=owns)
        if refusal:
            return refusal
        by = visitor.source
        if command.name == "show":
            return wording.details(convention)
        if command.name == "history":
            return wording.history(book.history(convention_id), convention.id)
        if command.name == "forget":
            return wording.changed(book.forget(convention_id, by, key))
        if command.name == "restore":
            return wording.changed(book.restore(convention_id, by, key))
        if command.name == "approve":
            return wording.changed(book.approve(convention_id, by, key))
        if command.name == "dismiss":
            return wording.changed(book.dismiss(convention_id, by, key))
        if command.name == "edit":
            if visitor.is_private_channel and command.text:
                return _not_in_private(convention_id)
            return wording.taught(book.edit(convention_id, _edited(command, convention), by, key))
        return Answer(f"`{command.name}` does not work here.", is_refusal=True)

    def _list(self, command: Command) -> Answer:
        conventions = self.book.all()
        if self.organisation is not None:
            conventions += self.organisation.all()
        if command.topic is not None:
            conventions = [c for c in conventions if c.topic == command.topic]
        if command.argument == "unused":
            conventions = self.book.unused()
        return wording.listing(conventions, self._name)

    def _export(self, command: Command) -> Answer:
        everything = (c for c in self.book.all() if c.status != "deleted")
        kept = [c for c in everything if not c.source.is_private]
        if command.argument == "json":
            return Answer(f"```json\n{exporting.as_json(kept)}\n```")
        return Answer(exporting.as_markdown(kept, self._name))

    def _confirm(self, visitor: Visitor, key: str) -> Answer:
        """After a transfer: the conventions hold for the new owner as well."""
        if not self.book.is_frozen():
            return Answer("Nothing is frozen here; every convention holds.", is_refusal=True)
        owner_id = self.organisation.scope.id if self.organisation is not None else 0
        self.book.confirm(visitor.source, owner_id, key)
        return Answer(f"Confirmed. {plural(len(self.book.active()), 'convention')} hold again.")

    def _undo(self, visitor: Visitor, key: str) -> Answer:
        refusal = self.refusal("undo", visitor, owns=True)
        return refusal or wording.changed(self.book.undo(visitor.source, key))

    def _add(self, command: Command, visitor: Visitor, key: str) -> Answer:
        refusal = self.refusal("add", visitor)
        if refusal:
            return refusal
        lesson = lesson_from(command.text)
        lesson = _with_flags(lesson, command)
        if visitor.is_private_channel:
            lesson = replace(lesson, is_proposal=True)
        return self._taught(lesson, visitor, key)

    def _teach(self, teaching: Teaching, visitor: Visitor, key: str) -> Answer:
        if visitor.is_direct_message:
            return Answer(
                "Direct messages don't teach: say it in a linked channel or on a pull request, "
                "where the team sees it.",
                is_refusal=True,
            )
        if teaching.kind == "forget":
            return self._forget_named(teaching, visitor, key)
        refusal = self.refusal("remember", visitor)
        if refusal:
            return refusal
        lesson = self._with_carried_check(lesson_from(teaching.quote, teaching), teaching)
        if visitor.is_private_channel:
            lesson = replace(lesson, is_proposal=True)
        return self._taught(lesson, visitor, key)

    def _with_carried_check(self, lesson: Lesson, teaching: Teaching) -> Lesson:
        """ "No, it's 100 now": the corrected rule's own check with the number that was said.

        Only where the old check has one number, and that number is the one being replaced.
        """
        if teaching.kind != "correct" or teaching.value is None or lesson.check is not None:
            return lesson
        old = next(
            (
                c
                for c in self.book.active()
                if c.id == lesson.replaces
                or (lesson.replaces is None and c.topic in SINGLE_VALUED & {lesson.topic})
            ),
            None,
        )
        if old is None or old.check is None:
            return lesson
        numbers = [
            k for k, v in old.check.items() if isinstance(v, int) and not isinstance(v, bool)
        ]
        if len(numbers) != 1 or teaching.replaces not in (None, str(old.check[numbers[0]])):
            return lesson
        return replace(
            lesson,
            check={**old.check, numbers[0]: int(teaching.value)},
            paths=lesson.paths or old.paths,
            replaces=old.id,
        )

    def _taught(self, lesson: Lesson, visitor: Visitor, key: str) -> Answer:
        answer = wording.taught(self.book.teach(lesson, visitor.source, key))
        if visitor.is_private_channel:
            note = (
                "\n\nThis channel is private, so it waits until you, who said it, approve it: then "
                "the words are shown wherever it is cited."
            )
            return Answer(answer.text + note, answer.buttons)
        return answer

    def _forget_named(self, teaching: Teaching, visitor: Visitor, key: str) -> Answer:
        if teaching.target_id:
            command = Command("forget", (teaching.target_id,))
            return self.serve(command, visitor, key)
        meant = [c for c in self.book.active() if c.topic == teaching.topic]
        if len(meant) == 1:
            return self.serve(Command("forget", (meant[0].id,)), visitor, key)
        if not meant:
            return Answer(
                "I know no convention that this could mean; `list` shows what I know.",
                is_refusal=True,
            )
        names = ", ".join(c.id for c in meant)
        return Answer(f"Which one: {names}? Say `forget {meant[0].id}`.", is_refusal=True)

    # --- permission ---

    def _book_of(self, convention_id: str) -> ConventionBook:
        if convention_id.upper().startswith("O") and self.organisation is not None:
            return self.organisation
        return self.book

    def _action(self, name: str, convention_id: str) -> Action:
        if not convention_id.upper().startswith("O"):
            return name  # type: ignore[return-value]
        table: dict[str, Action] = {"show": "org_list", "history": "org_list", "edit": "org_add"}
        return table.get(name, "org_approve" if name in {"approve", "dismiss"} else "org_forget")

    def refusal(self, action: Action, visitor: Visitor, *, owns: bool = False) -> Answer | None:
        """Why the visitor may not; None when they may."""
        if visitor.is_external:
            return Answer(
                "People from outside this workspace can't use me here; ask a colleague inside it.",
                is_refusal=True,
            )
        if not visitor.is_linked and needs_identity(action):
            return Answer(
                "I don't know who you are on GitHub yet: link your account with "
                "`/conventions login`, then say it again.",
                is_refusal=True,
            )
        verdict = may(
            action,
            visitor.permission,
            owns=owns,
            is_public=visitor.is_public,
            is_org_owner=visitor.is_org_owner,
            is_operator=visitor.is_operator,
        )
        if isinstance(verdict, Refused):
            return Answer(verdict.sentence, is_refusal=True)
        return None


def _not_in_private(convention_id: str) -> Answer:
    return Answer(
        "This channel is private, and a convention's words are shown wherever it is cited. "
        f"Edit {convention_id} in a public channel or on a pull request.",
        is_refusal=True,
    )


def lesson_from(quote: str, teaching: Teaching | None = None) -> Lesson:
    """A lesson from a person's words: topic, check and paths as far as code is certain of them."""
    parsed = parse_check(quote)
    topic = teaching.topic if teaching else topic_of(quote)[0]
    mode = teaching.mode if teaching else "enforce"
    if mode != "enforce":
        parsed = None
    paths = parsed.paths if parsed else parse_scope(quote).paths
    return Lesson(
        rule=quote,
        topic=topic,
        mode=mode,
        paths=(teaching.paths if teaching else ()) or paths,
        check=parsed.check.to_json() if parsed else None,
        replaces=teaching.target_id if teaching and teaching.kind == "correct" else None,
    )


def _with_flags(lesson: Lesson, command: Command) -> Lesson:
    is_enforced = (command.mode or lesson.mode) == "enforce"
    return replace(
        lesson,
        topic=command.topic or lesson.topic,
        mode=command.mode or lesson.mode,
        paths=command.paths or lesson.paths,
        check=lesson.check if is_enforced else None,
    )


def _edited(command: Command, old: Convention) -> Lesson:
    if not command.text:
        return _with_flags(Lesson(old.rule, old.topic, old.mode, old.paths, old.check), command)
    new = lesson_from(command.text)
    kept = replace(new, topic=old.topic, mode=old.mode, paths=new.paths or old.paths)
    return _with_flags(kept, command)
