"""Long threads: prompts stay valid and within budget, and what stands is never lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from redis import Redis

from graph import blobs
from graph.store import ConventionStore
from graph.summarising import HISTORY_BUDGET_TOKENS, SUMMARISE, due, without_rules
from graph.trimming import expanded, tokens_in, tokens_of, trimmed, without_long_words
from tests.graph.threads import Room, diff_adding
from tests.scripted_model import ScriptedModel

DATA_BUDGET_TOKENS = 9_000
"""What the data blocks of a prompt may add to the history."""


def is_valid(prompt: list[BaseMessage]) -> bool:
    """As providers want it: every call has its result right behind it, and no result is alone."""
    open_calls: set[str] = set()
    for message in prompt:
        if isinstance(message, ToolMessage):
            if message.tool_call_id not in open_calls:
                return False
            open_calls.remove(message.tool_call_id)
        elif open_calls:
            return False
        elif isinstance(message, AIMessage):
            open_calls = {str(call["id"]) for call in message.tool_calls}
    return not open_calls and isinstance(prompt[1], HumanMessage)


def answers(prompt: list[BaseMessage]) -> AIMessage:
    """Three rounds of tools in each turn, then a long answer; minutes when they are asked for."""
    if str(prompt[0].text).startswith(SUMMARISE[:40]):
        return AIMessage(f"Talked about part {len(prompt)}; every function needs a docstring.")
    since = next(n for n, m in enumerate(reversed(prompt)) if isinstance(m, HumanMessage))
    if since >= 6:
        return AIMessage("I looked at it again and this is what I found. " * 60)
    name = ("get_diff", "read_file", "list_findings")[since // 2]
    arguments = {"path": "src/big.py"} if name == "read_file" else {}
    call = {"name": name, "args": arguments, "id": f"call-{since}-{id(prompt)}"}
    return AIMessage("", tool_calls=[call])


def test_sixty_turns_with_tools(redis: Redis) -> None:
    model = ScriptedModel(script=[answers], repeat_last=True)
    room = Room(redis, model)
    room.outside.diff_text = diff_adding(*(f"value_{n} = {n}" for n in range(900)))
    room.outside.files = {"src/big.py": b"x = 1  # a line of this file\n" * 3_000}
    room.say("@precedent remember: every function needs a docstring")
    room.say("@precedent on this pull request, look only at the error paths")
    for turn in range(60):
        room.say(f"@precedent and what about part {turn}? " + "Please look closely. " * 20)
    conversations = [p for p in model.prompts if not str(p[0].text).startswith(SUMMARISE[:40])]
    assert len(conversations) == 240
    for prompt in conversations:
        assert is_valid(prompt)
        history = sum(tokens_of(m) for m in prompt[1:])  # type: ignore[arg-type, misc]
        assert history <= HISTORY_BUDGET_TOKENS + DATA_BUDGET_TOKENS
        assert "I1: on this pull request, look only at the error paths" in str(prompt[0].text)
    assert len(model.prompts) > len(conversations)  # summaries were made
    last = "\n".join(str(m.text) for m in conversations[-1])
    assert "Talked about part" in last
    assert "every function needs a docstring" not in last.replace(
        str(conversations[-1][0].text), ""
    )
    state = room.graph.get_state({"configurable": {"thread_id": "pr:1:7"}}).values
    assert "needs a docstring" not in state["summary"]["text"]
    assert "C1" in state["summary"]["text"]


def test_a_summary_covers_each_message_once(redis: Redis) -> None:
    """The minutes so far go into the next ones, and no message is summarised twice."""
    model = ScriptedModel(script=[answers], repeat_last=True)
    room = Room(redis, model)
    for turn in range(40):
        room.say(f"@precedent number {turn}, is it right? " + "word " * 900)
    minutes = [p for p in model.prompts if str(p[0].text).startswith(SUMMARISE[:40])]
    assert len(minutes) >= 2
    for turn in range(40):
        assert sum(f"number {turn}, " in str(p[1].text) for p in minutes) <= 1
    assert "Talked about part" in str(minutes[1][1].text)


def test_large_results_are_blobs_that_a_state_does_not_hold(redis: Redis) -> None:
    model = ScriptedModel(script=[answers], repeat_last=True)
    room = Room(redis, model)
    room.outside.files = {"src/big.py": b"secret_sauce = 1\n" * 3_000}
    room.say("@precedent look at it?")
    state = room.graph.get_state({"configurable": {"thread_id": "pr:1:7"}}).values
    results = [m for m in state["messages"] if isinstance(m, ToolMessage)]
    assert max(len(str(m.content)) for m in results) < 2_100
    (read,) = [m for m in results if m.name == "read_file"]
    assert "call read_file again" in str(read.content)
    assert {"tool": "read_file", "blob": read.additional_kwargs["blob"]} in state["retrieved"]
    full = [str(m.content) for m in model.prompts[-1] if isinstance(m, ToolMessage)]
    assert max(map(len, full)) > 5_000


def test_a_blob_that_is_gone_leaves_its_beginning(redis: Redis) -> None:
    message = ToolMessage("beginning", tool_call_id="1", additional_kwargs={"blob": "0" * 64})
    store = ConventionStore(redis)
    assert expanded([message], 1_000, lambda d: blobs.get(store, 1, d)) == [message]
    digest = blobs.put(store, 1, "all of it")
    message = message.model_copy(update={"additional_kwargs": {"blob": digest}})
    assert expanded([message], 1_000, lambda d: blobs.get(store, 1, d))[0].content == "all of it"
    assert expanded([message], 1_000, lambda d: blobs.get(store, 2, d))[0].content == "beginning"
    assert store.history(("blobs", "1"), digest) == []


def test_a_message_as_long_as_github_allows_is_cut_in_the_prompt_only(redis: Redis) -> None:
    model = ScriptedModel(script=["Too long."])
    room = Room(redis, model)
    room.say("@precedent 为什么？" + "很长" * 30_000)
    assert tokens_of(model.prompts[0][-1]) < HISTORY_BUDGET_TOKENS  # type: ignore[arg-type]
    state = room.graph.get_state({"configurable": {"thread_id": "pr:1:7"}}).values
    assert len(str(state["messages"][0].text)) > 60_000


def test_rules_are_named_by_id_in_minutes() -> None:
    rules = [("C12", "never use eval or exec"), ("C3", "never use eval")]
    text = "Ben said: Never  use eval or exec.\nAda: never use EVAL. Done."
    assert without_rules(text, rules) == "Ben said: C12.\nAda: C3. Done."


# --- the algebra of trimming

words = st.text(alphabet="ab 你", max_size=400)


@st.composite
def histories(draw: st.DrawFn) -> list[AnyMessage]:
    messages: list[AnyMessage] = []
    for turn in range(draw(st.integers(1, 8))):
        messages.append(HumanMessage(draw(words), id=f"h{turn}"))
        for number in range(draw(st.integers(0, 3))):
            ids = [f"{turn}-{number}-{n}" for n in range(draw(st.integers(1, 2)))]
            wanted = [{"name": "get_diff", "args": {}, "id": i} for i in ids]
            messages.append(AIMessage(draw(words), tool_calls=wanted))
            messages += [ToolMessage(draw(words), tool_call_id=i) for i in ids]
        messages.append(AIMessage(draw(words), id=f"a{turn}"))
    return messages


@settings(max_examples=60, deadline=None)
@given(histories(), st.integers(0, 2_000))
def test_what_is_kept_is_a_valid_end_within_the_budget(
    messages: list[AnyMessage], budget_tokens: int
) -> None:
    kept = trimmed(messages, budget_tokens)
    assert kept == messages[len(messages) - len(kept) :]
    assert is_valid([SystemMessage(""), *kept])
    turns = sum(isinstance(m, HumanMessage) for m in kept)
    assert turns == 1 or sum(map(tokens_of, kept)) <= budget_tokens


@settings(max_examples=60, deadline=None)
@given(histories(), st.integers(20, 300))
def test_no_word_of_a_person_or_tool_is_longer_than_allowed(
    messages: list[AnyMessage], most_tokens: int
) -> None:
    short = without_long_words(messages, most_tokens)
    assert [type(m) for m in short] == [type(m) for m in messages]
    for message in short:
        if not isinstance(message, AIMessage):
            assert tokens_in(str(message.text)) <= most_tokens + 8


@settings(max_examples=30, deadline=None)
@given(histories())
def test_nothing_is_summarised_while_everything_fits(messages: list[AnyMessage]) -> None:
    assert due(messages, None) == []
