"""What a review is told of uses: every one named, none invented, for each kind of change."""

from __future__ import annotations

import difflib
import re

import pytest

from graph.code.briefing import ChangedFile, brief_of
from graph.code.repository import MemoryCode, Overlay
from graph.diff import parse_diff
from tests.graph.code.test_callers import MORE_PARAMETERS, SCENES, Scene, callers

RENAMED = {
    "python": ("def total", "def whole"),
    "typescript": ("function total", "function whole"),
    "go": ("func Total", "func Whole"),
    "java": ("public int total", "public int whole"),
    "rust": ("fn total", "fn whole"),
    "c": ("int total", "int whole"),
    "ruby": ("def total", "def whole"),
}
UNEXPORTED = {
    "typescript": ("export function", "function"),
    "java": ("public int total", "private int total"),
    "rust": ("pub fn", "fn"),
    "c": ("int total", "static int total"),
    "c++": ("int total", "static int total"),
}
RETURNS = {
    "python": ("rate):", "rate) -> int:"),
    "typescript": ("): number", "): string"),
    "go": (") int {", ") string {"),
    "java": ("public int total", "public long total"),
    "rust": ("-> i32", "-> u64"),
    "c": ("int total", "long total"),
}
KINDS = {
    "was renamed to": RENAMED,
    "takes other parameters": MORE_PARAMETERS,
    "is no longer exported": UNEXPORTED,
    "returns another type": RETURNS,
}


def told(scene: Scene, old: str, new: str) -> str:
    before = scene.files[scene.path]
    after = before.replace(old, new, 1)
    assert after != before
    names = f"a/{scene.path}", f"b/{scene.path}"
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), *names, lineterm="")
    diff = parse_diff(f"diff --git {names[0]} {names[1]}\n" + "\n".join(lines) + "\n")
    code = Overlay(MemoryCode(scene.files), list(scene.files), {scene.path: after})
    changed = ChangedFile(diff.files[0], before, after)
    return brief_of(code, [changed], {scene.path}, 4_000).text


@pytest.mark.parametrize(
    ("words", "language"), [(words, each) for words, of in KINDS.items() for each in of]
)
def test_every_use_of_what_changed_is_named_and_no_other(words: str, language: str) -> None:
    scene = SCENES[language]
    text = told(scene, *KINDS[words][language])
    (piece,) = [p for p in text.split("\n\n") if words in p]
    assert scene.name in piece.split(words)[0]
    named = set(re.findall(r"^- ([^\s:]+:\d+)", piece, re.MULTILINE))
    outside = [c for c in callers(scene) if c.path != scene.path]
    breaks_imports = words in ("was renamed to", "is no longer exported")
    # An import needs no word while what it imports is still there.
    expected = {f"{c.path}:{c.line}" for c in outside if breaks_imports or c.role != "import"}
    assert {use for use in named if not use.startswith(f"{scene.path}:")} == expected
    assert expected


def test_at_least_five_languages_show_each_kind_of_change() -> None:
    assert all(len(languages) >= 5 for languages in KINDS.values())
