"""The App Home as Slack shows it: pure, within Slack's limits whatever people wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

from graph.answers import Answer, plural
from graph.conventions import TOPICS, Convention, Status
from graph.wording import date_of, scope_words, shown_rule
from workers.channels import ChannelLink
from workers.mrkdwn import to_mrkdwn
from workers.slack_text import escape, split_text

PAGE_SIZE = 10
SECTION_CHARACTERS = 3_000
CONTEXT_CHARACTERS = 2_000
LABEL_CHARACTERS = 75
MAX_OPTIONS = 100
MAX_NOTICE_BLOCKS = 4
ANY = "-"
STATUSES: tuple[Status, ...] = get_args(Status)

View = dict[str, Any]
Block = dict[str, Any]

NO_REPOSITORY = (
    "None of the channels that you are in is linked to a repository that you may read. Someone "
    "with the maintain role links one there with `/conventions link owner/name`."
)


@dataclass(frozen=True)
class HomeState:
    """What the person chose to look at. It comes back from Slack and is never trusted."""

    repository_id: int = 0
    topic: str = ""
    status: str = ""
    page: int = 0

    def to_metadata(self) -> str:
        return json.dumps({"home": asdict(self)})

    @staticmethod
    def from_metadata(text: str) -> HomeState:
        """The state that a view carried; the beginning for anything else."""
        try:
            home = json.loads(text)["home"]
            return HomeState(
                int(home["repository_id"]),
                home["topic"] if home["topic"] in TOPICS else "",
                home["status"] if home["status"] in STATUSES else "",
                max(int(home["page"]), 0),
            )
        except (ValueError, KeyError, TypeError):
            return HomeState()

    def chosen(self, what: str, value: str) -> HomeState:
        """After a choice in one of the menus, or a turn of the page."""
        number = int(value) if value.isdecimal() and len(value) < 17 else 0
        if what == "repository":
            return HomeState(repository_id=number)
        if what == "topic":
            return replace(self, topic=value if value in TOPICS else "", page=0)
        if what == "status":
            return replace(self, status=value if value in STATUSES else "", page=0)
        return replace(self, page=number) if what == "page" else self


@dataclass(frozen=True)
class Home:
    """Everything that the view shows. `login` is "" for a person who has linked no account."""

    state: HomeState
    links: Sequence[ChannelLink]
    login: str = ""
    conventions: Sequence[Convention] = ()
    notice: Answer | None = None


def home_view(home: Home) -> View:
    """The view of type "home" for `views.publish`."""
    blocks: list[Block] = [
        {"type": "header", "text": _plain("What this team said")},
        _account(home.login),
        *_notice(home.notice, home.state.repository_id),
    ]
    if home.links:
        blocks += [_menus(home), *_list(home)]
    else:
        blocks.append(section(to_mrkdwn(NO_REPOSITORY)))
    return {"type": "home", "private_metadata": home.state.to_metadata(), "blocks": blocks}


def shown(conventions: Sequence[Convention], state: HomeState) -> list[Convention]:
    """What the filter leaves: what waits for approval first, then by id."""
    kept = [c for c in conventions if not state.topic or c.topic == state.topic]
    if state.status:
        return [c for c in kept if c.status == state.status]
    living = [c for c in kept if c.status != "deleted"]
    return sorted(living, key=lambda c: c.status != "proposed")


def section(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def escaped_within(text: str, limit: int) -> str:
    """The text escaped and cut to `limit` characters, never inside an escape. Never empty."""
    out: list[str] = []
    room = limit - 1
    for character in text:
        piece = escape(character)
        room -= len(piece)
        if room < 0:
            return "".join(out).rstrip() + "…"
        out.append(piece)
    return "".join(out).strip() or "–"


def label(text: str, limit: int = LABEL_CHARACTERS) -> dict[str, Any]:
    """A plain text that fits, never empty."""
    text = " ".join(text.split()) or "–"
    return _plain(text if len(text) <= limit else text[: limit - 1] + "…")


def button(action: str, text: str, value: str, **more: Any) -> Block:
    return {"type": "button", "action_id": action, "text": label(text), "value": value, **more}


def answer_blocks(answer: Answer, repository_id: int) -> list[Block]:
    """An answer with its buttons, whose values name the repository."""
    pages = split_text(to_mrkdwn(answer.text), SECTION_CHARACTERS - 100)
    blocks = [section(page) for page in pages[:MAX_NOTICE_BLOCKS]]
    if answer.buttons:
        buttons = [
            button(f"{b.action}#{n}", b.label, f"{repository_id}:{b.value}")
            for n, b in enumerate(answer.buttons[:5])
        ]
        blocks.append({"type": "actions", "elements": buttons})
    return blocks


def _account(login: str) -> Block:
    if login:
        block = section(f"You are *{escaped_within(login, 200)}* on GitHub.")
        block["accessory"] = button("home.logout", "Unlink", ANY)
        return block
    block = section("Your GitHub account is not linked: you can read, and change nothing.")
    block["accessory"] = button("home.login", "Link my GitHub account", ANY, style="primary")
    return block


def _notice(notice: Answer | None, repository_id: int) -> list[Block]:
    if notice is None:
        return []
    return [*answer_blocks(notice, repository_id), {"type": "divider"}]


def _menus(home: Home) -> Block:
    state = home.state
    topics = [(ANY, "Every topic"), *((topic, topic.replace("_", " ")) for topic in TOPICS)]
    statuses = [(ANY, "Holding and proposed"), *((status, status) for status in STATUSES)]
    elements = [
        _menu("home.topic", topics, state.topic or ANY),
        _menu("home.status", statuses, state.status or ANY),
        button("convention.add", "Teach", f"{state.repository_id}:", style="primary"),
    ]
    if len(home.links) > 1:
        names = [(str(link.repository_id), link.name) for link in home.links[:MAX_OPTIONS]]
        elements.insert(0, _menu("home.repository", names, str(state.repository_id)))
    return {"type": "actions", "elements": elements}


def _menu(action: str, choices: Sequence[tuple[str, str]], chosen: str) -> Block:
    options = [{"text": label(text), "value": value} for value, text in choices]
    menu: Block = {"type": "static_select", "action_id": action, "options": options}
    initial = next((option for option in options if option["value"] == chosen), None)
    if initial is not None:
        menu["initial_option"] = initial
    return menu


def _list(home: Home) -> list[Block]:
    state = home.state
    found = shown(home.conventions, state)
    last_page = max(len(found) - 1, 0) // PAGE_SIZE
    page = min(state.page, last_page)
    on_page = found[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
    name = next((li.name for li in home.links if li.repository_id == state.repository_id), "")
    count = f"*{plural(len(found), 'convention')}* of {escaped_within(name, 300)}"
    if last_page:
        count += f", page {page + 1} of {last_page + 1}"
    blocks = [section(count)]
    for number, convention in enumerate(on_page):
        blocks += _convention(convention, state.repository_id, number)
    turns = []
    if page > 0:
        turns.append(button("home.page#back", "Previous", str(page - 1)))
    if page < last_page:
        turns.append(button("home.page#next", "Next", str(page + 1)))
    return [*blocks, {"type": "actions", "elements": turns}] if turns else blocks


def _convention(convention: Convention, repository_id: int, number: int) -> list[Block]:
    head = f"*{convention.id}* · {convention.topic.replace('_', ' ')} · {convention.status}"
    words = escaped_within(shown_rule(convention), SECTION_CHARACTERS - len(head) - 100)
    quote = "\n".join(f">{line}" for line in words.splitlines()[:20])
    source = convention.source
    notes = [
        f"said by {source.name}, {date_of(source.said_at)}",
        scope_words(convention.paths).replace("`", ""),
        plural(convention.hits, "review") + " reported by it",
    ]
    if convention.mode != "enforce":
        notes.append(convention.mode)
    if convention.check is not None:
        notes.append("checked by code")
    said = {"type": "mrkdwn", "text": escaped_within(" · ".join(notes), CONTEXT_CHARACTERS)}
    value = f"{repository_id}:{convention.id}"
    return [
        section(f"{head}\n{quote}"),
        {"type": "context", "elements": [said]},
        {"type": "actions", "elements": _buttons(convention, value, number)},
    ]


def _buttons(convention: Convention, value: str, number: int) -> list[Block]:
    def one(verb: str, text: str, **more: Any) -> Block:
        return button(f"convention.{verb}#{number}", text, value, **more)

    if convention.status == "deleted":
        return [one("restore", "Restore")]
    if convention.status == "proposed":
        return [
            one("approve", "Approve", style="primary"),
            one("edit", "Edit"),
            one("dismiss", "Dismiss"),
        ]
    return [
        one("edit", "Edit"),
        one("forget", "Delete", style="danger", confirm=_confirmation(convention)),
    ]


def _confirmation(convention: Convention) -> Mapping[str, Any]:
    words = escaped_within(" ".join(shown_rule(convention).split()), 200)
    said = f"“{words}” no longer holds from the next review on."
    return {
        "title": label(f"Delete {convention.id}?", 100),
        "text": {"type": "mrkdwn", "text": said},
        "confirm": _plain("Delete"),
        "deny": _plain("Keep"),
    }


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}
