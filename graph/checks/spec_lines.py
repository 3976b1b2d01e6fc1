"""Checks on the text of added lines: length, white space, line ends, words, patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from graph.checks.spec import Spec, listed


@dataclass(frozen=True)
class MaxLineLength(Spec):
    """Added lines wider than `limit` columns.

    A tab reaches to the next multiple of `tab_width` (4, as ruff and most editors for code have
    it), an East Asian wide or full-width character counts 2, a combining mark 0. `exempt_urls`:
    a line that fits when its URLs are taken out. `exempt_strings`: a line on which a string
    literal stands. `exempt_comments`: a line that is only comment. `exempt_imports`: a line of an
    import statement.
    """

    kind: ClassVar[str] = "max_line_length"
    limit: int
    tab_width: int = 4
    exempt_urls: bool = False
    exempt_strings: bool = False
    exempt_comments: bool = False
    exempt_imports: bool = False

    def _problem(self) -> str:
        if not 10 <= self.limit <= 10_000:
            return "limit must be between 10 and 10000 columns"
        return "" if 1 <= self.tab_width <= 16 else "tab_width must be between 1 and 16"

    def describe(self) -> str:
        names = ("urls", "strings", "comments", "imports")
        exempt = [name for name in names if getattr(self, f"exempt_{name}")]
        tail = f" ({' and '.join(exempt).replace('urls', 'URLs')} exempt)" if exempt else ""
        return f"added lines over {self.limit} columns{tail}"


@dataclass(frozen=True)
class TrailingWhitespace(Spec):
    """Added lines that end in spaces or tabs.

    Exactly two spaces behind text in Markdown are a line break and are not flagged.
    """

    kind: ClassVar[str] = "trailing_whitespace"

    def describe(self) -> str:
        return "added lines that end in white space"


@dataclass(frozen=True)
class Indentation(Spec):
    """Added lines indented with the other character. Makefiles and Go keep their tabs."""

    kind: ClassVar[str] = "indentation"
    style: Literal["spaces", "tabs"]

    def describe(self) -> str:
        other = "tabs" if self.style == "spaces" else "spaces"
        return f"added lines indented with {other}"


@dataclass(frozen=True)
class FinalNewline(Spec):
    """Changed files whose last line has no line feed, when the change wrote that line."""

    kind: ClassVar[str] = "final_newline"

    def describe(self) -> str:
        return "files that do not end with a newline"


@dataclass(frozen=True)
class LineEndings(Spec):
    """Added lines with the other line ending."""

    kind: ClassVar[str] = "line_endings"
    style: Literal["lf", "crlf"]

    def describe(self) -> str:
        return f"added lines that do not end in {self.style.upper()}"


@dataclass(frozen=True)
class ForbiddenText(Spec):
    """Added lines in which one of `texts` stands, also in comments and strings.

    `whole_word`: only where no letter, digit or underscore touches it. `instead` is what the
    rule says to use, for the message.
    """

    kind: ClassVar[str] = "forbidden_text"
    texts: tuple[str, ...]
    case_sensitive: bool = True
    whole_word: bool = False
    instead: str = ""

    def _problem(self) -> str:
        return "" if self.texts and all(self.texts) else "texts must not be empty"

    def describe(self) -> str:
        return f"added lines that contain {listed(self.texts)}"


@dataclass(frozen=True)
class ForbiddenPattern(Spec):
    """Added lines in which a regular expression (RE2 syntax) matches.

    `what` names it in messages, for instance "a hard-coded IP address".
    """

    kind: ClassVar[str] = "forbidden_pattern"
    pattern: str
    case_sensitive: bool = True
    what: str = ""

    def _problem(self) -> str:
        return "" if self.pattern else "pattern must not be empty"

    def describe(self) -> str:
        return f"added lines with {self.what or f'a match of `{self.pattern}`'}"


@dataclass(frozen=True)
class TodoNeedsTicket(Spec):
    """Added comments with one of `words` and no match of `ticket_pattern` on the same line.

    The pattern is RE2; the default takes "#12", "ABC-12" and an issue's URL.
    """

    kind: ClassVar[str] = "todo_needs_ticket"
    words: tuple[str, ...] = ("TODO", "FIXME")
    ticket_pattern: str = r"#[0-9]+|\b[A-Z][A-Z0-9]+-[0-9]+\b|/(?:issues|browse|pull)/"

    def _problem(self) -> str:
        return "" if self.words and self.ticket_pattern else "words and ticket_pattern are needed"

    def describe(self) -> str:
        return f"added {listed(self.words)} comments without a ticket"


@dataclass(frozen=True)
class ForbiddenTodo(Spec):
    """Added comments with one of `words`, ticket or not."""

    kind: ClassVar[str] = "forbidden_todo"
    words: tuple[str, ...] = ("TODO", "FIXME")

    def _problem(self) -> str:
        return "" if self.words and all(self.words) else "words must not be empty"

    def describe(self) -> str:
        return f"added {listed(self.words)} comments"
