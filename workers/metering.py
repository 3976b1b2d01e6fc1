"""Counts what a run of the graph costs: seconds of each node, calls and tokens of the model."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import ChatGeneration, LLMResult

from workers.metrics import Metrics


class RunMeter(BaseCallbackHandler):
    """A callback of one run. It sees numbers and names only, and never a prompt or an answer.

    langgraph reports each node as a chain that carries the node's name.
    """

    def __init__(self, metrics: Metrics, model: str) -> None:
        self._metrics = metrics
        self._model = model
        self._began_s: dict[UUID, tuple[str, float]] = {}

    def on_chain_start(
        self, serialized: Any, inputs: Any, *, run_id: UUID,  # noqa: ARG002
        metadata: dict[str, Any] | None = None, name: str = "", **_: Any,
    ) -> None:  # fmt: skip
        if name and name == (metadata or {}).get("langgraph_node"):
            self._began_s[run_id] = (name, time.monotonic())

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_: Any) -> None:  # noqa: ARG002
        self._node_ended(run_id)

    def on_chain_error(self, error: Any, *, run_id: UUID, **_: Any) -> None:  # noqa: ARG002
        self._node_ended(run_id)

    def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        self._metrics.count("precedent_model_calls_total", model=self._model, outcome="answered")
        for generation in (each for batch in response.generations for each in batch[:1]):
            usage = isinstance(generation, ChatGeneration) and getattr(
                generation.message, "usage_metadata", None
            )
            if usage:
                self._tokens(usage["input_tokens"], "in")
                self._tokens(usage["output_tokens"], "out")

    def on_llm_error(self, error: BaseException, **_: Any) -> None:  # noqa: ARG002
        self._metrics.count("precedent_model_calls_total", model=self._model, outcome="failed")

    def _tokens(self, amount: int, direction: str) -> None:
        self._metrics.count(
            "precedent_model_tokens_total", amount, model=self._model, direction=direction
        )

    def _node_ended(self, run_id: UUID) -> None:
        node, began_s = self._began_s.pop(run_id, ("", 0.0))
        if node:
            self._metrics.observe("precedent_review_seconds", time.monotonic() - began_s, node=node)
