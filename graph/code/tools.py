"""Read-only look-ups for a model: one repository, one commit, few calls, every refusal a sentence.

No tool has an argument that names a repository or a commit.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph.code.callers import callers_of
from graph.code.index import CodeIndex, IndexGone
from graph.code.outline import Symbol, enclosing
from graph.code.references import references_in
from graph.code.repository import syntax_of
from graph.code.search import search
from graph.untrusted import block, nonce_for, stripped

MAX_CALLS = 6
"""Of one part of a review, or of one message. A model that needs more is guessing."""

MAX_LINES = 400
MAX_DEFINITIONS = 12
MAX_REFERENCES = 60
MAX_HITS = 6
HIT_LINES = 24
DEFINITION_LINES = 40
MAX_RESULT_CHARACTERS = 24_000


class ReadFile(BaseModel):
    """Read lines of a file of this repository as it is on the default branch."""

    model_config = ConfigDict(extra="forbid")

    path: str = Field(min_length=1, max_length=500, description="From the root, with slashes.")
    start: int = Field(1, ge=1, description="First line, counted from 1.")
    end: int = Field(MAX_LINES, ge=1, description=f"Last line; at most {MAX_LINES} lines a call.")


class FindSymbol(BaseModel):
    """Find where a function, method, class or constant of this repository is defined."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=200, description="`name` or `Class.name`.")


class FindReferences(BaseModel):
    """Find where a function, method, class or constant of this repository is used."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=200, description="`name` or `Class.name`.")


class SearchCode(BaseModel):
    """Search this repository's code by words or by meaning: "where else do we retry?"."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1, max_length=400)


_TOOLS: dict[str, type[BaseModel]] = {
    "read_file": ReadFile,
    "find_symbol": FindSymbol,
    "find_references": FindReferences,
    "search_code": SearchCode,
}
NAMES = frozenset(_TOOLS)


class Refused(ValueError):  # noqa: N818 - says what happened
    """A look-up that is not carried out; the message tells the model why, in our words only."""

    reason = "lookup_refused"


@dataclass(frozen=True)
class Source:
    """Lines that were shown. `sha` is the content's; with the commit it says exactly what."""

    path: str
    first_line: int
    last_line: int
    sha: str


@dataclass(frozen=True)
class Found:
    """The answer of one look-up: text for the model, and where it comes from."""

    text: str
    sources: tuple[Source, ...] = ()
    is_error: bool = False


def tool_schemas(leave_out: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The tools as a model is told of them."""
    schemas = []
    for name, model in _TOOLS.items():
        if name not in set(leave_out):
            schemas.append({**model.model_json_schema(), "title": name})
    return schemas


@dataclass
class CodeTools:
    """The tools over one index. Counts its calls: past `calls_left` every one is refused."""

    index: CodeIndex
    calls_left: int = MAX_CALLS
    told: list[Source] = field(default_factory=list)

    def run(self, name: str, arguments: Mapping[str, Any]) -> Found:
        """Carry out one call. What is wrong with it is a sentence, never an exception."""
        if self.calls_left <= 0:
            return Found(
                f"That was the last look-up: {MAX_CALLS} are allowed. Answer with what you have.",
                is_error=True,
            )
        self.calls_left -= 1
        try:
            found = self._run(name, arguments)
        except (Refused, IndexGone) as refusal:
            return Found(str(refusal), is_error=True)
        except ValidationError as error:
            return Found(f"Nothing was read: {_what_is_wrong(error)}.", is_error=True)
        self.told += found.sources
        return found

    def _run(self, name: str, arguments: Mapping[str, Any]) -> Found:
        if name == "read_file":
            wanted = ReadFile.model_validate(arguments)
            return self._read(wanted.path, wanted.start, wanted.end)
        if name == "find_symbol":
            return self._symbol(FindSymbol.model_validate(arguments).name)
        if name == "find_references":
            return self._references(FindReferences.model_validate(arguments).name)
        if name == "search_code":
            return self._search(SearchCode.model_validate(arguments).query)
        raise Refused("There is no such tool here.")

    def _read(self, path: str, start: int, end: int) -> Found:
        lines = self._lines(checked_path(path))
        if start > len(lines):
            raise Refused(f"That file has {len(lines):,} lines.")
        if min(end, len(lines)) - start + 1 > MAX_LINES:
            raise Refused(
                f"That is too much at once: ask for {MAX_LINES} of its {len(lines):,} lines."
            )
        return self._shown([(path, start, min(end, len(lines)))], "file")

    def _symbol(self, name: str) -> Found:
        found = self._defining(name)
        if not found:
            raise Refused("Nothing in the index defines that name. Try search_code.")
        places = [
            (path, s.first_line, min(s.last_line, s.first_line + DEFINITION_LINES - 1))
            for path, s in found[:MAX_DEFINITIONS]
        ]
        more = len(found) - len(places)
        return self._shown(places, "definitions", f"{more} more are not shown." if more else "")

    def _references(self, name: str) -> Found:
        found = self._defining(name)
        lines: dict[tuple[str, int], str] = {}
        for path, symbol in found[:MAX_DEFINITIONS]:
            for caller in callers_of(self.index, path, symbol):
                within = f" in {caller.within}" if caller.within else ""
                at = f"{caller.path}:{caller.line}{within}"
                lines.setdefault((caller.path, caller.line), f"{at}: {caller.text}")
        note = "Resolved through imports."
        if not lines:
            lines = self._by_name(name.rpartition(".")[2])
            note = "By name alone: what they mean was not resolved."
        if not lines:
            raise Refused("Nothing in the index uses that name.")
        shown = list(lines.items())[:MAX_REFERENCES]
        sources = tuple(Source(p, n, n, self.index.blob_sha(p)) for (p, n), _ in shown)
        rest = len(lines) - len(shown)
        head = f"{len(lines)} places. {note}" + (f" {rest} are not shown." if rest else "")
        return self._told(head, "\n".join(text for _, text in shown), "references", sources)

    def _by_name(self, name: str) -> dict[tuple[str, int], str]:
        found: dict[tuple[str, int], str] = {}
        for path in self.index.files_naming(name)[:MAX_REFERENCES]:
            text = self.index.text(path) or ""
            syntax = syntax_of(path, text)
            if syntax is None:
                continue
            lines, symbols = text.split("\n"), self.index.facts(path).symbols
            for reference in references_in(syntax, [name]):
                if reference.role != "definition":
                    around = enclosing(symbols, reference.line)
                    within = f" in {around.full_name}" if around else ""
                    said = lines[reference.line - 1].strip()[:200]
                    at = (path, reference.line)
                    found[at] = f"{path}:{reference.line}{within}: {said}"
        return found

    def _search(self, query: str) -> Found:
        hits = search(self.index, query, MAX_HITS, self.index.embedder)
        if not hits:
            raise Refused("Nothing in the index fits these words.")
        places = [(h.path, h.first_line, min(h.last_line, h.first_line + HIT_LINES - 1))
                  for h in hits]  # fmt: skip
        return self._shown(places, "search_results")

    def _defining(self, name: str) -> Sequence[tuple[str, Symbol]]:
        owner, _, last = name.strip().replace("::", ".").replace("#", ".").rpartition(".")
        owner = owner.rpartition(".")[2]
        found = self.index.defining(last)
        of_owner = [(p, s) for p, s in found if s.owner == owner]
        return of_owner if owner and of_owner else found

    def _lines(self, path: str) -> list[str]:
        text = self.index.text(path)
        if text is not None:
            return text.split("\n")
        for reason, (_, examples) in self.index.about["left_out_paths"].items():
            if path in examples:
                raise Refused(f"That file is not in the index: {reason}.")
        raise Refused(
            "The index holds no such file. It has this repository's code only; binary, generated, "
            "vendored and very large files are left out."
        )

    def _shown(self, places: Sequence[tuple[str, int, int]], kind: str, note: str = "") -> Found:
        parts: list[str] = []
        sources: list[Source] = []
        used = left_out = 0
        for path, first, last in places:
            lines = self._lines(path)[first - 1 : last]
            text = f"{path}:{first}-{last}\n" + "\n".join(
                f"{number:>5} {line}" for number, line in enumerate(lines, first)
            )
            used += len(text)
            if used > MAX_RESULT_CHARACTERS and parts:
                left_out += 1
                continue
            parts.append(text[:MAX_RESULT_CHARACTERS])
            sources.append(Source(path, first, last, self.index.blob_sha(path)))
        if left_out:
            note = f"{note} {left_out} more did not fit.".strip()
        return self._told(note, "\n\n".join(parts), kind, tuple(sources))

    def _told(self, note: str, text: str, kind: str, sources: tuple[Source, ...]) -> Found:
        text = stripped(text, is_markdown=False).text
        head = f"At commit {self.index.commit_sha[:12]}." + (f" {note}" if note else "")
        return Found(f"{head}\n{block(kind, text, nonce_for(text))}", sources)


def _what_is_wrong(error: ValidationError) -> str:
    """In our own words: a model's may repeat what a diff made it say."""
    wrong = [
        "there is no such argument"
        if e["type"] == "extra_forbidden"
        else f"{e['loc'][0]}: {e['msg']}"
        for e in error.errors()
    ]
    return f"the arguments are not valid ({'; '.join(wrong)})"


def checked_path(path: str) -> str:
    """A path inside the repository, or Refused: no other place can be named."""
    is_outside = path.startswith(("/", "~")) or any(c in path for c in ":\\\0")
    if is_outside or ".." in path.split("/"):
        raise Refused(
            "Only files of this repository can be read: name them from its root, like `src/app.py`."
        )
    return posixpath.normpath(path)
