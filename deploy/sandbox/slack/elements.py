"""Buttons, menus and inputs inside blocks: which one is meant and what was entered in it."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.slack.world import JsonObject


def find_element(blocks: list[JsonObject], action_id: str, value: Any) -> tuple[str, JsonObject]:
    """(block id, element) with this action id; among several buttons the one with `value`."""
    found = [
        (str(block["block_id"]), element)
        for block in blocks
        for element in (*block.get("elements", ()), block.get("accessory"), block.get("element"))
        if isinstance(element, dict) and element.get("action_id") == action_id
    ]
    for block_id, element in found:
        if element.get("type") != "button" or value is None or element.get("value") == value:
            return block_id, element
    raise LookupError(f"There is no element with action id {action_id}.")


def entered(blocks: list[JsonObject], values: dict[str, Any]) -> JsonObject:
    """`state.values` of a modal in which `values` (by action id) were entered over the defaults."""
    state: JsonObject = {}
    for block in blocks:
        element = block.get("element")
        if block.get("type") != "input" or not isinstance(element, dict):
            continue
        action_id = str(element["action_id"])
        initial = element.get("initial_value", element.get("initial_option"))
        typed = input_state(element, values.get(action_id, initial))
        state[str(block["block_id"])] = {action_id: typed}
    return state


def input_state(element: JsonObject, entered: Any) -> JsonObject:
    """The state of an input element after `entered` was typed or chosen in it.

    Options are chosen by their value. Raises LookupError for an option that does not exist.
    """
    kind = str(element["type"])
    if kind in ("static_select", "radio_buttons", "overflow", "external_select"):
        return {"type": kind, "selected_option": option(element, entered)}
    if kind in ("multi_static_select", "checkboxes", "multi_external_select"):
        chosen = [option(element, value) for value in entered or ()]
        return {"type": kind, "selected_options": chosen}
    names = {
        "datepicker": "selected_date",
        "timepicker": "selected_time",
        "users_select": "selected_user",
        "channels_select": "selected_channel",
        "conversations_select": "selected_conversation",
        "multi_users_select": "selected_users",
        "multi_conversations_select": "selected_conversations",
    }
    return {"type": kind, names.get(kind, "value"): entered}


def option(element: JsonObject, value: Any) -> JsonObject | None:
    """The option of a menu with this value; None when nothing is chosen."""
    if value is None:
        return None
    if isinstance(value, dict):
        return value
    groups = element.get("option_groups") or [{"options": element.get("options", [])}]
    for group in groups:
        for each in group["options"]:
            if each["value"] == value:
                found: JsonObject = each
                return found
    raise LookupError(f"No option has the value {value!r}.")
