"""Checks on the change as a whole: companions, files, dependencies, size, its title and texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from graph.checks.spec import Spec, counted, listed
from graph.places import CODE_GLOBS

TextPlace = Literal["title", "branch", "commit", "description"]

TICKET_PATTERN = r"#[0-9]+|\b[A-Z][A-Z0-9]+-[0-9]+\b|/(?:issues|browse)/[A-Za-z0-9-]+"
"""GitHub's "#12", a tracker's "ABC-12", or an issue's URL (RE2)."""

DOWN_STEP = r"\b(?:down|downgrade|rollback|reverse_code|reverse_sql)\b"
"""What undoes a migration, in the words of the tools (RE2)."""

CONVENTIONAL_TYPES = (
    "build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test",
)  # fmt: skip
"""conventionalcommits.org names feat and fix; the others are the Angular list it points at."""


@dataclass(frozen=True)
class RequiredCompanion(Spec):
    """A change of a file in `when` without a change of any file in `needs`.

    Globs are gitignore-style; one with "!" in front takes files out. `only_new`: only files that
    the change adds ask for it. `what` names the missing part ("a test", "a changelog entry").
    Removals ask for nothing. Where `needs` holds "{stem}", it stands for the name of the changed
    file without its ending, so every file asks for its own companion.
    """

    kind: ClassVar[str] = "required_companion"
    when: tuple[str, ...]
    needs: tuple[str, ...]
    what: str = ""
    only_new: bool = False

    def _problem(self) -> str:
        return "" if self.when and self.needs else "when and needs must not be empty"

    def describe(self) -> str:
        needed = self.what or f"a change in {listed(self.needs)}"
        if self.when == ("*",):
            return f"{'new files' if self.only_new else 'pull requests'} without {needed}"
        verb = "new files" if self.only_new else "changes"
        place = "code" if set(CODE_GLOBS) <= set(self.when) else listed(self.when)
        kind = "of" if place == "code" and not self.only_new else "in"
        return f"{verb} {kind} {place} without {needed}"


@dataclass(frozen=True)
class RequiredPattern(Spec):
    """New files in scope without a match of `pattern` (RE2, on the whole text, `^` per line).

    `new_files_only=False`: changed files too. A migration without a down step (`DOWN_STEP`) is
    told only where its tool does not undo the step by itself.
    """

    kind: ClassVar[str] = "required_pattern"
    pattern: str
    what: str = ""
    new_files_only: bool = True

    def _problem(self) -> str:
        return "" if self.pattern else "pattern must not be empty"

    def describe(self) -> str:
        which = "new" if self.new_files_only else "changed"
        return f"{which} files without {self.what or f'a match of `{self.pattern}`'}"


@dataclass(frozen=True)
class RequiredHeader(Spec):
    """New files that do not have `text` in their first `within_lines` lines.

    Compared without comment marks and with white space as one space; "{year}" is any year. Only
    source files are asked: JSON, documents, locks and pictures hold no header.
    """

    kind: ClassVar[str] = "required_header"
    text: str
    within_lines: int = 30

    def _problem(self) -> str:
        if not self.text.strip():
            return "text must not be empty"
        return "" if 1 <= self.within_lines <= 500 else "within_lines must be between 1 and 500"

    def describe(self) -> str:
        first = self.text.strip().splitlines()[0]
        return f"new source files without the header `{first}`"


@dataclass(frozen=True)
class ForbiddenPath(Spec):
    """Files in `globs` that the change adds, modifies or removes (`change`)."""

    kind: ClassVar[str] = "forbidden_path"
    globs: tuple[str, ...]
    change: Literal["any", "added", "modified", "removed"] = "any"

    def _problem(self) -> str:
        return "" if self.globs else "globs must not be empty"

    def describe(self) -> str:
        word = {"any": "changed", "added": "new"}.get(self.change, self.change)
        return f"{word} files that match {listed(self.globs)}"


@dataclass(frozen=True)
class Dependency(Spec):
    """Dependencies added to a manifest.

    pyproject.toml, requirements files, package.json, Cargo.toml, go.mod, Gemfile, pom.xml and
    Gradle builds are read. `no_new`: any new one; `pinned`: one without an exact version; `deny`:
    these names; `allow`: any new one but these. Names compare without case, "_" and "." as "-".
    """

    kind: ClassVar[str] = "dependency"
    no_new: bool = False
    pinned: bool = False
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    def _problem(self) -> str:
        asked = self.no_new or self.pinned or self.allow or self.deny
        return "" if asked else "give no_new, pinned, allow or deny"

    def describe(self) -> str:
        parts = []
        if self.no_new or self.allow:
            tail = f" other than {listed(self.allow, 'and')}" if self.allow else ""
            parts.append(f"new dependencies{tail}")
        if self.deny:
            parts.append(f"new dependencies on {listed(self.deny)}")
        if self.pinned:
            parts.append("dependencies without an exact version")
        return " and ".join(parts)


@dataclass(frozen=True)
class MaxDiffLines(Spec):
    """A pull request with more than `limit` lines added and removed together.

    `added_only` leaves the removed ones out. The paths of the convention choose what counts; lock
    files, which nobody reads line by line, never do.
    """

    kind: ClassVar[str] = "max_diff_lines"
    limit: int
    added_only: bool = False

    def _problem(self) -> str:
        return "" if 1 <= self.limit <= 1_000_000 else "limit must be between 1 and 1000000"

    def describe(self) -> str:
        which = "added" if self.added_only else "changed"
        return f"pull requests with more than {self.limit} {which} lines (lock files aside)"


@dataclass(frozen=True)
class MaxDiffFiles(Spec):
    """A pull request that changes more than `limit` files."""

    kind: ClassVar[str] = "max_diff_files"
    limit: int

    def _problem(self) -> str:
        return "" if 1 <= self.limit <= 100_000 else "limit must be between 1 and 100000"

    def describe(self) -> str:
        return f"pull requests that change more than {counted(self.limit, 'file')}"


@dataclass(frozen=True)
class TextFormat(Spec):
    """The title, the branch name or each commit message in another form.

    `style` "conventional": `type(scope)!: words`, with one of `types` (empty = the usual ones).
    `pattern` (RE2) must match somewhere in the text (`^` and `$` per line); with `forbidden` it
    must not. `max_length` in characters is for the title, the branch, or a commit's first line.
    """

    kind: ClassVar[str] = "text_format"
    place: Literal["title", "branch", "commit"]
    style: Literal["conventional"] | None = None
    types: tuple[str, ...] = ()
    pattern: str = ""
    forbidden: bool = False
    max_length: int | None = None
    what: str = ""

    def _problem(self) -> str:
        if not (self.style or self.pattern or self.max_length is not None):
            return "give style, pattern or max_length"
        if self.max_length is not None and not 1 <= self.max_length <= 10_000:
            return "max_length must be between 1 and 10000 characters"
        return ""

    def describe(self) -> str:
        noun = {
            "title": "pull request titles",
            "branch": "branch names",
            "commit": "commit messages",
        }[self.place]
        parts = []
        if self.style:
            kinds = f" ({', '.join(self.types)})" if self.types else ""
            parts.append(f"not in the form of conventional commits{kinds}")
        if self.pattern:
            named = self.what or f"`{self.pattern}`"
            parts.append(f"with {named}" if self.forbidden else f"without {named}")
        if self.max_length is not None:
            lines = "with a first line" if self.place == "commit" else ""
            parts.append(f"{lines} over {self.max_length} characters".strip())
        return f"{noun} {' or '.join(parts)}"


@dataclass(frozen=True)
class RequiredTicket(Spec):
    """A pull request in whose `places` no ticket (RE2 `pattern`) stands; one place is enough.

    Where commits are the only place, each of them needs one.
    """

    kind: ClassVar[str] = "required_ticket"
    places: tuple[TextPlace, ...] = ("title", "description")
    pattern: str = TICKET_PATTERN

    def _problem(self) -> str:
        return "" if self.places and self.pattern else "places and pattern must not be empty"

    def describe(self) -> str:
        if self.places == ("commit",):
            return "commit messages without a ticket"
        places = {"branch": "branch name", "commit": "commit messages"}
        words = " or ".join(places.get(place, place) for place in self.places)
        return f"pull requests without a ticket in the {words}"


@dataclass(frozen=True)
class RequiredSection(Spec):
    """A description without a filled section under one of `headings` (any level, any case)."""

    kind: ClassVar[str] = "required_section"
    headings: tuple[str, ...]

    def _problem(self) -> str:
        return "" if self.headings and all(self.headings) else "headings must not be empty"

    def describe(self) -> str:
        return f"descriptions without the section {listed(self.headings, 'and')}"


@dataclass(frozen=True)
class RequiredDescription(Spec):
    """A description with fewer than `min_characters` beside comments and white space."""

    kind: ClassVar[str] = "required_description"
    min_characters: int = 1

    def _problem(self) -> str:
        return "" if 1 <= self.min_characters <= 10_000 else "min_characters: 1 to 10000"

    def describe(self) -> str:
        if self.min_characters == 1:
            return "pull requests without a description"
        return f"descriptions under {self.min_characters} characters"
