"""What models write when they are careless: a finding is kept, a suggestion breaks nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graph.anchors import Anchor, anchor_for_range
from graph.findings import Finding
from graph.placing import file_named, place
from graph.proposals import Dropped, Ground, finding_from
from graph.ranking import merged
from graph.rendering import body, calmed, summary
from graph.suggesting import suggestion_for
from graph.untrusted import as_prose
from tests.graph.checks.changes import diff_of

PATH = "src/totals.py"
OLD = "def total(items):\n    result = sum(items)\n    return result\n"
NEW = (
    "def total(items):\n    result = sum(items)\n    mean = result / len(items)\n    log(mean)\n"
    "    return result\n"
)
DIFF = diff_of({PATH: OLD}, {PATH: NEW})
MEAN = "    mean = result / len(items)"
GROUND = Ground(DIFF, {}, "medium", "https://github.test/acme/app")


def _finding(**said: Any) -> Finding:
    words = {
        "path": PATH, "line": 3, "quote": MEAN, "category": "bug", "severity": "high",
        "title": "Empty list divides by zero", "failure": "It fails.", **said,
    }  # fmt: skip
    return finding_from({"said": words, "given": ["C1"], "only": []}, GROUND)


@pytest.mark.parametrize(
    "said",
    [
        {"confidence": "high"}, {"confidence": "85%"}, {"confidence": "9/10"}, {"confidence": 8},
        {"confidence": None}, {"severity": "Major"}, {"severity": "P1"}, {"severity": "warning"},
        {"severity": None}, {"category": "logic error"}, {"category": "Performance issue"},
        {"line": "3"}, {"line": "3-4"}, {"line": "L3"}, {"line": [3, 4]}, {"line": "unknown"},
        {"quote": f"```python\n{MEAN}\n```"}, {"quote": "`mean = result / len(items)`"},
        {"convention": []}, {"convention": {}}, {"convention": "No convention applies"},
        {"failure": None}, {"suggestion": None}, {"suggestion": ["    mean = 0"]},
        {"path": f"{PATH}:3"}, {"path": "totals.py"}, {"path": f"/repo/{PATH}"},
    ],
    ids=str,
)  # fmt: skip
def test_a_finding_is_not_lost_by_its_form(said: dict[str, Any]) -> None:
    """A local model called its confidence "high": the bug it had found was thrown away as
    malformed, and the check was green.
    """
    finding = _finding(**said)
    assert finding.anchor == Anchor(PATH, 3)
    assert finding.severity in ("medium", "high")
    assert 0.5 < finding.confidence <= 1.0


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"confidence": "low"}, "low_confidence"), ({"confidence": "10%"}, "low_confidence"),
        ({"severity": "nit"}, "below_severity_floor"), ({"category": "poetry"}, "malformed"),
        ({"title": None}, "malformed"), ({"convention": "C9: no mean"}, "unknown_convention"),
        ({"convention": "house-rule"}, "unknown_convention"),
        ({"path": "other.py"}, "unknown_path"),
        ({"path": ""}, "unknown_path"), ({"path": "/"}, "unknown_path"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_meant_otherwise_is_still_dropped(said: dict[str, Any], reason: str) -> None:
    with pytest.raises(Dropped) as dropped:
        _finding(**said)
    assert dropped.value.reason == reason


def test_a_name_of_two_files_is_none() -> None:
    diff = diff_of({}, {"a/x.py": "1\n", "b/x.py": "1\n"})
    assert file_named(diff, "x.py") is None
    assert file_named(diff, "a/x.py") is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mean = result / max(1, len(items))", "    mean = result / max(1, len(items))"),
        ("    mean = 0   ", "    mean = 0"),
        ("    mean = 0\r\n    low = 1\r\n", "    mean = 0\n    low = 1"),
        # The next line was repeated: applied, it would stand there twice.
        ("    if items:\n        mean = 0\n    log(mean)", "    if items:\n        mean = 0"),
        ("    result = sum(items)\n    mean = 0", "    mean = 0"),
        (f"{MEAN}\n    log(mean)", None),
        ("-    mean = result / len(items)\n+    mean = 0", None),
        ("+    mean = 0", None),
        ("Use max(1, len(items)) instead.", None),
        ("Consider a guard for the empty list", None),
        ("    # your code here", None),
        ("    mean = 0\n    # rest of the function unchanged", None),
        ("    if items:\n        ...", None),
        ("\tmean = 0", None),
        ("```python\nmean = 0\n```", None),
        (MEAN, None),
        ("", None),
        ("\n".join(f"    a{n} = {n}" for n in range(7)), None),
    ],
)
def test_a_suggestion_can_be_applied_or_is_left_out(text: str, expected: str | None) -> None:
    """One click on "Commit suggestion" put "-    mean = …" into a file; another repeated the line
    behind the anchor, and a third committed an English sentence.
    """
    file = DIFF.file(PATH)
    assert file is not None
    assert suggestion_for(file, Anchor(PATH, 3), text) == expected


def test_a_bracket_behind_the_anchor_closes_something_else() -> None:
    new = "function f(x) {\n  if (x) {\n    run(x)\n  }\n}\n"
    file = diff_of({}, {"a.js": new}).file("a.js")
    assert file is not None
    anchor = anchor_for_range(file, 2, 3)
    assert suggestion_for(file, anchor, "  if (x) {\n    run(x, 1)\n  }") is not None


def test_advice_is_code_in_a_document() -> None:
    file = diff_of({}, {"a.md": "Use the new tool.\n"}).file("a.md")
    assert file is not None
    assert suggestion_for(file, Anchor("a.md", 1), "Use our new tool.") == "Use our new tool."


def test_five_wordings_of_one_bug_on_one_line_are_one_comment() -> None:
    """A model reported one division by zero under five titles: five comments on one line."""
    titles = [
        "Empty list divides by zero", "ZeroDivisionError when items is empty",
        "No guard against an empty sequence", "Missing check for empty input before division",
        "Division by zero possible",
    ]  # fmt: skip
    kept, repeated = merged([_finding(title=title) for title in titles])
    assert len(kept) == 1
    assert repeated == 4


def test_two_bugs_on_one_line_are_two() -> None:
    """That titles name the same variable makes them no duplicates."""
    titles = ["`items` may be None", "`items` is iterated twice"]
    kept, _ = merged([_finding(title=title) for title in titles])
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("text", "calm"),
    [
        ("🚨🚨 CRITICAL: divides by zero!!! 🎉", "Divides by zero."),
        ("Great work overall! 🎉 However, this could fail.", "This could fail."),
        ("Nit: wrong unit", "Wrong unit"),
        ("`user` may be None", "`user` may be None"),
        ("It fails!", "It fails!"),
        ("🎉", "🎉"),
    ],
)
def test_comments_are_calm(text: str, calm: str) -> None:
    assert calmed(text) == calm


def test_an_order_to_another_bot_is_text() -> None:
    """Prow and its kin approve when a comment begins with "/approve", whoever wrote it."""
    assert as_prose("/approve", 100).startswith("\\/")
    assert as_prose("/etc/passwd is read", 100) == "\\/etc/passwd is read"


def test_a_quote_of_nothing_but_a_fence_is_nowhere() -> None:
    file = DIFF.file(PATH)
    assert file is not None
    assert place(file, 3, "```\n```").anchor is None


def test_places_in_a_row_are_a_range_and_no_file_is_forgotten() -> None:
    """Eighty places in two files were twenty numbers of the first and "59 more places"."""
    places = [Anchor(path, line) for path in ("a.py", "b.py") for line in range(2, 42)]
    finding = Finding("a.py", "convention", "medium", "No print", "", places[0], also_at=(
        *places[1:], Anchor("c.py", 7)))  # fmt: skip
    text = body(finding, {})
    assert "The same at 80 other places" in text
    assert "- `a.py`: 3–41\n- `b.py`: 2–41\n- `c.py`: 7\n" in text
    assert "more place" not in text
    scattered = replace(finding, also_at=tuple(Anchor("a.py", n) for n in range(1, 99, 2)))
    assert "- 29 more places, in the check's annotations" in body(scattered, {})


def test_what_is_wrong_with_the_pull_request_needs_no_line() -> None:
    """A title in the wrong form stood under "Without an exact line"."""
    title = Finding("", "convention", "medium", "The title has no ticket.", "", None)
    somewhere = replace(title, path="a.py", title="Sums the wrong list")
    text = summary([], [somewhere, title], {})
    assert text.index("**On the pull request**") < text.index("The title has no ticket")
    assert text.index("**Without an exact line**") < text.index("Sums the wrong list")
    assert "Without an exact line" not in summary([], [title], {})
