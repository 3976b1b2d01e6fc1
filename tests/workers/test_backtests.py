"""A taught check is tried on earlier pull requests; the answer says what it would have found."""

from __future__ import annotations

from dataclasses import replace

from graph.backtest import Trial, sentence
from graph.review import build_graph
from tests.scripted_model import ScriptedModel, calls
from tests.workers.stage import Stage

RULE = "the maximum line length is 60 characters"
SETTINGS = '[review]\nignore_paths = ["golden/"]\n'


def add_pull(stage: Stage, branch: str, *lengths: int) -> int:
    lines = "".join("x" * length + "\n" for length in lengths)
    pull = stage.github.open_pull_request(
        stage.world.api, "ben", f"Add {branch}", "", branch, {f"src/{branch}.txt": lines}
    )
    return pull.number


def answers_on(stage: Stage) -> list[str]:
    bot = stage.github.bot
    return [c.body for c in stage.world.api_pull.comments.values() if c.user is bot]


def test_the_answer_on_github_is_edited_once(stage: Stage) -> None:
    wide = add_pull(stage, "wide", 70, 80, 10)
    add_pull(stage, "narrow", 5)
    stage.work()
    stage.github.comment(stage.world.api_pull, "ben", f"@precedent remember: {RULE}")
    stage.work()
    (answer,) = answers_on(stage)
    assert "Remembered as **C1**" in answer
    assert "I'll flag added lines" in answer
    assert "In the last 3 pull requests it would have flagged" in answer
    assert f"#{wide} (2)" in answer
    assert answer.count("In the last") == 1
    assert not stage.redis.keys("precedent:backtest:*")
    assert stage.dead() == []


def test_generated_files_count_no_more_than_in_a_review(stage: Stage) -> None:
    """A rule was said to flag hundreds of lines that no review would ever have told."""
    stage.github.commit(stage.world.api, "ada", {".precedent.toml": SETTINGS})
    stage.work()
    for path in ("dist/app.js", "golden/a.txt"):
        stage.github.open_pull_request(
            stage.world.api, "ben", path, "", path.replace("/", "-"), {path: "x" * 90 + "\n"}
        )
    stage.work()
    stage.github.comment(stage.world.api_pull, "ben", f"@precedent remember: {RULE}")
    stage.work()
    (answer,) = answers_on(stage)
    wide = f"#{stage.world.api_pull.number} ("
    assert "In the last 3 pull requests it would have flagged 5 lines in 1: " + wide in answer


def test_the_answer_in_slack_is_updated_in_its_thread(stage: Stage) -> None:
    stage.link()
    stage.identify()
    channel = stage.world.api_channel
    stage.slack.say(channel, stage.world.people["ben"][1], f"@precedent remember: {RULE}")
    stage.work()
    (answer,) = stage.said_in("api-reviews")
    assert "Remembered as *C1*" in answer
    assert "In the last pull request" in answer


def test_a_command_for_one_person_is_answered_and_replaced(stage: Stage) -> None:
    stage.link()
    stage.identify()
    stage.slack.command("api-reviews", "ben", "/conventions", f"add {RULE}")
    stage.work()
    assert "In the last pull request" in stage.told("ben")
    assert stage.dead() == []


def test_what_a_model_heard_is_tried_too(stage: Stage) -> None:
    words = "the maximum line length is 60 characters"
    model = ScriptedModel(
        script=[calls("remember_convention", topic="line_length", quote=words), "Noted."]
    )
    graph = build_graph(stage.services.store, model, checkpointer=stage.services.saver)
    stage.services = replace(stage.services, graph=graph)
    said = f"@precedent did you know that {words} in this project?"
    stage.github.comment(stage.world.api_pull, "ben", said)
    stage.work()
    (answer,) = answers_on(stage)
    assert answer.startswith("Noted.")
    assert "In the last pull request" in answer


def test_a_rule_without_a_check_is_not_tried(stage: Stage) -> None:
    stage.github.comment(stage.world.api_pull, "ben", "@precedent remember: be kind in reviews")
    stage.work()
    (answer,) = answers_on(stage)
    assert "In the last" not in answer


def test_the_result_in_words() -> None:
    assert sentence([]) == "There is no earlier pull request here to try it on."
    trials = [Trial("C1", n, n % 3, are_lines=True) for n in range(1, 21)]
    assert sentence(trials).startswith(
        "In the last 20 pull requests it would have flagged 21 lines in 14: #20 (2), #17 (2)"
    )
    assert sentence(trials).endswith("and 4 more.")
    assert sentence([Trial("C1", 7, 0, are_lines=True)]) == (
        "In the last pull request it would have flagged nothing."
    )
    assert sentence([Trial("C1", 7, 1, are_lines=False)]) == (
        "In the last pull request, #7, it would have flagged 1 place."
    )
    undecided = Trial("C1", 7, 0, are_lines=True, is_undecided=True)
    assert "can't be tried" in sentence([undecided])
