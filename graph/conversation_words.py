"""What code decides of a message: commands, teaching, instructions, preferences, reading back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph import conversation_briefing, preferences, review_history
from graph import instructions as standing
from graph.answers import Answer, plural
from graph.commands import Command
from graph.context import ReviewContext, Speaker
from graph.desk import Desk
from graph.explaining import explain
from graph.ledger import actor_key
from graph.remembering import visitor_of
from graph.small_talk import small_talk
from graph.state import Instruction, ReviewState
from graph.store import ConventionStore
from graph.taught import Standing
from graph.teaching import interpret

UNLINKED = (
    "A preference belongs to a GitHub account, and I don't know yours yet: link it with "
    "`/conventions login`, then say it again."
)

_LAST_TIME = re.compile(
    r"what (?:did|have) you (?:say|said|found|find|report(?:ed)?)"
    r"(?: (?:about|on|in) this(?: pr| pull request)?)?(?: the)?"
    r"(?: last time| before| earlier| already| so far| last| here)?[\s?.!]*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Heard:
    """`answer` is None where a model shall answer; `instructions` is None where none changed."""

    answer: Answer | None = None
    instructions: list[Instruction] | None = None


def hear_by_code(
    state: ReviewState,
    context: ReviewContext,
    store: ConventionStore,
    desk: Desk,
    handle: str,
    *,
    has_model: bool,
) -> Heard:
    """Decide a message as far as code can; everything it changes is exactly-once by the event."""
    speaker = context.speaker
    assert speaker is not None
    visitor, key = visitor_of(context, speaker), state["turn"]["event_id"]
    said = _without_mention(speaker.message, handle)
    answered = desk.answer_question(said, visitor, key)
    if answered is not None:
        return Heard(answered)
    if (request := preferences.request_in(said)) is not None:
        return Heard(_about_speaker(request, speaker, store, desk))
    heard = interpret(speaker.message, handle=handle)
    is_more = heard.command is not None or heard.teachings or heard.standing
    orders = heard.standing if is_more else standing.orders_in(said)
    instructing = [o for o in orders if o.kind == "instruction"]
    preferring = [o for o in orders if o.kind == "preference"]
    if heard.unknown is not None and not orders:
        return Heard(Answer(heard.unknown.help, is_refusal=True))
    if heard.command is not None and heard.command.name == "why":
        why = desk.refusal("why", visitor) or explain(store, context, desk, heard.command.ids)
        if why is not None:
            return Heard(why)
    elif heard.command is not None:
        return Heard(desk.serve(heard.command, visitor, key))
    answers = desk.teach(heard.teachings, visitor, key, speaker.message) if heard.teachings else []
    if preferring:
        answers.append(_prefer(preferring, speaker, store, desk))
    told = Heard()
    if instructing:
        told = _instruct(state, context, desk, instructing, speaker, has_model=has_model)
        answers += [told.answer] if told.answer else []
    if answers or told.instructions is not None:
        return Heard(_joined(answers) if answers else None, told.instructions)
    refusal = desk.refusal("ask", visitor)
    if refusal is None and not has_model:
        return Heard(_read_back(said, context, store, desk, heard.command) or small_talk(said))
    return Heard(refusal)


def _instruct(
    state: ReviewState,
    context: ReviewContext,
    desk: Desk,
    orders: Sequence[Standing],
    speaker: Speaker,
    *,
    has_model: bool,
) -> Heard:
    if context.number is None:
        return Heard(
            Answer(
                "An instruction stands for one pull request: say it there, or name it with its "
                "link.",
                is_refusal=True,
            )
        )
    kept = list(state.get("instructions") or [])
    changes = [o for o in orders if o.action != "list"]
    visitor = visitor_of(context, speaker)
    refusal = desk.refusal("remember" if changes else "list", visitor)
    if refusal is not None:
        return Heard(refusal)
    before, source = kept, speaker.source
    try:
        for order in changes:
            if order.kind == "instruction" and order.action == "set":
                kept = standing.add(
                    kept, order.quote, source.name, source.github_id, source.said_at
                )
            elif order.kind == "instruction":
                kept = standing.withdraw(kept, order.quote)
    except standing.TooManyInstructions as error:
        return Heard(Answer(str(error), is_refusal=True))
    if has_model and any(o.quote.casefold().lstrip().startswith("also") for o in changes):
        # "Also check the error paths" stands from now on, and asks for an answer now.
        return Heard(None, kept)
    where = "this pull request" if speaker.source.place == "github" else "this conversation"
    note = ""
    if changes and kept == before:
        note = "Nothing changed: say which one, by its id.\n\n"
    return Heard(Answer(note + standing.listing(kept, where), is_refusal=bool(note)), kept)


def _prefer(
    orders: Sequence[Standing], speaker: Speaker, store: ConventionStore, desk: Desk
) -> Answer:
    if any(o.action == "list" for o in orders):
        return _about_speaker("show", speaker, store, desk)
    if any(o.action == "withdraw" for o in orders):
        return _about_speaker("forget", speaker, store, desk)
    if speaker.source.github_id is None:
        return Answer(UNLINKED, is_refusal=True)
    try:
        kept = [preferences.keep(store, speaker.source, order.quote) for order in orders]
    except ValueError as error:
        return Answer(str(error), is_refusal=True)
    words = "\n".join(f"> {p.words}" for p in kept)
    undo = "Undo with `forget my preferences`, in a message that mentions me."
    return Answer(f"For you only, from now on:\n\n{words}\n\n{undo}")


def _about_speaker(
    request: preferences.Request, speaker: Speaker, store: ConventionStore, desk: Desk
) -> Answer:
    github_id = speaker.source.github_id
    if github_id is None:
        return Answer(UNLINKED, is_refusal=True)
    if request == "forget":
        count = preferences.forget(store, github_id)
        return Answer(f"Forgot {plural(count, 'preference')} of yours.")
    parts = [f"You are {speaker.source.name} (GitHub id {github_id})."]
    known = preferences.of_person(store, github_id)
    if known:
        parts.append("Your preferences:\n" + "\n".join(f"- {p.words}" for p in known))
    else:
        parts.append("You have stated no preferences.")
    me = actor_key(speaker.source)
    mine = [c.id for c in desk.book.all() if c.status != "deleted" and actor_key(c.source) == me]
    if mine:
        parts.append(f"You taught {', '.join(mine)} here; `show {mine[0]}` shows one.")
    parts.append("Forget them with `forget my preferences` or `forget C7`.")
    return Answer("\n\n".join(parts))


def _read_back(
    said: str, context: ReviewContext, store: ConventionStore, desk: Desk, command: Command | None
) -> Answer | None:
    """What needs no model: "why?" under a finding of ours, and "what did you say last time?"."""
    if context.number is None:
        return None
    speaker = context.speaker
    assert speaker is not None
    if _LAST_TIME.fullmatch(said):
        reviews = review_history.of_pull_request(store, context.repository_id, context.number)
        text = review_history.last_said(reviews) if reviews else "I have published no review."
        return Answer(text)
    if command is None or command.name != "why":
        return None
    ids = command.ids
    if not ids and context.comment_kind == "review_comment":
        threads = context.reader.threads(context.number)
        thread = conversation_briefing.thread_of(context, threads)
        cited = conversation_briefing.cited_convention(thread) if thread else None
        ids = (cited,) if cited else ()
    if not ids:
        return None
    visitor = visitor_of(context, speaker)
    return desk.serve(Command("show", ids), visitor, f"why:{context.event_id}")


def _joined(answers: Sequence[Answer]) -> Answer:
    return Answer(
        "\n\n---\n\n".join(a.text for a in answers),
        tuple(b for a in answers for b in a.buttons),
        is_refusal=all(a.is_refusal for a in answers),
    )


def _without_mention(message: str, handle: str) -> str:
    """The words after one mention at the beginning or before one at the end."""
    own = rf"@{re.escape(handle.lstrip('@'))}(?:\[bot\])?(?![\w-])"
    name = rf"(?:{own}|<@[UW]\w{{1,20}}(?:\|[^>]*)?>|@[UW][A-Z0-9]{{6,14}}\b)"
    said = re.sub(rf"^\s*{name}[\s,:;.!]*", "", message, count=1, flags=re.IGNORECASE)
    return re.sub(rf"[\s,]*{name}[\s.!]*$", "", said, count=1, flags=re.IGNORECASE).strip()
