"""views.*: modals and the App Home."""

from __future__ import annotations

from deploy.sandbox.slack.api_call import ApiCall
from deploy.sandbox.slack.block_limits import view_violations
from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.world import JsonObject


def open_view(call: ApiCall) -> JsonObject:
    """views.open: needs a trigger id of the last three seconds."""
    view = _view(call, home=False)
    user_id, _ = _exchange(call)
    return _shown(call, call.views.open(call.team, user_id, view))


def push_view(call: ApiCall) -> JsonObject:
    """views.push: on top of the modal in which the person acted."""
    view = _view(call, home=False)
    user_id, _ = _exchange(call)
    return _shown(call, call.views.push(call.team, user_id, view))


def update_view(call: ApiCall) -> JsonObject:
    """views.update: by `view_id` or `external_id`, guarded by `hash` when it is given."""
    view = call.structure("view", "invalid_arguments")
    home = isinstance(view, dict) and view.get("type") == "home"
    checked = _view(call, home=home)
    view_id, external_id = call.text("view_id"), call.text("external_id")
    if not view_id and not external_id:
        raise Refusal("invalid_arguments", messages=["[ERROR] missing required field: view_id"])
    body = call.views.update(
        call.team,
        checked,
        view_id=view_id,
        external_id=external_id,
        expected_hash=call.text("hash"),
    )
    return _shown(call, body)


def publish_view(call: ApiCall) -> JsonObject:
    """views.publish: a person's App Home."""
    view = _view(call, home=True)
    user_id = call.user(call.text("user_id")).id
    body = call.views.publish(call.team, user_id, view, call.text("hash"))
    return _shown(call, body)


def _view(call: ApiCall, *, home: bool) -> JsonObject:
    view = call.structure("view", "invalid_arguments")
    found = [str(violation) for violation in view_violations(view, home=home)]
    if found:
        raise Refusal("invalid_arguments", messages=found)
    checked: JsonObject = view
    return checked


def _exchange(call: ApiCall) -> tuple[str, str | None]:
    outcome = call.triggers.exchange(call.team.id, call.text("trigger_id"))
    if isinstance(outcome, str):
        raise Refusal(outcome)
    return outcome


def _shown(call: ApiCall, body: JsonObject) -> JsonObject:
    call.world.touch()
    return {"view": body}
