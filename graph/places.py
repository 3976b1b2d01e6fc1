"""Names of places in a repository, as people say them, and the globs they stand for."""

from __future__ import annotations

from collections.abc import Sequence

from graph.answers import joined
from graph.words import Token

TEST_GLOBS: tuple[str, ...] = (
    "test/", "tests/", "__tests__/", "spec/", "test_*.py", "*_test.py", "conftest.py",
    "*_test.go", "*_test.rs", "*_test.rb", "*_spec.rb", "*.test.*", "*.spec.*", "*Test.java",
    "*Tests.java", "*Test.kt", "*Tests.cs", "*Test.php", "*Tests.swift", "*_test.cc",
    "*_test.cpp",
)  # fmt: skip
"""The layouts that the test runners of the supported languages find by themselves."""

MIGRATION_GLOBS: tuple[str, ...] = ("migrations/", "db/migrate/", "alembic/versions/")
"""Django, Flask, Prisma and most SQL tools; Rails; Alembic."""

DOC_GLOBS: tuple[str, ...] = ("docs/", "doc/", "*.md", "*.rst")

_LANGUAGES: dict[str, tuple[str, ...]] = {
    "python": ("*.py", "*.pyi"),
    "javascript": ("*.js", "*.jsx", "*.mjs", "*.cjs"),
    "typescript": ("*.ts", "*.tsx", "*.mts", "*.cts"),
    "go": ("*.go",),
    "rust": ("*.rs",),
    "java": ("*.java",),
    "kotlin": ("*.kt", "*.kts"),
    "swift": ("*.swift",),
    "ruby": ("*.rb",),
    "php": ("*.php",),
    "c": ("*.c", "*.h"),
    "c++": ("*.cc", "*.cpp", "*.cxx", "*.h", "*.hh", "*.hpp"),
    "c#": ("*.cs",),
    "shell": ("*.sh", "*.bash"),
    "sql": ("*.sql",),
    "html": ("*.html", "*.htm"),
    "css": ("*.css",),
    "scss": ("*.scss",),
    "yaml": ("*.yaml", "*.yml"),
    "json": ("*.json",),
    "toml": ("*.toml",),
    "markdown": ("*.md",),
    "scala": ("*.scala",),
    "vue": ("*.vue",),
    "terraform": ("*.tf",),
    "cython": ("*.pyx", "*.pxd"),
    "lua": ("*.lua",),
    "dart": ("*.dart",),
    "elixir": ("*.ex", "*.exs"),
}
_NOT_PROGRAMS = frozenset({"html", "css", "scss", "yaml", "json", "toml", "markdown", "sql",
                           "terraform"})  # fmt: skip
CODE_GLOBS: tuple[str, ...] = tuple(
    dict.fromkeys(
        glob
        for language, globs in _LANGUAGES.items()
        if language not in _NOT_PROGRAMS
        for glob in globs
    )
)
"""Files that "code" means: programs, neither data nor documents."""

_ALIASES = {"js": "javascript", "ts": "typescript", "golang": "go", "bash": "shell", "cpp": "c++",
            "yml": "yaml", "csharp": "c#", "py": "python"}  # fmt: skip
_ALSO_PLAIN_WORDS = {"go", "rust", "swift", "c", "java", "dart", "shell", "vue", "ts", "py"}
"""Languages whose name is also a word or a letter: they need a capital or a noun behind them."""

CODE_NOUNS = frozenset({"files", "file", "code", "source", "sources", "scripts", "script",
                        "modules", "module", "sourcecode"})  # fmt: skip

_TEST_WORDS = ("tests", "test files", "test file", "test code", "test suite", "test suites",
               "unit tests", "test modules", "test cases", "unit test files", "spec files",
               "los tests", "las pruebas", "les tests", "den tests", "os testes", "testes",
               "测 试", "测 试 代 码", "测 试 文 件", "テ ス ト", "テ ス ト コ ー ド")  # fmt: skip
_NAMED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_TEST_WORDS, TEST_GLOBS),
    **dict.fromkeys(
        ("migrations", "migration files", "database migrations", "db migrations",
         "migration scripts", "migraciones", "migrationen"),
        MIGRATION_GLOBS,
    ),
    **dict.fromkeys(("docs", "documentation", "documentation files", "doc files"), DOC_GLOBS),
    **dict.fromkeys(("examples", "example code", "example files"), ("examples/", "example/")),
    **dict.fromkeys(("benchmarks", "benchmark code"), ("benchmarks/", "benches/", "benchmark/")),
    "scripts": ("scripts/",),
    "dockerfiles": ("Dockerfile", "Dockerfile.*", "*.Dockerfile"),
    "makefiles": ("Makefile", "makefile", "*.mk"),
}  # fmt: skip
FOLDER_WORDS = frozenset({"src", "lib", "libs", "cmd", "pkg", "internal", "app", "apps", "bin",
                          "vendor", "crates", "third_party", "node_modules"})  # fmt: skip
"""Folders that people name without a slash: no other word of a rule looks like them."""

FOLDERS_ALSO_THINGS = frozenset({"app", "apps", "lib", "libs", "vendor", "internal", "bin"})
"""Those that an article makes something else: "in the app"."""

_FOLDER_NOUNS = frozenset({"folder", "folders", "directory", "directories", "dir"})
_FOLDERS_OF_TESTS = frozenset({"test", "tests"})
_NOT_A_FOLDER_NAME = frozenset({"the", "a", "this", "that", "same", "root", "top", "each", "every",
                                "any", "own", "current", "one", "separate", "correct"})  # fmt: skip
FILE_ENDINGS = frozenset(glob[2:] for globs in _LANGUAGES.values() for glob in globs) | {
    "txt", "cfg", "ini", "lock", "rst", "ipynb", "xml", "gradle", "log", "env", "pem", "key",
}  # fmt: skip
"""Endings by which a dotted word is a file's name and not an attribute."""

_LONGEST_NAME = max(len(name.split()) for name in _NAMED)


def place_at(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int] | None:
    """The globs of the place that is named at `at`, and how many tokens name it."""
    return _folder(tokens, at) or _glob(tokens, at) or _named(tokens, at) or language_at(tokens, at)


def place_words(globs: Sequence[str]) -> str:
    """Globs as words with a preposition: "in *.py", "under src/ and lib/", "in tests"."""
    names, left = named_groups(globs)
    parts = [f"in {name}" for name in names]
    folders = [glob for glob in left if glob.endswith("/")]
    others = [glob for glob in left if not glob.endswith("/")]
    if folders:
        parts.append(f"under {joined(folders)}")
    if others:
        parts.append(f"in {joined(others)}")
    return joined(parts)


def named_groups(globs: Sequence[str]) -> tuple[list[str], list[str]]:
    """The groups of globs that are there in full, by their names, and the globs beside them."""
    names, left = [], list(dict.fromkeys(globs))
    for name, known in (
        ("tests", TEST_GLOBS),
        ("migrations", MIGRATION_GLOBS),
        ("docs", DOC_GLOBS),
    ):
        if set(known) <= set(left):
            names.append(name)
            left = [glob for glob in left if glob not in known]
    return names, left


def language_at(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int] | None:
    """The globs of the language named at `at`, with its noun ("Python files") when one follows."""
    token = _get(tokens, at)
    if token is None or token.kind not in {"word", "name"}:
        return None
    name, used = token.key, 1
    following = _get(tokens, at + 1)
    if name == "c" and following is not None and following.glued and following.text in "+#":
        plus = following.text == "+"
        name, used = ("c++", 3) if plus else ("c#", 2)
    name = _ALIASES.get(name, name)
    globs = _LANGUAGES.get(name)
    if globs is None:
        return None
    noun = _get(tokens, at + used)
    has_noun = noun is not None and not noun.glued and noun.key in CODE_NOUNS
    if token.key in _ALSO_PLAIN_WORDS and not has_noun and not token.text[0].isupper():
        return None
    return globs, used + has_noun


def _folder(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int] | None:
    token, noun = _get(tokens, at), _get(tokens, at + 1)
    if token is None or noun is None or noun.key not in _FOLDER_NOUNS:
        return None
    if token.kind not in {"word", "name", "code", "quoted", "path"}:
        return None
    if token.kind == "word" and token.key in _NOT_A_FOLDER_NAME:
        return None
    if token.key in _FOLDERS_OF_TESTS:
        return ("test/", "tests/"), 2
    glob = _cleaned(token.text.rstrip("/") + "/")
    return ((glob,), 2) if glob else None


def _glob(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int] | None:
    token = _get(tokens, at)
    if token is None or not is_path(token):
        return None
    glob = _cleaned(token.text)
    if not glob:
        return None
    noun = _get(tokens, at + 1)
    return (glob,), 1 + (noun is not None and noun.key in CODE_NOUNS)


def is_path(token: Token) -> bool:
    """Whether a token names files by itself: it has a slash, a glob, or a known file ending."""
    text = token.text
    if token.kind == "path":
        return not text.startswith(".") or "/" in text
    if token.kind not in {"code", "quoted", "name"} or " " in text or not text:
        return False
    if text.startswith(("*.", "**/", "./")) or (text.endswith("/") and len(text) > 1):
        return True
    stem, dot, ending = text.rpartition(".")
    if dot and stem and ending in FILE_ENDINGS:
        return True
    return "/" in text and "*" in text and token.kind == "code" and not text.startswith("/*")


def _named(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int] | None:
    for length in range(min(_LONGEST_NAME, len(tokens) - at), 0, -1):
        name = " ".join(token.key for token in tokens[at : at + length])
        if name in _NAMED:
            return _NAMED[name], length
    return None


def _cleaned(text: str) -> str:
    """A gitignore glob for a path as it was written, or "" for what is no path in a repository."""
    text = text.removeprefix("./")
    odd = any(character in text for character in " <>|\\:!#`\"'")
    return "" if not text.strip("/.*") or ".." in text or "//" in text or odd else text


def _get(tokens: Sequence[Token], at: int) -> Token | None:
    return tokens[at] if 0 <= at < len(tokens) else None
