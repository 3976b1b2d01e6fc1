"""A chat model that says what a test wrote down, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field, PrivateAttr

Reply = AIMessage | str | Callable[[list[BaseMessage]], AIMessage]


class ScriptedModel(BaseChatModel):
    """Replies in the order of `script`; a function is called with the prompt it answers.

    `prompts` and `bound_tools` hold what each call was given. A call past the end of the script
    is an error: a test states every call it expects.
    """

    script: list[Any] = Field(default_factory=list)
    repeat_last: bool = False
    _prompts: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _bound: list[dict[str, Any]] = PrivateAttr(default_factory=list)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @property
    def prompts(self) -> list[list[BaseMessage]]:
        return self._prompts

    @property
    def bound_tools(self) -> list[dict[str, Any]]:
        return self._bound

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def system_prompt(self, call: int = -1) -> str:
        """The system message of a call."""
        return str(self._prompts[call][0].text)

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        self._bound[:] = list(tools)
        return self.bind(tools=tools, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        with self._lock:
            number = len(self._prompts)
            self._prompts.append(messages)
        if number >= len(self.script) and not (self.repeat_last and self.script):
            raise AssertionError(f"Call {number + 1} of the model was not expected.")
        reply = self.script[min(number, len(self.script) - 1)]
        message = reply(messages) if callable(reply) else reply
        if isinstance(message, str):
            message = AIMessage(message)
        return ChatResult(generations=[ChatGeneration(message=message.model_copy())])


def calls(name: str, call_id: str = "call-1", **arguments: Any) -> AIMessage:
    """A reply that calls one tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": call_id}])
