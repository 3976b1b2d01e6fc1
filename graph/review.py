"""The graph: one thread per pull request, for its reviews and for what is said on it.

begin -> load -> triage -> check -> plan -> route -> review_unit xN -> gate -> refute -> rank
      -> publish -> record          a review; review_unit <-> look_up where the route allows it
      -> hear -> summarise -> agent <-> tools -> reply               a message
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import RetryPolicy, Send

from graph.checking import as_store, check
from graph.code.tools import MAX_CALLS
from graph.context import ReviewContext
from graph.conversation import Conversation, after_agent, after_hearing
from graph.gate import gate
from graph.looking_up import look_up, of_unit
from graph.pausing import is_paused
from graph.planning import plan
from graph.publication import publish, record
from graph.ranking import rank
from graph.refuting import refute, to_refute
from graph.reviewing import MODEL_ATTEMPTS, review_unit
from graph.routing import route
from graph.spending import Limits
from graph.state import ReviewState, UnitTask
from graph.store import ConventionStore
from graph.structured import ModelBusy, model_label
from graph.triage import reason_to_skip
from graph.turn import begin, current, load, settings_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph


def build_graph(
    store: ConventionStore,
    model: BaseChatModel | None = None,
    *,
    checkpointer: BaseCheckpointSaver[str] | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> CompiledStateGraph[ReviewState, ReviewContext, Any, Any]:
    """Compile the graph. Without a model it runs checks only, and teaching by code still works.

    Invoke it with `{"turn": Turn}` and a `ReviewContext`, `durability="sync"`, on the thread of
    the pull request.
    """
    talk = Conversation(model, limits)
    graph = StateGraph(ReviewState, context_schema=ReviewContext)
    graph.add_node("begin", begin)
    graph.add_node("load", load)
    graph.add_node("triage", triage)
    graph.add_node("check", check)
    _add_model_nodes(graph, model, limits)
    graph.add_node("gate", partial(gate, limits=limits))
    graph.add_node("rank", rank)
    graph.add_node("publish", partial(publish, model=model_label(model)))
    graph.add_node("record", record)
    graph.add_node("hear", talk.hear)
    graph.add_node("summarise", talk.summarise)
    graph.add_node("agent", talk.agent)
    graph.add_node("tools", talk.tools)
    graph.add_node("reply", talk.reply)

    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", _kind, {"review": "load", "message": "hear"})
    graph.add_edge("load", "triage")
    graph.add_conditional_edges("triage", _skips, {"skip": "publish", "go": "check"})
    graph.add_edge("check", "plan")
    graph.add_edge("rank", "publish")
    graph.add_edge("publish", "record")
    graph.add_edge("record", END)
    graph.add_conditional_edges("hear", after_hearing, {"reply": "reply", "summarise": "summarise"})
    graph.add_edge("summarise", "agent")
    graph.add_conditional_edges("agent", after_agent, {"tools": "tools", "reply": "reply"})
    graph.add_edge("tools", "agent")
    graph.add_edge("reply", END)
    return graph.compile(store=store, checkpointer=checkpointer)


def _add_model_nodes(
    graph: StateGraph[ReviewState, ReviewContext, Any, Any],
    model: BaseChatModel | None,
    limits: Limits,
) -> None:
    """The nodes that ask a model, and the edges around them; without a model only the plan."""
    graph.add_node("plan", partial(plan, has_model=model is not None, limits=limits))
    if model is None:
        graph.add_edge("plan", "gate")
        graph.add_edge("gate", "rank")
        return
    # Only a model that could not be reached is asked again: any other answer would be the same.
    again = RetryPolicy(max_attempts=MODEL_ATTEMPTS, initial_interval=1.0, retry_on=ModelBusy)
    graph.add_node("review_unit", partial(review_unit, model=model), retry_policy=again)
    graph.add_node("refute", partial(refute, model=model), retry_policy=again)
    graph.add_node("route", partial(route, limits=limits))
    graph.add_edge("plan", "route")
    graph.add_conditional_edges("route", _units, ["review_unit", "gate"])
    graph.add_node("look_up", partial(look_up, limits=limits))
    graph.add_conditional_edges("review_unit", _after_units, ["look_up", "gate"])
    graph.add_conditional_edges("look_up", _units_again, ["review_unit", "gate"])
    graph.add_conditional_edges(
        "gate", lambda state: to_refute(state) or "rank", ["refute", "rank"]
    )
    graph.add_edge("refute", "rank")


def _units(state: ReviewState) -> list[Send] | str:
    allowed = state["route"].get("lookups", [])
    calls_left = {u["number"]: MAX_CALLS if u["number"] in allowed else 0 for u in state["units"]}
    return _sends(state, calls_left)


def _after_units(state: ReviewState) -> str:
    """The same for all parts of a review: they meet before the gate, or before the look-ups."""
    return "look_up" if state["route"].get("lookups") else "gate"


def _units_again(state: ReviewState) -> list[Send] | str:
    return _sends(state, {int(number): left for number, left in state["looking"].items()})


def _sends(state: ReviewState, calls_left: Mapping[int, int]) -> list[Send] | str:
    instructions = state.get("instructions", [])
    told = [f"{f['path']}: {f['title']}" for f in state.get("told", [])]
    briefs = state["route"].get("briefs", {})
    tasks = [
        UnitTask(
            unit=unit,
            instructions=instructions,
            said=told,
            brief=briefs.get(str(unit["number"]), ""),
            looked_up=of_unit(state, unit["number"]),
            calls_left=calls_left[unit["number"]],
        )
        for unit in state["units"]
        if unit["number"] in calls_left
    ]
    return [Send("review_unit", task) for task in tasks] or "gate"


def triage(state: ReviewState, runtime: Runtime[ReviewContext]) -> dict[str, Any]:
    """Decide whether to review; a reason not to is kept for the check run."""
    context = runtime.context
    if state["skip"]:
        return {}
    pull_request = current(context)
    reason = reason_to_skip(
        pull_request,
        settings_of(context, pull_request),
        was_asked=context.cause != "auto",
        is_paused=is_paused(as_store(runtime.store), context.repository_id, pull_request.number),
        handle=context.handle,
    )
    return {"skip": reason}


def _kind(state: ReviewState) -> str:
    return state["turn"]["kind"]


def _skips(state: ReviewState) -> str:
    return "skip" if state["skip"] else "go"
