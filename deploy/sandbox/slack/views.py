"""Modals and App Homes: who has which view open, its hash and what was typed into it."""

from __future__ import annotations

import copy
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.world import JsonObject, Team

MAX_STACK = 3  # Slack keeps three modals at most on top of each other
_KEPT = ("type", "title", "submit", "close", "blocks", "private_metadata", "callback_id")


@dataclass
class OpenView:
    """A view on somebody's screen. `state` is what `state.values` of the payload holds."""

    user_id: str
    team_id: str
    body: JsonObject
    is_home: bool = False
    state: JsonObject = field(default_factory=dict)

    @property
    def id(self) -> str:
        return str(self.body["id"])


class Views:
    """Every open modal and every published home."""

    def __init__(self, app_id: str) -> None:
        self._app_id = app_id
        self._open: dict[str, OpenView] = {}
        self._stacks: dict[str, list[str]] = {}
        self._homes: dict[tuple[str, str], str] = {}
        self._lock = threading.RLock()
        self._counter = 0

    def open(self, team: Team, user_id: str, view: JsonObject) -> JsonObject:
        """Put a new modal on the screen, closing what was there."""
        with self._lock:
            for view_id in self._stacks.pop(user_id, []):
                self._open.pop(view_id, None)
            return self._put(team, user_id, view, previous=None)

    def push(self, team: Team, user_id: str, view: JsonObject) -> JsonObject:
        """Put a modal on top of the open ones. Raises push_limit_reached, not_found."""
        with self._lock:
            stack = self._stacks.get(user_id, [])
            if not stack:
                raise Refusal("not_found")
            if len(stack) >= MAX_STACK:
                raise Refusal("push_limit_reached")
            return self._put(team, user_id, view, previous=stack[-1])

    def update(
        self, team: Team, view: JsonObject, *, view_id: str, external_id: str, expected_hash: str
    ) -> JsonObject:
        """Replace an open view. Raises not_found, hash_conflict."""
        with self._lock:
            found = self._find(team.id, view_id, external_id)
            if found is None:
                raise Refusal("not_found")
            self._check_hash(found, expected_hash)
            return self._replace(found, view)

    def publish(self, team: Team, user_id: str, view: JsonObject, expected_hash: str) -> JsonObject:
        """Set a person's App Home. Raises hash_conflict."""
        with self._lock:
            view_id = self._homes.get((team.id, user_id))
            if view_id is not None:
                found = self._open[view_id]
                self._check_hash(found, expected_hash)
                return self._replace(found, view)
            body = self._put(team, user_id, view, previous=None, is_home=True)
            self._homes[(team.id, user_id)] = body["id"]
            return body

    def get(self, view_id: str) -> OpenView | None:
        with self._lock:
            found = self._open.get(view_id)
            return copy.deepcopy(found) if found else None

    def home(self, team_id: str, user_id: str) -> JsonObject | None:
        """The published App Home of a person."""
        with self._lock:
            view_id = self._homes.get((team_id, user_id))
            return copy.deepcopy(self._open[view_id].body) if view_id else None

    def on_screen(self, user_id: str) -> JsonObject | None:
        """The topmost open modal of a person."""
        with self._lock:
            stack = self._stacks.get(user_id)
            return copy.deepcopy(self._open[stack[-1]].body) if stack else None

    def type_in(self, view_id: str, values: JsonObject) -> None:
        """Record what the person entered, as `{block_id: {action_id: element state}}`."""
        with self._lock:
            view = self._open[view_id]
            view.state = values
            view.body["state"] = {"values": values}

    def close(self, view_id: str, *, whole_stack: bool = False) -> None:
        """Take a modal off the screen; the one below it shows again."""
        with self._lock:
            view = self._open.get(view_id)
            if view is None or view.is_home:
                return
            stack = self._stacks.get(view.user_id, [])
            gone = list(stack) if whole_stack or view_id not in stack else [view_id]
            for each in gone:
                self._open.pop(each, None)
            self._stacks[view.user_id] = [each for each in stack if each not in gone]

    def _put(
        self,
        team: Team,
        user_id: str,
        view: JsonObject,
        *,
        previous: str | None,
        is_home: bool = False,
    ) -> JsonObject:
        self._counter += 1
        view_id = f"V{self._counter:010X}"
        external_id = view.get("external_id")
        if external_id and self._find(team.id, "", external_id):
            raise Refusal("duplicate_external_id")
        body = self._body(team, view) | {
            "id": view_id,
            "previous_view_id": previous,
            "root_view_id": view_id,
        }
        if not is_home:
            stack = self._stacks.setdefault(user_id, [])
            stack.append(view_id)
            body["root_view_id"] = stack[0]
        self._open[view_id] = OpenView(user_id, team.id, body, is_home)
        return copy.deepcopy(body)

    def _replace(self, found: OpenView, view: JsonObject) -> JsonObject:
        if view.get("type") != found.body["type"]:
            raise Refusal("invalid_arguments", messages=["[ERROR] the type of a view is fixed"])
        fresh: JsonObject = {name: copy.deepcopy(view.get(name)) for name in _KEPT}
        fresh |= {
            "private_metadata": view.get("private_metadata") or "",
            "callback_id": view.get("callback_id") or "",
            "blocks": with_block_ids(view.get("blocks") or []),
            "hash": _hash(),
        }
        found.body = found.body | fresh
        kept_blocks = {block["block_id"] for block in fresh["blocks"]}
        found.state = {k: v for k, v in found.state.items() if k in kept_blocks}
        found.body["state"] = {"values": found.state}
        return copy.deepcopy(found.body)

    def _body(self, team: Team, view: JsonObject) -> JsonObject:
        return {name: copy.deepcopy(view.get(name)) for name in _KEPT} | {
            "team_id": team.id,
            "app_id": self._app_id,
            "app_installed_team_id": team.id,
            "bot_id": team.bot_id,
            "blocks": with_block_ids(view.get("blocks") or []),
            "private_metadata": view.get("private_metadata") or "",
            "callback_id": view.get("callback_id") or "",
            "external_id": view.get("external_id") or "",
            "clear_on_close": bool(view.get("clear_on_close")),
            "notify_on_close": bool(view.get("notify_on_close")),
            "state": {"values": {}},
            "hash": _hash(),
        }

    def _find(self, team_id: str, view_id: str, external_id: str) -> OpenView | None:
        for view in self._open.values():
            if view.team_id != team_id:
                continue
            if view.id == view_id or (external_id and view.body["external_id"] == external_id):
                return view
        return None

    @staticmethod
    def _check_hash(found: OpenView, expected_hash: str) -> None:
        if expected_hash and expected_hash != found.body["hash"]:
            raise Refusal("hash_conflict")


def with_block_ids(blocks: list[Any]) -> list[Any]:
    """Blocks as Slack stores them: each has a block id, each element an action id."""
    stored = copy.deepcopy(blocks)
    for block in stored:
        block.setdefault("block_id", secrets.token_urlsafe(4)[:5])
        for element in [*block.get("elements", ()), block.get("accessory"), block.get("element")]:
            if isinstance(element, dict) and element.get("type") not in (
                None, "image", "mrkdwn", "plain_text", "rich_text_section", "rich_text_list",
                "rich_text_quote", "rich_text_preformatted",
            ):  # fmt: skip
                element.setdefault("action_id", secrets.token_urlsafe(4)[:5])
    return stored


def _hash() -> str:
    return f"{int(time.time())}.{secrets.token_hex(4)}"
