"""The look_up node: what the parts of a review ask of the code index, answered within bounds.

A part that may look something up asks by tool calls instead of answering. The answers are blobs;
the state names them, and the part is asked again with them in its prompt. Each round is a step of
the graph, so that a run which goes on after a crash pays for no answered call twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from graph import blobs
from graph.checking import as_store
from graph.code.index import CodeIndex
from graph.code.tools import MAX_CALLS, CodeTools, Found, tool_schemas
from graph.context import ReviewContext
from graph.planning import CALL_OVERHEAD_TOKENS
from graph.planning_units import tokens_in
from graph.spending import Limits, left_today, set_spent, tokens_of
from graph.state import ReviewState, Unit
from graph.store import ConventionStore
from graph.turn import current, settings_of
from graph.untrusted import block, nonce_for, stripped

MAX_ROUNDS = 3
"""Of one part: each is a model call more. A model may ask for several things at once."""

BUDGET_TOKENS = 8_000
"""For all answers of one part; with more of the repository in it the diff is read worse."""

MAX_ARGUMENT_CHARACTERS = 1_000
"""Of one call, as the state keeps them; longer ones are no path, name or question."""

HEADING = "What you looked up:"

NOTE = """You may look up other code of this repository, as it was before this pull request:
{calls} more calls, several at once, in {rounds} more rounds. Do so only when it decides whether a
finding is true. Otherwise, and in the end, call report."""

log = structlog.get_logger()


def look_up(
    state: ReviewState, runtime: Runtime[ReviewContext], *, limits: Limits
) -> dict[str, Any]:
    """Answer what the parts asked, and say how many calls each has left; 0 means: report now."""
    context = runtime.context
    context.still_ours()
    store = as_store(runtime.store)
    asked = sorted(state["asked"], key=lambda one: int(one["unit"]))
    units = {unit["number"]: unit for unit in state["units"]}
    may_go_on = _reserved(state, context, store, [units[one["unit"]] for one in asked], limits)
    looking: dict[str, int] = {}
    looked_up: list[dict[str, Any]] = []
    retrieved: list[dict[str, Any]] = []
    for one in asked:
        earlier = of_unit(state, one["unit"])
        records, sources = _answered(one, earlier, context, store)
        looked_up += records
        retrieved += sources
        left = MAX_CALLS - len(earlier) - len(records)
        is_last = records[-1]["round"] >= MAX_ROUNDS
        looking[str(one["unit"])] = left if may_go_on and not is_last else 0
    if asked:
        log.info(
            "review.looked_up", repo=context.repository_id, number=context.number,
            units=[one["unit"] for one in asked], calls=[r["tool"] for r in looked_up],
            refused=sum(r["is_error"] for r in looked_up),
        )  # fmt: skip
    return {
        "asked": Overwrite([]), "looking": looking, "looked_up": looked_up, "retrieved": retrieved,
    }  # fmt: skip


def of_unit(state: ReviewState, number: int) -> list[dict[str, Any]]:
    """The look-ups of one part so far, in their order."""
    return [record for record in state["looked_up"] if record["unit"] == number]


def tools_and_note(records: Sequence[Mapping[str, Any]], calls_left: int) -> tuple[Any, str]:
    """The tools that a part may call now, and what it is told of them."""
    rounds = MAX_ROUNDS - max((int(r["round"]) for r in records), default=0)
    return tool_schemas(), NOTE.format(calls=calls_left, rounds=rounds)


def looked_up_text(
    store: ConventionStore, context: ReviewContext, records: Sequence[Mapping[str, Any]]
) -> str:
    """The answers of a part's look-ups for its prompt, or "" when there are none."""
    if not records:
        return ""
    texts = blobs.get(store, context.repository_id, [str(r["blob"]) for r in records])
    known = [texts.get(str(r["blob"]), "(no longer kept)") for r in records]
    return "\n\n".join([HEADING, *known])


def reserve_for(
    context: ReviewContext,
    store: ConventionStore,
    units: Sequence[Unit],
    wanted: Sequence[int],
    limits: Limits,
) -> list[int]:
    """Which of the parts in `wanted` may look things up: those whose second call is paid for."""
    left = _left(context, store, limits)
    reserved = sum(unit["tokens"] + CALL_OVERHEAD_TOKENS for unit in units)
    allowed = []
    for unit in units:
        if unit["number"] in wanted and reserved + cost_of(unit) <= left:
            reserved += cost_of(unit)
            allowed.append(unit["number"])
    if allowed:
        set_spent(store, context, reserved)
    return allowed


def cost_of(unit: Unit) -> int:
    """Tokens of one more call of a part, at most, about."""
    return unit["tokens"] + CALL_OVERHEAD_TOKENS + BUDGET_TOKENS


def _reserved(
    state: ReviewState,
    context: ReviewContext,
    store: ConventionStore,
    units: Sequence[Unit],
    limits: Limits,
) -> bool:
    """Whether a further round and the report after it are within what may still be spent."""
    wanted = sum(tokens_of(state["usage"])) + 2 * sum(map(cost_of, units))
    if not units or wanted > _left(context, store, limits):
        return False
    set_spent(store, context, wanted)
    return True


def _left(context: ReviewContext, store: ConventionStore, limits: Limits) -> int:
    settings = settings_of(context, current(context))
    return left_today(store, context, settings.review_daily_tokens, limits).left_tokens


def _answered(
    asked: Mapping[str, Any],
    earlier: Sequence[Mapping[str, Any]],
    context: ReviewContext,
    store: ConventionStore,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The records of one part's calls, and what they showed; calls past the limit are refused."""
    number = int(max((r["round"] for r in earlier), default=0)) + 1
    budget = BUDGET_TOKENS - sum(int(r["tokens"]) for r in earlier)
    records: list[dict[str, Any]] = []
    sources: list[dict[str, Any]] = []
    for call in asked["calls"][: MAX_CALLS - len(earlier)]:
        found = _found(call, context.code, budget)
        text = _told(call, found)
        budget -= tokens_in(found.text)
        digest = blobs.put(store, context.repository_id, text)
        about = {"unit": asked["unit"], "tool": call["name"], "blob": digest}
        records.append(
            {**about, "arguments": call["args"], "round": number, "is_error": found.is_error,
             "tokens": tokens_in(found.text)}
        )  # fmt: skip
        sources += [
            {**about, "path": s.path, "lines": [s.first_line, s.last_line], "sha": s.sha,
             "commit": context.code.commit_sha if context.code else ""}
            for s in found.sources
        ]  # fmt: skip
    return records, sources


def _found(call: Mapping[str, Any], index: CodeIndex | None, budget: int) -> Found:
    if index is None:
        return Found("The repository has no index any more. Answer with what you have.", (), True)
    found = CodeTools(index).run(str(call["name"]), call["args"])
    if tokens_in(found.text) <= budget:
        return found
    return Found("That answer is longer than what is left for look-ups: ask for less.", (), True)


def _told(call: Mapping[str, Any], found: Found) -> str:
    """The call and its answer. The arguments are a model's words, which may repeat the diff's."""
    asked = f"{call['name']} {json.dumps(call['args'], ensure_ascii=False)}"
    asked = stripped(asked, is_markdown=False).text
    return f"{block('call', asked, nonce_for(asked))}\n{found.text}"


def wanted_calls(calls: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tool calls of an answer as the state can keep them: names and short, flat arguments."""
    kept = []
    for call in calls[:MAX_CALLS]:
        arguments = {_text(name): _plain(value) for name, value in call["args"].items()}
        if len(json.dumps(arguments)) > MAX_ARGUMENT_CHARACTERS:
            arguments = {}
        kept.append({"name": _text(call["name"])[:40], "args": arguments})
    return kept


def _plain(value: Any) -> int | str:
    """A number or a text; what no tool takes becomes a text too, and is refused as such."""
    return value if isinstance(value, int) else _text(value)


def _text(value: Any) -> str:
    return str(value)[: MAX_ARGUMENT_CHARACTERS + 1].encode("utf-8", "replace").decode()
