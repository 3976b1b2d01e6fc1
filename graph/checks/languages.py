"""Which language a path is written in, of those whose syntax we read."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Literal, get_args

Language = Literal[
    "python", "javascript", "typescript", "tsx", "go", "rust", "java", "c", "cpp", "csharp",
    "ruby", "php", "kotlin", "swift", "bash",
]  # fmt: skip

LANGUAGES: tuple[Language, ...] = get_args(Language)
"""The names under which ast-grep has these grammars. It panics on a name that it doesn't know."""

_BY_SUFFIX: dict[str, Language] = {
    ".py": "python", ".pyi": "python", ".pyw": "python",
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx",
    ".go": "go", ".rs": "rust", ".java": "java",
    ".c": "c", ".h": "c",
    ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp",
    ".cs": "csharp",
    ".rb": "ruby", ".rake": "ruby", ".gemspec": "ruby",
    ".php": "php",
    ".kt": "kotlin", ".kts": "kotlin",
    ".swift": "swift",
    ".sh": "bash", ".bash": "bash",
}  # fmt: skip

_BY_NAME: dict[str, Language] = {"Rakefile": "ruby", "Gemfile": "ruby", "Vagrantfile": "ruby"}


def language_of(path: str) -> Language | None:
    """By the file's name alone; None for every other language."""
    name = PurePosixPath(path).name
    return _BY_NAME.get(name) or _BY_SUFFIX.get(PurePosixPath(name).suffix.lower())
