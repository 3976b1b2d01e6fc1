"""How people state what a change must bring along, and which files it must leave alone.

Letters: n not, m must, b be, U have, R is required, F is forbidden; the others stand at each
grammar.
"""

from __future__ import annotations

import re

from graph.checks.parser_grammar import Grammar, Lexicon, Reading, form
from graph.checks.phrases_base import BASE, FORBIDDEN, NO, REQUIRED
from graph.checks.spec_change import DOWN_STEP
from graph.checks.specs import (
    Check,
    ForbiddenPath,
    RequiredCompanion,
    RequiredHeader,
    RequiredPattern,
)
from graph.places import CODE_GLOBS, FILE_ENDINGS, TEST_GLOBS

CHANGELOG_GLOBS: tuple[str, ...] = (
    "CHANGELOG*", "CHANGES*", "HISTORY*", "NEWS*", "changelog/", "changelog.d/", "changes/",
    "newsfragments/", "news/", ".changeset/", "[Cc]hange[Ll]og*", "[Cc]hanges.*", "[Hh]istory.*",
    "[Nn]ews.*", "[Rr]elease[-_][Nn]otes*", "[Rr]elease[Nn]otes*", "RELEASE[-_]NOTES*",
    "releasenotes/", "whatsnew/",
)  # fmt: skip
"""Changelog files in the ways that projects write their names, and the fragment folders of
towncrier, scriv, changesets and reno's kin."""

TESTS: tuple[str, ...] = (
    *TEST_GLOBS, "tests.py", "*.cy.*", "cypress/", "e2e/", "*.test-d.ts", "*_spec.lua",
    "*_test.exs", "*_test.dart",
)  # fmt: skip
"""Wherever a change may bring its test."""

UNTESTED_GLOBS: tuple[str, ...] = (
    "setup.py", "conf.py", "noxfile.py", "manage.py", "_version.py", "version.py", "*.config.*",
    ".*rc.*", "*.d.ts", "*.stories.*", "Gruntfile.js", "gulpfile.js", "*.gradle.kts", "docs/",
    "doc/", "examples/", "example/",
)  # fmt: skip
"""Programs for tools, documents and examples, for which nobody writes a test."""

_RULE = {"n": NO, "R": REQUIRED, "F": FORBIDDEN}
_UNLESS = {"n": NO.replace("without|", "")}
"""In these grammars "without" is a word of its own."""

# g changelog, s tests, q code change, p any change, v come with, f for, w without; Z changes of.
_COMPANIONS = {
    "": "a|new|corresponding|entry in|to|in|with|for it|covering it|own|that covers it|source|"
        "corresponding change in|to the|also|must|be made|along|together|made",
    "g": "changelog|changelog entry|change log|change log entry|changelog entries|"
         "entry in the changelog|changelog fragment|news fragment|news entry|newsfragment|"
         "changelog update|release note|release notes|changelog note|changeset|"
         "changelog . md|changelog.md|`changelog.md|an entry in the changelog|"
         "update to the changelog|entry in changelog.md|line in the changelog|"
         "changelog line|entry in `changelog.md|an entry in `changelog.md|towncrier fragment|"
         "towncrier news fragment|an entry in changelog.md",
    "s": "test|tests|unit test|unit tests|automated tests|a test case|test case|automated test",
    "q": "code change|code changes|changes to the code|changed code|change to the code|"
         "changes to code|change in code|change to code|source code changes|source changes|"
         "changes in code|source code change",
    "p": "pull request|pull requests|pr|prs|merge request|merge requests|change|changes",
    "v": "come with|be accompanied by|include|have|need|needs|require|requires|be covered by|has|"
         "contain|come along with|update|add|be documented in|ship with|must have|touch|modify|"
         "must include|be listed in|be recorded in|be mentioned in|be noted in|comes with|"
         "be tested by",
    "f": "with|for|in|to|under|of",
    "u": "be updated|be amended|be updated as well",
    "w": "without|lacking|missing|that lack|with no",
    "R": REQUIRED,
    "F": FORBIDDEN,
}  # fmt: skip
_CHANGES_OF = {
    "Z": "change|changes|changes to|changes in|change to|change in|modification|modifications to|"
         "any change to|any changes to|any change in|changing|modifying|edits to|modification of|"
         "files|new files|every file|touching",
}  # fmt: skip

# d down step.
_MIGRATIONS = {
    "": "a|corresponding|working|valid|its|proper|own",
    "p": "migration|migrations|database migration|database migrations|schema migrations|"
         "db migrations|migration files|migration scripts|schema migration|alembic migrations|"
         "alembic migration|migration file",
    "U": "have|has|include|define|implement|need|needs|contain|provide|come with|be written with|"
         "must have|ship with|require|requires",
    "d": "down step|down migration|downgrade|downgrade step|rollback|reversible|rollback step|"
         "reverse migration|down method|downgrade function|reverse operation|down function|"
         "be reversible|`downgrade|`downgrade()|`down|`down()|`downgrade function|`down method|"
         "downgrade path|rollback path|`downgrade() function|`down migration|down script|"
         "downgrade()|"
         "way to roll back|reverse step|down part",
    "w": "without|lacking|missing|with no",
    "F": FORBIDDEN,
}  # fmt: skip

# h header, C its text.
_HEADERS = {
    "": "new|a|following|comment|line|this|in|own|at the start|at its top|source code|its|at|"
        "notice|as the first line|code|exact|and|as|identifier|contents",
    "f": "file|files|source file|source files|source code files",
    "S": "start with|begin with|starts with|begins with|must start with|be headed by",
    "U": "have|include|contain|carry|need|needs|has|"
         "must have|come with|must include|contains",
    "h": "license header|licence header|copyright header|header|license notice|copyright notice|"
         "at the top|at the top of the file|file header|license comment|header comment|"
         "as header|as a header|copyright line|on top|at the beginning|copyright statement|"
         "spdx header|spdx license header|spdx identifier|spdx license identifier|at top",
}  # fmt: skip

_PATHS = {
    "": "files|file|in|into|to|under|the files|changes|"
         "anything|"
        "inside|a|any files|of|folder|directory|contents|edits|at|the contents of|local",
    "n": NO,
    "e": "edit|modify|edits to|modifications to|editing|modifying|be edited|be modified",
    "t": "touch|change|changes to|make changes to|be changed|be touched|make changes in",
    "a": "commit|check in|add|be committed|be checked in|committing|add new files to|push|"
         "be added|create",
    "r": "delete|remove|be deleted|be removed",
    "j": "and|or|nor",
    "F": FORBIDDEN,
    "q": "new files",
}  # fmt: skip
_CHANGE = {"e": "modified", "t": "any", "a": "added", "r": "removed", "q": "added"}


def _changelog(_: Reading) -> Check:
    return RequiredCompanion(when=("*",), needs=CHANGELOG_GLOBS, what="a changelog entry")


def _tested(_: Reading) -> Check:
    untested = tuple(f"!{glob}" for glob in (*TESTS, *UNTESTED_GLOBS))
    return RequiredCompanion((*CODE_GLOBS, *untested), TESTS, what="a test")


def _companion(reading: Reading) -> Check | None:
    """ "Changes in `api/` must come with changes in `docs/`": both sides as they were written."""
    paths = reading.texts("C")
    if not all(_is_glob(path) for path in paths):
        return None
    if len(paths) == 2:
        return RequiredCompanion((paths[0],), (paths[1],))
    if "g" in reading.letters:
        return RequiredCompanion((paths[0],), CHANGELOG_GLOBS, what="a changelog entry")
    return RequiredCompanion((paths[0],), TESTS, what="a test")


def _is_glob(text: str) -> bool:
    named = re.fullmatch(r"[\w.*@/-]{2,100}", text) is not None and ".." not in text
    return named and ("/" in text or "*" in text or text.rpartition(".")[2] in FILE_ENDINGS)


def _down_step(_: Reading) -> Check:
    return RequiredPattern(DOWN_STEP, what="a down step")


def _header(reading: Reading) -> Check | None:
    text = reading.texts("C")[0].lstrip("#/*;-<! ")
    return RequiredHeader(text) if len(text) >= 8 else None


def _path(reading: Reading) -> Check | None:
    globs = reading.texts("C")
    if not all(_is_glob(glob) or re.fullmatch(r"\.[a-z][\w.-]+", glob) for glob in globs):
        return None
    letter = next(letter for letter in reading.letters if letter in _CHANGE)
    return ForbiddenPath.from_json({"globs": list(globs), "change": _CHANGE[letter]})


GRAMMARS: tuple[Grammar, ...] = (
    Grammar(
        Lexicon(BASE, _RULE, _UNLESS, _COMPANIONS),
        (
            *(
                form(pattern, _changelog)
                for pattern in (
                    "p m?v g",
                    "m?v g f p",
                    "g R (?:fp)?",
                    "n p w g",
                    "pwgF",
                    "p m g",
                    "g m? u f p",
                )
            ),
            *(
                form(pattern, _tested)
                for pattern in ("q m?v s", "n q w s", "m?v s f q", "s R f q", "q w s F", "q m s")
            ),
        ),
    ),
    Grammar(
        Lexicon(BASE, _RULE, _UNLESS, _COMPANIONS, _CHANGES_OF),
        tuple(
            form(pattern, _companion)
            for pattern in ("Z f? C m? v Z? f? [Csg]", "n Z f? C w Z? f? [Csg]")
        ),
    ),
    Grammar(
        Lexicon(BASE, _RULE, _UNLESS, _MIGRATIONS),
        tuple(form(pattern, _down_step) for pattern in ("p m?b?U? d", "n p w d", "p w d F")),
    ),
    Grammar(
        Lexicon(BASE, _HEADERS),
        (form("f m?(?:U h C|U C h|S h? C)", _header), form("h C m b h f", _header)),
    ),
    Grammar(
        Lexicon(BASE, _PATHS),
        (
            form("m? n [etar] C(?:[j,]+C)*", _path),
            form("C(?:[j,]+C)* m? b? n b? [etar]", _path),
            form("n q C", _path),
        ),
        commas=True,
    ),
)
