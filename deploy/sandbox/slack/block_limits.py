"""Slack's limits on blocks, views and texts, as its Block Kit reference states them.

Each violation is a sentence with a JSON pointer, in the form in which Slack's answers name it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAX_MESSAGE_BLOCKS = 50
MAX_VIEW_BLOCKS = 100
MAX_POSTED_TEXT = 40_000
MAX_UPDATED_TEXT = 4_000
MAX_MARKDOWN_TEXT = 12_000  # over all markdown blocks of one message
MAX_PRIVATE_METADATA = 3_000
MAX_ID = 255

_VIEW_TITLE = 24
_SELECTS = {"static_select", "multi_static_select", "external_select", "multi_external_select"}
_CHOICES = {"radio_buttons": 10, "checkboxes": 10, "overflow": 5}
_OTHER_ELEMENTS = {
    "datepicker", "datetimepicker", "timepicker", "number_input", "email_text_input",
    "url_text_input", "rich_text_input", "image", "workflow_button", "icon_button",
    "feedback_buttons", "users_select", "multi_users_select", "conversations_select",
    "multi_conversations_select", "channels_select", "multi_channels_select",
}  # fmt: skip
_LOOSE_BLOCKS = {"divider", "rich_text", "video", "file", "table", "context_actions", "image"}


@dataclass(frozen=True)
class Violation:
    """One broken limit: what is wrong and the JSON pointer of the place."""

    problem: str
    pointer: str

    def __str__(self) -> str:
        return f"[ERROR] {self.problem} [json-pointer:{self.pointer}]"


def block_violations(blocks: Any, *, limit: int, base: str = "/blocks") -> list[Violation]:
    """Every broken limit of a list of blocks, in order."""
    if not isinstance(blocks, list):
        return [Violation("must be an array of blocks", base)]
    found = []
    if len(blocks) > limit:
        found.append(Violation(f"no more than {limit} items allowed", base))
    ids: set[str] = set()
    for index, block in enumerate(blocks):
        found.extend(_block(block, f"{base}/{index}"))
        block_id = block.get("block_id") if isinstance(block, dict) else None
        if isinstance(block_id, str) and block_id:
            if block_id in ids:
                found.append(Violation("block_id is not unique", f"{base}/{index}/block_id"))
            ids.add(block_id)
    found.extend(_markdown_total(blocks, base))
    return found


def view_violations(view: Any, *, home: bool) -> list[Violation]:
    """Every broken limit of a view; `home` when it is for the App Home."""
    if not isinstance(view, dict):
        return [Violation("must be an object", "/view")]
    allowed = ("home",) if home else ("modal",)
    if view.get("type") not in allowed:
        return [Violation(f"must be one of: {', '.join(allowed)}", "/view/type")]
    blocks = view.get("blocks")
    found = block_violations(blocks, limit=MAX_VIEW_BLOCKS, base="/view/blocks")
    found += _length(view.get("private_metadata"), MAX_PRIVATE_METADATA, "/view/private_metadata")
    found += _length(view.get("callback_id"), MAX_ID, "/view/callback_id")
    if not home:
        found += _plain(view.get("title"), _VIEW_TITLE, "/view/title")
        for name in ("submit", "close"):
            if view.get(name) is not None:
                found += _plain(view[name], _VIEW_TITLE, f"/view/{name}")
        has_input = any(isinstance(b, dict) and b.get("type") == "input" for b in blocks or ())
        if has_input and view.get("submit") is None:
            found.append(Violation("missing required field: submit", "/view"))
    return found


def _block(block: Any, at: str) -> Iterator[Violation]:
    if not isinstance(block, dict):
        yield Violation("must be an object", at)
        return
    yield from _length(block.get("block_id"), MAX_ID, f"{at}/block_id")
    match block.get("type"):
        case "section":
            yield from _section(block, at)
        case "header":
            yield from _plain(block.get("text"), 150, f"{at}/text")
        case "context":
            yield from _count(block.get("elements"), 1, 10, f"{at}/elements")
            for index, item in enumerate(_list(block.get("elements"))):
                yield from _context_item(item, f"{at}/elements/{index}")
        case "actions":
            yield from _count(block.get("elements"), 1, 25, f"{at}/elements")
            yield from _actions(_list(block.get("elements")), at)
        case "input":
            yield from _plain(block.get("label"), 2_000, f"{at}/label")
            if block.get("hint") is not None:
                yield from _plain(block["hint"], 2_000, f"{at}/hint")
            yield from _element(block.get("element"), f"{at}/element")
        case "markdown":
            yield from _string(block.get("text"), MAX_MARKDOWN_TEXT, f"{at}/text")
        case kind if kind in _LOOSE_BLOCKS:
            return
        case kind:
            yield Violation(f"unsupported type: {kind}", f"{at}/type")


def _section(block: dict[str, Any], at: str) -> Iterator[Violation]:
    if block.get("text") is None and not block.get("fields"):
        yield Violation("missing required field: text", at)
    if block.get("text") is not None:
        yield from _text(block["text"], 3_000, f"{at}/text")
    if block.get("fields") is not None:
        yield from _count(block["fields"], 1, 10, f"{at}/fields")
        for index, item in enumerate(_list(block["fields"])):
            yield from _text(item, 2_000, f"{at}/fields/{index}")
    if block.get("accessory") is not None:
        yield from _element(block["accessory"], f"{at}/accessory")


def _context_item(item: Any, at: str) -> Iterator[Violation]:
    if isinstance(item, dict) and item.get("type") == "image":
        yield from _string(item.get("alt_text"), 2_000, f"{at}/alt_text")
    else:
        yield from _text(item, 3_000, at)


def _actions(elements: list[Any], at: str) -> Iterator[Violation]:
    seen: set[str] = set()
    for index, element in enumerate(elements):
        yield from _element(element, f"{at}/elements/{index}")
        action_id = element.get("action_id") if isinstance(element, dict) else None
        if isinstance(action_id, str):
            if action_id in seen:
                yield Violation(
                    f"`action_id` {action_id} already exists", f"{at}/elements/{index}/action_id"
                )
            seen.add(action_id)


def _element(element: Any, at: str) -> Iterator[Violation]:
    if not isinstance(element, dict):
        yield Violation("must be an object", at)
        return
    yield from _length(element.get("action_id"), MAX_ID, f"{at}/action_id")
    if element.get("confirm") is not None:
        yield from _confirmation(element["confirm"], f"{at}/confirm")
    kind = element.get("type")
    if kind == "button":
        yield from _plain(element.get("text"), 75, f"{at}/text")
        yield from _length(element.get("value"), 2_000, f"{at}/value")
        yield from _length(element.get("url"), 3_000, f"{at}/url")
        if element.get("style") not in (None, "primary", "danger"):
            yield Violation("must be one of: primary, danger", f"{at}/style")
    elif kind == "plain_text_input":
        yield from _placeholder(element, at)
        yield from _length(element.get("initial_value"), 3_000, f"{at}/initial_value")
        if not 0 <= int(element.get("max_length") or 0) <= 3_000:
            yield Violation("must be less than 3001", f"{at}/max_length")
    elif kind in _SELECTS:
        yield from _placeholder(element, at)
        if "static" in str(kind) and element.get("option_groups") is None:
            yield from _options(element.get("options"), 100, at)
    elif kind in _CHOICES:
        yield from _options(element.get("options"), _CHOICES[str(kind)], at)
    elif kind not in _OTHER_ELEMENTS:
        yield Violation(f"unsupported type: {kind}", f"{at}/type")


def _options(options: Any, most: int, at: str) -> Iterator[Violation]:
    yield from _count(options, 1, most, f"{at}/options")
    for index, option in enumerate(_list(options)):
        here = f"{at}/options/{index}"
        if not isinstance(option, dict):
            yield Violation("must be an object", here)
            continue
        yield from _text(option.get("text"), 75, f"{here}/text")
        yield from _string(option.get("value"), 150, f"{here}/value")
        if option.get("description") is not None:
            yield from _text(option["description"], 75, f"{here}/description")


def _confirmation(confirm: Any, at: str) -> Iterator[Violation]:
    if not isinstance(confirm, dict):
        yield Violation("must be an object", at)
        return
    yield from _plain(confirm.get("title"), 100, f"{at}/title")
    yield from _text(confirm.get("text"), 300, f"{at}/text")
    yield from _plain(confirm.get("confirm"), 30, f"{at}/confirm")
    yield from _plain(confirm.get("deny"), 30, f"{at}/deny")


def _placeholder(element: dict[str, Any], at: str) -> list[Violation]:
    if element.get("placeholder") is None:
        return []
    return _plain(element["placeholder"], 150, f"{at}/placeholder")


def _plain(text: Any, most: int, at: str) -> list[Violation]:
    if isinstance(text, dict) and text.get("type") not in (None, "plain_text"):
        return [Violation("must be one of: plain_text", f"{at}/type")]
    return _text(text, most, at)


def _text(text: Any, most: int, at: str) -> list[Violation]:
    if not isinstance(text, dict):
        return [Violation("missing required field: text", at)]
    if text.get("type") not in ("plain_text", "mrkdwn"):
        return [Violation("must be one of: plain_text, mrkdwn", f"{at}/type")]
    return _string(text.get("text"), most, f"{at}/text")


def _string(value: Any, most: int, at: str) -> list[Violation]:
    if not isinstance(value, str):
        return [Violation("must provide a string", at)]
    if not value:
        return [Violation("must be more than 0 characters", at)]
    return _length(value, most, at)


def _length(value: Any, most: int, at: str) -> list[Violation]:
    if value is None:
        return []
    if not isinstance(value, str):
        return [Violation("must provide a string", at)]
    if len(value) > most:
        return [Violation(f"must be less than {most + 1} characters", at)]
    return []


def _count(items: Any, least: int, most: int, at: str) -> list[Violation]:
    if not isinstance(items, list):
        return [Violation("must be an array", at)]
    if len(items) < least:
        return [Violation(f"no less than {least} items allowed", at)]
    if len(items) > most:
        return [Violation(f"no more than {most} items allowed", at)]
    return []


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _markdown_total(blocks: list[Any], base: str) -> list[Violation]:
    texts = [b.get("text") for b in blocks if isinstance(b, dict) and b.get("type") == "markdown"]
    total = sum(len(text) for text in texts if isinstance(text, str))
    if total > MAX_MARKDOWN_TEXT:
        return [Violation(f"must be less than {MAX_MARKDOWN_TEXT + 1} characters in all", base)]
    return []
