"""What a review's model is told of the rest of the repository, and why it is told nothing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from redis import Redis

from graph.code.building import build_index
from graph.code.code_store import CodeStore
from graph.code.index import open_index
from graph.planning_units import tokens_in
from graph.routing import CONTEXT_SHARE
from graph.spending import Limits
from tests.graph.code.local_commits import LocalCommit
from tests.graph.threads import Room
from tests.scripted_model import ScriptedModel

NOTHING = AIMessage(json.dumps({"findings": []}))

PRICE = "def total(items, rate):\n    return sum(items) * rate\n"
SHOP = "from app.price import total\n\n\ndef pay(items):\n    return total(items, 2)\n"
BASE: dict[str, bytes | str] = {
    "app/price.py": PRICE,
    "app/shop.py": SHOP,
    "app/cart.py": "from app.price import total as cost\n\nx = cost([1], 2)\n",
    "other/price.py": PRICE,
    "other/shop.py": "from other.price import total\n\ny = total([1], 99)\n",
    "app/tax.py": "def tax(amount):\n    return amount * 2\n",
}
CHANGE = """\
diff --git a/app/price.py b/app/price.py
index 1111111..2222222 100644
--- a/app/price.py
+++ b/app/price.py
@@ -1,2 +1,4 @@
-def total(items, rate):
-    return sum(items) * rate
+from app.tax import tax
+
+def total(items, rate, code):
+    return tax(sum(items) * rate)
"""
AFTER = (
    b"from app.tax import tax\n\ndef total(items, rate, code):\n    return tax(sum(items) * rate)\n"
)


@dataclass
class Scene:
    room: Room
    model: ScriptedModel
    redis: Redis

    def review(self, **who: Any) -> str:
        """Review the change with an index of the repository; the prompt of the first call."""
        index = open_index(self.redis, who.get("repository_id", 1))
        self.room.review(code=index, **who)
        return str(self.model.prompts[0][1].text)

    def state(self) -> dict[str, Any]:
        snapshot = self.room.graph.get_state({"configurable": {"thread_id": "pr:1:7"}})
        return dict(snapshot.values)


@pytest.fixture
def scene(redis: Redis) -> Scene:
    model = ScriptedModel(script=[NOTHING], repeat_last=True)
    room = Room(redis, model)
    room.outside.diff_text = CHANGE
    room.outside.files["app/price.py"] = AFTER
    return Scene(room, model, redis)


def indexed(redis: Redis, files: dict[str, bytes | str], repository_id: int = 1) -> None:
    sha = "b" * 40  # the base of the room's pull request
    build_index(CodeStore(redis, repository_id), LocalCommit(files, commit_sha=sha))


def test_callers_that_a_change_breaks_and_definitions_it_uses_are_in_the_prompt(
    scene: Scene,
) -> None:
    indexed(scene.redis, BASE)
    prompt = scene.review()
    assert "`total` of app/price.py takes other parameters" in prompt
    assert "It takes 3 arguments now; these 2 calls don't fit" in prompt
    assert "app/shop.py:5 in pay (passes 2, does not fit): return total(items, 2)" in prompt
    assert "app/cart.py:3 (passes 2, does not fit): x = cost([1], 2)" in prompt
    assert "other/shop.py" not in prompt
    assert "app/tax.py:1 defines\ndef tax(amount):" in prompt


def test_the_state_says_exactly_what_the_model_saw(scene: Scene) -> None:
    indexed(scene.redis, BASE)
    scene.review()
    state = scene.state()
    assert state["route"]["wanted"] is True
    assert "1 changed definitions, 1 definitions used" in state["route"]["reason"]
    read = {(r["path"], *r["lines"]) for r in state["retrieved"]}
    assert read == {("app/shop.py", 5, 5), ("app/cart.py", 3, 3), ("app/tax.py", 1, 2)}
    assert {r["commit"] for r in state["retrieved"]} == {"b" * 40}
    assert all(len(r["sha"]) == 40 for r in state["retrieved"])
    assert "total(items, 2)" not in json.dumps(state["retrieved"])


def test_a_stale_index_is_told_with_both_shas(scene: Scene) -> None:
    build_index(CodeStore(scene.redis, 1), LocalCommit(BASE, commit_sha="e" * 40))
    scene.review()
    summary = scene.room.outside.drafts[-1].check.summary  # type: ignore[union-attr]
    assert "as it was at eeeeeeeeeeee; the base of this pull request is at bbbbbbbbbbbb" in summary


def test_a_fresh_index_is_not_called_stale(scene: Scene) -> None:
    indexed(scene.redis, BASE)
    scene.review()
    summary = scene.room.outside.drafts[-1].check.summary  # type: ignore[union-attr]
    assert "Looked up in the rest of the repository" in summary
    assert "as it was at" not in summary


def test_without_an_index_the_review_runs_and_says_why_nothing_was_looked_up(
    scene: Scene,
) -> None:
    prompt = scene.review()
    assert "Looked up" not in prompt
    assert scene.state()["route"] == {
        "wanted": False, "reason": "the repository has no index yet", "commit": "", "base": "",
        "briefs": {}, "lookups": [],
    }  # fmt: skip


def test_a_change_that_concerns_nobody_needs_no_context(scene: Scene) -> None:
    indexed(scene.redis, {"app/price.py": PRICE})
    scene.room.outside.diff_text = CHANGE.replace("rate, code", "rate")
    scene.room.outside.files["app/price.py"] = AFTER.replace(b"rate, code", b"rate")
    prompt = scene.review()
    assert "Looked up" not in prompt
    assert scene.state()["route"]["reason"].startswith("it changes and uses nothing")


def test_where_symbols_do_not_lead_to_all_uses_the_model_may_search(scene: Scene) -> None:
    """A method that something calls on an object of unknown class: no caller is invented."""
    desk = "def run(cart):\n    return cart.total([1], 2)\n"
    indexed(scene.redis, {"app/price.py": PRICE, "app/desk.py": desk})
    scene.room.outside.diff_text = CHANGE.replace("rate, code", "rate").replace("tax(", "abs(")
    after = AFTER.replace(b"rate, code", b"rate").replace(b"tax(", b"abs(")
    scene.room.outside.files["app/price.py"] = after
    prompt = scene.review()
    assert "Looked up" not in prompt
    assert "You may look up" in scene.model.system_prompt(0)
    route = scene.state()["route"]
    assert (route["wanted"], route["briefs"], route["lookups"]) == (True, {}, [1])
    assert "symbols did not lead to all uses" in route["reason"]
    assert "Looked up" not in scene.room.outside.drafts[-1].check.summary  # type: ignore[union-attr]


def test_another_repository_is_never_in_the_prompt(scene: Scene) -> None:
    indexed(scene.redis, BASE)
    private = {
        path: str(text).replace("items", "private_items").replace("amount", "private_amount")
        for path, text in BASE.items()
    }
    indexed(scene.redis, dict(private), repository_id=2)
    prompt = scene.review()
    assert "takes other parameters" in prompt
    assert "private" not in prompt


def test_the_brief_keeps_to_its_share_of_the_part(scene: Scene) -> None:
    many = {f"app/use{n}.py": f"{SHOP}# {n}\n" for n in range(150)}
    wide = {f"app/tax{n}.py": f"def tax{n}(a):\n" + "    a = a + 1\n" * 40 for n in range(60)}
    imports = "".join(f"+from app.tax{n} import tax{n}\n" for n in range(60))
    calls = "".join(f"+tax{n}(1)\n" for n in range(60))
    indexed(scene.redis, {**BASE, **many, **wide})
    scene.room.outside.diff_text = CHANGE.replace("+1,4", "+1,124") + imports + calls
    text = AFTER.decode() + (imports + calls).replace("+", "")
    scene.room.outside.files["app/price.py"] = text.encode()
    prompt = scene.review()
    brief = prompt.split("kind=code>")[1].split("</data")[0]
    assert tokens_in(brief) <= Limits().max_unit_tokens * CONTEXT_SHARE + 50
    assert re.search(r"- and \d\d+ more", brief)


def test_it_can_be_switched_off(redis: Redis) -> None:
    from graph.review import build_graph

    indexed(redis, BASE)
    model = ScriptedModel(script=[NOTHING], repeat_last=True)
    room = Room(redis, model)
    room.graph = build_graph(
        room.store, model, checkpointer=room.saver, limits=Limits(code_context="never")
    )
    room.outside.diff_text = CHANGE
    room.outside.files["app/price.py"] = AFTER
    room.review(code=open_index(redis, 1))
    assert "Looked up" not in str(model.prompts[0][1].text)
