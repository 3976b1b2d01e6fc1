"""Secrets in text: found by their own shapes, and replaced before anything else sees them.

A placeholder is as long as what it replaces, so that lines and columns stay true. Only shapes that
are almost never anything else count: a reviewer that cries at every long word is switched off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph.anchors import anchor_for_line
from graph.diff import Diff, DiffLine, FileDiff, Hunk
from graph.findings import Finding

FILLER = "·"


@dataclass(frozen=True)
class Kind:
    """One sort of secret. The secret is the group "s" of the pattern, else the whole match.

    Every match holds one of the `needles`, in whatever case.
    """

    slug: str
    words: str
    pattern: re.Pattern[str]
    needles: tuple[str, ...]


def _kind(slug: str, words: str, pattern: str, needles: str, flags: int = 0) -> Kind:
    return Kind(slug, words, re.compile(pattern, flags), tuple(needles.split()))


def _token(slug: str, words: str, body: str, needles: str) -> Kind:
    """A secret that stands by itself, recognised by its own prefix."""
    return _kind(slug, words, rf"(?<![A-Za-z0-9_-]){body}(?![A-Za-z0-9_-])", needles)


KINDS: tuple[Kind, ...] = (
    _token(
        "aws", "AWS access key id", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}", "akia asia abia acca"
    ),
    _kind(
        "aws",
        "AWS secret key",
        r"aws.{0,20}(?:secret|private).{0,20}?[=:]\s*[\"']?(?P<s>[A-Za-z0-9/+]{40})(?![\w/+=])",
        "aws",
        re.IGNORECASE,
    ),
    _token("github", "GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,255}", "ghp_ gho_ ghu_ ghs_ ghr_"),
    _token("github", "GitHub token", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}", "github_pat_"),
    _token("gitlab", "GitLab token", r"glpat-[A-Za-z0-9_-]{20,200}", "glpat-"),
    _token("slack", "Slack token", r"xox[abeoprs]-(?:\d+-)?[A-Za-z0-9-]{10,250}", "xox"),
    _token("slack", "Slack app token", r"xapp-\d-[A-Z0-9]{8,20}-\d{8,20}-[a-f0-9]{32,80}", "xapp-"),
    _kind(
        "slack",
        "Slack webhook",
        r"https://hooks\.slack\.com/(?:services|workflows)/"
        r"(?P<s>T[A-Z0-9]{6,}/[AB][A-Z0-9]{6,}/[A-Za-z0-9]{16,})",
        "hooks.slack.com",
    ),
    _token("google", "Google API key", r"AIza[A-Za-z0-9_-]{35}", "aiza"),
    _token("google", "Google OAuth secret", r"GOCSPX-[A-Za-z0-9_-]{28}", "gocspx-"),
    _token("anthropic", "Anthropic API key", r"sk-ant-[A-Za-z0-9_-]{32,200}", "sk-ant-"),
    _token("openai", "OpenAI API key", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,200}", "sk-"),
    _token("openai", "OpenAI API key", r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}", "sk-"),
    _token(
        "stripe",
        "Stripe key",
        r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,247}",
        "sk_live_ sk_test_ rk_live_ rk_test_",
    ),
    _token("sendgrid", "SendGrid key", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}", "sg."),
    _token("npm", "npm token", r"npm_[A-Za-z0-9]{36}", "npm_"),
    _token("pypi", "PyPI token", r"pypi-AgEI[A-Za-z0-9_-]{50,300}", "pypi-"),
    _token("hf", "Hugging Face token", r"hf_[A-Za-z]{34}", "hf_"),
    _token("jwt", "JSON Web Token", r"eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{16,1000}", "eyj"),
    _kind(
        "url",
        "password in a URL",
        r"\b[a-z][a-z0-9+.-]{2,20}://[^\s:/@\"'<>${}]{1,80}:"
        r"(?P<s>[^\s:/@\"'<>${}]{8,120})@[\w.-]+",
        "://",
        re.IGNORECASE,
    ),
    _kind(
        "generic",
        "secret in an assignment",
        r"(?:api_?key|secret(?:_?key)?|access_?token|auth_?token|passw(?:or)?d|private_?key|"
        r"client_?secret|encryption_?key)[\"']?\s*(?::=|=>|=|:)\s*(?P<q>[\"'])"
        r"(?P<s>[^\"'\s{}<>]{12,200})(?P=q)",
        "key secret token passw",
        re.IGNORECASE,
    ),
)
"""Keys of services by their documented prefixes and lengths; the last one by name and value."""

_PEM_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"[A-Za-z0-9+/=]{16,}")

_PLACEHOLDER = re.compile(
    r"example|sample|dummy|fake|placeholder|change_?me|your[_-]|xxxx|\*{4}|\.\.\.|insert|replace|"
    r"redacted|todo|test|foo|bar\b|secret$|password$|none|null|true|false|process\.env|os\.environ|"
    r"1234567|abcdef|" + FILLER,
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Secret:
    """That there is one: its kind and its line in the text, from 0. Never its characters."""

    kind: str
    words: str
    line: int


def redacted_lines(lines: Iterable[str]) -> tuple[list[str], list[Secret]]:
    """The lines with every secret replaced, and what was replaced. A key over lines counts once."""
    lines = list(lines)
    if not may_hold_secrets("\n".join(lines)):
        return lines, []
    return covered_lines(lines)


def may_hold_secrets(text: str) -> bool:
    """False for most texts, and then certain: no kind of secret is anywhere in them.

    A look at each line for each kind costs more than parsing a file does.
    """
    lowered = text.lower()
    if "private key" in lowered and _PEM_BEGIN.search(text):
        return True
    # Beyond ASCII a pattern that ignores case takes "ſ" for an "s".
    is_ascii = text.isascii()
    return any(
        (
            any(needle in lowered for needle in kind.needles)
            or (not is_ascii and kind.pattern.flags & re.IGNORECASE)
        )
        and kind.pattern.search(text)
        for kind in KINDS
    )


def covered_lines(lines: Sequence[str]) -> tuple[list[str], list[Secret]]:
    """As `redacted_lines`, with a look at each line."""
    clean: list[str] = []
    secrets: list[Secret] = []
    in_key = False
    for number, line in enumerate(lines):
        if in_key or (_PEM_BEGIN.search(line) and not line.startswith("#!")):
            if not in_key:
                secrets.append(Secret("private_key", "private key", number))
            in_key = not _PEM_END.search(line)
            begin, body = _PEM_BEGIN.search(line), _PEM_BODY.search(line)
            if not in_key or begin or body:
                clean.append(_without_key(line))
                continue
            in_key = not line.strip() or ":" in line  # a header of the key, or not a key at all
        text, found = _redacted_line(line)
        clean.append(text)
        secrets += [Secret(kind.slug, kind.words, number) for kind in found]
    return clean, secrets


def redacted(text: str) -> str:
    """`text` without secrets, of the same length and with the same lines."""
    return "\n".join(redacted_lines(text.split("\n"))[0])


def redacted_diff(diff: Diff) -> tuple[Diff, list[Finding]]:
    """The diff without secrets, and a finding for each line that adds one."""
    files: list[FileDiff] = []
    findings: list[Finding] = []
    for file in diff.files:
        clean, found = _redacted_file(file)
        files.append(clean)
        findings += found
    return replace(diff, files=tuple(files)), findings


def without_secrets(finding: Finding) -> Finding:
    """A finding of a check with what it quotes covered; a suggestion that holds one is dropped."""
    suggestion = finding.suggestion
    if suggestion is not None and redacted(suggestion) != suggestion:
        suggestion = None
    return replace(
        finding,
        title=redacted(finding.title),
        message=redacted(finding.message),
        quote=redacted(finding.quote),
        suggestion=suggestion,
    )


def _redacted_file(file: FileDiff) -> tuple[FileDiff, list[Finding]]:
    hunks: list[Hunk] = []
    found: list[tuple[Secret, DiffLine]] = []
    for hunk in file.hunks:
        clean, secrets = _redacted_hunk(hunk)
        hunks.append(clean)
        found += secrets
    if not any(one is not other for one, other in zip(hunks, file.hunks, strict=True)):
        return file, []
    cleaned = replace(file, hunks=tuple(hunks))
    added = [(secret, line) for secret, line in found if line.kind == "added"]
    return cleaned, [_finding(cleaned, secret, line) for secret, line in added]


def _redacted_hunk(hunk: Hunk) -> tuple[Hunk, list[tuple[Secret, DiffLine]]]:
    # Each side is a text of its own: a key of several lines must not end at a line of the other.
    texts: dict[int, str] = {}
    found: list[tuple[Secret, DiffLine]] = []
    for absent in ("removed", "added"):
        side = [(at, line) for at, line in enumerate(hunk.lines) if line.kind != absent]
        clean, secrets = redacted_lines(line.text for _, line in side)
        for (at, line), text in zip(side, clean, strict=True):
            if text != line.text:
                texts[at] = text
        if absent == "removed":
            found = [(secret, replace(side[secret.line][1], text=clean[secret.line]))
                     for secret in secrets]  # fmt: skip
    if not texts and not found:
        section = redacted(hunk.section)
        return (hunk if section == hunk.section else replace(hunk, section=section)), []
    lines = tuple(
        replace(line, text=texts[at]) if at in texts else line for at, line in enumerate(hunk.lines)
    )
    return replace(hunk, lines=lines, section=redacted(hunk.section)), found


def _finding(file: FileDiff, secret: Secret, line: DiffLine) -> Finding:
    assert line.new_line is not None
    return Finding(
        path=file.path,
        category="secret",
        severity="critical",
        title=f"This line adds a secret: {secret.words}",
        message="Whoever can read the repository can use it. Revoke it, take it out of the "
        "history, and read it from the environment or a secret store.",
        anchor=anchor_for_line(file, line.new_line),
        quote=line.text,
        origin="secret",
    )


def _redacted_line(line: str) -> tuple[str, list[Kind]]:
    found: list[Kind] = []
    if len(line) < 12:
        return line, found
    for kind in KINDS:
        for match in kind.pattern.finditer(line):
            group = "s" if "s" in kind.pattern.groupindex else 0
            start, end = match.span(group)
            if kind.slug in ("generic", "url") and not _is_certain(line[start:end], kind.slug):
                continue
            found.append(kind)
            line = line[:start] + _placeholder(kind.slug, end - start) + line[end:]
    return line, found


def _is_certain(value: str, kind: str) -> bool:
    """Whether a value that only its name makes a secret looks like one: no word, no reference."""
    if _PLACEHOLDER.search(value):
        return False
    classes = sum(bool(re.search(c, value)) for c in ("[a-z]", "[A-Z]", r"\d", r"[^\w]"))
    if kind == "url":
        return classes >= 2
    return classes >= 3 and len(set(value)) >= 10 and bool(re.search(r"\d", value))


def _placeholder(kind: str, length: int) -> str:
    text = f"«secret:{kind}»"
    if length < len(text):
        return ("«secret»" + FILLER * length)[:length]
    return text[:-1] + FILLER * (length - len(text)) + text[-1]


def _without_key(line: str) -> str:
    """A line of a private key, its marks kept."""

    def cover(match: re.Match[str]) -> str:
        return _placeholder("key", len(match[0]))

    parts = re.split(r"(-----[A-Z0-9 ]+-----)", line)
    return "".join(p if p.startswith("-----") else _PEM_BODY.sub(cover, p) for p in parts)
