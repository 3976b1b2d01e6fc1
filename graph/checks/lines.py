"""Checks on the text of added lines: length, white space, line ends, words, patterns, TODOs."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from graph.checks.changed_file import ChangedFile
from graph.checks.patterns import PatternError, compiled
from graph.checks.report import Report
from graph.checks.spec_lines import (
    FinalNewline,
    ForbiddenPattern,
    ForbiddenText,
    ForbiddenTodo,
    Indentation,
    LineEndings,
    MaxLineLength,
    TodoNeedsTicket,
    TrailingWhitespace,
)
from graph.checks.syntax import Syntax

_UNBREAKABLE = (".csv", ".tsv", ".json", ".jsonl", ".ipynb", ".svg", ".po", ".lock", ".sum",
                ".snap", ".patch", ".diff", ".pem")  # fmt: skip
"""Data, in which nobody may put a line break where a limit would ask for one."""

_DIRECTIVE = re.compile(r"(?:#|//|/\*|--|@)|[\w-]*(?:disable|ignore|noqa|nolint|nosec)")
"""A remark to a tool; in a document it is only talked about."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}://\S+")
_QUOTED = re.compile(r"\"[^\"]+\"|'[^']+'|`[^`]+`")
_COMMENT_LINE = re.compile(r"\s*(?:#|//|/\*|\*(?:\s|/|$)|--\s|;|<!--|%)")
_IMPORT_LINE = re.compile(r"\s*(?:import|from|use|using|require|require_relative|#\s*include)\b")
_WIDTH_LIMIT_CHARACTERS = 20_000
"""Behind these every character counts 1: no limit is wider, and such a line is data."""

_TABS_BELONG = {"Makefile", "makefile", "GNUmakefile", "go.mod", ".gitmodules", ".gitconfig"}
_TABS_BELONG_SUFFIXES = {".go", ".mk", ".tsv"}
_SPACES_BELONG_SUFFIXES = {".yml", ".yaml", ".md", ".mdx", ".markdown", ".rst", ".hs", ".elm",
                           ".fs", ".patch", ".diff"}  # fmt: skip
"""YAML, Haskell, Elm and F# refuse tabs; documents align with what stands above."""
_WHITESPACE_IS_CONTENT = (".patch", ".diff", ".tsv")
"""Files in which a space or a tab at the end is a line or a column that would be lost."""
_SPACES_MAY_BE_DATA = (".csv", ".html", ".htm", ".xml", ".svg", ".vue", ".po")
"""Where a space at the end may be content."""

_INDENT_MEANS_NOTHING = frozenset(
    ("javascript", "typescript", "tsx", "rust", "java", "c", "cpp", "csharp", "php", "swift")
)
"""Languages in which changing the indentation of one line alone is safe."""

TAB_COLUMNS = 4


def width(text: str, tab_width: int = TAB_COLUMNS) -> int:
    """Columns that `text` takes: wide characters 2, combining ones 0, tabs to the next stop."""
    if text.isascii() and "\t" not in text:
        return len(text)
    columns = 0
    for character in text[:_WIDTH_LIMIT_CHARACTERS]:
        if character == "\t":
            columns += tab_width - columns % tab_width
        elif unicodedata.east_asian_width(character) in "WF":
            columns += 2
        elif unicodedata.category(character) not in ("Mn", "Me", "Cf"):
            columns += 1
    return columns + max(0, len(text) - _WIDTH_LIMIT_CHARACTERS)


def check_max_line_length(check: MaxLineLength, file: ChangedFile, report: Report) -> None:
    if file.path.lower().endswith(_UNBREAKABLE) and report.is_of_code(file):
        return
    is_prose = file.path.lower().endswith(_MARKUP)
    for line in file.added:
        text = line.text.removesuffix("\r")
        # A tab is at most `tab_width` columns and any other character 2.
        if len(text) * max(2, check.tab_width) <= check.limit:
            continue
        columns = width(text, check.tab_width)
        number = line.new_line or 0
        if columns <= check.limit or _is_exempt(check, file, number, text):
            continue
        if is_prose and _cannot_break(text, check.limit):
            continue
        report.at_line(
            file,
            number,
            f"This line has {columns} columns; the limit is {check.limit}.",
            measured=columns,
            limit=check.limit,
        )


def _cannot_break(text: str, limit: int) -> bool:
    """A row of a table, or a line whose end is one long word, such as a link."""
    return text.lstrip().startswith("|") or not re.search(r"\s\S", text[limit - 1 :])


def _is_exempt(check: MaxLineLength, file: ChangedFile, number: int, text: str) -> bool:
    if check.exempt_urls and "://" in text[:_WIDTH_LIMIT_CHARACTERS]:
        without = _URL.sub("", text[:_WIDTH_LIMIT_CHARACTERS]).rstrip()
        if without != text.rstrip() and width(without, check.tab_width) <= check.limit:
            return True
    if check.exempt_imports and _IMPORT_LINE.match(text):
        return True
    if check.exempt_comments and _is_comment_line(file, number, text):
        return True
    return check.exempt_strings and _has_string(file, number, text)


def _is_comment_line(file: ChangedFile, number: int, text: str) -> bool:
    if file.syntax is None:
        return _COMMENT_LINE.match(text) is not None
    comments = file.syntax.comment_lines.get(number, ())
    return any(comment.strip() == text.strip() for comment in comments)


def _has_string(file: ChangedFile, number: int, text: str) -> bool:
    if file.syntax is None:
        return _QUOTED.search(text) is not None
    return number in file.syntax.string_lines


def check_trailing_whitespace(_: TrailingWhitespace, file: ChangedFile, report: Report) -> None:
    for line in () if file.path.endswith(_WHITESPACE_IS_CONTENT) else file.added:
        text = line.text.removesuffix("\r")
        # A form feed alone is a page break that some projects write on purpose.
        text = text.rstrip("\f")
        kept = text.rstrip(" \t\v")
        if kept == text or _is_markdown_break(file.path, kept, text):
            continue
        count = len(text) - len(kept)
        number = line.new_line or 0
        safe = text == line.text and _ends_outside_code(file, number, kept)
        report.at_line(
            file,
            number,
            f"This line ends in {count} white-space character{'s' * (count > 1)}; the limit is 0.",
            measured=count,
            limit=0,
            suggestion=kept if safe else None,
        )


def _is_markdown_break(path: str, kept: str, text: str) -> bool:
    return bool(kept) and text == f"{kept}  " and path.lower().endswith((".md", ".markdown"))


def _ends_outside_code(file: ChangedFile, number: int, kept: str) -> bool:
    """Whether white space may go: not within a string, and not behind a backslash."""
    if kept.endswith("\\"):
        return False
    if file.language is None:
        path, space = file.path.lower(), file.diff.new_text_lines[number][len(kept) :]
        if path.endswith((".yml", ".yaml")):
            return not kept[:1].isspace()  # an indented line may be a part of a block of text
        is_break = path.endswith((".md", ".markdown")) and kept and space.startswith("  ")
        return not is_break and not path.endswith(_SPACES_MAY_BE_DATA)
    return file.syntax is not None and number not in file.syntax.open_string_lines


def check_indentation(check: Indentation, file: ChangedFile, report: Report) -> None:
    if _is_of_the_other(check.style, file.path):
        return
    fenced = _fenced_lines(file)
    for line in file.added:
        body = line.text.lstrip(" \t")
        indent = line.text[: len(line.text) - len(body)]
        # Spaces behind tabs align, for instance the star of a block comment.
        wrong = "\t" in indent if check.style == "spaces" else indent.startswith("  ")
        if not wrong or not body.strip():
            continue
        number = line.new_line or 0
        if number in fenced or (file.syntax is not None and _is_content(file.syntax, number)):
            continue  # it is the content of a string or an example, not the code's indentation
        if check.style == "tabs" and _continues_comment(file, number):
            continue
        used, wanted = ("tabs", "spaces") if check.style == "spaces" else ("spaces", "tabs")
        safe = check.style == "spaces" and file.language in _INDENT_MEANS_NOTHING
        report.at_line(
            file,
            number,
            f"This line is indented with {used}; the rule is {wanted}.",
            measured=used,
            limit=wanted,
            suggestion=_untabbed(file, indent, body) if safe else None,
        )


def _is_of_the_other(style: str, path: str) -> bool:
    """Whether the format of the file settles its indentation, against the rule."""
    name = PurePosixPath(path)
    if style == "tabs":
        return name.suffix.lower() in _SPACES_BELONG_SUFFIXES
    return name.name in _TABS_BELONG or name.suffix in _TABS_BELONG_SUFFIXES


def _is_content(syntax: Syntax, number: int) -> bool:
    """Whether a line begins inside a string, or belongs to a here-document."""
    if number - 1 in syntax.open_string_lines:
        return True
    return syntax.language == "bash" and number in syntax.once(_here_document_lines)


def _here_document_lines(syntax: Syntax) -> frozenset[int]:
    spans = [syntax.span(node) for node in syntax.find(("heredoc_body", "heredoc_end"))]
    return frozenset(n for span in spans for n in range(span.start_line, span.end_line + 1))


def _continues_comment(file: ChangedFile, number: int) -> bool:
    """A further line of a block comment, whose text people align as they like."""
    lines = file.syntax.comment_lines if file.syntax else {}
    here = lines.get(number, [])
    begins = any(comment.lstrip().startswith(("//", "#", "/*")) for comment in here)
    return bool(here) and number - 1 in lines and not begins


def _fenced_lines(file: ChangedFile) -> frozenset[int]:
    """The lines of a document's code blocks: examples keep the tabs of their language."""
    if not file.path.lower().endswith((".md", ".mdx", ".markdown")):
        return frozenset()
    fenced, is_open = set(), False
    for number, text in enumerate(file.text_lines, start=1):
        if text.lstrip().startswith(("```", "~~~")):
            is_open = not is_open
        elif is_open:
            fenced.add(number)
    return frozenset(fenced)


def _untabbed(file: ChangedFile, indent: str, body: str) -> str | None:
    """The line with spaces instead; None where it may be a string's, or ends in CR."""
    if body.endswith("\r") or file.syntax is None:
        return None
    return indent.expandtabs(TAB_COLUMNS) + body


def check_final_newline(_: FinalNewline, file: ChangedFile, report: Report) -> None:
    last = file.added[-1] if file.added else None
    if last is None or not last.ends_without_newline or not last.text:
        return
    if file.unreadable:  # it may be a symbolic link, which never ends in a newline
        report.skip(file.unreadable, file.path)
        return
    report.at_line(
        file,
        last.new_line or 0,
        "The file does not end with a newline; the rule is one.",
        measured=0,
        limit=1,
    )


def check_line_endings(check: LineEndings, file: ChangedFile, report: Report) -> None:
    for line in file.added:
        ends_in_cr = line.text.endswith("\r")
        if line.ends_without_newline or ends_in_cr == (check.style == "crlf"):
            continue
        used = "CRLF" if ends_in_cr else "LF"
        report.at_line(
            file,
            line.new_line or 0,
            f"This line ends in {used}; the rule is {check.style.upper()}.",
            measured=used,
            limit=check.style.upper(),
        )


def check_forbidden_text(check: ForbiddenText, file: ChangedFile, report: Report) -> None:
    flags = 0 if check.case_sensitive else re.IGNORECASE
    texts = sorted(check.texts, key=len, reverse=True)
    words = "|".join(re.escape(text) for text in texts)
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)" if check.whole_word else words, flags)
    is_talk = file.path.lower().endswith(_PROSE) and report.is_of_code(file)
    if is_talk and all(_DIRECTIVE.match(text) for text in check.texts):
        return
    for line in file.added:
        found = pattern.search(_URL.sub("", line.text) if check.whole_word else line.text)
        if found:
            report.at_line(
                file,
                line.new_line or 0,
                f"This line contains `{found[0]}`; {_instead(check.instead)}.",
                measured=found[0],
            )


def _instead(instead: str) -> str:
    return f"the rule says to use {instead}" if instead else "the rule allows none"


def check_forbidden_pattern(check: ForbiddenPattern, file: ChangedFile, report: Report) -> None:
    try:
        pattern = compiled(check.pattern, case_sensitive=check.case_sensitive)
    except PatternError as error:
        report.skip((error.reason, str(error)))
        return
    what = check.what or f"a match of `{check.pattern}`"
    for line in file.added:
        if pattern.search(line.text.removesuffix("\r")):
            report.at_line(
                file, line.new_line or 0, f"This line has {what}; the rule allows none.", limit=0
            )


def check_todo_needs_ticket(check: TodoNeedsTicket, file: ChangedFile, report: Report) -> None:
    try:
        ticket = compiled(check.ticket_pattern)
    except PatternError as error:
        report.skip((error.reason, str(error)))
        return
    for number, word, text in _todos(check.words, file, report):
        if not ticket.search(text) and not ticket.search(_rest_of_comment(check, file, number)):
            message = f"This {word} names no ticket; the rule asks for one."
            report.at_line(file, number, message, measured=0, limit=1)


_MAX_LINES_OF_TODO = 5


def _rest_of_comment(check: TodoNeedsTicket, file: ChangedFile, number: int) -> str:
    """The lines of comment right behind a TODO: a long one names its ticket at its end."""
    rest = []
    for following in range(number + 1, number + _MAX_LINES_OF_TODO):
        text = file.diff.new_text_lines.get(following, "")
        if file.syntax is not None:
            text = "\n".join(file.syntax.comment_lines.get(following, ()))
        elif not _COMMENT_LINE.match(text):
            break
        if not text.strip() or any(word in text for word in check.words):
            break
        rest.append(text)
    return "\n".join(rest)


def check_forbidden_todo(check: ForbiddenTodo, file: ChangedFile, report: Report) -> None:
    for number, word, _ in _todos(check.words, file, report):
        message = f"This line has a `{word}`; the rule allows none."
        report.at_line(file, number, message, measured=word, limit=0)


_TODO_OF_COMMENTS = (
    r"(?:(?:^|(?<=[\s;{}(),]))(?:#|//|/\*|\*|<!--|--|;|%|\{#|REM\b)\s*|^\s*(?=\w+\s*[:(]))@?"
)
_TODO_OF_PROSE = r"(?:^\s*(?:[-*>]\s*(?:\[.\]\s*)?)?(?=\w+\s*[:(])|<!--\s*)"
"""Where comments are unknown: a mark of one in front, or "TODO:" as the line's first word."""

_MARKUP = (".md", ".mdx", ".markdown", ".rst", ".adoc")
_PROSE = (*_MARKUP, ".txt")


def _todos(words: tuple[str, ...], file: ChangedFile, report: Report) -> list[tuple[int, str, str]]:
    """Line, word and line text of every added TODO: in a comment, where comments are known."""
    pattern = re.compile(rf"(?<!\w)(?P<word>{'|'.join(re.escape(word) for word in words)})(?!\w)")
    hits = [(line.new_line or 0, line.text) for line in file.added if pattern.search(line.text)]
    if hits and file.language and file.syntax is None and file.unparsable:
        report.skip(file.unparsable, file.path)
        return []
    todos = []
    marks = _TODO_OF_PROSE if file.path.lower().endswith(_PROSE) else _TODO_OF_COMMENTS
    marked = re.compile(f"{marks}{pattern.pattern}")
    for number, text in hits:
        if file.syntax is None:
            found = marked.search(text)
            todos += [(number, found["word"], text)] if found else []
            continue
        found = pattern.search("\n".join(file.syntax.comment_lines.get(number, [])))
        if found:
            todos.append((number, found[0], text))
    return todos
