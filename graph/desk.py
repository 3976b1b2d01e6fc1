"""Where people teach and command: one implementation for Slack, GitHub and the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from graph import desk_files, wording
from graph.answers import Answer, Button, plural
from graph.commands import Command
from graph.convention_book import BookError, ConventionBook, Lesson, Question
from graph.conventions import Convention
from graph.desk_lessons import (
    edited,
    lesson_from,
    said_of,
    with_carried_check,
    with_flags,
    without_organisation,
)
from graph.importing import Documents
from graph.ledger import Entry, Scope, actor_key
from graph.permissions import Action
from graph.store import ConventionStore
from graph.taught import Teaching
from graph.visiting import Visitor, refusal, refusal_about, refusal_to_replace

__all__ = ["Desk", "Visitor", "lesson_from"]

NO_ORGANISATION = "I don't know which organisation this repository belongs to."


class Desk:
    """Serves one repository, fixed when the desk was made, and its organisation's rules.

    `documents` reads files of the repository's default branch, for `import`.
    """

    def __init__(
        self,
        store: ConventionStore,
        repository_id: int,
        repository_name: str,
        now: Callable[[], float],
        account_id: int | None = None,
        documents: Documents | None = None,
    ) -> None:
        self.book = ConventionBook(store, Scope("repository", repository_id), now)
        self.organisation = (
            ConventionBook(store, Scope("organisation", account_id), now) if account_id else None
        )
        self._name = repository_name
        self._now = now
        self._documents = documents

    def serve(self, command: Command, visitor: Visitor, key: str) -> Answer:
        """Carry out a convention command. A refusal is an answer that says what is missing."""
        try:
            return self._serve(command, visitor, key)
        except BookError as error:
            return Answer(str(error), is_refusal=True)

    def teach(
        self, teachings: Sequence[Teaching], visitor: Visitor, key: str, message: str = ""
    ) -> list[Answer]:
        """Save, correct or forget what the person explicitly said; one answer for each.

        `message` is the whole of what was said: whom a rule is for may stand before its quote.
        """
        answers = []
        for number, teaching in enumerate(teachings):
            try:
                answers.append(self._teach(teaching, visitor, f"{key}:{number}", message))
            except BookError as error:
                answers.append(Answer(str(error), is_refusal=True))
        return answers

    def propose(self, lesson: Lesson, visitor: Visitor, key: str) -> Answer:
        """Save what a model heard; the lesson's rule was cut from the person's message."""
        refusal = self.refusal("remember", visitor)
        if refusal:
            return refusal
        try:
            lesson = said_of(lesson, self._name)
            return wording.taught(self.book.teach(lesson, visitor.source, key))
        except BookError as error:
            return Answer(str(error), is_refusal=True)

    # --- reading, for what explains itself elsewhere ---

    def convention(self, convention_id: str) -> Convention:
        """One convention of the repository or of its organisation. Raises BookError."""
        return self._book_of(convention_id).get(convention_id)

    def history_of(self, convention_id: str) -> list[Entry]:
        return self._book_of(convention_id).history(convention_id)

    # --- questions ---

    def open_questions(self, thread: str | None = None) -> list[Question]:
        """What somebody was asked and has not answered, in one thread or in all."""
        return [q for book in self._books() for q in book.open_questions(thread)]

    def answer_question(self, words: str, visitor: Visitor, key: str) -> Answer | None:
        """ "replace C3" or "keep both" after a question in this thread; None when it is neither."""
        open_here = self.open_questions(visitor.source.thread)
        mine = [q for q in open_here if q.asker == actor_key(visitor.source)]
        # Whoever answers for somebody else is told so, by `settle`, and not taken to ask something.
        question = max(mine or open_here, key=lambda q: q.asked_at, default=None)
        if question is None:
            return None
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
        if replace_id is not None and replace_id not in question.conflicting:
            return Answer(f"You were not asked about {replace_id}.", is_refusal=True)
        book = self._book_of(question.conflicting[0])
        try:
            refused = (
                self._refusal_to_teach(visitor, is_org=book is self.organisation)
                if replace_id is None
                else refusal_to_replace(book.get(replace_id), visitor)
            )
            if refused:
                return refused
            outcome = book.answer_question(question, replace_id=replace_id, key=key)
        except BookError as error:
            return Answer(str(error), is_refusal=True)
        return wording.taught(outcome)

    # --- commands ---

    def _serve(self, command: Command, visitor: Visitor, key: str) -> Answer:
        name = command.name
        if name == "help":
            return Answer(wording.HELP)
        if name == "list":
            return self.refusal("list", visitor) or self._list(command)
        if name == "export":
            return self.refusal("export", visitor) or self._export(command)
        if name == "import":
            return self._import(command, visitor, key)
        if name == "undo":
            return self._undo(visitor, key)
        if name == "confirm":
            return self.refusal("confirm", visitor) or self._confirm(visitor, key)
        if name == "add":
            return self._add(command, visitor, key)
        if not command.ids:
            return Answer(_ELSEWHERE.get(name, f"`{name}` does not work here."), is_refusal=True)
        answers = [self._serve_one(command, i, visitor, f"{key}:{i}") for i in command.ids]
        return Answer(
            "\n\n".join(answer.text for answer in answers),
            tuple(button for answer in answers for button in answer.buttons),
            is_refusal=all(answer.is_refusal for answer in answers),
        )

    def _serve_one(
        self, command: Command, convention_id: str, visitor: Visitor, key: str
    ) -> Answer:
        """One id of a command; what is wrong with it does not keep the others from being done."""
        try:
            return self._serve_known(command, convention_id, visitor, key)
        except BookError as error:
            return Answer(str(error), is_refusal=True)

    def _serve_known(
        self, command: Command, convention_id: str, visitor: Visitor, key: str
    ) -> Answer:
        book = self._book_of(convention_id)
        refusal = self.refusal("list", visitor)
        convention = None if refusal else book.get(convention_id)
        if convention is None:
            return refusal or Answer(f"There is no {convention_id}.", is_refusal=True)
        refusal = refusal_about(command.name, convention, visitor)
        if refusal:
            return refusal
        by = visitor.source
        if command.name == "show":
            return wording.details(convention, self._now())
        if command.name == "history":
            return wording.history(book.history(convention_id), convention.id)
        if command.name == "edit":
            if visitor.is_private_channel and command.text:
                return _not_in_private(convention_id)
            lesson = said_of(edited(command, convention, self._now()), self._name)
            return wording.taught(book.edit(convention_id, lesson, by, key))
        change = {
            "forget": book.forget,
            "restore": book.restore,
            "approve": book.approve,
            "dismiss": book.dismiss,
        }.get(command.name)
        if change is None:
            words = _ELSEWHERE.get(command.name, f"`{command.name}` does not work here.")
            return Answer(words, is_refusal=True)
        return wording.changed(change(convention_id, by, key))

    def listed(self, command: Command) -> list[Convention]:
        """What a list is about: the repository's and the organisation's, under its filter."""
        books = [book for book in self._books() if book is not self.book or not command.is_org]
        known = [c for book in books for c in book.all()]
        unused = {c.id for book in books for c in book.unused()}
        shown = wording.filtered(known, command.argument, unused, self._now())
        return [c for c in shown if command.topic in (None, c.topic)]

    def _list(self, command: Command) -> Answer:
        return wording.listing(
            self.listed(command),
            self._name,
            self._now(),
            what=command.argument,
            topic=command.topic,
            is_frozen=self.book.is_frozen(),
        )

    def _export(self, command: Command) -> Answer:
        book = self.organisation if command.is_org else self.book
        if book is None:
            return Answer(NO_ORGANISATION, is_refusal=True)
        name = f"the organisation of {self._name}" if command.is_org else self._name
        return desk_files.exported(book.all(), name, command.argument, self._now())

    def _import(self, command: Command, visitor: Visitor, key: str) -> Answer:
        book = self.organisation if command.is_org else self.book
        if book is None:
            return Answer(NO_ORGANISATION, is_refusal=True)
        refusal = self.refusal("import", visitor)
        if refusal is None and command.is_org:
            refusal = self.refusal("org_add", visitor)
        if refusal is not None:
            return refusal
        if visitor.is_direct_message:
            return _not_in_direct_messages()
        source = visitor.source
        return desk_files.imported(book, command.argument, self._documents, source, key)

    def _confirm(self, visitor: Visitor, key: str) -> Answer:
        """After a transfer: the conventions hold for the new owner as well."""
        if not self.book.is_frozen():
            return Answer("Nothing is frozen here; every convention holds.", is_refusal=True)
        owner_id = self.organisation.scope.id if self.organisation is not None else 0
        self.book.confirm(visitor.source, owner_id, key)
        return Answer(f"Confirmed. {plural(len(self.book.active()), 'convention')} hold again.")

    def _undo(self, visitor: Visitor, key: str) -> Answer:
        """The newest change of this person, in the repository's book or the organisation's."""
        refusal = self.refusal("undo", visitor, owns=True)
        if refusal:
            return refusal
        last = [(book.newest_change_by(visitor.source), book) for book in self._books()]
        dated = [(entry.at, book) for entry, book in last if entry is not None]
        book = max(dated, key=lambda pair: pair[0])[1] if dated else self.book
        if book is self.organisation:
            refusal = self.refusal("org_forget", visitor)
        return refusal or wording.changed(book.undo(visitor.source, key))

    def _add(self, command: Command, visitor: Visitor, key: str) -> Answer:
        rule, is_org = without_organisation(command.text)
        is_org = is_org or command.is_org
        refusal = self._refusal_to_teach(visitor, is_org=is_org)
        if refusal:
            return refusal
        lesson = with_flags(lesson_from(rule), command, self._now())
        return self._taught(lesson, visitor, key, is_org=is_org)

    def _teach(self, teaching: Teaching, visitor: Visitor, key: str, message: str) -> Answer:
        if visitor.is_direct_message:
            return _not_in_direct_messages()
        if teaching.kind == "forget":
            return self._forget_named(teaching, visitor, key)
        rule, is_org = without_organisation(teaching.quote, message)
        refusal = self._refusal_to_teach(visitor, is_org=is_org)
        if refusal is None and teaching.kind == "correct" and teaching.target_id:
            target = self._book_of(teaching.target_id).get(teaching.target_id)
            refusal = refusal_about("edit", target, visitor)
            is_org = target.id.startswith("O")
        if refusal:
            return refusal
        book = self._book_for(is_org=is_org)
        lesson = with_carried_check(lesson_from(rule, teaching), teaching, book.active())
        return self._taught(lesson, visitor, key, is_org=is_org)

    def _taught(self, lesson: Lesson, visitor: Visitor, key: str, *, is_org: bool) -> Answer:
        lesson = said_of(lesson, self._name)
        if visitor.is_private_channel:
            lesson = replace(lesson, is_proposal=True)
        book = self._book_for(is_org=is_org)
        answer = wording.taught(book.teach(lesson, visitor.source, key))
        if is_org:
            answer = replace(answer, text=answer.text + "\n\n" + wording.FOR_ALL_REPOSITORIES)
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
        refusal = self.refusal("list", visitor)
        if refusal:
            return refusal
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

    def _books(self) -> list[ConventionBook]:
        return [self.book, *([self.organisation] if self.organisation is not None else [])]

    def _book_of(self, convention_id: str) -> ConventionBook:
        return self._book_for(is_org=convention_id.upper().startswith("O"))

    def _book_for(self, *, is_org: bool) -> ConventionBook:
        if not is_org:
            return self.book
        if self.organisation is None:
            raise BookError("no_organisation", NO_ORGANISATION)
        return self.organisation

    def _refusal_to_teach(self, visitor: Visitor, *, is_org: bool) -> Answer | None:
        if is_org and self.organisation is None:
            return Answer(NO_ORGANISATION, is_refusal=True)
        return self.refusal("org_add" if is_org else "remember", visitor)

    def refusal(self, action: Action, visitor: Visitor, *, owns: bool = False) -> Answer | None:
        """Why the visitor may not; None when they may."""
        return refusal(action, visitor, owns=owns)


_ELSEWHERE = {
    **dict.fromkeys(
        ("review", "why", "cancel", "pause", "resume"),
        "That is about one pull request: write it there, in a comment that begins with my name.",
    ),
    **dict.fromkeys(
        ("link", "unlink", "login", "logout"),
        "That is about Slack: write it there, as `/conventions` and the command.",
    ),
}


def _not_in_private(convention_id: str) -> Answer:
    return Answer(
        "This channel is private, and a convention's words are shown wherever it is cited. "
        f"Edit {convention_id} in a public channel or on a pull request, or in a form.",
        (Button("convention.edit", f"Edit {convention_id} in a form", convention_id),),
        is_refusal=True,
    )


def _not_in_direct_messages() -> Answer:
    return Answer(
        "Direct messages don't teach: say it in a linked channel or on a pull request, "
        "where the team sees it.",
        is_refusal=True,
    )
