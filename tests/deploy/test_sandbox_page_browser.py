"""The sandbox page in headless Chromium: what a bot does appears by itself, what a person does
reaches the stand-ins."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait
from slack_sdk import WebClient

from deploy.sandbox.app import create_sandbox_app, set_base_url
from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.seed import World, seed
from deploy.sandbox.serving import AsgiServer
from deploy.sandbox.slack import SandboxSlack

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER),
        reason="no Chromium here; install Debian's packages chromium and chromium-driver",
    ),
]

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--window-size=1280,800",
)  # fmt: skip
# The page redraws what changed, so an element can vanish between finding and reading it.
STALE = (NoSuchElementException, StaleElementReferenceException)
SCRIPT = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(executable_path=str(DRIVER)))
    yield driver
    driver.quit()


class Scene:
    """A seeded sandbox, the page in a browser, and a bot that speaks to the stand-ins' APIs."""

    def __init__(self, directory: Path, browser: webdriver.Chrome) -> None:
        self.github = SandboxGitHub(directory, webhook_secret="webhook")
        self.slack = SandboxSlack("signing", "xoxb-first")
        self.server = AsgiServer(create_sandbox_app(self.github, self.slack))
        set_base_url(self.github, self.slack, self.server.url)
        self.world: World = seed(self.github, self.slack)
        self.browser = browser

    def bot_on_github(self) -> httpx.Client:
        app = {"Authorization": f"Bearer {self.github.app_jwt()}"}
        at = f"{self.server.url}/api/v3"
        path = f"/app/installations/{self.world.installation.id}/access_tokens"
        token = httpx.post(at + path, headers=app, json={}).json()["token"]
        return httpx.Client(base_url=at, headers={"Authorization": f"token {token}"})

    def bot_in_slack(self) -> WebClient:
        return WebClient("xoxb-first", base_url=self.slack.api_url)

    def find(self, selector: str, text: str = "") -> WebElement:
        """The first element of a selector with a text, once it is on the page."""

        def look(driver: webdriver.Chrome) -> WebElement | None:
            found = driver.find_elements(By.CSS_SELECTOR, selector)
            return next((e for e in found if text in (e.text or "")), None)

        message = f"{selector} with {text!r} did not appear"
        wait = WebDriverWait(self.browser, 15, ignored_exceptions=STALE)
        element = wait.until(look, message)
        assert isinstance(element, WebElement)
        return element

    def choose(self, selector: str, value: str) -> None:
        Select(self.find(selector)).select_by_value(value)

    def until(self, condition: Callable[[], Any]) -> None:
        deadline_s = time.monotonic() + 15
        while not condition():
            assert time.monotonic() < deadline_s, "it did not happen in time"
            time.sleep(0.05)


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory, browser: webdriver.Chrome) -> Iterator[Scene]:
    made = Scene(tmp_path_factory.mktemp("github"), browser)
    with made.server:
        yield made
        browser.get("about:blank")
    made.slack.stop()
    made.github.close()


@pytest.fixture
def scene(seeded: Scene) -> Iterator[Scene]:
    """The page freshly loaded; what earlier tests did to the world is still there."""
    seeded.browser.get(seeded.server.url)
    seeded.find("#files .file")
    yield seeded
    seeded.slack.events_url = None
    assert [entry["message"] for entry in seeded.browser.get_log("browser")] == []


def test_what_the_bot_says_appears_by_itself(scene: Scene) -> None:
    world = scene.world
    words = "**Too long**: 96 characters. `C1` says 88."
    with scene.bot_on_github() as bot:
        answer = bot.post(
            f"/repositories/{world.api.id}/pulls/{world.api_pull.number}/reviews",
            json={
                "commit_id": world.api_pull.head_sha,
                "event": "COMMENT",
                "body": "One finding. <!-- precedent:hidden -->",
                "comments": [
                    {
                        "path": world.long_line_path,
                        "line": world.long_line,
                        "side": "RIGHT",
                        "body": f"{words}\n\n{SCRIPT}",
                    }
                ],
            },
        )
        assert answer.status_code == 200, answer.text
        run = {
            "name": "Precedent",
            "head_sha": world.api_pull.head_sha,
            "status": "completed",
            "conclusion": "failure",
            "output": {"title": "1 finding", "summary": "C1 is broken."},
        }
        path = f"/repositories/{world.api.id}/check-runs"
        assert bot.post(path, json=run).status_code == 201
    said = scene.slack.say("#api-reviews", "ada", "@precedent remember: at most 88 characters")
    scene.bot_in_slack().chat_postMessage(
        channel=world.api_channel.id, thread_ts=said.ts, text="Remembered as *C1*."
    )

    comment = scene.find("tr.talk .card.bot", "Too long")
    assert SCRIPT.split(">")[0] in comment.text
    row = comment.find_element(By.XPATH, "ancestor::tr/preceding-sibling::tr[1]")
    assert row.get_attribute("data-line") == str(world.long_line)
    assert "failed" in scene.find("#checks .check", "Precedent").text
    review = scene.find("#conversation .card.bot", "One finding.")
    assert "hidden" not in review.text
    reply = scene.find(".replies .message", "Remembered as C1.")
    assert reply.find_element(By.TAG_NAME, "strong").text == "C1"
    assert scene.browser.title == "Precedent sandbox"


def test_a_person_writes_in_the_chat_by_keyboard(scene: Scene) -> None:
    scene.choose("#person", "ben")
    scene.find("#roles", "acme/api: write")
    field = scene.find("#say-text")
    field.send_keys("@precedent list", Keys.ENTER)
    message = scene.find(".message", "@precedent list")
    assert message.get_attribute("data-author") == "ben"
    scene.until(lambda: [d for d in scene.slack.deliveries if d.kind == "event"])
    event = scene.slack.deliveries[-1].payload["event"]
    assert (event["type"], event["user"]) == ("app_mention", scene.world.people["ben"][1])

    message.find_element(By.CSS_SELECTOR, "button.plain").click()
    scene.find("#say-target", "Replying in ben's thread")
    field.send_keys("a reply", Keys.ENTER)
    scene.find(".replies .message", "a reply")
    field.send_keys("/conventions list", Keys.ENTER)
    scene.until(lambda: scene.slack.deliveries[-1].kind == "command")
    assert scene.slack.deliveries[-1].payload["text"] == "list"


def test_a_button_of_the_bot_is_pressed(scene: Scene) -> None:
    button = {
        "type": "button",
        "action_id": "forget",
        "value": "C1",
        "text": {"type": "plain_text", "text": "Forget"},
    }
    scene.bot_in_slack().chat_postMessage(
        channel=scene.world.api_channel.id,
        text="C1",
        blocks=[{"type": "actions", "elements": [button]}],
    )
    scene.find("button[data-action=forget]").click()
    # The scene is shared: a delivery of an earlier test may be the last one still.
    scene.until(lambda: [d for d in scene.slack.deliveries if d.kind == "interaction"])
    payload = scene.slack.deliveries[-1].payload
    assert (payload["type"], payload["actions"][0]["value"]) == ("block_actions", "C1")
    assert payload["user"]["username"] == "ada"


def test_asking_for_a_review_and_pushing(scene: Scene) -> None:
    scene.find("#ask").click()
    scene.find("#conversation .card", "@precedent review")
    before = scene.world.api_pull.head_sha
    scene.find(".push summary").click()
    editor = scene.find("#push-content")
    scene.until(lambda: "late_fee" in str(editor.get_attribute("value")))
    editor.send_keys(Keys.CONTROL, Keys.END, Keys.NULL, "# the end of the file\n")
    scene.find("#push-form button.primary").click()
    scene.find("#files .added .t", "# the end of the file")
    assert scene.world.api_pull.head_sha != before
    scene.choose("#pull", "acme/web#1")
    scene.find("#summary", "Show a badge on overdue invoices")


def test_a_modal_is_filled_in_and_complaints_are_shown(scene: Scene) -> None:
    """The app answers with an error first and accepts the second time."""
    scene.slack.triggers.life_s = 30
    trigger = scene.slack.triggers.issue(scene.world.team.id, scene.world.people["ada"][1])
    modal = {
        "type": "modal",
        "callback_id": "add",
        "title": {"type": "plain_text", "text": "Teach a rule"},
        "submit": {"type": "plain_text", "text": "Remember"},
        "blocks": [
            {
                "type": "input",
                "block_id": "rule",
                "label": {"type": "plain_text", "text": "Rule"},
                "element": {"type": "plain_text_input", "action_id": "words"},
            }
        ],
    }
    scene.bot_in_slack().views_open(trigger_id=trigger, view=modal)
    scene.find("#modal-title", "Teach a rule")
    answers = [{"response_action": "errors", "errors": {"rule": "Say more."}}, {}]
    with _app_that_answers(answers) as url:
        scene.slack.events_url = url
        scene.find("#modal-body input").send_keys("88")
        scene.find("#modal-submit").click()
        scene.find("[data-error=rule]", "Say more.")
        scene.find("#modal-submit").click()
        scene.until(lambda: not scene.find("body").find_elements(By.CSS_SELECTOR, "dialog[open]"))
    values = scene.slack.deliveries[-1].payload["view"]["state"]["values"]
    assert values["rule"]["words"]["value"] == "88"


def test_a_narrow_window_needs_no_sideways_scrolling(scene: Scene) -> None:
    scene.browser.set_window_size(500, 900)
    try:
        width = "return [document.documentElement.scrollWidth, window.innerWidth]"
        scene.find("#say-text")
        scrolled, inner = scene.browser.execute_script(width)
        assert scrolled <= inner
    finally:
        scene.browser.set_window_size(1280, 800)


def test_every_control_has_a_name(scene: Scene) -> None:
    controls = scene.browser.find_elements(By.CSS_SELECTOR, "button, select, textarea, input")
    shown = [control for control in controls if control.is_displayed()]
    nameless = [control.get_attribute("id") for control in shown if not control.accessible_name]
    assert shown
    assert nameless == []


class _app_that_answers:  # noqa: N801 - used as a context manager only
    """A listener that gives these JSON answers in turn."""

    def __init__(self, answers: list[dict[str, Any]]) -> None:
        self._answers = answers
        self._lock = threading.Lock()

    def __enter__(self) -> str:
        from starlette.applications import Starlette
        from starlette.responses import JSONResponse
        from starlette.routing import Route

        def answer(_request: Any) -> JSONResponse:
            with self._lock:
                return JSONResponse(self._answers.pop(0))

        route = Route("/slack/events", answer, methods=["POST"])
        self._server = AsgiServer(Starlette(routes=[route])).start()
        return f"{self._server.url}/slack/events"

    def __exit__(self, *_: object) -> None:
        self._server.stop()
