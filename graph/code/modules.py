"""Which files of the repository an import means: the import graph's edges."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import cached_property

from graph.checks.languages import Language, language_of

_SCRIPT_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs")
_SCRIPT_OF = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""TypeScript imports are written with the suffix that the compiled file will have."""


class Modules:
    """The repository's paths, asked for modules. Answers are empty for what lies outside it."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)

    def files_of(self, module: str, importer: str) -> tuple[str, ...]:
        """The files that `module` means when `importer` names it; more than one for a package."""
        language = language_of(importer)
        if not module:
            return (importer,)
        if language == "python":
            return self._python(module, importer)
        if language in ("javascript", "typescript", "tsx"):
            return self._script(module, importer)
        if language == "go":
            return self._go(module)
        if language == "java":
            return self._one(module.replace(".", "/") + ".java", importer)
        if language == "rust":
            return self._rust(module, importer)
        if language == "ruby":
            return self._ruby(module, importer)
        return self._include(module, importer) if language in ("c", "cpp") else ()

    def part_of(self, module: str, name: str, importer: str) -> tuple[str, ...]:
        """The files of what may be a module inside a module: `from a import b`."""
        language = language_of(importer)
        if language == "python":
            separator = "" if module.endswith(".") else "."
            return self.files_of(f"{module}{separator}{name}", importer)
        return self.files_of(f"{module}::{name}", importer) if language == "rust" else ()

    def neighbours(self, path: str) -> tuple[str, ...]:
        """Files of the same package, which need no import: Go's and Java's folders."""
        language = language_of(path)
        if language not in ("go", "java"):
            return ()
        return tuple(p for p in self._by_folder.get(posixpath.dirname(path), ()) if p != path)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            if language_of(path) in ("go", "java"):
                found.setdefault(posixpath.dirname(path), []).append(path)
        return found

    def _first(self, candidates: Iterable[str]) -> tuple[str, ...]:
        return next(((c,) for c in candidates if c in self._paths), ())

    def _one(self, tail: str, importer: str) -> tuple[str, ...]:
        """The file whose path ends with `tail`. Of several, the one nearest to the importer.

        Nothing when two are equally near: a guess would name callers that are none.
        """
        if tail in self._paths:
            return (tail,)
        ends = [
            p for p in self._by_name.get(posixpath.basename(tail), ()) if p.endswith("/" + tail)
        ]
        ends.sort(key=lambda p: -_shared(p[: -len(tail)], importer))
        if len(ends) > 1:
            nearest = [_shared(p[: -len(tail)], importer) for p in ends[:2]]
            if nearest[0] == nearest[1]:
                return ()
        return tuple(ends[:1])

    def _python(self, module: str, importer: str) -> tuple[str, ...]:
        stem = module.lstrip(".")
        tail = stem.replace(".", "/")
        if dots := len(module) - len(stem):
            folder = posixpath.dirname(importer)
            for _ in range(dots - 1):
                folder = posixpath.dirname(folder)
            base = posixpath.join(folder, tail).rstrip("/")
            ends = (f"{base}.py", posixpath.join(base, "__init__.py"), f"{base}.pyi")
            return self._first(ends)
        return self._one(f"{tail}.py", importer) or self._one(f"{tail}/__init__.py", importer)

    def _script(self, module: str, importer: str) -> tuple[str, ...]:
        if module.startswith("."):
            base = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        elif module.startswith(("@/", "~/")):
            base = posixpath.join("src", module[2:])
        else:
            return ()
        stem, suffix = posixpath.splitext(base)
        swapped = [stem + other for other in _SCRIPT_OF.get(suffix, ())]
        ends = [base + suffix for suffix in _SCRIPT_SUFFIXES]
        ends += [f"{base}/index{suffix}" for suffix in _SCRIPT_SUFFIXES]
        return self._first([base, *swapped, *ends])

    def _go(self, module: str) -> tuple[str, ...]:
        """The longest end of the import path that is a folder here: the rest is the module's."""
        parts = module.split("/")
        for start in range(len(parts)):
            folder = "/".join(parts[start:])
            if folder in self._by_folder:
                files = self._by_folder[folder]
                return tuple(p for p in files if not p.endswith("_test.go"))
        if parts[0].count(".") and len(parts) <= 3:  # the module itself
            return tuple(p for p in self._by_folder.get("", ()) if not p.endswith("_test.go"))
        return ()

    def _rust(self, module: str, importer: str) -> tuple[str, ...]:
        parts = module.split("::")
        root = importer[: importer.rindex("src/") + 4] if "src/" in importer else ""
        name = posixpath.basename(importer)
        own = posixpath.dirname(importer)
        if name not in ("mod.rs", "lib.rs", "main.rs"):
            own = posixpath.join(own, name.removesuffix(".rs"))
        if parts[0] == "crate":
            folder, parts = root.rstrip("/"), parts[1:]
        elif parts[0] in ("self", "super"):
            folder = own
            while parts and parts[0] in ("self", "super"):
                folder = posixpath.dirname(folder) if parts[0] == "super" else folder
                parts = parts[1:]
        else:
            return self._rust_path(own, parts) or self._rust_path(root.rstrip("/"), parts)
        return self._rust_path(folder, parts)

    def _rust_path(self, folder: str, parts: list[str]) -> tuple[str, ...]:
        base = posixpath.join(folder, *parts)
        if not parts:
            return self._first(
                (f"{base}/lib.rs", f"{base}/main.rs", f"{base}/mod.rs", f"{base}.rs")
            )
        return self._first((f"{base}.rs", f"{base}/mod.rs"))

    def _ruby(self, module: str, importer: str) -> tuple[str, ...]:
        tail = module if module.endswith(".rb") else f"{module}.rb"
        if module.startswith("./"):
            return self._first(
                (posixpath.normpath(posixpath.join(posixpath.dirname(importer), tail)),)
            )
        return self._first((f"lib/{tail}",)) or self._one(tail, importer)

    def _include(self, module: str, importer: str) -> tuple[str, ...]:
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        return self._first((beside,)) or self._one(posixpath.normpath(module), importer)


def _shared(folder: str, path: str) -> int:
    """How many leading folders a source root and a file have in common."""
    count = 0
    for one, other in zip(folder.split("/"), path.split("/"), strict=False):
        if one != other or not one:
            break
        count += 1
    return count


def language_family(path: str) -> Language | None:
    """Languages that call each other's functions are one."""
    language = language_of(path)
    if language in ("javascript", "tsx"):
        return "typescript"
    return "c" if language == "cpp" else language
