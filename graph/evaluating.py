"""How good are the reviews: pull requests with expected findings, run through the graph.

A case is one pull request: its diff, the files of its head, the conventions that were taught, and
what a good reviewer finds. Nothing is published; what would have been is compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from graph.context import (
    HANDLE,
    CheckReport,
    Permission,
    Publication,
    PullRequest,
    ReviewContext,
    ReviewDraft,
    ReviewThread,
    Speaker,
    ThreadComment,
)
from graph.conventions import Source
from graph.diff import Diff, parse_diff
from graph.findings import Finding
from graph.review import build_graph
from graph.spending import tokens_of
from graph.state import Turn
from graph.store import ConventionStore

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

NEAR_LINES = 2
"""A finding may stand so far from the expected line: people too point at the line beside it."""


class DatasetError(ValueError):
    """A data set can't be read; the message names the line."""

    reason = "dataset"


class Expected(BaseModel):
    """A finding that a good review makes. `line` is a new-file number; `end_line` widens it."""

    model_config = ConfigDict(extra="forbid")

    path: str
    line: int
    end_line: int | None = None
    category: str = ""
    convention: str = ""

    def is_met_by(self, finding: Finding) -> bool:
        if finding.path != self.path or (self.convention or None) != finding.convention_id:
            return False
        if finding.anchor is None:
            return False
        places = [finding.anchor, *finding.also_at]
        last = self.end_line or self.line
        return any(
            p.path == self.path and self.line - NEAR_LINES <= p.line <= last + NEAR_LINES
            for p in places
        )


class Case(BaseModel):
    """One line of a data set. No expected finding means that a good review says nothing."""

    model_config = ConfigDict(extra="forbid")

    id: str
    diff: str
    title: str = "Change"
    body: str = ""
    files: dict[str, str] = {}
    teach: list[str] = []
    expected: list[Expected] = []


@dataclass
class Score:
    """True and false findings, and what was missed."""

    found: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float | None:
        """None when nothing was told."""
        told = self.found + self.wrong
        return self.found / told if told else None

    @property
    def recall(self) -> float | None:
        """None when nothing was to be found."""
        wanted = self.found + self.missed
        return self.found / wanted if wanted else None

    @property
    def f1(self) -> float | None:
        precision, recall = self.precision, self.recall
        if precision is None or recall is None:
            return None
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "found": self.found, "wrong": self.wrong, "missed": self.missed,
            "precision": self.precision, "recall": self.recall, "f1": self.f1,
        }  # fmt: skip


@dataclass
class Evaluation:
    """The scores of a run, over all, by category and by convention, and what it cost."""

    cases: int = 0
    clean_cases: int = 0
    noisy_clean_cases: int = 0
    findings: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    total: Score = field(default_factory=Score)
    by_category: dict[str, Score] = field(default_factory=dict)
    by_convention: dict[str, Score] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    noise: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "cases": self.cases,
            "clean_cases": self.clean_cases,
            "clean_cases_with_findings": self.noisy_clean_cases,
            "findings": self.findings,
            "findings_per_pull_request": self.findings / self.cases if self.cases else 0.0,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "seconds": round(self.seconds, 3),
            "total": self.total.to_json(),
            "by_category": {k: s.to_json() for k, s in sorted(self.by_category.items())},
            "by_convention": {k: s.to_json() for k, s in sorted(self.by_convention.items())},
            "failures": self.failures,
            "missed": self.misses,
            "wrong": self.noise,
        }


def read_cases(text: str, name: str = "data set") -> list[Case]:
    """The cases of a data set in JSON lines. Raises DatasetError."""
    cases: list[Case] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            case = Case.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise DatasetError(f"{name}, line {number}: {where}: {first['msg']}.") from error
        if any(case.id == other.id for other in cases):
            raise DatasetError(f"{name}, line {number}: the id {case.id!r} is taken.")
        cases.append(case)
    if not cases:
        raise DatasetError(f"{name} holds no case; write one JSON object a line.")
    return cases


class OnCase(Protocol):
    """Called after each case, to show progress."""

    def __call__(self, case: Case, findings: Sequence[Finding]) -> None: ...


def evaluate(
    cases: Iterable[Case],
    store: ConventionStore,
    model: BaseChatModel | None,
    *,
    now: Callable[[], float] = time.time,
    on_case: OnCase | None = None,
) -> Evaluation:
    """Run every case in a repository of its own in `store`, and compare.

    Raises what the graph raises, ModelBusy among it: a score over half of a data set is none.
    """
    result = Evaluation()
    graph = build_graph(store, model)
    for number, case in enumerate(cases, start=1):
        began_s = time.monotonic()
        state = _run(graph, case, number, now)
        result.seconds += time.monotonic() - began_s
        findings = [Finding.from_json(f) for f in state["findings"]]
        _count(result, case, findings)
        tokens_into, tokens_out = tokens_of(state["usage"])
        result.input_tokens += tokens_into
        result.output_tokens += tokens_out
        result.failures += [f"{case.id}: {failure}" for failure in state["failures"]]
        if on_case is not None:
            on_case(case, findings)
    return result


def _run(graph: Any, case: Case, number: int, now: Callable[[], float]) -> dict[str, Any]:
    outside = _Outside(case, parse_diff(case.diff))
    for at, rule in enumerate(case.teach, start=1):
        words = f"@{HANDLE} remember: {rule}"
        source = Source("cli", "data set", github_id=1, said_at=now())
        context = _context(outside, number, f"{number}:{at}", now, Speaker(source, "admin", words))
        graph.invoke({"turn": _turn(context, "message", words)}, context=context)
    context = _context(outside, number, f"{number}:review", now, None)
    return dict(graph.invoke({"turn": _turn(context, "review", "")}, context=context))


def _turn(context: ReviewContext, kind: Any, text: str) -> Turn:
    return Turn(event_id=context.event_id, kind=kind, cause="auto", text=text)


def _context(
    outside: _Outside,
    number: int,
    event_id: str,
    now: Callable[[], float],
    speaker: Speaker | None,
) -> ReviewContext:
    return ReviewContext(
        installation_id=number,
        account_id=number,
        repository_id=number,
        repository_name="data/set",
        number=1,
        event_id=event_id,
        cause="auto",
        reader=outside,
        publisher=outside,
        still_ours=lambda: None,
        now=now,
        speaker=speaker,
    )


def _count(result: Evaluation, case: Case, findings: Sequence[Finding]) -> None:
    result.cases += 1
    result.findings += len(findings)
    if not case.expected:
        result.clean_cases += 1
        result.noisy_clean_cases += bool(findings)
    left = list(findings)
    for wanted in case.expected:
        scores = _scores(result, wanted.category or "convention", wanted.convention, case)
        met = next((f for f in left if wanted.is_met_by(f)), None)
        if met is None:
            result.misses.append(f"{case.id}: {wanted.path}:{wanted.line}")
        else:
            left.remove(met)
        for score in scores:
            score.found += met is not None
            score.missed += met is None
    for finding in left:
        line = finding.anchor.line if finding.anchor else 0
        result.noise.append(f"{case.id}: {finding.path}:{line}: {finding.title}")
        for score in _scores(result, finding.category, finding.convention_id or "", case):
            score.wrong += 1


def _scores(result: Evaluation, category: str, convention: str, case: Case) -> list[Score]:
    scores = [result.total, result.by_category.setdefault(category, Score())]
    if convention:
        rule = _rule(case, convention)
        scores.append(result.by_convention.setdefault(rule, Score()))
    return scores


def _rule(case: Case, convention_id: str) -> str:
    at = int(convention_id[1:]) - 1
    return case.teach[at] if 0 <= at < len(case.teach) else convention_id


@dataclass
class _Outside:
    """Reader and publisher of one case: everything is in the case, and nothing goes out."""

    case: Case
    known_diff: Diff

    def pull_request(self, number: int) -> PullRequest:
        return PullRequest(
            repository_id=1, repository_name="data/set", number=number, title=self.case.title,
            body=self.case.body, author_id=1, author_login="author", author_is_bot=False,
            is_draft=False, is_open=True, is_public_repository=False, labels=(), base_ref="main",
            base_sha="b" * 40, head_ref="change", head_sha="a" * 40, default_branch="main",
            html_url="https://localhost/data/set/pull/1",
        )  # fmt: skip

    def diff(self, pull_request: PullRequest) -> Diff:  # noqa: ARG002 - of the Protocol
        return self.known_diff

    def compare(self, base_sha: str, head_sha: str) -> Diff | None:  # noqa: ARG002
        return None

    def read_file(self, path: str, ref: str) -> bytes | None:
        text = self.case.files.get(path) if ref == "a" * 40 else None
        return None if text is None else text.encode()

    def permission(self, login: str, user_id: int) -> Permission:  # noqa: ARG002
        return "write"

    def threads(self, number: int) -> tuple[ReviewThread, ...]:  # noqa: ARG002
        return ()

    def conversation(self, number: int) -> tuple[ThreadComment, ...]:  # noqa: ARG002
        return ()

    def head_sha(self, number: int) -> str:  # noqa: ARG002
        return "a" * 40

    def publish(self, draft: ReviewDraft) -> Publication:  # noqa: ARG002
        return Publication(review_id=None)

    def report(self, number: int, head_sha: str, report: CheckReport) -> int:  # noqa: ARG002
        return 0


def as_text(evaluation: Evaluation, model: str) -> str:
    """The figures as lines for people."""
    per_case = evaluation.findings / evaluation.cases if evaluation.cases else 0.0
    lines = [
        f"{evaluation.cases} pull requests, {evaluation.clean_cases} of them clean; model: {model}",
        f"findings: {evaluation.findings} ({per_case:.2f} a pull request)",
        f"clean pull requests with findings: {evaluation.noisy_clean_cases}",
        f"tokens: {evaluation.input_tokens:,} in, {evaluation.output_tokens:,} out",
        f"seconds: {evaluation.seconds:.1f}",
        _row("total", evaluation.total),
    ]
    for name, scores in (("by category", evaluation.by_category),
                         ("by convention", evaluation.by_convention)):  # fmt: skip
        lines += [f"{name}:"] if scores else []
        lines += [_row(f"  {key}", score) for key, score in sorted(scores.items())]
    lines += [f"failed: {failure}" for failure in evaluation.failures]
    return "\n".join(lines)


def _row(name: str, score: Score) -> str:
    figures = (("precision", score.precision), ("recall", score.recall), ("F1", score.f1))
    shares = [f"{label} {_share(value)}" for label, value in figures]
    counts = f"{score.found} found, {score.wrong} wrong, {score.missed} missed"
    return f"{name[:60]:<60}  {'  '.join(shares)}  ({counts})"


def _share(value: float | None) -> str:
    return "   -" if value is None else f"{value:.2f}"
