"""People act in the Slack stand-in; a listener on real HTTP sees what an app would see."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from slack_bolt import App
from slack_bolt.adapter.starlette import SlackRequestHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.signature import SignatureVerifier
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deploy.sandbox.serving import AsgiServer
from deploy.sandbox.slack import Channel, SandboxSlack, User


@dataclass
class Listener:
    """An app that records what it is sent and answers as told."""

    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    answers: list[Response | float] = field(default_factory=list)

    async def hear(self, request: Request) -> Response:
        self.received.append((dict(request.headers), await request.body()))
        answer = self.answers.pop(0) if self.answers else Response()
        if isinstance(answer, float):
            await run_in_threadpool(time.sleep, answer)
            return Response()
        return answer

    def json(self, index: int = -1) -> dict[str, Any]:
        headers, body = self.received[index]
        if headers["content-type"] == "application/json":
            return dict(json.loads(body))
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        return dict(json.loads(form["payload"])) if "payload" in form else form


@dataclass
class Scene:
    slack: SandboxSlack
    listener: Listener
    ada: User
    ben: User
    channel: Channel
    client: WebClient


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[AsgiServer, AsgiServer, dict[str, Any]]]:
    """Two servers for the whole module, each passing on to the app of the present test."""
    apps: dict[str, Any] = {}

    def passing_on(name: str) -> Any:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] != "lifespan":
                await apps[name](scope, receive, send)

        return app

    with AsgiServer(passing_on("slack")) as one, AsgiServer(passing_on("listener")) as two:
        yield one, two, apps


@pytest.fixture
def scene(served: tuple[AsgiServer, AsgiServer, dict[str, Any]]) -> Iterator[Scene]:
    slack_server, listener_server, apps = served
    listener = Listener()
    route = Route("/slack/events", listener.hear, methods=["POST"])
    apps["listener"] = Starlette(routes=[route])
    slack = SandboxSlack(
        "signing", "xoxb-first", "client", "secret", f"{listener_server.url}/slack/events"
    )
    slack.base_url = slack_server.url
    slack.sender.is_synchronous = True
    slack.sender.time_scale = 0.001
    slack.add_team("Acme", team_id="T0ACME")
    ada, ben = slack.add_user("ada"), slack.add_user("ben")
    channel = slack.add_channel("api-reviews", members=[ada, ben])
    apps["slack"] = slack.app
    client = WebClient("xoxb-first", base_url=f"{slack.base_url}/slack/api/", retry_handlers=[])
    yield Scene(slack, listener, ada, ben, channel, client)
    slack.stop()


def until(condition: Callable[[], bool], timeout_s: float = 5.0) -> None:
    deadline_s = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline_s, "it did not happen in time"
        time.sleep(0.01)


def button(action_id: str, value: str) -> dict[str, Any]:
    text = {"type": "plain_text", "text": action_id}
    return {"type": "button", "action_id": action_id, "value": value, "text": text}


MODAL = {
    "type": "modal",
    "callback_id": "add",
    "title": {"type": "plain_text", "text": "Add"},
    "submit": {"type": "plain_text", "text": "Save"},
    "notify_on_close": True,
    "blocks": [
        {
            "type": "input",
            "block_id": "rule",
            "label": {"type": "plain_text", "text": "Rule"},
            "element": {"type": "plain_text_input", "action_id": "words"},
        }
    ],
}


def test_a_mention_is_a_signed_event_with_escaped_text(scene: Scene) -> None:
    delivery = scene.slack.say("#api-reviews", "ada", "@precedent a < b & see https://acme.io/x.")
    headers, body = scene.listener.received[0]
    assert SignatureVerifier("signing").is_valid_request(body, headers)
    payload = scene.listener.json()
    bot = scene.slack.world.teams["T0ACME"].bot_user_id
    assert payload["event"]["type"] == "app_mention"
    assert payload["event"]["text"] == f"<@{bot}> a &lt; b &amp; see <https://acme.io/x>."
    assert payload["event_id"] == delivery.event_id
    assert payload["authorizations"][0]["team_id"] == "T0ACME"
    assert (delivery.status, len(delivery.attempts)) == (200, 1)
    assert scene.slack.messages(scene.channel)[0]["ts"] == delivery.ts


def test_typed_markup_is_no_mention(scene: Scene) -> None:
    bot = scene.slack.world.teams["T0ACME"].bot_user_id
    scene.slack.say(scene.channel, scene.ada, f"<@{bot}> hello, mail@precedent.io")
    assert scene.listener.received == []
    assert scene.slack.messages(scene.channel)[0]["text"].startswith("&lt;@")


def test_a_direct_message_is_a_message_event_only(scene: Scene) -> None:
    scene.slack.say_to_bot("ada", "@precedent list")
    assert len(scene.listener.received) == 1
    event = scene.listener.json()["event"]
    assert (event["type"], event["channel_type"]) == ("message", "im")


def test_one_mention_can_arrive_as_two_events(scene: Scene) -> None:
    scene.slack.subscriptions.add("message.channels")
    scene.slack.say(scene.channel, scene.ada, "@precedent list").wait()
    first, second = scene.listener.json(0), scene.listener.json(1)
    assert {first["event"]["type"], second["event"]["type"]} == {"app_mention", "message"}
    assert first["event"]["ts"] == second["event"]["ts"]
    assert first["event_id"] != second["event_id"]


def test_retries_carry_number_and_reason_and_stop_at_success(scene: Scene) -> None:
    scene.listener.answers = [Response(status_code=500), Response(status_code=503)]
    delivery = scene.slack.say(scene.channel, scene.ada, "@precedent hi", event_id="Ev1")
    assert [attempt.status for attempt in delivery.attempts] == [500, 503, 200]
    headers = [headers for headers, _ in scene.listener.received]
    assert [h.get("x-slack-retry-num") for h in headers] == [None, "1", "2"]
    assert headers[2]["x-slack-retry-reason"] == "http_error"
    assert len({body for _, body in scene.listener.received}) == 1


def test_slack_gives_up_after_three_retries(scene: Scene) -> None:
    scene.listener.answers = [Response(status_code=404) for _ in range(9)]
    delivery = scene.slack.say(scene.channel, scene.ada, "@precedent hi")
    assert len(delivery.attempts) == 4


def test_no_retry_is_honoured(scene: Scene) -> None:
    scene.listener.answers = [Response(status_code=500, headers={"X-Slack-No-Retry": "1"})]
    assert len(scene.slack.say(scene.channel, scene.ada, "@precedent hi").attempts) == 1


def test_an_answer_after_the_deadline_is_none(scene: Scene) -> None:
    scene.slack.sender.deadline_s = 0.2
    scene.listener.answers = [0.6]
    delivery = scene.slack.say(scene.channel, scene.ada, "@precedent hi")
    assert delivery.attempts[0].status is None
    assert scene.listener.received[1][0]["x-slack-retry-reason"] == "http_timeout"


def test_nobody_listens(scene: Scene) -> None:
    scene.slack.sender.events_url = "http://127.0.0.1:9/slack/events"
    delivery = scene.slack.say(scene.channel, scene.ada, "@precedent hi")
    assert [attempt.status for attempt in delivery.attempts] == [None] * 4
    assert "connection_failed" in str(delivery.attempts[0].problem)


def test_a_duplicate_is_the_same_event_again(scene: Scene) -> None:
    delivery = scene.slack.say(scene.channel, scene.ada, "@precedent hi")
    scene.slack.resend(delivery)
    assert scene.listener.json(0)["event_id"] == scene.listener.json(1)["event_id"]
    assert "x-slack-retry-num" not in scene.listener.received[1][0]


def test_edits_and_deletions(scene: Scene) -> None:
    scene.slack.subscriptions.add("message.channels")
    ts = scene.slack.say(scene.channel, scene.ada, "first").ts
    scene.slack.edit(scene.channel, ts, "@precedent second")
    changed = scene.listener.json()["event"]
    assert changed["subtype"] == "message_changed"
    assert changed["previous_message"]["text"] == "first"
    scene.slack.delete(scene.channel, ts)
    assert scene.listener.json()["event"]["deleted_ts"] == ts
    assert scene.slack.messages(scene.channel) == []


def test_people_from_outside_are_marked(scene: Scene) -> None:
    zoe = scene.slack.add_user("zoe", external=True)
    shared = scene.slack.add_channel("shared", shared=True, members=[zoe])
    scene.slack.say(shared, zoe, "@precedent remember: x")
    payload = scene.listener.json()
    assert payload["is_ext_shared_channel"] is True
    assert payload["event"]["user_team"] == zoe.team_id != payload["team_id"]


def test_a_private_channel_is_closed_to_others(scene: Scene) -> None:
    private = scene.slack.add_channel("secret", private=True, members=[scene.ada])
    with pytest.raises(LookupError, match="private"):
        scene.slack.say(private, scene.ben, "hi")


def test_a_command_answers_in_place_and_by_its_response_url(scene: Scene) -> None:
    body = {"response_type": "ephemeral", "text": "working on it"}
    scene.listener.answers = [JSONResponse(body)]
    scene.slack.command("#api-reviews", "ada", "/conventions", "list")
    fields = scene.listener.json()
    assert (fields["command"], fields["text"]) == ("/conventions", "list")
    assert scene.slack.ephemerals(scene.channel)[0]["text"] == "working on it"

    later = {"response_type": "in_channel", "text": "C1: 88 characters"}
    statuses = [httpx.post(fields["response_url"], json=later).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [404]
    assert [m["text"] for m in scene.slack.messages(scene.channel)] == ["C1: 88 characters"] * 5


def test_a_command_is_not_retried_and_its_failure_is_shown(scene: Scene) -> None:
    scene.listener.answers = [Response(status_code=500)]
    delivery = scene.slack.command(scene.channel, scene.ada, "/conventions", "list")
    assert len(delivery.attempts) == 1
    assert "dispatch_failed" in scene.slack.ephemerals(scene.channel)[0]["text"]


def test_a_click_on_a_posted_button(scene: Scene) -> None:
    blocks = [{"type": "actions", "elements": [button("forget", "C7")]}]
    posted = scene.client.chat_postMessage(channel=scene.channel.id, text="C7", blocks=blocks)
    scene.slack.click({"ts": posted["ts"]}, "forget", "ada")
    payload = scene.listener.json()
    assert payload["type"] == "block_actions"
    assert payload["actions"][0]["value"] == "C7"
    assert payload["container"]["message_ts"] == posted["ts"]
    answer = {"replace_original": True, "text": "C7 is forgotten."}
    assert httpx.post(payload["response_url"], json=answer).text == "ok"
    now = scene.slack.messages(scene.channel)[0]
    assert now["text"] == "C7 is forgotten."
    assert "blocks" not in now
    with pytest.raises(LookupError):
        scene.slack.click({"ts": posted["ts"]}, "forget", "ada")


def test_a_trigger_opens_one_view_for_three_seconds(scene: Scene) -> None:
    scene.slack.command(scene.channel, scene.ada, "/conventions", "add")
    trigger_id = scene.listener.json()["trigger_id"]
    assert scene.client.views_open(trigger_id=trigger_id, view=MODAL)["view"]["hash"]

    def error(trigger: str) -> str:
        with pytest.raises(SlackApiError) as caught:
            scene.client.views_open(trigger_id=trigger, view=MODAL)
        return str(caught.value.response["error"])

    assert error(trigger_id) == "exchanged_trigger_id"
    assert error("1.2.3") == "invalid_trigger_id"
    scene.slack.triggers.life_s = 0.0
    scene.slack.command(scene.channel, scene.ada, "/conventions", "add")
    assert error(scene.listener.json()["trigger_id"]) == "expired_trigger_id"
    assert scene.slack.contract_errors == []


def test_a_modal_is_filled_in_refused_updated_and_closed(scene: Scene) -> None:
    scene.slack.command(scene.channel, scene.ada, "/conventions", "add")
    opened = scene.client.views_open(trigger_id=scene.listener.json()["trigger_id"], view=MODAL)
    view_id = opened["view"]["id"]
    errors = {"response_action": "errors", "errors": {"rule": "too short"}}
    scene.listener.answers = [JSONResponse(errors)]
    scene.slack.submit_view(view_id, "ada", {"words": "x"})
    state = scene.listener.json()["view"]["state"]["values"]
    assert state == {"rule": {"words": {"type": "plain_text_input", "value": "x"}}}
    assert scene.slack.views.on_screen(scene.ada.id) is not None

    stale = opened["view"]["hash"]
    fresh = scene.client.views_update(view_id=view_id, view=MODAL, hash=stale)["view"]["hash"]
    assert fresh != stale
    with pytest.raises(SlackApiError, match="hash_conflict"):
        scene.client.views_update(view_id=view_id, view=MODAL, hash=stale)

    scene.slack.submit_view(view_id, "ada", {"words": "88 characters"})
    assert scene.slack.views.on_screen(scene.ada.id) is None
    with pytest.raises(SlackApiError, match="not_found"):
        scene.client.views_update(view_id=view_id, view=MODAL)


def test_a_menu_with_external_data_asks_the_app(scene: Scene) -> None:
    menu = {"type": "external_select", "action_id": "repository"}
    block = {"type": "input", "label": {"type": "plain_text", "text": "Where"}, "element": menu}
    option = {"text": {"type": "plain_text", "text": "acme/api"}, "value": "1"}
    trigger_id = scene.slack.triggers.issue("T0ACME", scene.ada.id)
    opened = scene.client.views_open(trigger_id=trigger_id, view=MODAL | {"blocks": [block]})
    view_id = opened["view"]["id"]
    scene.listener.answers = [JSONResponse({"options": [option]})]
    suggested = scene.slack.options(view_id, "repository", "ada", typed="acm").answer["options"]
    assert scene.listener.json()["value"] == "acm"
    scene.slack.submit_view(view_id, "ada", {"repository": suggested[0]})
    (entered,) = scene.listener.json()["view"]["state"]["values"].values()
    assert entered["repository"]["selected_option"] == option


def test_modals_stack_three_deep(scene: Scene) -> None:
    def trigger() -> str:
        return scene.slack.triggers.issue("T0ACME", scene.ada.id)

    with pytest.raises(SlackApiError, match="not_found"):
        scene.client.views_push(trigger_id=trigger(), view=MODAL)
    first = scene.client.views_open(trigger_id=trigger(), view=MODAL)["view"]["id"]
    scene.client.views_push(trigger_id=trigger(), view=MODAL)
    third = scene.client.views_push(trigger_id=trigger(), view=MODAL)["view"]
    assert third["root_view_id"] == first
    with pytest.raises(SlackApiError, match="push_limit_reached"):
        scene.client.views_push(trigger_id=trigger(), view=MODAL)
    scene.listener.answers = [JSONResponse({"response_action": "clear"})]
    scene.slack.submit_view(third["id"], "ada", {"words": "x"})
    assert scene.slack.views.on_screen(scene.ada.id) is None


def test_a_form_is_answered_with_another_view(scene: Scene) -> None:
    trigger_id = scene.slack.triggers.issue("T0ACME", scene.ada.id)
    view_id = scene.client.views_open(trigger_id=trigger_id, view=MODAL)["view"]["id"]
    too_long = MODAL | {"title": {"type": "plain_text", "text": "t" * 25}}
    fine = MODAL | {"title": {"type": "plain_text", "text": "Sure?"}}
    for view in (too_long, fine):
        scene.listener.answers = [JSONResponse({"response_action": "update", "view": view})]
        scene.slack.submit_view(view_id, "ada", {"words": "x"})
    shown = scene.slack.views.on_screen(scene.ada.id)
    assert shown is not None
    assert (shown["id"], shown["title"]["text"]) == (view_id, "Sure?")
    assert len(scene.slack.contract_errors) == 1
    assert "/view/title" in scene.slack.contract_errors[0]


def test_a_dismissed_modal_says_so(scene: Scene) -> None:
    scene.slack.command(scene.channel, scene.ada, "/conventions", "add")
    opened = scene.client.views_open(trigger_id=scene.listener.json()["trigger_id"], view=MODAL)
    scene.slack.close_view(opened["view"]["id"], "ada")
    assert scene.listener.json()["type"] == "view_closed"


def test_views_beyond_a_limit(scene: Scene) -> None:
    scene.slack.command(scene.channel, scene.ada, "/conventions", "add")
    trigger_id = scene.listener.json()["trigger_id"]
    long_title = MODAL | {"title": {"type": "plain_text", "text": "t" * 25}}
    with pytest.raises(SlackApiError) as caught:
        scene.client.views_open(trigger_id=trigger_id, view=long_title)
    assert caught.value.response["error"] == "invalid_arguments"
    assert "/view/title" in caught.value.response["response_metadata"]["messages"][0]
    home = {"type": "home", "blocks": [{"type": "divider"}] * 101}
    with pytest.raises(SlackApiError, match="no more than 100"):
        scene.client.views_publish(user_id=scene.ada.id, view=home)
    assert scene.client.views_open(trigger_id=trigger_id, view=MODAL)["ok"]


def test_the_app_home(scene: Scene) -> None:
    scene.slack.open_home("ada")
    event = scene.listener.json()["event"]
    assert (event["type"], event["tab"], "view" in event) == ("app_home_opened", "home", False)
    home = {
        "type": "home",
        "blocks": [{"type": "actions", "elements": [button("next", "2")]}],
    }
    view = scene.client.views_publish(user_id=scene.ada.id, view=home)["view"]
    scene.slack.click_in_view(view["id"], "next", "ada")
    assert scene.listener.json()["view"]["hash"] == view["hash"]
    scene.client.views_publish(user_id=scene.ada.id, view=home, hash=view["hash"])
    with pytest.raises(SlackApiError, match="hash_conflict"):
        scene.client.views_publish(user_id=scene.ada.id, view=home, hash=view["hash"])
    scene.slack.open_home("ada")
    assert scene.listener.json()["event"]["view"]["id"] == view["id"]


def test_uninstalling_kills_the_token_and_tells(scene: Scene) -> None:
    scene.slack.uninstall().wait()
    kinds = [scene.listener.json(i)["event"]["type"] for i in (0, 1)]
    assert kinds == ["app_uninstalled", "tokens_revoked"]
    with pytest.raises(SlackApiError, match="token_revoked"):
        scene.client.auth_test()


def test_a_channel_changes_its_id_and_keeps_its_messages(scene: Scene) -> None:
    scene.slack.say(scene.channel, scene.ada, "hello")
    scene.slack.change_channel_id("#api-reviews")
    event = scene.listener.json()["event"]
    assert event["new_channel_id"] == scene.channel.id != event["old_channel_id"]
    assert scene.slack.messages("#api-reviews")[0]["text"] == "hello"


def test_an_enterprise_workspace(scene: Scene) -> None:
    team = scene.slack.add_team("Big", enterprise_id="E0BIG", bot_token="xoxb-big")
    ann = scene.slack.add_user("ann", team=team)
    scene.slack.say(scene.slack.add_channel("x", team=team, members=[ann]), ann, "@precedent hi")
    payload = scene.listener.json()
    assert payload["authorizations"][0]["enterprise_id"] == "E0BIG"
    assert payload["team_id"] == team.id


def test_url_verification(scene: Scene) -> None:
    scene.listener.answers = [JSONResponse({"challenge": "x"})]
    assert scene.slack.verify_url().status == 200
    assert scene.listener.json()["type"] == "url_verification"


def test_the_oauth_flow_gives_a_token_of_that_workspace_once(scene: Scene) -> None:
    other = scene.slack.add_team("Globex", installed=False)
    asked = {
        "client_id": "client",
        "scope": "chat:write,users:read",
        "redirect_uri": "http://127.0.0.1:8000/slack/oauth_redirect",
        "state": "s&1",
    }
    page = httpx.get(f"{scene.slack.base_url}/slack/oauth/v2/authorize", params=asked)
    assert "chat:write, users:read" in page.text
    agreed = httpx.post(
        f"{scene.slack.base_url}/slack/oauth/v2/authorize",
        data=asked | {"team": other.id, "answer": "allow"},
    )
    query = parse_qs(urlsplit(agreed.headers["location"]).query)
    assert query["state"] == ["s&1"]
    anonymous = WebClient(base_url=f"{scene.slack.base_url}/slack/api/")
    exchange = {"client_id": "client", "client_secret": "secret", "code": query["code"][0]}
    answer = anonymous.oauth_v2_access(**exchange)
    assert answer["team"]["id"] == other.id
    token = str(answer["access_token"])
    installed = WebClient(token, base_url=f"{scene.slack.base_url}/slack/api/")
    assert installed.auth_test()["team_id"] == other.id
    with pytest.raises(SlackApiError, match="code_already_used"):
        anonymous.oauth_v2_access(**exchange)
    with pytest.raises(SlackApiError, match="bad_client_secret"):
        anonymous.oauth_v2_access(**exchange | {"client_secret": "guess"})
    cancelled = httpx.post(
        f"{scene.slack.base_url}/slack/oauth/v2/authorize", data=asked | {"answer": "cancel"}
    )
    assert "error=access_denied" in cancelled.headers["location"]
    recorded = json.dumps([call.as_json() for call in scene.slack.calls])
    assert query["code"][0] not in recorded
    assert scene.slack.contract_errors == []


def test_rotated_tokens_expire_and_are_refreshed_once(scene: Scene) -> None:
    scene.slack.installer.rotates = True
    target = scene.slack.installer.agree(
        "T0ACME", scene.ada.id, "chat:write", "http://127.0.0.1:8000/r", "s"
    )
    code = parse_qs(urlsplit(target).query)["code"][0]
    anonymous = WebClient(base_url=f"{scene.slack.base_url}/slack/api/")
    who = {"client_id": "client", "client_secret": "secret"}
    first = anonymous.oauth_v2_access(**who, code=code)
    assert first["expires_in"] == 43_200
    again = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    assert anonymous.oauth_v2_access(**who, **again)["access_token"] != first["access_token"]
    with pytest.raises(SlackApiError, match="invalid_refresh_token"):
        anonymous.oauth_v2_access(**who, **again)


def test_bolt_accepts_every_kind(scene: Scene, served: Any) -> None:
    """The real framework, verifying the signature, sees events, commands, clicks and forms."""
    seen: list[str] = []
    bolt = App(client=scene.client, signing_secret="signing", token_verification_enabled=False)
    bolt.event("app_mention")(lambda event: seen.append(event["text"]))
    bolt.event("app_home_opened")(lambda event: seen.append(event["tab"]))

    def on_command(ack: Any, command: dict[str, Any], client: WebClient) -> None:
        ack("one moment")
        client.views_open(trigger_id=command["trigger_id"], view=MODAL)

    def on_form(ack: Any, view: dict[str, Any]) -> None:
        ack()
        seen.append(view["state"]["values"]["rule"]["words"]["value"])

    bolt.command("/conventions")(on_command)
    bolt.view("add")(on_form)
    handler = SlackRequestHandler(bolt)

    async def events(request: Request) -> Response:
        return await handler.handle(request)

    served[2]["listener"] = Starlette(routes=[Route("/slack/events", events, methods=["POST"])])
    scene.slack.say(scene.channel, scene.ada, "@precedent hi")
    scene.slack.open_home(scene.ada)
    scene.slack.command(scene.channel, scene.ada, "/conventions", "add")
    until(lambda: scene.slack.views.on_screen(scene.ada.id) is not None)
    view = scene.slack.views.on_screen(scene.ada.id)
    assert view is not None
    assert scene.slack.submit_view(view["id"], scene.ada, {"words": "88"}).status == 200
    until(lambda: len(seen) == 3)
    assert sorted(seen)[0] == "88"
    assert scene.slack.ephemerals(scene.channel)[0]["text"] == "one moment"


def test_socket_mode_delivers_and_hears_the_acknowledgement(scene: Scene) -> None:
    scene.slack.use_socket_mode()
    heard = threading.Event()
    requests: list[SocketModeRequest] = []
    socket = SocketModeClient(
        "xapp-1-sandbox", web_client=WebClient(base_url=f"{scene.slack.base_url}/slack/api/")
    )

    def listen(client: Any, request: SocketModeRequest) -> None:
        requests.append(request)
        payload = {"text": "listed"} if request.type == "slash_commands" else None
        client.send_socket_mode_response(SocketModeResponse(request.envelope_id, payload))
        heard.set()

    socket.socket_mode_request_listeners.append(listen)
    socket.connect()
    try:
        until(lambda: scene.slack.socket_mode.is_connected)
        delivery = scene.slack.say(scene.channel, scene.ada, "@precedent hi")
        assert delivery.status == 200
        scene.slack.command(scene.channel, scene.ada, "/conventions", "list")
        assert [r.type for r in requests] == ["events_api", "slash_commands"]
        assert scene.slack.ephemerals(scene.channel)[0]["text"] == "listed"
    finally:
        socket.close()
    assert scene.slack.contract_errors == []


def test_acts_and_wire_log_are_open_to_other_processes(scene: Scene) -> None:
    at = f"{scene.slack.base_url}/_sandbox/slack"
    said = {"channel": "#api-reviews", "user": "ada", "text": "@precedent hi"}
    scene.slack.sender.is_synchronous = False
    assert httpx.post(f"{at}/say", json=said).status_code == 202
    until(lambda: len(scene.listener.received) == 1)
    fault = {"method": "auth.test", "status": 429, "retry_after_s": 7}
    assert httpx.post(f"{at}/faults", json=fault).status_code == 201
    with pytest.raises(SlackApiError) as caught:
        scene.client.auth_test()
    assert caught.value.response.headers["Retry-After"] == "7"
    assert httpx.get(f"{at}/calls?method=auth.test").json()["calls"][0]["status"] == 429
    messages = httpx.get(f"{at}/messages", params={"channel": "api-reviews"}).json()["messages"]
    assert len(messages) == 1
    assert httpx.post(f"{at}/say", json=said | {"user": "nobody"}).status_code == 400
