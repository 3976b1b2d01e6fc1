"""Which part answers a command, a click or a submitted form: the home, a form, or the channel."""

from __future__ import annotations

from workers import slack_home, slack_messages, slack_modals
from workers.drain import Outcome
from workers.event import Event
from workers.inbox import Lease
from workers.services import Services
from workers.slack_modal_views import SAVE

FORMS = frozenset({"convention.add", "convention.edit"})


def on_command(services: Services, event: Event, lease: Lease) -> Outcome:
    """A slash command: in words, or with the form that the web has opened for it."""
    assert event.slack is not None
    if event.slack.view_id:
        return slack_modals.on_form_commanded(services, event, lease)
    return slack_messages.on_command(services, event, lease)


def on_action(services: Services, event: Event, lease: Lease) -> Outcome:
    """One interaction. A place without a channel is the App Home or a modal."""
    assert event.slack is not None
    name = event.action.partition("#")[0]
    if name == SAVE:
        return slack_modals.on_form_saved(services, event, lease)
    if name in FORMS:
        return slack_modals.on_form_asked(services, event, lease)
    if not event.slack.channel:
        return slack_home.on_home_action(services, event, lease)
    return slack_messages.on_action(services, event, lease)
