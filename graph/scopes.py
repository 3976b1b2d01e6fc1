"""Where a rule holds, cut out of its words: "in tests", "under src/", "except in migrations".

Only words whose files are certain are cut: paths and globs as they stand, languages, and a few
folders that every project has. An unknown word stays in the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph.places import FOLDER_WORDS, FOLDERS_ALSO_THINGS, language_at, place_at
from graph.words import Token, tokens_of

MAX_SCOPED_CHARACTERS = 2_000
"""Longer text is returned as it is: a rule is a sentence or two."""


@dataclass(frozen=True)
class Scope:
    """`paths` as in `Convention.paths` (a glob with "!" takes files out), `rest` without them."""

    paths: tuple[str, ...]
    rest: str


@dataclass(frozen=True)
class Cut:
    """One scope in a sentence: tokens `start` to `end` (exclusive) name `globs`.

    `leaves` tokens at the end of the range stay in the sentence ("Python |files| must …").
    `only` records the word "only", which turns a prohibition round.
    """

    start: int
    end: int
    globs: tuple[str, ...]
    outside: bool = False
    only: bool = False


Phrases = dict[str, list[tuple[str, ...]]]
"""Phrases by their first word, so that most tokens are looked at once."""


def _by_first_word(*phrases: str) -> Phrases:
    table: Phrases = {}
    for phrase in phrases:
        words = tuple(phrase.split())
        table.setdefault(words[0], []).append(words)
    return table


_INSIDE = _by_first_word(
    "in", "under", "inside", "inside of", "within", "en", "em", "nos", "dans", "на"
)
_FOR = _by_first_word("for", "para", "für", "pour")
_OUTSIDE = _by_first_word(
    "except in", "except under", "except inside", "except for", "except within", "except",
    "excepting", "excluding", "outside", "outside of", "other than in", "apart from in",
    "but not in", "but not under", "but not for", "unless in", "except when in", "save in",
    "aside from in", "with the exception of", "not including", "excepto en", "salvo en",
    "exceto em", "exceto nos", "außer in", "außerhalb von", "sauf dans", "except for in",
    "ausser in", "excepto",
)  # fmt: skip
_AFTER_A_BREAK = _by_first_word("not in", "not for", "not under")
_DETERMINERS = frozenset({"the", "our", "all", "any", "your", "of", "these", "every", "each"})
_EVERYWHERE = _by_first_word(
    "everywhere", "in all files", "in every file", "across the codebase", "in the codebase",
    "throughout the codebase", "in our codebase", "in the whole codebase", "in this repository",
    "in this repo", "in the repo", "in the repository", "in this project", "in the project",
    "in our code", "in the entire codebase", "in this codebase", "across the project",
    "in our repo", "throughout the project", "anywhere in the codebase", "across all files",
    "in any file",
    "anywhere", "in the code base", "in our code base", "throughout the code base",
)  # fmt: skip
_EXEMPT = _by_first_word(
    "are exempt", "are excluded", "is exempt", "is excluded", "exempt", "excluded", "excepted",
    "are exempted", "are an exception", "are excepted",
)  # fmt: skip
_PLACING = re.compile(
    r"\b(?:put|puts|place|placed|live|lives|goes|(?-i:go)|belong|belongs|add|added|adding|store|stored|"
    r"located|define|defined|kept|keep|move|moved|create|created|write|written|document|documented|"
    r"list|listed|record|recorded|configured|found|described|see|update|updated)\b",
    re.IGNORECASE,
)  # fmt: skip


def parse_scope(text: str) -> Scope:
    """The scope that stands in `text`, and the text without it.

    A sentence that says where something is to be put ("new tests go in tests/") has no scope,
    and neither has one whose places can't be joined into one list of globs.
    """
    if len(text) > MAX_SCOPED_CHARACTERS:
        return Scope((), text)
    tokens = tokens_of(text)
    cuts = find_cuts(tokens)
    if _PLACING.search(text):
        cuts = [cut for cut in cuts if cut.outside or cut.only or not cut.globs]
    paths = joined_paths(cuts)
    if not cuts or not any(cut.globs for cut in cuts) or paths is None:
        return Scope((), text)
    rest = _without(text, tokens, cuts)
    return Scope(paths, rest) if rest else Scope((), text)


def find_cuts(tokens: Sequence[Token]) -> list[Cut]:
    """Every scope named in the tokens of one rule, in order and without overlap."""
    cuts: list[Cut] = []
    at = 0
    while at < len(tokens):
        cut = _cut_at(tokens, at)
        if cut is not None:
            cuts.append(cut)
        at = cut.end if cut is not None else at + 1
    return cuts


def joined_paths(cuts: Iterable[Cut]) -> tuple[str, ...] | None:
    """One list of globs for all cuts, or None when "in A" and "in B" can't both be said by one.

    A folder and a language join ("src/" and "*.py" are "src/**/*.py").
    """
    inside = [cut.globs for cut in cuts if cut.globs and not cut.outside]
    outside = [f"!{glob}" for cut in cuts if cut.outside for glob in cut.globs]
    if len(inside) > 2:
        return None
    wanted = inside[0] if inside else ()
    if len(inside) == 2:
        crossed = _crossed(inside[0], inside[1]) or _crossed(inside[1], inside[0])
        if crossed is None:
            return None
        wanted = crossed
    return tuple(dict.fromkeys((*wanted, *outside)))


def _crossed(folders: tuple[str, ...], endings: tuple[str, ...]) -> tuple[str, ...] | None:
    if not all(glob.endswith("/") and "*" not in glob for glob in folders):
        return None
    if not all(glob.startswith("*.") for glob in endings):
        return None
    return tuple(
        f"{'' if '/' in folder[:-1] else '**/'}{folder}**/{ending}"
        for folder in folders
        for ending in endings
    )


def _cut_at(tokens: Sequence[Token], at: int) -> Cut | None:
    if used := _longest(tokens, at, _EVERYWHERE):
        return Cut(at, at + used, ())
    return (
        _label(tokens, at) or _exempted(tokens, at) or _adjective(tokens, at) or _after(tokens, at)
    )


def _after(tokens: Sequence[Token], at: int) -> Cut | None:
    """A scope behind a preposition: "only under src/", "except in tests and migrations"."""
    start = at
    only = _key(tokens, at) in {"only", "solely", "exclusively"}
    at += only
    if tokens[start].glued and tokens[start].key != "(" and start and tokens[start - 1].key == "-":
        return None
    outside = _longest(tokens, at, _OUTSIDE)
    if not outside and _key(tokens, start - 1) in {",", "(", "-", "–", "—", ";"}:
        outside = _longest(tokens, at, _AFTER_A_BREAK)
    inside = _longest(tokens, at, _INSIDE)
    weak = 0 if outside or inside else _longest(tokens, at, _FOR)
    used = outside or inside or weak
    if not used or (only and outside):
        return None
    listed = _listed(tokens, at + used)
    if listed is None:
        return None
    globs, end = listed
    if weak and not only and not _clear_after_for(tokens, start, at + used, end):
        return None
    if _key(tokens, end) == "only" and not outside:
        only, end = True, end + 1
    return Cut(start, end, globs, bool(outside), only)


def _clear_after_for(tokens: Sequence[Token], start: int, place: int, end: int) -> bool:
    """Whether "for X" says where: a language or a glob, or any place that opens the sentence."""
    if start == 0 and _key(tokens, end) in {",", ":"}:
        return True
    while _key(tokens, place) in _DETERMINERS:
        place += 1
    return language_at(tokens, place) is not None or "*" in tokens[place].text


def _listed(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int] | None:
    """Places joined by "and", "or" and commas; a comma alone does not go on with the list."""
    globs: list[str] = []
    end = closed = at
    pending: list[str] = []
    while True:
        while _key(tokens, at) in _DETERMINERS:
            at += 1
        place = _place(tokens, at)
        if place is None:
            break
        pending.extend(place[0])
        end = at + place[1]
        comma = _key(tokens, end) == ","
        joint = _key(tokens, end + comma) in {"and", "or", "nor", "&", "y", "und", "et", "e"}
        if not globs or closed == at:
            globs, closed = globs + pending, end
            pending = []
        at = end + comma + joint
        if not comma and not joint:
            break
        if joint:
            closed = at = at + _longest(tokens, at, _INSIDE)
            globs, pending = globs + pending, []
            while _key(tokens, closed) in _DETERMINERS:
                closed += 1
            if _place(tokens, closed) is None:
                closed = end
                break
            at = closed
    return (tuple(dict.fromkeys(globs)), closed) if globs else None


_AFTER_A_FOLDER = frozenset({
    "and", "or", "but", "from", "please", "always", "never", "we", "nobody", "no", "you", "unless",
    "except", "only", "must", "should", "anymore", "any", "at", "ever", "without", "because", "is",
    "for", "when", "if", "as", "with", "excluding", "use", "don't", "do", "all", "every", "y",
    "und", "et", "e", "o", "oder", "ou",
})  # fmt: skip


def _place(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int] | None:
    return place_at(tokens, at) or _bare_folder(tokens, at)


def _bare_folder(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int] | None:
    """ "never use print in src": the folder, unless it describes what follows ("in app code")."""
    word = _key(tokens, at)
    if word not in FOLDER_WORDS or tokens[at].kind not in {"word", "name"}:
        return None
    if word in FOLDERS_ALSO_THINGS and _key(tokens, at - 1) in _DETERMINERS:
        return None
    is_last = at + 1 >= len(tokens)
    is_alone = is_last or (tokens[at + 1].kind == "mark" and tokens[at + 1].key not in {"-", "_"})
    if not is_alone and _key(tokens, at + 1) not in _AFTER_A_FOLDER:
        return None
    return (f"{word}/",), 1


def _adjective(tokens: Sequence[Token], at: int) -> Cut | None:
    """A language in front of the subject ("Python functions must …"): only its name is cut."""
    if any(token.key not in {"all", "every", "our", "the", "any", "new", "each", "in"}
           for token in tokens[:at]):  # fmt: skip
        return None
    if _key(tokens, at - 1) == "in":
        return None
    language = language_at(tokens, at)
    if language is None:
        return None
    globs, used = language
    last = at + used - (tokens[at + used - 1].key not in {"c", "+", "#"} and used > 1)
    following = _key(tokens, last)
    if following not in {"files", "code", "source", "lines", "functions", "classes", "modules",
                         "scripts", "sources", "file", "line", "methods"}:  # fmt: skip
        return None
    return Cut(at, last, globs)


def _label(tokens: Sequence[Token], at: int) -> Cut | None:
    """A language as a label: "Python: …", "[Go] …", "(TypeScript only)"."""
    bracket = _key(tokens, at) in {"[", "("}
    language = language_at(tokens, at + bracket)
    if language is None or (at > 0 and not bracket):
        return None
    globs, used = language
    end = at + bracket + used
    only = _key(tokens, end) == "only"
    end += only
    closing = _key(tokens, end)
    if bracket and closing in {"]", ")"} and (only or at == 0):
        return Cut(at, end + 1, globs, only=only)
    # "Python - 88" is a label, "Python-like" is not; a colon touches its word.
    is_dash = closing in {"-", "–", "—"}
    if not bracket and (closing == ":" or (is_dash and not tokens[end].glued)):
        return Cut(at, end + 1, globs)
    return None


def _exempted(tokens: Sequence[Token], at: int) -> Cut | None:
    """A place that is named exempt: "(tests are exempt)", "; migrations are excluded"."""
    if _key(tokens, at - 1) not in {",", "(", ";", ".", "-", "—", "–"}:
        return None
    listed = _listed(tokens, at)
    if listed is None:
        return None
    globs, end = listed
    used = _longest(tokens, end, _EXEMPT)
    return Cut(at, end + used, globs, outside=True) if used else None


def _longest(tokens: Sequence[Token], at: int, phrases: Phrases) -> int:
    """How many tokens the longest of `phrases` that begins at `at` takes, or 0."""
    candidates = phrases.get(_key(tokens, at), ())
    return max((len(words) for words in candidates if _stands(tokens, at, words)), default=0)


def _stands(tokens: Sequence[Token], at: int, words: Sequence[str]) -> bool:
    return all(_key(tokens, at + offset) == word for offset, word in enumerate(words))


def _key(tokens: Sequence[Token], at: int) -> str:
    if not 0 <= at < len(tokens) or tokens[at].kind in {"code", "quoted"}:
        return ""
    return tokens[at].key


def _without(text: str, tokens: Sequence[Token], cuts: Iterable[Cut]) -> str:
    kept, last = [], 0
    for cut in cuts:
        kept.append(text[last : tokens[cut.start].start])
        last = tokens[cut.end - 1].end
    kept.append(text[last:])
    rest = re.sub(r"\s+", " ", " ".join(kept))
    rest = re.sub(r"[(\[]\s*[)\]]", "", rest)
    rest = re.sub(r"\s+([.,;:!?)])", r"\1", rest)
    return re.sub(r"^[\s,;:–—-]+|[\s,;:–—-]+$", "", rest).strip()
