"""`precedent review` on real git repositories: ranges, forms of output, exit codes, size."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph.conventions import Convention, Source
from graph.desk import lesson_from
from graph.exporting import as_json, as_markdown
from workers import cli_review
from workers.cli import main

WIDE = "x = " + "1" * 96
SAID = Source("slack", "ada", "https://acme.slack.test/p1", said_at=1_800_000_000.0)


def rule(convention_id: str, words: str) -> Convention:
    lesson = lesson_from(words)
    return Convention(
        convention_id, lesson.topic, words, SAID, paths=lesson.paths, check=lesson.check
    )


LINE_LENGTH = rule("C1", "the maximum line length is 88 characters")
COMPANION = rule("C2", "every change in src/ needs a test")


class Repository:
    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.com"]
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=self.path, check=True, capture_output=True
        )
        return done.stdout.decode()

    def write(self, name: str, content: str | bytes) -> None:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "project")
    made.write("src/old.py", "y = 2\n")
    made.write("image.bin", b"\0\1\2" * 50)
    made.commit("Begin")
    return made


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "conventions.json"
    file.write_text(as_json([LINE_LENGTH]))
    return file


def review(repository: Repository, rules: Path, *arguments: str) -> int:
    return main(["review", *arguments, "-C", str(repository.path), "--conventions", str(rules)])


def found(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, int | None]]:
    document = json.loads(capsys.readouterr().out)
    return [(f["path"], f["line"]) for f in document["findings"]]


def test_nothing_named_is_all_that_is_not_committed(
    repository: Repository, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("src/old.py", f"y = 2\n{WIDE}\n")
    repository.write("src/new name é.py", f"{WIDE}\n")
    repository.write("staged.py", f"a = 1\n{WIDE}\n")
    repository.git("add", "staged.py")
    repository.write(".gitignore", "ignored.py\n")
    repository.write("ignored.py", f"{WIDE}\n")
    before = repository.git("status", "--porcelain")
    assert review(repository, rules, "--json") == 0
    expected = [("src/new name é.py", 1), ("src/old.py", 2), ("staged.py", 2)]
    assert sorted(found(capsys)) == expected
    assert repository.git("status", "--porcelain") == before
    assert review(repository, rules, "--json", "--staged") == 0
    assert found(capsys) == [("staged.py", 2)]
    assert review(repository, rules, "--json", "HEAD") == 0
    assert found(capsys) == [("src/old.py", 2), ("staged.py", 2)]


@pytest.mark.parametrize("wanted", ["main...HEAD", "main..topic", "main..", "HEAD~1", "HEAD~1.."])
def test_ranges(
    repository: Repository, rules: Path, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.write("src/old.py", f"{WIDE}\ny = 2\n")
    repository.commit("Widen")
    assert review(repository, rules, wanted, "--json", "--fail") == 1
    assert found(capsys) == [("src/old.py", 1)]


def test_a_person_s_git_settings_change_nothing(
    repository: Repository, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for setting in ("diff.noprefix=true", "color.ui=always", "diff.external=false",
                    "diff.mnemonicPrefix=true", "diff.relative=true"):  # fmt: skip
        repository.git("config", *setting.split("="))
    repository.write("src/old.py", f"{WIDE}\ny = 2\n")
    below = Repository.__new__(Repository)
    below.path = repository.path / "src"
    assert review(below, rules, "--json") == 0
    assert found(capsys) == [("src/old.py", 1)]


def test_what_nobody_wrote_is_left_out_and_named(
    repository: Repository, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pull request was not told about its lock files and bundles, the same change here was."""
    repository.write(".gitattributes", "api/*.py linguist-generated\n")
    repository.write(".precedent.toml", '[review]\nignore_paths = ["docs/"]\n')
    for path in ("dist/app.js", "api/client.py", "docs/a.py", "src/new.py"):
        repository.write(path, f"{WIDE}\n")
    assert review(repository, rules) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "api/client.py: not checked, C1: generated: `.gitattributes` says so.",
        "dist/app.js: not checked, C1: generated: by its name.",
        "docs/a.py: not checked, C1: ignored by `review.ignore_paths`.",
        "1 place against 1 convention.",
    ]
    repository.write(".precedent.toml", "[review]\nignore = 1\n")
    assert review(repository, rules) == 2
    assert "`.precedent.toml` is not used" in capsys.readouterr().err


def test_binary_renamed_and_deleted_files(
    repository: Repository, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(f"line = {n}\n" for n in range(40))
    repository.write("long.py", lines + WIDE + "\n")
    repository.write("gone.py", WIDE + "\n")
    repository.commit("More")
    repository.write("image.bin", b"\0\3\4" * 60)
    repository.git("mv", "long.py", "moved.py")
    repository.write("moved.py", WIDE + "\n" + lines + WIDE + "\n")
    repository.git("rm", "-q", "gone.py")
    assert review(repository, rules, "--json") == 0
    assert found(capsys) == [("moved.py", 1)]


def test_a_repository_without_a_commit(
    tmp_path: Path, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = Repository(tmp_path / "fresh")
    fresh.write("a.py", WIDE + "\n")
    assert review(fresh, rules, "--json") == 0
    assert found(capsys) == [("a.py", 1)]


def test_the_text_names_place_rule_and_what_was_not_looked_at(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "AGENTS.md"
    plain = rule("C9", "be kind to each other in comments")
    file.write_text("# Ours\n\n" + as_markdown([LINE_LENGTH, COMPANION, plain], "acme/api"))
    repository.write("src/old.py", f"y = 2\n{WIDE}\n")
    assert review(repository, file) == 0
    text = capsys.readouterr().out
    assert "src/old.py:2: C1: " in text
    assert "C2: " in text
    assert "1 convention needs a model" in text
    assert "2 places against 2 conventions." in text


def test_places_stand_in_the_order_of_the_diff(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An export in JSON listed line 10 before line 9, one in Markdown the other way round."""
    file = tmp_path / "conventions.json"
    rules = [rule("C1", "never call eval"), replace(LINE_LENGTH, id="C2")]
    file.write_text(as_json([*rules, rule("C3", "be kind to each other")]))
    repository.write("src/old.py", f"y = 2\n{WIDE}\neval(y)\n")
    repository.write("a.py", "eval(1)\n")
    assert review(repository, file) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[:2] for line in lines[:3]] == [
        ["a.py:1", "C1"], ["src/old.py:2", "C2"], ["src/old.py:3", "C1"],
    ]  # fmt: skip
    assert review(repository, file, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [f["line"] for f in document["findings"]] == [1, 2, 3]
    assert document["needs_a_model"] == ["C3"]


def test_sarif_has_what_its_schema_requires(
    repository: Repository, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("src/a b é.py", f"{WIDE}\n")
    assert review(repository, rules, "--format", "sarif") == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "Precedent"
    assert [r["id"] for r in driver["rules"]] == ["C1"]
    assert driver["rules"][0]["shortDescription"]["text"] == LINE_LENGTH.rule
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is True
    (result,) = run["results"]
    assert result["ruleId"] == "C1"
    assert result["level"] in {"none", "note", "warning", "error"}
    assert result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/a%20b%20%C3%A9.py"
    assert place["region"] == {"startLine": 1, "endLine": 1}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere..HEAD"], "git can't read 'nowhere..HEAD'"),
        (["--staged", "HEAD"], "not both"),
        (["-C", "/does/not/exist"], "There is no /does/not/exist"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_2(
    repository: Repository,
    rules: Path,
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = ["-C", str(repository.path), *arguments, "--conventions", str(rules)]
    assert main(["review", *given]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_conventions_that_are_none(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    assert review(repository, bad) == 2
    assert "can't be read: No such file" in capsys.readouterr().err
    bad.write_bytes(b"\xff\xfe\x00")
    assert review(repository, bad) == 2
    bad.write_text("{}")
    assert review(repository, bad) == 2
    assert "format" in capsys.readouterr().err
    bad.write_text("# Our rules\n\n- never call eval\n")
    assert review(repository, bad) == 2
    said = capsys.readouterr().err
    assert "precedent conventions --repository ID export" in said
    assert "import FILE" in said
    assert main(["review", "-C", str(repository.path)]) == 2
    assert "--conventions FILE" in capsys.readouterr().err


def test_expired_and_proposed_rules_find_nothing(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "conventions.json"
    old = replace(LINE_LENGTH, expires_at=1_000.0)
    file.write_text(as_json([old, replace(LINE_LENGTH, id="C2", status="proposed")]))
    repository.write("src/old.py", f"{WIDE}\n")
    assert review(repository, file, "--fail") == 0
    assert capsys.readouterr().out == "Nothing found.\n"


def test_commit_messages_of_a_range_are_checked(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "conventions.json"
    words = "commit messages must follow conventional commits"
    file.write_text(as_json([rule("C1", words)]))
    if rule("C1", words).check is None:
        pytest.skip("not a checkable phrase")
    repository.git("checkout", "-q", "-b", "topic")
    repository.write("a.py", "a = 1\n")
    repository.commit("did things")
    assert review(repository, file, "main..topic", "--fail") == 1
    assert "the whole change: C1" in capsys.readouterr().out


def test_twenty_thousand_lines_take_seconds_without_redis(
    repository: Repository,
    rules: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number in range(40):
        body = "".join(f"value_{n} = compute({n})\n" for n in range(500))
        repository.write(f"src/module_{number}.py", body + WIDE + "\n")
    monkeypatch.setitem(os.environ, "REDIS_URL", "redis://127.0.0.1:1")
    monkeypatch.setattr(cli_review, "PROGRESS_AFTER_S", 0.0)
    started = time.monotonic()
    assert review(repository, rules, "--json") == 0
    took_s = time.monotonic() - started
    said = capsys.readouterr()
    assert len(json.loads(said.out)["findings"]) == 40
    assert "Checking the diff …" in said.err
    assert took_s < 10
