"""How conventions and changes to them are put into words, the same in every place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime

from graph.answers import Answer, Button, plural
from graph.checks.parser import ParsedCheck, describe_parsed
from graph.checks.specs import check_from_json
from graph.convention_book import Outcome, Question
from graph.conventions import Convention, Place, Source, Topic
from graph.ledger import Entry
from graph.places import named_groups

LIST_BUDGET_CHARACTERS = 30_000
"""Under GitHub's and Slack's limits for one message after splitting; the rest is counted."""


PRIVATE = "words of a private channel; whoever said them can approve them"


def shown_rule(convention: Convention) -> str:
    """The rule, or what stands for it until its author agrees to its being shown."""
    return f"({PRIVATE})" if convention.source.is_private else convention.rule


def quoted(rule: str) -> str:
    """The rule as a Markdown quotation that can hold several lines."""
    return "\n".join(f"> {line}" for line in rule.splitlines() or [""])


def scope_words(paths: Sequence[str], *, is_full: bool = False) -> str:
    """ "in all files", or "in `src/**`, except tests"; in full, every glob of the tests.

    Not "everywhere", which reads as if it meant other repositories too.
    """
    inside = _places([p for p in paths if not p.startswith("!")], is_full=is_full)
    outside = _places([p[1:] for p in paths if p.startswith("!")], is_full=is_full)
    words = f"in {', '.join(inside)}" if inside else "in all files"
    return words + (f", except {', '.join(outside)}" if outside else "")


def _places(globs: Sequence[str], *, is_full: bool) -> list[str]:
    """Tests are twenty globs in as many languages, and one word."""
    names, left = ([], list(globs)) if is_full else named_groups(globs)
    return [*names, *(f"`{glob}`" for glob in left)]


def said_by(source: Source) -> str:
    """ "[ada on Slack, 2026-11-30](permalink)", as a finding cites it."""
    place = {"github": "on GitHub", "slack": "on Slack", "cli": "on the command line"}.get(
        source.place, "in a file"
    )
    words = f"{source.name} {place}, {date_of(source.said_at)}"
    return f"[{words}]({source.permalink})" if source.permalink else words


def date_of(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def effect_words(convention: Convention) -> str:
    """What the convention will do from now on, in a sentence."""
    if convention.status == "proposed":
        return "It does nothing until someone with write permission approves it."
    if convention.status == "deleted":
        return (
            f"It does nothing now. Until 30 days after the deletion `restore {convention.id}` "
            "brings it back."
        )
    if convention.check is not None:
        return describe_parsed(ParsedCheck(check_from_json(convention.check), convention.paths))
    if convention.mode == "ignore":
        return (
            "I won't report findings of this kind there. It never hides a secret, a bug or a "
            "security finding."
        )
    if convention.mode == "context":
        return "I'll keep it in mind as background; it is never the ground of a finding."
    # Which model is configured, if any, is not known where this is said.
    return "Code can't check this one: a model reviews against it, when one is configured."


def taught(outcome: Outcome) -> Answer:
    """The answer to teaching: id, exact words, topic, scope, what it replaced, how to undo it."""
    if outcome.what == "question":
        assert outcome.question is not None
        assert outcome.previous is not None
        return ask_which(outcome.question, outcome.previous)
    convention = outcome.convention
    assert convention is not None
    topic = convention.topic.replace("_", " ")
    scope = scope_words(convention.paths)
    head = {
        "unchanged": f"I already know this as **{convention.id}**:",
        "proposed": f"Proposed as **{convention.id}** ({topic}, {scope}):",
        "replaced": f"Corrected **{convention.id}** ({topic}, {scope}), now version "
        f"{convention.version}:",
        "edited": f"Edited **{convention.id}** ({topic}, {scope}), now version "
        f"{convention.version}:",
    }.get(outcome.what, f"Remembered as **{convention.id}** ({topic}, {scope}):")
    parts = [head, quoted(convention.rule)]
    if outcome.what in {"replaced", "edited"} and outcome.previous is not None:
        parts.append("It replaces:\n" + quoted(outcome.previous.rule))
    parts.append(effect_words(convention))
    if convention.expires_at is not None:
        parts.append(f"It holds until {date_of(convention.expires_at - 1)}.")
    if outcome.what != "unchanged" and convention.status == "proposed":
        return Answer("\n\n".join(parts), proposal_buttons(convention))
    if outcome.what != "unchanged":
        parts.append(undo_words(convention.source.place, convention.id))
    return Answer("\n\n".join(parts))


def undo_words(place: Place, convention_id: str = "") -> str:
    """How a change is taken back: what is said to me in public is heard where I am mentioned."""
    other = f" or `forget {convention_id}`" if convention_id else ""
    where = "" if place == "cli" else ", in a message that mentions me"
    return f"Undo with `undo`{other}{where}."


def proposal_buttons(convention: Convention) -> tuple[Button, ...]:
    return (
        Button("convention.approve", "Approve", convention.id),
        Button("convention.edit", "Edit", convention.id),
        Button("convention.dismiss", "Dismiss", convention.id),
    )


def ask_which(question: Question, old: Convention) -> Answer:
    """ "Replace C3 or keep both?" """
    text = (
        f"That contradicts **{old.id}**:\n\n{quoted(old.rule)}\n\n"
        f"Replace {old.id} or keep both? Mention me here with `replace {old.id}` or `keep both` "
        "within 7 days."
    )
    return Answer(
        text,
        (
            Button("question.replace", f"Replace {old.id}", f"{question.id} {old.id}"),
            Button("question.keep", "Keep both", question.id),
        ),
    )


def changed(outcome: Outcome) -> Answer:
    """The answer to forget, restore, approve, dismiss and undo."""
    convention = outcome.convention
    assert convention is not None
    if outcome.what in {"approved", "restored"}:
        verb = "Approved" if outcome.what == "approved" else "Restored"
        head = f"{verb} **{convention.id}**, {scope_words(convention.paths)}:"
        effect = f"{effect_words(convention)}\n\n{undo_words(convention.source.place)}"
        return Answer(f"{head}\n\n{quoted(convention.rule)}\n\n{effect}")
    if outcome.what == "unchanged":
        return Answer(f"**{convention.id}** is active already.")
    if outcome.what == "undone":
        if convention.status != "deleted":
            head = f"Undone. **{convention.id}** is {convention.status} again:"
            return Answer(f"{head}\n\n{quoted(shown_rule(convention))}")
        head = f"Undone. **{convention.id}** is deleted:"
    else:
        verb = "Dismissed" if outcome.what == "dismissed" else "Forgotten"
        head = f"{verb} **{convention.id}**:"
    restore = f"`restore {convention.id}` brings it back within 30 days."
    return Answer(f"{head}\n\n{quoted(shown_rule(convention))}\n\n{restore}")


def line_of(convention: Convention, now: float) -> str:
    """One line of a list."""
    rule = " ".join(shown_rule(convention).split())
    notes = [convention.topic.replace("_", " "), scope_words(convention.paths)]
    if convention.mode != "enforce":
        notes.append(convention.mode)
    if convention.status == "deleted":
        notes.append(f"**deleted** on {date_of(convention.updated_at)}")
    elif convention.status != "active":
        notes.append(f"**{convention.status}**")
    if convention.expires_at is not None:
        notes.append(_until(convention.expires_at, now))
    if convention.check is not None:
        notes.append("checked by code")
    return f"- **{convention.id}** “{rule}” ({'; '.join(notes)}), {said_by(convention.source)}"


def filtered(
    conventions: Iterable[Convention], what: str, unused: AbstractSet[str], now: float
) -> list[Convention]:
    """What `list`, or one of its filters, is about."""
    if what == "unused":
        return [c for c in conventions if c.id in unused]
    if what == "expired":
        return [c for c in conventions if c.status == "active" and not c.is_active(now)]
    if what in {"deleted", "proposed"}:
        return [c for c in conventions if c.status == what]
    return [c for c in conventions if c.status != "deleted"]


_NONE_OF = {
    "deleted": "Nothing was deleted within the last 30 days; after that its text is erased.",
    "proposed": "Nothing waits for approval.",
    "unused": "Every convention was used or taught within the last 90 days.",
    "expired": "No convention has expired.",
}
_HINT_OF = {
    "deleted": "`restore C7` brings one back within 30 days.",
    "proposed": "`approve C7` or `dismiss C7`, several ids at once if you like.",
    "unused": "No review reported anything by them for 90 days. `forget C7` removes one.",
    "expired": "`edit C7 --until never` lets one hold again.",
}
FROZEN = (
    "**Nothing of this holds now**: the repository changed its owner. A maintainer makes it hold "
    "again with `conventions confirm`."
)


def listing(
    conventions: Sequence[Convention],
    name: str,
    now: float,
    *,
    what: str = "",
    topic: Topic | None = None,
    is_frozen: bool = False,
) -> Answer:
    """A list under its filter `what` or of one topic, as many as fit, the rest counted."""
    if not conventions and topic:
        about = topic.replace("_", " ")
        return Answer(f"No convention of {name} is about {about}; `list` shows all.")
    if not conventions:
        return Answer(
            _NONE_OF.get(
                what,
                f"No conventions for {name} yet. Teach one: "
                "`remember: the maximum line length is 88 characters`.",
            )
        )
    lines: list[str] = []
    budget = LIST_BUDGET_CHARACTERS
    for convention in conventions:
        line = line_of(convention, now)
        budget -= len(line) + 1
        if budget < 0:
            left = len(conventions) - len(lines)
            lines.append(f"… and {left} more; `list naming` and other topics show a part of them.")
            break
        lines.append(line)
    kind = f"{what} convention" if what else "convention"
    head = f"**{plural(len(conventions), kind)} of {name}**"
    notes = ([FROZEN, ""] if is_frozen else []) + [head, "", *lines]
    if what in _HINT_OF:
        notes += ["", _HINT_OF[what]]
    return Answer("\n".join(notes))


def details(convention: Convention, now: float) -> Answer:
    """Everything known about one convention."""
    used = "No review has reported anything by it yet"
    if convention.hits:
        used = f"{plural(convention.hits, 'review')} reported by it"
    if convention.last_used_at:
        used += f", last on {date_of(convention.last_used_at)}"
    lines = [
        _heading(convention),
        "",
        quoted(shown_rule(convention)),
        "",
        f"Said by {said_by(convention.source)}. {effect_words(convention)} {used}.",
    ]
    globs = scope_words(convention.paths, is_full=True)
    if globs != scope_words(convention.paths):
        lines.append(f"The files meant: {globs}.")
    if convention.version > 1:
        times = plural(convention.version - 1, "time")
        lines.append(f"It was changed {times}: `history {convention.id}`.")
    if convention.expires_at is not None:
        lines.append(f"It holds {_until(convention.expires_at, now)}.")
    if convention.evidence:
        lines.append("Evidence: " + ", ".join(convention.evidence))
    return Answer("\n".join(lines))


def _heading(convention: Convention) -> str:
    """Id, topic and scope; a status only where it isn't the usual one."""
    topic = convention.topic.replace("_", " ")
    head = f"**{convention.id}** ({topic}, {scope_words(convention.paths)})"
    if convention.status == "deleted":
        return f"{head}, **deleted** on {date_of(convention.updated_at)}"
    return head if convention.status == "active" else f"{head}, **{convention.status}**"


def _until(expires_at: float, now: float) -> str:
    """The last day it holds, or held."""
    day = date_of(expires_at - 1)
    return f"until {day}" if expires_at > now else f"until {day}, **expired**"


def history(entries: Sequence[Entry], convention_id: str) -> Answer:
    """The audit log of one convention: who, what, when, from where."""
    if not entries:
        return Answer(f"Nothing is recorded about {convention_id}.", is_refusal=True)
    lines = [f"**History of {convention_id}**", ""]
    for entry in entries:
        when = datetime.fromtimestamp(entry.at, UTC).strftime("%Y-%m-%d %H:%M UTC")
        lines.append(f"- {when}, {_happened(entry)}")
    return Answer("\n".join(lines))


def _happened(entry: Entry) -> str:
    """What one entry did and by whom; of an undo, what it left."""
    is_undo, after = entry.what.startswith("undone:"), entry.after
    head = f"{'undone' if is_undo else entry.what} by {said_by(entry.by)}"
    if after is None:
        return f"{head} (text erased)"
    rule = f"“{' '.join(shown_rule(after).split())}”"
    if not is_undo:
        return f"{head}: {rule}"
    return f"{head}, then {after.status}: {rule}"


FOR_ALL_REPOSITORIES = (
    "It holds in every repository of the organisation; a repository's own convention wins."
)

HELP = """**Teach me.** `remember: the maximum line length is 88 characters`, `from now on …`, \
`always …`, `never …`; with flags, `add never call eval --paths src/** --until 2027-01-31`. \
Owners teach all repositories: `for the whole organisation: …`, or `add --org …` (ids O3)

**What I know.** `list` · `list proposed` · `list unused` · `list deleted` · `list expired` · \
`list naming` · `show C7` · `history C7` · `export` · `export json`

**Change it.** `edit C7 …` · `forget C7` · `restore C7` · `undo` · `approve C9` · `dismiss C9` · \
`import AGENTS.md` (its rules become proposals) · `conventions confirm` (after a transfer)

**Reviews (on a pull request).** `review` · `why` · `cancel` · `pause` · `resume`

Anything else is a question, and I answer it when a model is configured."""
