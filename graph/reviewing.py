"""The review_unit node: one part of the diff, one structured answer of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import structlog
from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.runtime import Runtime

from graph import instructions as standing
from graph import recalling
from graph.checking import as_store
from graph.context import PullRequest, ReviewContext
from graph.conventions import Convention
from graph.findings import CATEGORIES, SEVERITIES
from graph.looking_up import looked_up_text, tools_and_note, wanted_calls
from graph.numbered_diff import shown_path
from graph.planning_units import tokens_in
from graph.prompts import prompt
from graph.redaction import redacted
from graph.routing import context_text
from graph.spending import tokens_of
from graph.state import UnitTask
from graph.store import ConventionStore
from graph.structured import (
    CallFailed,
    Calls,
    ModelBusy,
    Reply,
    ask,
    ask_with_tools,
    model_label,
)
from graph.turn import current
from graph.untrusted import block, nonce_for, one_line, stripped

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

MODEL_ATTEMPTS = 3
"""Of one node in one run, with a second between; the inbox tries again later than that."""

RULES_BUDGET_TOKENS = 6_000
"""Beyond this the rules would crowd out the code; the newest are kept, the others named."""

MAX_TITLE_CHARACTERS = 200
MAX_DESCRIPTION_CHARACTERS = 1_500
MAX_SAID = 12

CONTEXT_HEADING = (
    "Looked up in the rest of the repository. It says what the diff breaks or uses; findings are "
    "about lines of the diff only:"
)

_CATEGORIES = [c for c in CATEGORIES if c != "secret"]

SCHEMA: Mapping[str, Any] = {
    "title": "report",
    "description": "What is wrong in this part of the pull request.",
    "type": "object",
    "properties": {
        "findings": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "line": {"type": "integer"},
                    "quote": {"type": "string"},
                    "category": {
                        "type": "string",
                        "enum": [c for c in CATEGORIES if c != "secret"],
                    },
                    "severity": {"type": "string", "enum": list(SEVERITIES)},
                    "confidence": {"type": "number"},
                    "title": {"type": "string"},
                    "failure": {"type": "string"},
                    "convention": {"type": "string"},
                    "suggestion": {"type": "string"},
                },
                "required": ["path", "line", "quote", "category", "severity", "title", "failure"],
            },
        }
    },
    "required": ["findings"],
}

log = structlog.get_logger()


@dataclass(frozen=True)
class Prompt:
    """The two messages of one call, the conventions in them, and those that found no room."""

    system: str
    content: str
    shown: tuple[Convention, ...]
    left_out: tuple[str, ...]


def review_unit(
    task: UnitTask, runtime: Runtime[ReviewContext], *, model: BaseChatModel
) -> dict[str, Any]:
    """Ask the model about one part. A failure is named; only an unreachable model raises.

    Raises ModelBusy, as long as the call will be tried again.
    """
    context, unit = runtime.context, task["unit"]
    context.still_ours()
    store = as_store(runtime.store)
    where, what = _where(unit["paths"]), f"unit {unit['number']}"
    if context.now() > context.deadline:
        return {"failures": [f"{where}: not read, the review took too long"]}
    blob = store.read([(("blobs", str(context.repository_id)), unit["blob"])])[0]
    if blob is None:
        return {"failures": [f"{where}: not read, the prepared diff has expired"]}
    conventions = recalling.active_conventions(store, context)
    brief = context_text(store, context, [task["brief"]]) if task.get("brief") else ""
    built = build_prompt(task, current(context), conventions, str(blob.value["text"]), brief)
    update: dict[str, Any] = {"recalled": [c.reference for c in built.shown]}
    if built.left_out and not task.get("looked_up"):
        update["failures"] = [
            f"{where}: too many conventions for one prompt, without {', '.join(built.left_out)}"
        ]
    try:
        reply = _reply(task, built, context, store, model)
    except CallFailed as failure:
        log_call(context, what, built.shown, failure.usage, model, failure.reason)
        update["usage"] = [dict(used) for used in failure.usage]
        update["failures"] = [*update.get("failures", []), f"{where}: {failure}"]
        return update
    except ModelBusy as busy:
        if not is_last_try(runtime):
            raise
        log_call(context, what, built.shown, (), model, busy.reason)
        return {"failures": [f"{where}: not read, the model could not be reached"]}
    log_call(context, what, built.shown, reply.usage, model, "")
    if isinstance(reply, Calls):
        asked = {"unit": unit["number"], "calls": wanted_calls(reply.calls)}
        return update | {"usage": list(reply.usage), "asked": [asked]}
    given = [c.id for c in built.shown]
    return update | {
        "usage": list(reply.usage),
        "answered": [unit["number"]],
        "proposals": [
            {"given": given, "only": unit["only"], "said": item} for item in reply.value["findings"]
        ],
    }


def _reply(
    task: UnitTask,
    built: Prompt,
    context: ReviewContext,
    store: ConventionStore,
    model: BaseChatModel,
) -> Reply | Calls:
    """The model's findings, or what it wants to look up first when it may."""
    # A task of the version before, which a crash left, has neither.
    records, calls_left = task.get("looked_up", []), task.get("calls_left", 0)
    looked_up = looked_up_text(store, context, records)
    content = f"{built.content}\n\n{looked_up}" if looked_up else built.content
    if calls_left <= 0:
        messages = [SystemMessage(built.system), HumanMessage(content)]
        return ask(model, SCHEMA, messages, context.still_ours, "findings")
    tools, note = tools_and_note(records, calls_left)
    messages = [SystemMessage(f"{built.system}\n\n{note}"), HumanMessage(content)]
    return ask_with_tools(model, SCHEMA, tools, messages, context.still_ours, "findings")


def build_prompt(
    task: UnitTask,
    pull_request: PullRequest,
    conventions: Sequence[Convention],
    text: str,
    brief: str = "",
) -> Prompt:
    """Everything the model is told about one part: what never changes first, for caches.

    `brief` is what was looked up in the rest of the repository.
    """
    unit = task["unit"]
    shown, left_out = _fitting(_concerned(conventions, unit["paths"], unit["only"]))
    checked = frozenset(c.id for c in shown if c.check is not None)
    system = [prompt("review"), recalling.block(shown, checked)]
    if unit["only"]:
        system.append(
            "Report only violations of these conventions; the rest of this code was read before."
        )
    if task["instructions"]:
        system.append(standing.block(task["instructions"]))
    about = _about(pull_request)
    here = [line for line in task["said"] if line.partition(": ")[0] in unit["paths"]]
    said = "\n".join(here[-MAX_SAID:])
    nonce = nonce_for(about, said, text, brief)
    parts = [block("pull_request", about, nonce)]
    if said:
        parts.append(
            "Said before on this pull request, do not repeat:\n" + block("said", said, nonce)
        )
    if brief:
        parts.append(f"{CONTEXT_HEADING}\n{block('code', brief, nonce)}")
    parts.append(block("diff", text, nonce))
    return Prompt("\n\n".join(system), "\n".join(parts), tuple(shown), tuple(left_out))


def _concerned(
    conventions: Sequence[Convention], paths: Sequence[str], only: Sequence[str]
) -> list[Convention]:
    return [
        c
        for c in conventions
        if (not only or c.id in only) and any(c.applies_to(path) for path in paths)
    ]


def _fitting(conventions: Sequence[Convention]) -> tuple[list[Convention], list[str]]:
    """Those that fit, in their order, and the ids of the others: what is enforced comes first."""
    wanted = sorted(conventions, key=lambda c: (c.mode == "context", c.check is not None,
                                                -c.updated_at))  # fmt: skip
    kept: set[str] = set()
    used = 0
    for convention in wanted:
        used += tokens_in(convention.rule) + 20
        if used <= RULES_BUDGET_TOKENS:
            kept.add(convention.id)
    return (
        [c for c in conventions if c.id in kept],
        [c.id for c in conventions if c.id not in kept],
    )


def _about(pull_request: PullRequest) -> str:
    title = one_line(redacted(pull_request.title), MAX_TITLE_CHARACTERS)
    body = redacted(stripped(redacted(pull_request.body)).text).strip()
    if len(body) > MAX_DESCRIPTION_CHARACTERS:
        body = body[:MAX_DESCRIPTION_CHARACTERS] + "…"
    return f"{title}\n{body}" if body else title


def _where(paths: Sequence[str]) -> str:
    first = f"`{shown_path(paths[0])}`" if paths else "nothing"
    return first if len(paths) < 2 else f"{first} and {len(paths) - 1} more"


def is_last_try(runtime: Runtime[ReviewContext]) -> bool:
    """Whether neither this run nor a later one will repeat a failed model call."""
    info = runtime.execution_info
    attempt = info.node_attempt if info is not None else MODEL_ATTEMPTS
    return attempt >= MODEL_ATTEMPTS and runtime.context.is_last_attempt


def log_call(
    context: ReviewContext,
    what: str,
    shown: Sequence[Convention],
    usage: Sequence[Mapping[str, Any]],
    model: BaseChatModel,
    failure: str,
) -> None:
    """One line for each model call: which conventions were in it, and what it cost."""
    tokens_into, tokens_out = tokens_of(usage)
    log.info(
        "review.model_call",
        what=what,
        number=context.number,
        conventions=[c.reference for c in shown],
        input_tokens=tokens_into,
        output_tokens=tokens_out,
        model=model_label(model),
        failure=failure,
    )
