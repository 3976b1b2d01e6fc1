"""Fifty checks on a pull request of 60 files and 50,000 tokens, and how time grows with it."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable

from graph.checks.pull_request_text import PullRequestText
from graph.checks.report import Rule
from graph.checks.run import run_checks
from graph.checks.specs import (
    Check,
    Dependency,
    FinalNewline,
    ForbiddenCall,
    ForbiddenImport,
    ForbiddenPattern,
    ForbiddenSyntax,
    ForbiddenText,
    ForbiddenTodo,
    Indentation,
    LineEndings,
    MaxDiffLines,
    MaxFileLines,
    MaxFunctionLines,
    MaxLineLength,
    MaxNesting,
    MaxParameters,
    Naming,
    QuoteStyle,
    RequiredCompanion,
    RequiredDocstring,
    RequiredHeader,
    RequiredPattern,
    RequiredTypes,
    TextFormat,
    TodoNeedsTicket,
    TrailingWhitespace,
)
from graph.diff import parse_diff
from tests.bench.table import Row

FILES = 60
FUNCTIONS_PER_FILE = 8
"""Some 870 tokens (of 3.2 characters) in each file: 50,000 in 60."""

FUNCTION = '''\
def handle_{n}(request: Request, limit: int = {n}) -> Response:
    """Answer one request."""
    if request.user is None:  # TODO(#12): ask for a login
        logger.warning("nobody is logged in at %s", request.path)
        return Response(status=401)
    return Response(body="x" * limit, headers={{"x-count": str({n})}})


'''

CHECKS: tuple[Check, ...] = (
    MaxLineLength(70), MaxLineLength(100, exempt_urls=True), TrailingWhitespace(),
    Indentation("spaces"), FinalNewline(), LineEndings("lf"), TodoNeedsTicket(), ForbiddenTodo(),
    QuoteStyle("single"), MaxFileLines(50), MaxFunctionLines(5), MaxParameters(1), MaxNesting(2),
    Naming("function", "snake_case"), Naming("class", "PascalCase"),
    Naming("variable", "snake_case"), Naming("constant", "UPPER_CASE"),
    Naming("file", "snake_case"), RequiredDocstring(), RequiredTypes(), RequiredHeader("Copyright"),
    RequiredPattern("logger"), Dependency(no_new=True), MaxDiffLines(400),
    RequiredCompanion(("src/**",), ("tests/**",)), TextFormat("title", style="conventional"),
    ForbiddenSyntax("bare_except"), ForbiddenSyntax("wildcard_import"),
    ForbiddenSyntax("mutable_default"), ForbiddenSyntax("debugger"),
    *(ForbiddenCall((name,)) for name in ("print", "eval", "os.system", "Response", ".warning")),
    *(ForbiddenImport((name,)) for name in ("requests", "os.path", "typing", "six", "pickle")),
    *(ForbiddenText((word,)) for word in ("master", "slave", "FIXME", "nobody", "secret")),
    *(ForbiddenPattern(p) for p in (r"\d{4,}", r"https?://", r"(a+)+$", r"\bfoo\b", r"status=\d+")),
)  # fmt: skip


def run() -> list[Row]:
    rows = []
    text, files = _change(FILES, FUNCTIONS_PER_FILE)
    seconds = min(_seconds(text, files) for _ in range(3))
    size = f"{FILES} files, {len(CHECKS)} conventions"
    rows.append(Row(f"checks, {size}", seconds, "s", goal="< 1"))
    rows.append(Row(f"checks, {size}, peak memory", _peak_mb(), "MB", goal="< 150"))
    for lines in (2_500, 5_000, 10_000, 20_000):
        text, files = _change(1, lines // 8)
        seconds = min(_seconds(text, files, time.process_time) for _ in range(2))
        name = f"checks, one file of {lines:,} added lines, processor time"
        rows.append(Row(name, 1_000_000 * seconds / lines, "µs/line", goal="flat"))
    return rows


def _change(count: int, functions: int) -> tuple[str, dict[str, bytes]]:
    """The text of a diff that adds `count` files, and the files."""
    body = "import os\nfrom typing import Any\n\n\n"
    body += "".join(FUNCTION.format(n=number) for number in range(functions))
    lines = body.split("\n")[:-1]
    added = "".join(f"+{line}\n" for line in lines)
    sections, files = [], {}
    for number in range(count):
        path = f"src/module_{number}.py"
        files[path] = body.encode()
        sections.append(
            f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
            f"@@ -0,0 +1,{len(lines)} @@\n{added}"
        )
    return "".join(sections), files


def _seconds(
    text: str, files: dict[str, bytes], clock: Callable[[], float] = time.perf_counter
) -> float:
    rules = [Rule(f"C{number}", check, lambda path: True) for number, check in enumerate(CHECKS)]
    begin = clock()
    result = run_checks(parse_diff(text), rules, files.get, PullRequestText(title="Add handlers"))
    seconds = clock() - begin
    assert len(result.violations) > FUNCTIONS_PER_FILE, "the checks found nothing to measure"
    assert result.skipped == (), result.skipped
    return seconds


def _peak_mb() -> float:
    """Of a process that does only this, with all its imports."""
    code = "from tests.bench.bench_checks import print_peak; print_peak()"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return float(answer.stdout)


def print_peak() -> None:
    _seconds(*_change(FILES, FUNCTIONS_PER_FILE))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak / (1024 if sys.platform == "linux" else 1024 * 1024))
