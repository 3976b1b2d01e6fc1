"""The App Home and its forms, through signed requests, the inbox and Slack's own limits."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deploy.sandbox.slack.block_limits import view_violations
from graph.answers import Answer, Button
from graph.conventions import MODES, TOPICS, Convention, Source
from graph.desk import Desk, Visitor
from tests.workers.stage import Stage
from workers.channels import ChannelLink
from workers.slack_home_view import PAGE_SIZE, Home, HomeState, home_view
from workers.slack_modal_views import FormPlace, form_view, read_form, told_view


@pytest.fixture(autouse=True)
def _linked(request: pytest.FixtureRequest) -> None:
    if "stage" in request.fixturenames:
        stage: Stage = request.getfixturevalue("stage")
        stage.link("api-reviews", "acme/api")
        stage.link("web-reviews", "acme/web")
        stage.identify("ada", "ben", "cleo")


class Person:
    """Somebody at their App Home."""

    def __init__(self, stage: Stage, name: str) -> None:
        self.stage, self.name = stage, name
        self.id = stage.world.people[name][1]

    def opens(self) -> Person:
        self.stage.slack.open_home(self.name)
        self.stage.work()
        return self

    @property
    def home(self) -> dict[str, Any]:
        found = self.stage.slack.views.home(self.stage.world.team.id, self.id)
        assert found is not None
        return found

    @property
    def sees(self) -> str:
        return json.dumps(self.home["blocks"], ensure_ascii=False)

    @property
    def modal(self) -> dict[str, Any]:
        found = self.stage.slack.views.on_screen(self.id)
        assert found is not None
        return found

    def clicks(self, action: str, value: str | None = None) -> None:
        delivery = self.stage.slack.click_in_view(self.home["id"], action, self.name, value)
        assert delivery.status == 200
        self.stage.work()

    def submits(self, **values: Any) -> None:
        delivery = self.stage.slack.submit_view(self.modal["id"], self.name, values)
        assert delivery.status == 200
        self.stage.work()


def _teach(stage: Stage, name: str, text: str, channel: str = "api-reviews") -> None:
    stage.slack.command(channel, name, "/conventions", f"add {text}")
    stage.work()


def test_the_home_shows_the_persons_repositories_and_pages_of_ten(stage: Stage) -> None:
    for number in range(12):
        _teach(stage, "ada", f'"never call helper_{number}_old in new code" --topic api')
    ben = Person(stage, "ben").opens()
    assert "*12 conventions* of acme/api, page 1 of 2" in ben.sees
    assert "helper_9_old" in ben.sees
    assert "helper_10_old" not in ben.sees
    ben.clicks("home.page#next", "1")
    assert "helper_10_old" in ben.sees
    assert "helper_9_old" not in ben.sees
    ben.clicks("home.topic", "naming")
    assert "*0 conventions*" in ben.sees
    ben.clicks("home.repository", str(stage.world.web.id))
    assert "of acme/web" in ben.sees


def test_teach_edit_delete_and_restore(stage: Stage) -> None:
    ben = Person(stage, "ben").opens()
    ben.clicks("convention.add")
    assert ben.modal["title"]["text"] == "Teach"
    ben.submits(rule="use snake_case for functions & <!channel>", topic="naming", mode="enforce")
    assert "Remembered as *C1*" in ben.sees
    assert "&amp; &lt;!channel&gt;" in ben.sees
    assert "<!channel>" not in ben.sees

    ben.clicks("convention.edit#0")
    assert ben.modal["title"]["text"] == "Edit C1"
    ben.submits(rule="use snake_case everywhere", topic="naming", mode="enforce", paths="src/**")
    assert "Edited *C1*" in ben.sees
    convention = _book(stage).get("C1")
    assert (convention.rule, convention.paths) == ("use snake_case everywhere", ("src/**",))
    assert (convention.source.github_id, convention.version) == (3_002, 2)
    assert convention.source.said_at > 1_000_000_000

    ben.clicks("convention.forget#0")
    assert _book(stage).get("C1").status == "deleted"
    ben.clicks("home.status", "deleted")
    ben.clicks("convention.restore#0")
    assert _book(stage).get("C1").status == "active"
    assert stage.dead() == []


def test_delete_asks_before(stage: Stage) -> None:
    _teach(stage, "ada", "never use eval in production")
    ada = Person(stage, "ada").opens()
    (delete,) = [e for e in _elements(ada.home) if e["action_id"].startswith("convention.forget")]
    assert delete["confirm"]["confirm"]["text"] == "Delete"
    assert "never use eval" in delete["confirm"]["text"]["text"]


def test_an_emptied_field_of_paths_means_everywhere(stage: Stage) -> None:
    _teach(stage, "ada", '"use f-strings" --paths src/** --topic formatting')
    ada = Person(stage, "ada").opens()
    ada.clicks("convention.edit#0")
    ada.submits(rule="use f-strings", topic="formatting", mode="enforce", paths="")
    assert _book(stage).get("C1").applies_to("tests/test_x.py")


@pytest.mark.parametrize("name", ["cleo", "dana"])
def test_who_may_not_change_sees_no_form_and_changes_nothing(stage: Stage, name: str) -> None:
    """cleo reads; dana has linked no account."""
    _teach(stage, "ada", "never use eval in production")
    person = Person(stage, name).opens()
    assert "never use eval" in person.sees
    person.clicks("convention.edit#0")
    assert not any(block["type"] == "input" for block in person.modal["blocks"])
    person.clicks("convention.forget#0")
    assert _book(stage).get("C1").status == "active"


def test_buttons_name_only_what_the_person_may_see(stage: Stage) -> None:
    """A value that names a repository of nobody's channel, or nonsense, changes nothing."""
    _teach(stage, "ada", "never use eval in production", channel="web-reviews")
    stage.slack.world.channels[stage.world.web_channel.id].members.remove(
        stage.world.people["ben"][1]
    )
    ben = Person(stage, "ben").opens()
    assert "acme/web" not in ben.sees
    for value in (f"{stage.world.web.id}:C1", "x:C1", ":C1", "C1", "9" * 40 + ":C1", "5001:C1 C2"):
        _forge(ben, "convention.forget#0", value)
    web = Desk(stage.services.store, stage.world.web.id, "acme/web", stage.services.now)
    assert web.book.get("C1").status == "active"
    assert stage.dead() == []


def test_who_lost_access_on_github_sees_the_repository_no_more(stage: Stage) -> None:
    ben = Person(stage, "ben").opens()
    assert "acme/api" in ben.sees
    stage.github.set_role("acme/api", "ben", "none")
    stage.services.permissions.forget(stage.world.api.id, 3_002)
    ben.opens()
    assert "acme/api" not in ben.sees


def test_proposals_are_first_and_are_approved_dismissed_or_edited(stage: Stage) -> None:
    _teach(stage, "ada", "never use eval in production")
    for rule in ("pin every dependency", "log with structlog"):
        _propose(stage, rule)
    ada = Person(stage, "ada").opens()
    labels = [e["text"]["text"] for e in _elements(ada.home) if "text" in e]
    assert labels.index("Approve") < labels.index("Delete")
    ada.clicks("convention.approve#0")
    assert _book(stage).get("C2").status == "active"
    ada.clicks("convention.dismiss#0")
    assert _book(stage).get("C3").status == "deleted"


def test_a_contradiction_is_asked_about_and_answered_in_the_home(stage: Stage) -> None:
    _teach(stage, "ben", '"use single quotes" --topic formatting')
    ben = Person(stage, "ben").opens()
    ben.clicks("convention.add")
    ben.submits(rule="use double quotes", topic="formatting", mode="enforce")
    assert "Replace C1 or keep both" in ben.sees
    ben.clicks("question.replace#0")
    assert _book(stage).get("C1").rule == "use double quotes"


def test_login_and_logout(stage: Stage) -> None:
    dana = Person(stage, "dana").opens()
    assert "is not linked" in dana.sees
    dana.clicks("home.login")
    assert f"<{stage.web.url}/github/oauth/start?token=" in dana.sees
    ben = Person(stage, "ben").opens()
    assert "You are *ben* on GitHub" in ben.sees
    ben.clicks("home.logout")
    assert "is not linked" in ben.sees


def test_the_edit_button_of_a_proposal_in_a_channel_opens_the_form(stage: Stage) -> None:
    _propose(stage, "pin every dependency")
    message = _message_with_buttons(stage)
    stage.slack.click(message, "convention.edit#1", "ada")
    ada = Person(stage, "ada")
    stage.work()
    assert ada.modal["title"]["text"] == "Edit C1"
    ada.submits(rule="pin every dependency exactly", topic="dependencies", mode="enforce")
    assert _book(stage).get("C1").rule == "pin every dependency exactly"
    assert "Edited *C1*" in stage.told("ada")


def test_without_a_view_in_time_the_person_is_told_what_to_write(stage: Stage) -> None:
    _propose(stage, "pin every dependency")
    message = _message_with_buttons(stage)
    stage.slack.break_next("views.open", error="expired_trigger_id")
    assert stage.slack.click(message, "convention.edit#1", "ada").status == 200
    stage.work()
    assert "/conventions edit C1" in stage.told("ada")


def test_a_slow_slack_does_not_hold_the_click_for_three_seconds(stage: Stage) -> None:
    _propose(stage, "pin every dependency")
    message = _message_with_buttons(stage)
    stage.slack.break_next("views.open", delay_s=4.0)
    delivery = stage.slack.click(message, "convention.edit#1", "ada")
    assert delivery.status == 200
    stage.work()
    assert "/conventions edit C1" in stage.told("ada")


def test_a_view_that_the_person_closed_meanwhile_is_left_alone(stage: Stage) -> None:
    ada = Person(stage, "ada").opens()
    stage.slack.click_in_view(ada.home["id"], "convention.add", "ada")
    stage.slack.close_view(ada.modal["id"], "ada")
    stage.work()
    assert stage.slack.views.on_screen(ada.id) is None
    assert stage.dead() == []


# --- limits, by construction ---

ODD = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("&<>*_~`|\n\t\u202e\x00")),
    max_size=80,
)
LINKS = tuple(
    ChannelLink(7_000 + n, 1, 2, f"owner-{n}/{'r' * (n % 100 + 1)}", 3) for n in range(150)
)


def _convention(number: int, rule: str, chance: random.Random) -> Convention:
    source = Source("slack", rule[:40] or "?", is_private=chance.random() < 0.1)
    status = chance.choice(["active", "proposed", "deleted"])
    paths = tuple(f"{rule[:20]}/{n}/**" for n in range(chance.choice([0, 1, 60])))
    return Convention(f"C{number}", chance.choice(TOPICS), rule, source,
                      mode=chance.choice(MODES), paths=paths, status=status)  # type: ignore[arg-type] # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.lists(ODD, min_size=1, max_size=8), st.integers(0, 10_000), ODD)
def test_a_home_of_1000_odd_conventions_keeps_slacks_limits(
    texts: list[str], seed: int, said: str
) -> None:
    chance = random.Random(seed)
    rules = [(chance.choice(texts) * chance.randint(1, 60))[:2_000] or "x" for _ in range(1_000)]
    conventions = [_convention(n + 1, rule, chance) for n, rule in enumerate(rules)]
    notice = Answer(said * 200, tuple(Button("question.keep", said, "Q1") for _ in range(9)))
    for page in (0, chance.randint(0, 99), 10**6):
        for status in ("", "deleted"):
            state = HomeState(LINKS[0].repository_id, status=status, page=page)
            view = home_view(Home(state, LINKS, said * 9, conventions, notice))
            assert view_violations(view, home=True) == []
            assert _mentions(view) == []


@settings(max_examples=60, deadline=None)
@given(ODD, st.integers(0, 10_000))
def test_a_form_keeps_slacks_limits_and_gives_the_words_back(text: str, seed: int) -> None:
    old = _convention(1_000_000, (text * 60)[:2_000] or "x", random.Random(seed))
    place = FormPlace(2**52, old.id, HomeState().to_metadata(), "C" * 20, "1800000000.000100")
    view = form_view(place, text * 9, old, old.rule)
    assert view_violations(view, home=False) == []
    assert FormPlace.from_metadata(view["private_metadata"]) == place
    assert view_violations(told_view(Answer(text * 500), 1), home=False) == []


@given(st.one_of(ODD, st.just('{"form": 1}'), st.just('{"home": []}'), st.just("[]")))
def test_metadata_and_state_that_are_not_ours_are_nothing(text: str) -> None:
    assert FormPlace.from_metadata(text) is None
    assert read_form(text) is None
    assert HomeState.from_metadata(text) == HomeState()


def test_ten_a_page() -> None:
    conventions = [Convention(f"C{n}", "other", "x", Source("cli", "a")) for n in range(1, 100)]
    view = home_view(Home(HomeState(LINKS[0].repository_id), LINKS, "ada", conventions))
    assert sum(1 for b in view["blocks"] if b["type"] == "context") == PAGE_SIZE


def _book(stage: Stage) -> Any:
    return Desk(stage.services.store, stage.world.api.id, "acme/api", stage.services.now).book


def _propose(stage: Stage, rule: str) -> None:
    """A proposal as a private channel makes it, whose answer in the channel has buttons."""
    from graph.convention_book import Lesson

    source = Source("slack", "ada", github_id=3_001, slack_team=stage.world.team.id,
                    slack_user=stage.world.people["ada"][1])  # fmt: skip
    desk = Desk(stage.services.store, stage.world.api.id, "acme/api", stage.services.now)
    desk.propose(Lesson(rule, "other", is_proposal=True), Visitor(source, "maintain"), rule)


def _message_with_buttons(stage: Stage) -> dict[str, Any]:
    from graph import wording
    from graph.convention_book import Outcome
    from workers.repliers import SlackReplier

    answer = wording.taught(Outcome("proposed", _book(stage).get("C1")))
    speaker = stage.services.slack(stage.world.team.id)
    SlackReplier(speaker, stage.world.api_channel.id, "").reply(answer, "proposal")
    (message,) = [m for m in stage.slack.messages("api-reviews") if m.get("bot_id")]
    return {**message, "channel": stage.world.api_channel.id}


def _forge(person: Person, action: str, value: str) -> None:
    """A click whose value is not one of those that the home showed."""
    event = {
        "type": "block_actions",
        "team": {"id": person.stage.world.team.id},
        "user": {"id": person.id, "team_id": person.stage.world.team.id},
        "trigger_id": f"{random.random()}",
        "container": {"type": "view", "view_id": person.home["id"]},
        "view": person.home,
        "actions": [{"type": "button", "action_id": action, "block_id": "b", "value": value}],
    }
    from bot.decision import Accept
    from bot.slack_events import decide_interaction

    decision = decide_interaction(event)
    assert isinstance(decision, Accept)
    person.stage.services.inbox.accept(decision.event)
    person.stage.work()


def _elements(view: dict[str, Any]) -> list[dict[str, Any]]:
    blocks = view["blocks"]
    found = [b["accessory"] for b in blocks if "accessory" in b]
    return found + [e for b in blocks if b["type"] == "actions" for e in b["elements"]]


def _mentions(view: dict[str, Any]) -> list[str]:
    """Texts in which Slack would read a mention or a channel."""
    texts = [
        text["text"]
        for block in view["blocks"]
        for text in (block.get("text"), *block.get("elements", []))
        if isinstance(text, dict) and text.get("type") == "mrkdwn"
    ]
    return [text for text in texts if any(mark in text for mark in ("<!", "<@", "<#"))]
