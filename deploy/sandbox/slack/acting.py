"""What people do in Slack: write, edit, delete, type a command, press a button, send a form."""

from __future__ import annotations

import secrets
from typing import Any

from deploy.sandbox.slack import payloads
from deploy.sandbox.slack.block_limits import view_violations
from deploy.sandbox.slack.elements import entered, find_element
from deploy.sandbox.slack.finding import Finding
from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.response_urls import ResponseUrls
from deploy.sandbox.slack.sender import Delivery, Sender
from deploy.sandbox.slack.triggers import Triggers
from deploy.sandbox.slack.web_api import WebApi
from deploy.sandbox.slack.world import Channel, JsonObject, Team, User


class Acting(Finding):
    """The acts, each of which changes the world and tells the app. Mixed into SandboxSlack.

    Names or ids do for users and channels. Every act raises LookupError for what does not exist.
    """

    web_api: WebApi
    triggers: Triggers
    sender: Sender
    response_urls: ResponseUrls
    subscriptions: set[str]
    base_url: str

    def emit(
        self,
        team_id: str,
        event: JsonObject,
        *,
        event_id: str | None = None,
        message: JsonObject | None = None,
        in_background: bool = False,
    ) -> Delivery:
        """Send one event of any type, if the app subscribes to it; `event_id` may be chosen.

        `in_background` sends from a thread even when the sender is synchronous.
        """
        channel = self.world.channels.get(str(event.get("channel", "")))
        envelope = payloads.event_envelope(
            self.world.teams[team_id],
            self.world.app_id,
            event,
            event_id or f"Ev{secrets.token_hex(5).upper()}",
            channel=channel,
        )
        delivery = Delivery("event", envelope, message)
        if self._subscription(event) not in self.subscriptions:
            delivery.finish()
            return delivery
        return self.sender.deliver(delivery, retries=True, in_background=in_background)

    def resend(self, delivery: Delivery) -> Delivery:
        """The same payload once more, as an unwanted duplicate."""
        copy = Delivery(delivery.kind, delivery.payload, delivery.message)
        return self.sender.deliver(copy, retries=delivery.kind == "event")

    def say(
        self,
        channel: Channel | str,
        user: User | str,
        text: str,
        thread_ts: str | None = None,
        *,
        raw: bool = False,
        subtype: str | None = None,
        event_id: str | None = None,
        **extra: Any,
    ) -> Delivery:
        """A person writes. `text` is what they type; `raw` stores it as it is.

        In a channel a mention of the bot sends `app_mention`; a subscription to message.channels
        sends `message` too. A direct message sends `message` only. `extra` keys join the message.
        """
        where, who = self._channel(channel), self._user(user)
        self._check_member(where, who)
        team = self.world.teams[where.team_id]
        message: JsonObject = {
            "type": "message",
            "user": who.id,
            "ts": self.world.next_ts(),
            "client_msg_id": secrets.token_hex(16),
            "text": text if raw else self.world.typed(team.id, text),
            "team": who.team_id,
            **extra,
        }
        message |= _marks_of(who, team)
        if subtype:
            message["subtype"] = subtype
        if thread_ts:
            parent = self.world.message(where.id, thread_ts)
            if parent is None:
                raise LookupError(f"There is no message {thread_ts} to reply to.")
            message |= {"thread_ts": thread_ts, "parent_user_id": parent.get("user")}
        stored = self.world.put_message(where.id, message)
        return self._tell_of_message(team, where, stored, event_id)

    def say_to_bot(self, user: User | str, text: str, **more: Any) -> Delivery:
        """A direct message to the bot."""
        who = self._user(user)
        return self.say(self.world.open_im(who.team_id, who.id)[0], who, text, **more)

    def edit(self, channel: Channel | str, ts: str, text: str) -> Delivery:
        """A person changes their message: `message_changed`."""
        where = self._channel(channel)
        before = self._message(where, ts)
        edited = {
            "text": self.world.typed(where.team_id, text),
            "edited": {"user": before.get("user"), "ts": self.world.next_ts()},
        }
        now = self.world.change_message(where.id, ts, edited)
        event = payloads.changed_event("message_changed", where, self.world.next_ts(), now, before)
        return self.emit(where.team_id, event, message=now)

    def delete(self, channel: Channel | str, ts: str) -> Delivery:
        """A person deletes their message: `message_deleted`."""
        where = self._channel(channel)
        before = self._message(where, ts)
        self.world.drop_message(where.id, ts)
        event = payloads.changed_event("message_deleted", where, self.world.next_ts(), None, before)
        return self.emit(where.team_id, event, message=before)

    def command(
        self, channel: Channel | str, user: User | str, command: str, text: str = ""
    ) -> Delivery:
        """A slash command. What the app answers at once is shown to the person, as Slack does."""
        where, who = self._channel(channel), self._user(user)
        self._check_member(where, who)
        team = self.world.teams[where.team_id]
        payload = payloads.slash_command(
            team,
            self.world.app_id,
            where,
            who,
            command=command,
            text=text,
            trigger_id=self.triggers.issue(team.id, who.id),
            response_url=self._response_url(team, where, who, None),
        )

        def show(delivery: Delivery) -> None:
            self._show_command_answer(team, where, who, command, delivery)

        return self.sender.deliver(Delivery("command", payload), retries=False, then=show)

    def click(
        self, message: JsonObject, action_id: str, user: User | str, value: Any = None
    ) -> Delivery:
        """Press a button of a message, or choose `value` in one of its menus.

        `message` needs `ts`, and `channel` unless its `ts` is unique in the world. When several
        elements share the action id, `value` also picks the button.
        """
        where = self._channel_of(message)
        stored = self._message(where, str(message["ts"]))
        who = self._user(user)
        self._check_member(where, who)
        team = self.world.teams[where.team_id]
        block_id, element = find_element(stored.get("blocks", []), action_id, value)
        is_ephemeral = bool(stored.get("is_ephemeral"))
        container: JsonObject = {
            "type": "message",
            "message_ts": stored["ts"],
            "channel_id": where.id,
            "is_ephemeral": is_ephemeral,
        }
        if stored.get("thread_ts"):
            container["thread_ts"] = stored["thread_ts"]
        payload = payloads.interaction(
            "block_actions",
            team,
            self.world.app_id,
            who,
            trigger_id=self.triggers.issue(team.id, who.id),
            container=container,
            channel={"id": where.id, "name": where.name or "directmessage"},
            state={"values": {}},
            response_url=self._response_url(team, where, who, stored["ts"]),
            actions=[payloads.action(block_id, element, self.world.next_ts(), value)],
        )
        if not is_ephemeral:
            payload["message"] = stored
        return self.sender.deliver(Delivery("interaction", payload), retries=False)

    def click_in_view(
        self, view_id: str, action_id: str, user: User | str, value: Any = None
    ) -> Delivery:
        """Press a button, or choose `value` in a menu, of an open modal or App Home."""
        view, who = self._view(view_id), self._user(user)
        block_id, element = find_element(view.body["blocks"], action_id, value)
        team = self.world.teams[view.team_id]
        payload = payloads.interaction(
            "block_actions",
            team,
            self.world.app_id,
            who,
            trigger_id=self.triggers.issue(team.id, who.id, view_id),
            container={"type": "view", "view_id": view_id},
            view=view.body,
            actions=[payloads.action(block_id, element, self.world.next_ts(), value)],
        )
        return self.sender.deliver(Delivery("interaction", payload), retries=False)

    def submit_view(
        self, view_id: str, user: User | str, values: dict[str, Any] | None = None
    ) -> Delivery:
        """Send a modal. `values` maps action ids of inputs to what was entered.

        The app's answer is applied: nothing closes it, errors keep it, update and push change it,
        clear closes all.
        """
        view, who = self._view(view_id), self._user(user)
        team = self.world.teams[view.team_id]
        self.views.type_in(view_id, entered(view.body["blocks"], values or {}))
        payload = payloads.interaction(
            "view_submission",
            team,
            self.world.app_id,
            who,
            trigger_id=self.triggers.issue(team.id, who.id, view_id),
            view=self._view(view_id).body,
            response_urls=[],
        )

        def apply(delivery: Delivery) -> None:
            self._apply_view_answer(team, view_id, who, delivery)

        return self.sender.deliver(Delivery("interaction", payload), retries=False, then=apply)

    def close_view(self, view_id: str, user: User | str, *, whole_stack: bool = False) -> Delivery:
        """Dismiss a modal: `view_closed`, if it asked for that."""
        view, who = self._view(view_id), self._user(user)
        self.views.close(view_id, whole_stack=whole_stack)
        payload = payloads.interaction(
            "view_closed",
            self.world.teams[view.team_id],
            self.world.app_id,
            who,
            view=view.body,
            is_cleared=whole_stack,
        )
        delivery = Delivery("interaction", payload)
        if not view.body["notify_on_close"]:
            delivery.finish()
            return delivery
        return self.sender.deliver(delivery, retries=False)

    def options(self, view_id: str, action_id: str, user: User | str, typed: str = "") -> Delivery:
        """Type into a menu with external data: `block_suggestion`; options are in the answer."""
        view, who = self._view(view_id), self._user(user)
        block_id, element = find_element(view.body["blocks"], action_id, None)
        payload = payloads.interaction(
            "block_suggestion",
            self.world.teams[view.team_id],
            self.world.app_id,
            who,
            action_id=element["action_id"],
            block_id=block_id,
            value=typed,
            container={"type": "view", "view_id": view_id},
            view=view.body,
        )
        return self.sender.deliver(Delivery("interaction", payload), retries=False)

    def open_home(self, user: User | str, tab: str = "home") -> Delivery:
        """A person opens the app's home: `app_home_opened`."""
        who = self._user(user)
        channel, _ = self.world.open_im(who.team_id, who.id)
        event: JsonObject = {
            "type": "app_home_opened",
            "user": who.id,
            "channel": channel.id,
            "tab": tab,
            "event_ts": self.world.next_ts(),
        }
        home = self.views.home(who.team_id, who.id)
        if home is not None and tab == "home":
            event["view"] = home
        return self.emit(who.team_id, event)

    def react(self, channel: Channel | str, ts: str, user: User | str, name: str) -> None:
        """A person adds an emoji; the app is not told, because it does not subscribe."""
        where, who = self._channel(channel), self._user(user)
        with self.world.lock:
            reactions = self._message(where, ts).get("reactions", [])
            entry = next((r for r in reactions if r["name"] == name), None)
            if entry is None:
                entry = {"name": name, "users": [], "count": 0}
                reactions.append(entry)
            if who.id not in entry["users"]:
                entry["users"].append(who.id)
                entry["count"] += 1
            self.world.change_message(where.id, ts, {"reactions": reactions})

    def change_channel_id(self, channel: Channel | str) -> Delivery:
        """A channel gets a new id, as when it becomes shared: `channel_id_changed`."""
        with self.world.lock:
            where = self._channel(channel)
            old_id, where.id = where.id, self.world.new_id("C")
            self.world.rename_channel(old_id, where)
        event = {
            "type": "channel_id_changed",
            "old_channel_id": old_id,
            "new_channel_id": where.id,
            "event_ts": self.world.next_ts(),
        }
        return self.emit(where.team_id, event)

    def _tell_of_message(
        self, team: Team, where: Channel, message: JsonObject, event_id: str | None
    ) -> Delivery:
        plain = payloads.message_event(message, where)
        if where.im_user or f"<@{team.bot_user_id}>" not in message["text"]:
            return self.emit(team.id, plain, event_id=event_id, message=message)
        mention = payloads.mention_event(message, where)
        delivery = self.emit(team.id, mention, event_id=event_id, message=message)
        if self._subscription(plain) in self.subscriptions:
            delivery.also.append(self.emit(team.id, plain, message=message))
        return delivery

    @staticmethod
    def _subscription(event: JsonObject) -> str:
        if event["type"] != "message":
            return str(event["type"])
        names = {"channel": "channels", "group": "groups", "im": "im"}
        return f"message.{names.get(str(event.get('channel_type')), 'channels')}"

    def _show_command_answer(
        self, team: Team, where: Channel, who: User, command: str, delivery: Delivery
    ) -> None:
        if not delivery.attempts:
            return
        last = delivery.attempts[-1]
        if last.status != 200:
            failed = "operation_timeout" if last.status is None else "dispatch_failed"
            body: JsonObject = {"text": f'{command} failed with the error "{failed}"'}
        else:
            body = delivery.answer or {"text": last.body}
        if body.get("text") or body.get("blocks"):
            try:
                self.response_urls.answer(team, where.id, who.id, body)
            except Refusal as refusal:
                text = f'{command} failed with the error "{refusal.reason}"'
                self.response_urls.answer(team, where.id, who.id, {"text": text})

    def _apply_view_answer(self, team: Team, view_id: str, who: User, delivery: Delivery) -> None:
        """A view that Slack would refuse is recorded as a contract error and changes nothing."""
        if delivery.status != 200:
            return
        answer = delivery.answer
        response = answer.get("response_action")
        if response in ("update", "push"):
            found = view_violations(answer.get("view"), home=False)
            self.web_api.contract_errors.extend(f"response_action {response}: {v}" for v in found)
            if found:
                return
        if response is None:
            self.views.close(view_id)
        elif response == "clear":
            self.views.close(view_id, whole_stack=True)
        elif response == "update":
            view = answer["view"]
            self.views.update(team, view, view_id=view_id, external_id="", expected_hash="")
        elif response == "push":
            self.views.push(team, who.id, answer["view"])
        self.world.touch()

    def _response_url(self, team: Team, where: Channel, who: User, ts: str | None) -> str:
        if not self.base_url:
            raise LookupError("Set base_url to the address at which this stand-in is served.")
        return self.response_urls.issue(self.base_url, team, where.id, who.id, ts)


def _marks_of(who: User, team: Team) -> JsonObject:
    """What a message carries when its author is from another company, or a bot."""
    marks: JsonObject = {}
    if who.team_id != team.id:
        marks |= {"user_team": who.team_id, "source_team": who.team_id}
    if who.is_bot:
        marks |= {"bot_id": f"B{who.id[1:]}", "subtype": "bot_message"}
    return marks
