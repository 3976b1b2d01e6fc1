"""The form in which a convention is taught or edited, and what stands there instead of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph.answers import Answer
from graph.conventions import MAX_RULE_CHARACTERS, MODES, TOPICS, Convention, Mode, Topic
from workers.slack_home_view import View, answer_blocks, escaped_within, label, section

SAVE = "convention.save"
TITLE_CHARACTERS = 24
MAX_INPUT_CHARACTERS = 3_000
NO_TOPIC = "-"


@dataclass(frozen=True)
class FormPlace:
    """What the form is about and where it was opened; travels in its `private_metadata`.

    `convention_id` is "" for a new one, else `version` is the one that was shown. `home` is the App
    Home's metadata behind it, `channel` and `thread_ts` are those of the message whose button
    opened it, `response_url` is that of the command that did.
    """

    repository_id: int
    convention_id: str = ""
    home: str = ""
    channel: str = ""
    thread_ts: str = ""
    response_url: str = ""
    version: int = 0

    def to_metadata(self) -> str:
        return json.dumps({"form": self.__dict__})

    @staticmethod
    def from_metadata(text: str) -> FormPlace | None:
        """None for what is not ours."""
        try:
            return FormPlace(**json.loads(text)["form"])
        except (ValueError, KeyError, TypeError):
            return None


@dataclass(frozen=True)
class Form:
    """What the person typed and chose. `topic` None: code finds it in the words."""

    rule: str
    topic: Topic | None
    mode: Mode | None
    paths: tuple[str, ...]


def form_view(place: FormPlace, repository_name: str, old: Convention | None, rule: str) -> View:
    """The form. `rule` is what stands in it at first."""
    title = f"Edit {old.id}" if old else "Teach"
    topics: list[tuple[str, str]] = [(topic, topic.replace("_", " ")) for topic in TOPICS]
    if old is None:
        topics.insert(0, (NO_TOPIC, "As the words say"))
    paths = ", ".join(old.paths) if old else ""
    hint = (
        f"For {escaped_within(repository_name, 300)}. The words are yours: reviews cite them "
        "exactly, with your name, where everybody who sees the repository reads them."
    )
    return {
        "type": "modal",
        "callback_id": SAVE,
        "private_metadata": place.to_metadata(),
        "title": label(title, TITLE_CHARACTERS),
        "submit": label("Save"),
        "close": label("Cancel"),
        "blocks": [
            section(hint),
            _text_input("rule", "The rule", rule, MAX_RULE_CHARACTERS, is_long=True),
            _select("topic", "Topic", topics, old.topic if old else NO_TOPIC),
            _select("mode", "Mode", [(m, _MODE_WORDS[m]) for m in MODES], old.mode if old else ""),
            _text_input("paths", "Only in these paths", paths, MAX_INPUT_CHARACTERS,
                        hint="Globs with commas between them, as src/**, !src/generated/**"),
        ],
    }  # fmt: skip


def told_view(answer: Answer, repository_id: int) -> View:
    """Words in place of the form."""
    return {
        "type": "modal",
        "title": label("Precedent"),
        "close": label("Close"),
        "blocks": answer_blocks(answer, repository_id),
    }


def read_form(values: str) -> Form | None:
    """What was submitted, from the JSON of the view's state; None when it is no form of ours."""
    try:
        blocks = json.loads(values)["values"]
        found = {name: blocks[name][name] for name in ("rule", "topic", "mode", "paths")}
        topic = (found["topic"].get("selected_option") or {}).get("value")
        mode = (found["mode"].get("selected_option") or {}).get("value")
        rule, paths = found["rule"].get("value") or "", found["paths"].get("value") or ""
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    globs = (part.strip() for part in str(paths).replace("\n", ",").split(","))
    return Form(
        rule=str(rule).strip(),
        topic=next((known for known in TOPICS if known == topic), None),
        mode=next((known for known in MODES if known == mode), None),
        paths=tuple(dict.fromkeys(glob for glob in globs if glob)),
    )


_MODE_WORDS: dict[Mode, str] = {
    "enforce": "enforce: report what breaks it",
    "ignore": "ignore: don't report such findings there",
    "context": "context: background, never a finding",
}


def _text_input(
    name: str, title: str, value: str, most: int, *, is_long: bool = False, hint: str = ""
) -> dict[str, Any]:
    element: dict[str, Any] = {
        "type": "plain_text_input",
        "action_id": name,
        "multiline": is_long,
        "max_length": most,
    }
    if value:
        element["initial_value"] = value[:most]
    block: dict[str, Any] = {
        "type": "input",
        "block_id": name,
        "label": label(title),
        "element": element,
        "optional": not is_long,
    }
    return block | ({"hint": label(hint)} if hint else {})


def _select(
    name: str, title: str, choices: Sequence[tuple[str, str]], chosen: str
) -> dict[str, Any]:
    options = [{"text": label(text), "value": value} for value, text in choices]
    initial = next((o for o in options if o["value"] == chosen), options[0])
    element = {
        "type": "static_select",
        "action_id": name,
        "options": options,
        "initial_option": initial,
    }
    return {"type": "input", "block_id": name, "label": label(title), "element": element}
