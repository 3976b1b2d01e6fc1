"""Commands said in a sentence, and sentences that only sound like one."""

from __future__ import annotations

import pytest

from graph.commands import Command
from graph.teaching import interpret


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("bring back C5", Command("restore", ("C5",))),
        ("oops, restore C7 please", Command("restore", ("C7",))),
        ("can you un-delete C11?", Command("restore", ("C11",))),
        ("deleting C5 was a mistake, please bring it back", Command("restore", ("C5",))),
        ("please restore C5 and C6", Command("restore", ("C5", "C6"))),
        ("C7を元に戻してください", Command("restore", ("C7",))),
        ("把 C5 恢复一下", Command("restore", ("C5",))),
        ("what rules do you have about imports?", Command("list", topic="imports")),
        ("which rules are active right now?", Command("list")),
        ("can I see our rules?", Command("list")),
        ("C4 only applies to src/", Command("edit", ("C4",), paths=("src/",))),
        ("fix for C4: it only applies to Go files", Command("edit", ("C4",), paths=("*.go",))),
        ("update C6 so that it reads: be brief", Command("edit", ("C6",), "be brief")),
    ],
)  # fmt: skip
def test_a_sentence_that_can_be_meant_in_one_way_is_a_command(said: str, command: Command) -> None:
    """ "Bring back C5" was a question to a model, and where there is none it was refused."""
    assert interpret(f"@precedent {said}", handle="precedent").command == command


@pytest.mark.parametrize(
    "said",
    [
        "should I restore C5?",
        "please don't restore C5",
        "we have C5 back",
        "restore the old behaviour",
        "which rule says that imports must be sorted?",
        "what rules apply to this file?",
        "what do you know about generics?",
        "C3 is only a suggestion",
        "C4 only applies to humans",
    ],
)
def test_a_sentence_about_a_rule_is_none(said: str) -> None:
    heard = interpret(f"@precedent {said}", handle="precedent")
    assert heard.command is None
    assert heard.teachings == ()


@pytest.mark.parametrize(
    "said",
    ["C3 は消してください", "C3はもういらないので消してください", "C3 を見せて", "C3: thanks",
     "C3 should come back"],
)  # fmt: skip
def test_what_is_said_of_a_rule_never_becomes_its_words(said: str) -> None:
    """ "C3 はもういらないので消してください", please delete C3, became the words of C3."""
    heard = interpret(f"@precedent {said}", handle="precedent")
    assert [t for t in heard.teachings if t.kind != "forget"] == []


def test_a_rule_that_is_wrong_for_a_reason_is_not_forgotten() -> None:
    """ "C3 is wrong, it only applies to legacy code" deleted C3."""
    said = "@precedent C3 is wrong, it only applies to legacy code"
    assert interpret(said, handle="precedent").teachings == ()
