"""Whether two rules say the same, contradict each other, or have nothing to do with each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from graph.conventions import SINGLE_VALUED, Convention, Topic
from graph.numbers import NUMBER_WORDS, read_number

Comparison = Literal["same", "conflict", "different"]

_SAME_SUBJECT = 0.6
"""Share of common words from which two rules speak of one thing."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"\d+(?:\.\d+)+|\d+|[^\W\d_]+(?:[._'/-][\w]+)*(?:\(\))?|[^\W\d]+", re.UNICODE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_NEGATIONS = _words(
    "not no never none nothing nobody neither nor without avoid avoids forbid forbidden ban banned "
    "don't dont doesn't mustn't shouldn't can't cannot won't isn't aren't disallow disallowed "
    "prohibit prohibited stop nicht kein keine keinen keiner nie niemals ohne nunca jamás jamais "
    "não nao ne pas sin sem sans vermeiden evitar evite evita éviter évite verboten prohibido "
    "proibido interdit"
)
_CJK_NEGATIONS = re.compile(
    r"不要|不得|不能|不可|不许|不允许|禁止|严禁|绝不|不用|别|勿|不使用|ない|ません|禁止|ず(?=に)"
    r"|不可"
)
_FILLER = _words(
    "a an the of to in on for at by with and or is are be been should must shall have has need"
    " needs "
    "we our us you your they it its this that these those all any every each always please only as "
    "will may can do does use used using uses prefer preferred code repo repository project team "
    "rule convention make sure ensure from now than more most least so when if then also just new "
    "set keep enforce want like allowed allow follow let lets i get gets go goes der die das ein "
    "eine und ist sind wir muss müssen soll sollen immer el la los las un una y es son usar usa"
    " use "
    "usamos siempre debe deben o os as um uma e é são sempre deve devem le les une et est sont "
    "toujours doit doivent de del da do des du en em im im zu auf mit con com avec para por pour "
    "verwenden nutzen utiliser at up instead rather"
)
_SYNONYMS = {
    "max": "limit", "maximum": "limit", "limited": "limit", "limits": "limit", "most": "limit",
    "characters": "character", "chars": "character", "char": "character", "columns": "character",
    "column": "character", "cols": "character", "col": "character", "lines": "line",
    "lenght": "length", "width": "length", "long": "length", "longer": "length",
    "functions": "function", "methods": "function", "method": "function", "funcs": "function",
    "docs": "documentation", "docstring": "docstring", "tests": "test", "testing": "test",
    "db": "database", "databases": "database", "variables": "variable", "vars": "variable",
    "exceptions": "exception", "errors": "error", "logs": "log", "logging": "log",
    "names": "name", "named": "name", "naming": "name", "require": "require",
    "requires": "require", "required": "require", "commits": "commit", "prs": "pr",
    "pull-requests": "pr", "cached": "cache", "caching": "cache", "caches": "cache",
    "squashed": "squash", "spaces": "space", "tabs": "tab", "quotes": "quote",
    "statements": "statement", "statement": "statement",
}  # fmt: skip
_ALTERNATIVES: tuple[frozenset[str], ...] = tuple(
    _words(group)
    for group in (
        "pytest unittest nose nose2 unittest2",
        "jest vitest mocha jasmine ava",
        "tab space",
        "single double",
        "snake_case snakecase camelcase pascalcase kebab-case snake camel pascal kebab",
        "black yapf autopep8 blue",
        "flake8 pylint ruff pyflakes",
        "eslint biome tslint standardjs",
        "requests httpx aiohttp urllib3 urllib",
        "axios fetch got superagent",
        "moment moment.js momentjs dayjs date-fns luxon",
        "npm yarn pnpm bun",
        "poetry pip uv pipenv pdm conda",
        "loguru structlog logging",
        "mysql postgres postgresql sqlite mariadb mongodb",
        "absolute relative",
        "squash rebase",
        "google numpy sphinx restructuredtext epytext",
        "pathlib os.path",
        "mypy pyright pyre pytype",
        "rest graphql grpc",
        "sqlalchemy django peewee",
        "dataclass dataclasses attrs pydantic",
        "redis memcached",
        "singular plural",
        "english german chinese japanese spanish french portuguese",
        "uppercase lowercase",
        "sync async",
        "class function",
        "github gitlab",
        "utc local",
        "uuid integer",
        "mock mocks fakes fake stubs",
        "tabs spaces",
        "list tuple",
        "var let const",
        "interface type",
        "f-strings format percent",
        "trunk gitflow",
        "enum enums literal",
        "allow deny",
        "allowed required optional",
        "before after",
        "public private",
    )
)


_CONTRAST = re.compile(
    r"[,;–—-]*\s*\b(?:instead of|rather than|in place of|as opposed to|(?:an)?statt|anstelle von"
    r"|en vez de|en lugar de|em vez de|ao invés de|au lieu de|plutôt que)\b"
    r"|[,;.–—]\s*(?:and |but |und |y |e |et )?(?:do not|don't|not|never|no|nicht|niemals|keine?n?"
    r"|nunca|pas|jamais|não)\b"
    r"|(?<!\bdo)(?<!does)(?<!must)(?<!should)(?<!shall)(?<!may)(?<!can)(?<!could)(?<!will)(?<!\bis)"
    r"(?<!\bare)(?<!\bbe)(?<!has)(?<!have)(?<!\bor)(?<!\bif) not\b"
    r"|(?<=[^\W\d_])[,，、]?\s*(?:而不是|而非|ではなく|じゃなく)"
)
"""Before it stands what is chosen, after it what is not: "use tabs, not spaces"."""

_OVER = re.compile(r"(?<=\bprefer )(?P<chosen>[^,.;:!?]{2,60}?) over ")
_DECLINED_FIRST = re.compile(
    r"\s*(?:instead of|rather than|(?:an)?statt|anstelle von|en vez de|en lugar de|em vez de"
    r"|ao invés de|au lieu de)\s+(?P<declined>[^,.;:!?]{2,60}?)(?:,|\s(?=use\b|prefer\b))"
)
_CLAUSE = re.compile(r"[^,.;:!?，。；！？\n]*")


@dataclass(frozen=True)
class _Subject:
    """`declined` are those of the words that name what is not to be taken."""

    words: frozenset[str]
    numbers: tuple[str, ...]
    is_negated: bool
    declined: frozenset[str] = frozenset()

    @property
    def chosen(self) -> frozenset[str]:
        return self.words - self.declined

    def declines(self, other: _Subject) -> bool:
        """Whether the other asks for nothing but what this one does not want."""
        is_plain = not other.is_negated and not other.declined
        return is_plain and bool(other.words) and other.words <= self.declined

    def forbids_too(self, other: _Subject) -> bool:
        """Whether the other only forbids what this one does not want either."""
        return other.is_negated and bool(other.words) and other.words <= self.declined


def compare(new: str, old: str) -> Comparison:
    """Compare two rules of one topic and scope by their words.

    The same subject with another number, another name or a negation is a conflict. What only
    shares a topic is different: asking too often is worse than keeping two rules.
    """
    one, other = _subject(new), _subject(old)
    if one == other:
        return "same"
    if one.declined & other.chosen and other.declined & one.chosen:
        return "conflict"
    if one.declines(other) or other.declines(one):
        return "conflict"
    if one.forbids_too(other) or other.forbids_too(one):
        return "different"
    only_new, only_old = one.words - other.words, other.words - one.words
    common = len(one.words & other.words)
    shorter = min(len(one.words), len(other.words))
    share = common / shorter if shorter else 0.0
    if _are_alternatives(only_new, only_old):
        is_same_choice = one.is_negated == other.is_negated
        return "conflict" if is_same_choice else "different"
    if not one.words or not other.words:
        return "conflict" if one.numbers and other.numbers else "different"
    if share < _SAME_SUBJECT or (common < 2 and max(len(only_new), len(only_old)) > 2):
        return "different"
    if one.numbers != other.numbers and one.numbers and other.numbers:
        return "conflict" if _is_one_slot(only_new, only_old) else "different"
    if one.is_negated != other.is_negated:
        return "conflict" if _is_one_slot(only_new, only_old) else "different"
    if not only_new and not only_old:
        return "same" if one.numbers == other.numbers else "conflict"
    if common >= 2 and len(only_new) == len(only_old) == 1:
        # Two prohibitions of different things hold side by side.
        return "different" if one.is_negated and other.is_negated else "conflict"
    if one.numbers == other.numbers and common >= 2 and min(len(only_new), len(only_old)) == 0:
        return "same" if max(len(only_new), len(only_old)) <= 1 else "different"
    return "different"


def _is_one_slot(only_new: frozenset[str], only_old: frozenset[str]) -> bool:
    """Whether the words that differ are few enough for one and the same thing."""
    return min(len(only_new), len(only_old)) <= 1 and max(len(only_new), len(only_old)) <= 3


def _are_alternatives(only_new: frozenset[str], only_old: frozenset[str]) -> bool:
    """Whether each rule names another member of one family: pytest and unittest."""
    return any(
        (mine := family & only_new) and (theirs := family & only_old) and not mine & theirs
        for family in _ALTERNATIVES
    )


def conflicts(
    new_rule: str, topic: Topic, paths: Sequence[str], existing: Iterable[Convention]
) -> list[Convention]:
    """The active, enforced conventions that a new rule contradicts, in the order given.

    A single-valued topic holds one rule for a set of paths, so another rule of the same paths is a
    conflict unless it says the same; narrower paths are an exception there and no conflict.
    """
    found = []
    for old in existing:
        if old.topic != topic or old.status != "active" or old.mode != "enforce":
            continue
        said = compare(new_rule, old.rule)
        if topic in SINGLE_VALUED:
            is_conflict = set(old.paths) == set(paths) and said != "same"
        else:
            is_conflict = said == "conflict" and _overlap(paths, old.paths)
        if is_conflict:
            found.append(old)
    return found


def _overlap(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two sets of globs may match one file; told by their literal beginnings."""
    if not one or not other:
        return True
    return any(
        _beginning(a).startswith(_beginning(b)) or _beginning(b).startswith(_beginning(a))
        for a in one
        for b in other
        if not a.startswith("!") and not b.startswith("!")
    )


def _beginning(glob: str) -> str:
    return re.split(r"[*?\[]", glob.lstrip("/"), maxsplit=1)[0]


@lru_cache(maxsize=2_048)
def _subject(rule: str) -> _Subject:
    text = unicodedata.normalize("NFKC", rule[:1_000]).casefold()
    text = text.replace("’", "'").replace("`", " ").replace("-", "-")
    chosen, declined = _sides(text)
    words, numbers, negations = _read(f"{chosen} {declined}")
    unwanted = _read(declined)[0] - _read(chosen)[0]
    return _Subject(words, numbers, negations % 2 == 1, unwanted)


def _sides(text: str) -> tuple[str, str]:
    """What a rule chooses and what it declines, without the words between; "" when it chooses."""
    if first := _DECLINED_FIRST.match(text):
        return text[first.end() :], first["declined"]
    contrast = _OVER.search(text) or _CONTRAST.search(text)
    if contrast is None:
        return text, ""
    before = text[: contrast.start()] + (contrast.groupdict().get("chosen") or "")
    after = _CLAUSE.match(text, contrast.end())
    assert after is not None
    if not _read(before)[0] or not _read(after[0])[0]:
        return text, ""
    return f"{before} {text[after.end() :]}", after[0]


def _read(text: str) -> tuple[frozenset[str], tuple[str, ...], int]:
    """The words that carry meaning, the numbers, and how often it says no."""
    negations = len(_CJK_NEGATIONS.findall(text))
    text = _CJK_NEGATIONS.sub(" ", text)
    words: set[str] = set()
    numbers: list[str] = []
    tokens = [t for w in _WORD.findall(text) for t in _parts(w)]
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token in NUMBER_WORDS and (number := read_number(tokens[at - 1 : at + 6])):
            numbers.append(str(number[0]))
            at += number[1] - 1
        elif token[0].isdigit():
            numbers.append(token.lstrip("0") or "0")
        elif token in _NEGATIONS:
            negations += 1
        elif token not in _FILLER or len(token) > 15:
            words.add(_SYNONYMS.get(token, token))
    return frozenset(words), tuple(sorted(numbers)), negations


def _parts(word: str) -> list[str]:
    """A word, number words without hyphens, and Chinese and Japanese text as pairs of signs."""
    if _CJK.search(word):
        signs = re.findall(r"[a-z0-9_]+|[\u3040-\u30ff\u3400-\u9fff]+", word)
        return [
            part
            for run in signs
            for part in (
                [run] if run.isascii() else [run[i : i + 2] for i in range(max(1, len(run) - 1))]
            )
        ]
    pieces = word.split("-")
    return pieces if all(piece in NUMBER_WORDS for piece in pieces) else [word]
