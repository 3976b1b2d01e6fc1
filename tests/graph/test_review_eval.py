"""The evaluation: scores that mean what they say, a data set that is sound."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from redis import Redis

from graph.diff import parse_diff
from graph.evaluating import Case, DatasetError, Score, as_text, evaluate, read_cases
from graph.store import ConventionStore
from tests.scripted_model import ScriptedModel
from workers.cli import main

DATA = Path(__file__).parents[1] / "data" / "eval" / "small.jsonl"
CASES = read_cases(DATA.read_text(encoding="utf-8"), DATA.name)


def _oracle(cases: Sequence[Case], *, wrong_line: int = 0) -> ScriptedModel:
    """Finds what is expected of the case whose diff it sees, and confirms every claim."""
    by_path = {case.expected[0].path: case for case in cases if case.expected}

    def answer(messages: list[BaseMessage]) -> AIMessage:
        content = str(messages[-1].text)
        if "kind=claims" in content:
            lines = content.split("\n")
            quote = next(line for line in lines if re.match(r"\d+ \+\S*.*\w", line))
            verdicts = [
                {"claim": n, "holds": True, "quote": quote.split("+", 1)[1]} for n in range(1, 7)
            ]
            return AIMessage(json.dumps({"verdicts": verdicts}))
        found = re.search(r"^## (\S+)", content, re.MULTILINE)
        case = by_path.get(found[1]) if found else None
        expected = [e for e in case.expected if e.category != "secret"] if case else []
        findings = [_finding(case, e.path, e.line + wrong_line, e) for e in expected if case]
        return AIMessage(json.dumps({"findings": findings}))

    return ScriptedModel(script=[answer], repeat_last=True)


def _finding(case: Case, path: str, line: int, expected: Any) -> dict[str, Any]:
    lines = case.files[path].split("\n")
    quote = lines[line - 1] if 0 < line <= len(lines) else "no such line"
    return {
        "path": path, "line": line, "quote": quote, "severity": "high",
        "category": expected.category,
        "convention": expected.convention, "title": f"Seeded defect of {case.id}",
        "failure": "As the data set says.",
    }  # fmt: skip


def test_the_data_set_is_sound() -> None:
    seeded = [case for case in CASES if case.expected]
    assert len(seeded) >= 40
    assert len(CASES) - len(seeded) >= 10
    for case in CASES:
        diff = parse_diff(case.diff)
        assert diff.files, case.id
        for expected in case.expected:
            file = diff.file(expected.path)
            assert file is not None, case.id
            assert expected.line in file.new_text_lines, case.id
        for file in diff.files:
            head = case.files.get(file.path)
            if head is not None:
                lines = head.split("\n")
                assert all(lines[n - 1] == text for n, text in file.new_text_lines.items())


def test_code_alone_says_nothing_wrong_and_finds_what_code_can_decide(redis: Redis) -> None:
    result = evaluate(CASES, ConventionStore(redis), None, now=lambda: 1_800_000_000.0)
    assert result.noise == []
    assert result.noisy_clean_cases == 0
    assert result.by_category["secret"].recall == 1.0
    assert result.by_convention["never use print"].recall == 1.0
    assert result.by_category["bug"].recall == 0.0
    assert result.input_tokens == 0


def test_a_reviewer_that_finds_everything_scores_one(redis: Redis) -> None:
    result = evaluate(CASES, ConventionStore(redis), _oracle(CASES), now=lambda: 1_800_000_000.0)
    assert result.misses == []
    assert result.noise == []
    assert result.failures == []
    assert result.total.f1 == 1.0
    assert result.cases == len(CASES)
    text = as_text(result, "oracle")
    assert "F1 1.00" in text
    assert "clean pull requests with findings: 0" in text


def test_a_finding_elsewhere_is_both_missed_and_wrong(redis: Redis) -> None:
    diff = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -0,0 +1,12 @@\n" + "".join(
        f"+line_{n} = {n}\n" for n in range(1, 13)
    )
    text = "".join(f"line_{n} = {n}\n" for n in range(1, 13))
    record = {"id": "a", "diff": diff, "files": {"a.py": text},
              "expected": [{"path": "a.py", "line": 2, "category": "bug"}]}  # fmt: skip
    (case,) = read_cases(json.dumps(record))
    for wrong_line, scores in ((0, (1, 0, 0)), (2, (1, 0, 0)), (8, (0, 1, 1))):
        redis.flushall()
        model = _oracle([case], wrong_line=wrong_line)
        result = evaluate([case], ConventionStore(redis), model, now=lambda: 1_800_000_000.0)
        total = result.total
        assert (total.found, total.wrong, total.missed) == scores


def test_shares_without_a_meaning_are_none() -> None:
    assert Score().precision is None
    assert Score().recall is None
    assert Score(wrong=1).f1 is None
    assert Score(found=1, wrong=1, missed=1).f1 == 0.5
    assert Score(wrong=1, missed=1).f1 == 0.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no case"),
        ("{", "line 1"),
        ('{"id": "a", "diff": ""}\n{"id": "a", "diff": ""}', "line 2: the id 'a' is taken"),
        ('{"id": "a", "diff": "", "expeced": []}', "expeced"),
        ('{"id": "a", "diff": "", "expected": [{"path": "x"}]}', "expected.0.line"),
    ],
)
def test_a_wrong_data_set_is_named_by_its_line(text: str, words: str) -> None:
    with pytest.raises(DatasetError, match=re.escape(words)):
        read_cases(text)


def test_the_command_prints_every_figure_and_leaves_nothing_behind(
    redis: Redis,
    redis_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_url)
    data = tmp_path / "few.jsonl"
    data.write_text("".join(c.model_dump_json() + "\n" for c in CASES[-16:]), encoding="utf-8")
    assert main(["eval", str(data), "--model", "none", "--json"]) == 0
    figures = _json(capsys)
    assert figures["cases"] == 16
    assert figures["total"]["wrong"] == 0
    assert list(redis.scan_iter("precedent:eval:*")) == []
    assert main(["eval", str(data), "--model", "none", "--min-f1", "0.99"]) == 1
    assert main(["eval", str(tmp_path / "none.jsonl")]) == 2


def _json(capsys: pytest.CaptureFixture[str]) -> Any:
    out = capsys.readouterr().out
    return json.loads(out[out.index("\n{\n") if not out.startswith("{\n") else 0 :])
