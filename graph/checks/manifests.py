"""The dependencies that a manifest names, line by line."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

MAX_MANIFEST_BYTES = 1_000_000
"""A manifest that people write is far smaller; lock files are not read at all."""


class ManifestError(ValueError):
    """A manifest that cannot be parsed. The message says what the parser said."""

    reason = "unparsable_manifest"


@dataclass(frozen=True)
class Requirement:
    """One dependency at a new-file line. `version` is as written; "" when there is none.

    `is_pinned` says whether one exact version is named, or the version is decided elsewhere
    (a workspace, a path, a parent's management section).
    """

    name: str
    version: str
    is_pinned: bool
    line: int


Reader = Callable[[str], Iterator[Requirement]]


def reader_of(path: str) -> Reader | None:
    """How to read the manifest at `path`; None when it is none. Readers raise ManifestError."""
    name = PurePosixPath(path).name
    if name in _BY_NAME:
        return _BY_NAME[name]
    if re.fullmatch(r"(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in)", name):
        return _requirements
    in_folder = PurePosixPath(path).parent.name == "requirements"
    return _requirements if in_folder and name.endswith((".txt", ".in")) else None


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(text.split("\n"), start=1)


_PEP508 = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?P<rest>[^;#]*)")


def _python_requirement(text: str, line: int) -> Requirement | None:
    match = _PEP508.match(text)
    if match is None:
        return None
    version = match["rest"].strip().strip("()").strip()
    if version and version[0] not in "=<>!~@":
        return None
    is_exact = re.fullmatch(r"={2,3}\s*[^*,\s]+", version) is not None
    return Requirement(match["name"], version, is_exact or version.startswith("@"), line)


def _requirements(text: str) -> Iterator[Requirement]:
    for line, content in _numbered(text):
        words = content.strip().rstrip("\\").partition(" --hash")[0].strip()
        if words and words[0] not in "#-.":
            found = _python_requirement(words, line)
            if found:
                yield found


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ManifestError(f"the manifest is no TOML: {error}") from None


def _table(data: object, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _pyproject(text: str) -> Iterator[Requirement]:
    data = _toml(text)
    project = _table(data, "project")
    lists = [project.get("dependencies"), _table(data, "build-system").get("requires")]
    lists += _table(project, "optional-dependencies").values()
    lists += _table(data, "dependency-groups").values()
    wanted = {
        entry for group in lists if isinstance(group, list) for entry in group
        if isinstance(entry, str)
    }  # fmt: skip
    poetry = _table(data, "tool", "poetry")
    tables = [_table(poetry, "dependencies"), _table(poetry, "dev-dependencies")]
    tables += [_table(group, "dependencies") for group in _table(poetry, "group").values()]
    for line, content in _numbered(text):
        for quoted in re.findall(r"\"([^\"]*)\"|'([^']*)'", content.partition(" #")[0]):
            entry = quoted[0] or quoted[1]
            found = _python_requirement(entry, line) if entry in wanted else None
            if found:
                yield found
    yield from _toml_tables(text, tables, _is_exact_poetry)


def _is_exact_poetry(version: str) -> bool:
    return re.fullmatch(r"(?:==?\s*)?\d+(?:\.\d+)*[\w.+-]*", version) is not None


def _toml_tables(
    text: str, tables: list[Mapping[str, Any]], is_exact: Callable[[str], bool]
) -> Iterator[Requirement]:
    """`name = "1.2"` and `name = {version = "1.2"}` of `tables`, and `[dependencies.name]`."""
    known = {name: value for table in tables for name, value in table.items() if name != "python"}
    in_dependencies = False
    for line, content in _numbered(text):
        header = re.match(r"\s*\[([^\]]+)\]", content)
        key = re.match(r"\s*[\"']?([\w.-]+?)[\"']?(?:\.\w+)?\s*=", content)
        name = None
        if header:
            parent, _, last = header[1].strip().rpartition(".")
            in_dependencies = header[1].strip().endswith("dependencies")
            name = last.strip("\"'") if parent.endswith("dependencies") else None
        elif key and in_dependencies:
            name = key[1]
        if name in known:
            value = known[name]
            details = value if isinstance(value, dict) else {"version": value}
            version = details.get("version")
            version = version if isinstance(version, str) else ""
            elsewhere = any(word in details for word in ("path", "workspace", "git", "url"))
            yield Requirement(name, version, elsewhere or is_exact(version), line)


def _cargo(text: str) -> Iterator[Requirement]:
    data = _toml(text)
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    holders = [data, _table(data, "workspace"), *_table(data, "target").values()]
    tables = [_table(holder, kind) for holder in holders for kind in kinds]
    return _toml_tables(text, tables, lambda version: version.strip().startswith("="))


def _package_json(text: str) -> Iterator[Requirement]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"the manifest is no JSON: {error}") from None
    kinds = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
    peers = {pair for pair in _table(data, "peerDependencies").items() if _is_text(pair)}
    known = {pair for kind in kinds for pair in _table(data, kind).items() if _is_text(pair)}
    for line, content in _numbered(text):
        for name, version in re.findall(r"\"([^\"]+)\"\s*:\s*\"([^\"]*)\"", content):
            if (name, version) in known:
                # A peer is a range by its nature: the application chooses the version.
                is_pinned = _is_exact_npm(version) or (name, version) in peers
                yield Requirement(name, version, is_pinned, line)


def _is_text(pair: tuple[object, object]) -> bool:
    return isinstance(pair[1], str)


def _is_exact_npm(version: str) -> bool:
    if version.startswith(("workspace:", "file:", "link:", "catalog:", "npm:")):
        return not version.startswith("npm:") or _is_exact_npm(version.rpartition("@")[2])
    return re.fullmatch(r"[=v]?\d+\.\d+\.\d+[\w.+-]*", version) is not None or "#" in version


def _go_mod(text: str) -> Iterator[Requirement]:
    in_block = False
    for line, content in _numbered(text):
        words = content.strip()
        if words.startswith("require ("):
            in_block = True
        elif words == ")":
            in_block = False
        elif (in_block or words.startswith("require ")) and "// indirect" not in words:
            parts = words.removeprefix("require ").split()
            if len(parts) >= 2 and parts[1].startswith("v"):
                yield Requirement(parts[0], parts[1], True, line)


def _gemfile(text: str) -> Iterator[Requirement]:
    pattern = re.compile(r"\s*gem[\s(]+[\"']([^\"']+)[\"'](?:\s*,\s*[\"']([^\"']*)[\"'])?")
    for line, content in _numbered(text):
        match = pattern.match(content)
        if match:
            version = match[2] or ""
            elsewhere = re.search(r"\b(?:path|git|github):", content) is not None
            is_exact = re.fullmatch(r"=?\s*\d[\w.]*", version) is not None
            yield Requirement(match[1], version, is_exact or elsewhere, line)


def _pom(text: str) -> Iterator[Requirement]:
    group, artifact, version, line, inside = "", "", "", 0, False
    tag = re.compile(r"<(/?)(dependency|groupId|artifactId|version)>([^<]*)")
    for number, content in _numbered(text):
        for closing, name, value in tag.findall(content):
            if name == "dependency" and not closing:
                group, artifact, version, line, inside = "", "", "", number, True
            elif name == "dependency":
                if artifact:
                    yield Requirement(
                        f"{group}:{artifact}", version, _is_exact_maven(version), line
                    )
                inside = False
            elif inside and not closing:
                group = value.strip() if name == "groupId" else group
                version = value.strip() if name == "version" else version
                if name == "artifactId" and not artifact:  # later ones are exclusions
                    artifact, line = value.strip(), number


def _is_exact_maven(version: str) -> bool:
    """Without a version the parent's management section decides."""
    is_moving = version.upper() in ("LATEST", "RELEASE") or version.endswith(("-SNAPSHOT", "+"))
    return not is_moving and not re.match(r"[\[(]|latest\.", version)


_GRADLE = re.compile(
    r"\b(?:\w*[iI]mplementation|\w*[cC]ompileOnly|\w*[rR]untimeOnly|api|compile|testCompile|kapt|ksp"
    r"|annotationProcessor|classpath)\b[\s(]*(?:platform\s*\()?\s*"
    r"[\"']([^\"':]+:[^\"':]+)(?::([^\"':@]*))?"
)


def _gradle(text: str) -> Iterator[Requirement]:
    for line, content in _numbered(text):
        for name, version in _GRADLE.findall(content.partition("//")[0]):
            yield Requirement(name, version, _is_exact_maven(version), line)


_BY_NAME: dict[str, Reader] = {
    "pyproject.toml": _pyproject,
    "constraints.txt": _requirements,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
    "Gemfile": _gemfile,
    "pom.xml": _pom,
    "build.gradle": _gradle,
    "build.gradle.kts": _gradle,
}
