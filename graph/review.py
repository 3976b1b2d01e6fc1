"""The graph: one thread per pull request, for its reviews and for what is said on it.

begin -> load -> triage -> check -> gate -> publish -> record        a review
      -> hear -> summarise -> agent <-> tools -> reply               a message
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from graph.checking import as_store, check
from graph.context import ReviewContext
from graph.conversation import Conversation, after_agent, after_hearing
from graph.gate import gate
from graph.pausing import is_paused
from graph.publication import publish, record
from graph.state import ReviewState
from graph.store import ConventionStore
from graph.triage import reason_to_skip
from graph.turn import begin, current, load, settings_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

HANDLE = "precedent"


def build_graph(
    store: ConventionStore,
    model: BaseChatModel | None = None,
    *,
    checkpointer: BaseCheckpointSaver[str] | None = None,
    handle: str = HANDLE,
) -> CompiledStateGraph[ReviewState, ReviewContext, Any, Any]:
    """Compile the graph. Without a model it runs checks only, and teaching by code still works.

    Invoke it with `{"turn": Turn}` and a `ReviewContext`, `durability="sync"`, on the thread of
    the pull request. `handle` is the name people mention.
    """
    talk = Conversation(model, handle)
    graph = StateGraph(ReviewState, context_schema=ReviewContext)
    graph.add_node("begin", begin)
    graph.add_node("load", load)
    graph.add_node("triage", triage)
    graph.add_node("check", check)
    graph.add_node("gate", gate)
    graph.add_node("publish", partial(publish, has_model=model is not None))
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
    graph.add_edge("check", "gate")
    graph.add_edge("gate", "publish")
    graph.add_edge("publish", "record")
    graph.add_edge("record", END)
    graph.add_conditional_edges("hear", after_hearing, {"reply": "reply", "summarise": "summarise"})
    graph.add_edge("summarise", "agent")
    graph.add_conditional_edges("agent", after_agent, {"tools": "tools", "reply": "reply"})
    graph.add_edge("tools", "agent")
    graph.add_edge("reply", END)
    return graph.compile(store=store, checkpointer=checkpointer)


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
    )
    return {"skip": reason}


def _kind(state: ReviewState) -> str:
    return state["turn"]["kind"]


def _skips(state: ReviewState) -> str:
    return "skip" if state["skip"] else "go"
