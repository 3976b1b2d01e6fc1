"""`precedent conventions` as an operator writes it: the commands, files in and out, exit codes."""

from __future__ import annotations

import getpass
import json
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from graph.convention_book import ConventionBook
from graph.ledger import Scope
from graph.store import ConventionStore
from workers.cli import main


class Terminal:
    """One operator; `__call__` gives the exit code, `out` and `err` what was printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *words: str, repository: int | None = 1) -> int:
        which = ["--repository", str(repository)] if repository is not None else []
        code = main(["conventions", *which, *words])
        self.out, self.err = self._capsys.readouterr()
        return code

    def json(self, *words: str) -> Any:
        assert self(*words) == 0
        return json.loads(self.out)


def gist(document: dict[str, Any]) -> list[dict[str, Any]]:
    wanted = ("id", "rule", "topic", "mode", "paths", "check", "expires_at")
    return [{name: c[name] for name in wanted} for c in document["conventions"]]


@pytest.fixture
def precedent(
    redis: Redis,
    redis_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Terminal:
    assert redis.ping()
    monkeypatch.setenv("REDIS_URL", redis_url)
    return Terminal(capsys)


def test_teach_list_correct_forget_and_undo(precedent: Terminal, redis: Redis) -> None:
    assert precedent("add", "the maximum line length is 88 characters") == 0
    assert "Remembered as **C1**" in precedent.out
    assert precedent("edit", "C1", "the maximum line length is 100 characters") == 0
    (listed,) = precedent.json("list", "--json")["conventions"]
    assert (listed["id"], listed["rule"], listed["version"]) == (
        "C1",
        "the maximum line length is 100 characters",
        2,
    )
    assert precedent("forget", "C1") == 0
    assert precedent.json("list", "deleted", "--json")["conventions"][0]["id"] == "C1"
    assert precedent("undo") == 0
    assert precedent("history", "C1") == 0
    assert precedent.out.count(f"by {getpass.getuser()} on the command line") == 4
    book = ConventionBook(ConventionStore(redis), Scope("repository", 1), lambda: 0.0)
    assert {e.by.place for e in book.history()} == {"cli"}


def test_options_may_stand_behind_the_command_word(precedent: Terminal) -> None:
    """`conventions list --repository 1` was answered with "Say whose: --repository ID"."""
    words = ("add", "never call eval", "--paths", "src/**", "--repository", "1")
    assert precedent(*words, repository=None) == 0
    assert precedent("list", "--repository=1", "--json", repository=None) == 0
    (listed,) = json.loads(precedent.out)["conventions"]
    assert (listed["rule"], listed["paths"]) == ("never call eval", ["src/**"])


def test_a_file_that_is_not_there_is_looked_for_on_this_machine(precedent: Terminal) -> None:
    """The answer spoke of the default branch, which the command line does not read."""
    assert precedent("import", "nope.md") == 2
    assert (
        precedent.err
        == "precedent conventions: nope.md can't be read: No such file or directory.\n"
    )


def test_which_repositories_have_conventions(precedent: Terminal) -> None:
    """The list had no head, and counted what was deleted."""
    assert precedent("list", repository=None) == 0
    assert precedent.out.startswith("No repository has conventions yet.")
    precedent("add", "never call eval")
    precedent("add", "use logging, not print")
    precedent("forget", "C1")
    assert precedent("list", repository=None) == 0
    head, row = precedent.out.splitlines()
    assert head.split() == ["REPOSITORY", "CONVENTIONS", "PROPOSED"]
    assert row.split() == ["1", "1", "0"]


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_what_was_exported_is_the_same_elsewhere(
    precedent: Terminal, tmp_path: Path, form: str
) -> None:
    precedent("add", "the maximum line length in docs is 60 characters")
    precedent("add", "never call eval()", "--paths", "src/**", "--until", "2099-01-31")
    assert precedent("export", form) == 0
    file = tmp_path / "a file"
    file.write_text(precedent.out)
    assert precedent("import", str(file), repository=2) == 0
    assert "Active now: C1, C2." in precedent.out
    rules = [gist(precedent.json("list", "--json"))]
    assert precedent("list", "--json", repository=2) == 0
    assert [gist(json.loads(precedent.out))] == rules
    assert precedent("import", str(file), repository=2) == 0
    assert "2 rules in it I had heard before" in precedent.out


def test_a_document_is_imported_as_proposals(precedent: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "CONTRIBUTING.md"
    file.write_text("# Us\n\n- Always write tests\n\n```\nnever mind\n```\n")
    assert precedent("import", str(file)) == 0
    assert "1 proposal" in precedent.out
    (proposed,) = precedent.json("list", "proposed", "--json")["conventions"]
    assert proposed["source"]["name"] == f"{file}:3"
    assert precedent("approve", "C1") == 0


def test_rules_of_the_organisation(precedent: Terminal) -> None:
    assert precedent("--organisation", "9", "add", "--org", "never call eval()") == 0
    assert "**O1**" in precedent.out
    assert precedent("--organisation", "9", "list", repository=2) == 0
    assert "**O1**" in precedent.out
    assert precedent("add", "--org", "never call exec()") == 1
    assert "which organisation" in precedent.err


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["show", "C9"], 1, "There is no C9 here"),
        (["import", "/does/not/exist"], 2, "/does/not/exist can't be read"),
        (["lst"], 2, 'Did you mean "list"'),
        (["explode"], 2, "Write a command"),
        (["review"], 2, "Write a command"),
        (["add"], 2, "Write the rule after it"),
        (["add", "x" * 10_000], 1, "2,000 are the most"),
        (["export", "yaml"], 2, "The formats are"),
    ],
)
def test_errors_are_one_sentence_with_an_exit_code(
    precedent: Terminal, words: list[str], code: int, sentence: str
) -> None:
    assert precedent(*words) == code
    assert precedent.out == ""
    assert sentence in precedent.err
    assert len(precedent.err.strip().splitlines()) == 1


def test_without_a_repository_the_ids_are_listed(precedent: Terminal) -> None:
    precedent("add", "never call eval()", repository=5)
    assert precedent("list", "--json", repository=None) == 0
    assert {"scope": "5", "conventions": 1, "proposed": 0} in json.loads(precedent.out)
    assert precedent("forget", "C1", repository=None) == 2
    assert "--repository ID" in precedent.err
