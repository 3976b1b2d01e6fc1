"""The gate: what of the candidates is new here, and which earlier findings are gone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from graph import settling
from graph.checking import as_store
from graph.context import ReviewContext
from graph.findings import Finding
from graph.recalling import active_conventions
from graph.state import ReviewState


def gate(state: ReviewState, runtime: Runtime[ReviewContext]) -> dict[str, Any]:
    """Drop what was said or dismissed on this pull request; find the threads to resolve."""
    context = runtime.context
    context.still_ours()
    assert context.number is not None
    candidates = [Finding.from_json(f) for f in state["candidates"]]
    said = settling.told(context.reader.threads(context.number))
    new, dropped = settling.unsaid(candidates, said)
    conventions = {c.id: c for c in active_conventions(as_store(runtime.store), context)}
    resolved = settling.resolutions(said, candidates, conventions, gone=())
    return {
        "findings": [f.to_json() for f in new],
        "dropped": dropped,
        "resolutions": [asdict(r) for r in resolved],
    }
