"""The refute node: a second look at what a model claims, which drops whatever it can't prove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from langgraph.types import Send
from pydantic import BaseModel, ValidationError

from graph import instructions as standing
from graph import recalling
from graph.checking import as_store
from graph.context import ReviewContext
from graph.conventions import Convention
from graph.diff import Diff, FileDiff, Hunk
from graph.findings import Finding
from graph.numbered_diff import heading, hunk_text
from graph.planning import clean, clean_text
from graph.prompts import prompt
from graph.reviewing import is_last_try, log_call
from graph.state import RefuteTask, ReviewState
from graph.structured import CallFailed, ModelBusy, ask
from graph.turn import current
from graph.untrusted import block, nonce_for

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

MAX_CLAIMS = 6
"""Of one call, all about one file."""

LINES_AROUND = 25
"""Of the file shown before and after a claim's place."""

MAX_HUNK_LINES = 120

SCHEMA: Mapping[str, Any] = {
    "title": "verdicts",
    "description": "Which claims hold.",
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "claim": {"type": "integer"},
                    "holds": {"type": "boolean"},
                    "quote": {"type": "string"},
                },
                "required": ["claim", "holds", "quote"],
            },
        }
    },
    "required": ["verdicts"],
}


class Verdict(BaseModel):
    """One item of the answer, as it must be."""

    claim: int
    holds: bool
    quote: str = ""


def to_refute(state: ReviewState) -> list[Send]:
    """The calls that look again at a model's findings: by file, a few claims each."""
    by_path: dict[str, list[dict[str, Any]]] = {}
    for record in state["findings"]:
        if record["origin"] == "model":
            by_path.setdefault(record["path"], []).append(record)
    instructions = state.get("instructions", [])
    return [
        Send("refute", RefuteTask(claims=claims[at : at + MAX_CLAIMS], instructions=instructions))
        for claims in by_path.values()
        for at in range(0, len(claims), MAX_CLAIMS)
    ]


def refute(
    task: RefuteTask, runtime: Runtime[ReviewContext], *, model: BaseChatModel
) -> dict[str, Any]:
    """Ask whether claims hold. Whatever is not confirmed with a line of the code does not.

    Raises ModelBusy, as long as the call will be tried again.
    """
    context = runtime.context
    context.still_ours()
    claims = [Finding.from_json(record) for record in task["claims"]]
    pull_request = current(context)
    diff = clean(context.reader.diff(pull_request)).diff
    content = context.reader.read_file(claims[0].path, pull_request.head_sha)
    head = clean_text((content or b"").decode("utf-8", "replace")).split("\n")
    conventions = recalling.active_conventions(as_store(runtime.store), context)
    code = _code(diff, claims, head)
    if context.now() > context.deadline:
        return _unverified(claims, "the review took too long")
    try:
        messages = _messages(claims, conventions, task, code)
        reply = ask(model, SCHEMA, messages, context.still_ours, "verdicts")
    except CallFailed as failure:
        log_call(context, "refute", conventions, failure.usage, model, failure.reason)
        return _unverified(claims, str(failure)) | {"usage": [dict(u) for u in failure.usage]}
    except ModelBusy:
        if not is_last_try(runtime):
            raise
        return _unverified(claims, "the model could not be reached")
    cited = [c for c in conventions if c.id in {claim.convention_id for claim in claims}]
    log_call(context, "refute", cited, reply.usage, model, "")
    return {
        "usage": list(reply.usage),
        "verdicts": _verdicts(claims, reply.value["verdicts"], code),
    }


def _messages(
    claims: Sequence[Finding], conventions: Sequence[Convention], task: RefuteTask, code: str
) -> list[SystemMessage | HumanMessage]:
    cited = [c for c in conventions if c.id in {claim.convention_id for claim in claims}]
    rules = "\n".join(f"- {c.id}: {' '.join(c.rule.split())}" for c in cited)
    system = [prompt("refute")]
    if rules:
        system.append(f"Conventions of the team:\n{rules}")
    if task["instructions"]:
        system.append(standing.block(task["instructions"]))
    listed = "\n".join(_claim(number, claim) for number, claim in enumerate(claims, start=1))
    nonce = nonce_for(listed, code)
    user = f"{block('claims', listed, nonce)}\n{block('code', code, nonce)}"
    return [SystemMessage("\n\n".join(system)), HumanMessage(user)]


def _claim(number: int, claim: Finding) -> str:
    where = f" at line {claim.anchor.line}" if claim.anchor is not None else ""
    rule = f" (breaks {claim.convention_id})" if claim.convention_id else ""
    return f"{number}.{where}{rule}: {claim.title}"


def _code(diff: Diff, claims: Sequence[Finding], head: Sequence[str]) -> str:
    """The hunks that the claims stand in, each with what is around it in the file."""
    file = diff.file(claims[0].path)
    if file is None:
        return ""
    lines = [c.anchor.line for c in claims if c.anchor is not None and c.anchor.side == "RIGHT"]
    is_everywhere = len(lines) < len(claims)
    wanted = [
        hunk
        for hunk in file.hunks
        if is_everywhere or any(line in hunk.new_lines for line in lines)
    ]
    return "\n".join([heading(file), *(_shown(file, hunk, lines, head) for hunk in wanted)])


def _shown(file: FileDiff, hunk: Hunk, lines: Sequence[int], head: Sequence[str]) -> str:
    shown = file.new_text_lines
    first, stop = hunk.new_lines.start, hunk.new_lines.stop
    lead = range(max(1, first - LINES_AROUND), first)
    tail = range(stop, min(len(head) + 1, stop + LINES_AROUND))
    if file.status == "added" or not any(line.strip() for line in head):
        lead = tail = range(0)
    return hunk_text(
        _cut(hunk, lines),
        [(n, head[n - 1]) for n in lead if n not in shown],
        [(n, head[n - 1]) for n in tail if n not in shown],
    )


def _cut(hunk: Hunk, lines: Sequence[int]) -> Hunk:
    """A long hunk, cut to the lines around the claims."""
    if len(hunk.lines) <= MAX_HUNK_LINES:
        return hunk
    at = [n for n, line in enumerate(hunk.lines) if line.new_line in lines] or [0]
    room = max(MAX_HUNK_LINES // 2 // len(at), 15)
    kept = {n for place in at for n in range(place - room, place + room)}
    return Hunk(
        hunk.old_start,
        hunk.new_start,
        hunk.section,
        tuple(line for n, line in enumerate(hunk.lines) if n in kept),
    )


def _verdicts(claims: Sequence[Finding], items: Sequence[Any], code: str) -> list[dict[str, Any]]:
    held: set[int] = set()
    for item in items:
        try:
            verdict = Verdict.model_validate(item)
        except ValidationError:
            continue
        if verdict.holds and _stands_in(verdict.quote, code):
            held.add(verdict.claim)
    return [
        {"fingerprint": claim.fingerprint, "holds": number in held}
        for number, claim in enumerate(claims, start=1)
    ]


def _stands_in(quote: str, code: str) -> bool:
    wanted = " ".join(next((line for line in quote.split("\n") if line.strip()), "").split())
    if len(wanted) < 2:
        return False
    return any(wanted in " ".join(line.split()) for line in code.split("\n"))


def _unverified(claims: Sequence[Finding], why: str) -> dict[str, Any]:
    path = claims[0].path
    return {
        "failures": [f"`{path}`: {len(claims)} findings could not be verified, {why}"],
        "verdicts": [
            {"fingerprint": c.fingerprint, "holds": False, "unverified": path} for c in claims
        ],
    }
