"""Indexing a repository of the GitHub stand-in: from a push to a review that names the callers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from deploy.sandbox.github.model import Repository
from graph.code.callers import callers_of
from graph.code.embeddings import Embedding
from graph.code.index import CodeIndex, open_index
from graph.review import build_graph
from tests.scripted_model import ScriptedModel
from tests.workers.stage import Stage, open_stage
from workers import indexing
from workers.event import Event
from workers.purging import erase_repository

MANY = {f"lib/m{n}.py": f"def f{n}(a):\n    return {n}\n" for n in range(60)}
FILES = {
    **MANY,
    "app/price.py": "def total(items, rate):\n    return sum(items) * rate\n",
    "app/shop.py": "from app.price import total\n\n\ndef pay(items):\n    return total(items, 2)\n",
}


@pytest.fixture
def stage(tmp_path: Path, redis_url: str) -> Iterator[Stage]:
    with open_stage(tmp_path, redis_url) as opened:
        yield opened


def repository(stage: Stage, name: str = "shop", **how: Any) -> Repository:
    made = stage.github.add_repository("acme", name, FILES, collaborators={"ben": "write"}, **how)
    return installed(stage, made)


def installed(stage: Stage, made: Repository) -> Repository:
    stage.github.change_installation(stage.world.installation, add=[made], sender="dana")
    stage.work()
    return made


def index_event(stage: Stage, made: Repository) -> Event:
    return Event(
        id="gh:a-push", kind="index", subject=f"index:{made.id}", lane="background",
        installation_id=stage.world.installation.id, repository_id=made.id,
    )  # fmt: skip


def indexed(stage: Stage, made: Repository) -> CodeIndex:
    stage.handle(index_event(stage, made))
    index = open_index(stage.redis, made.id)
    assert index is not None
    return index


def test_the_first_index_comes_with_one_archive(stage: Stage) -> None:
    made = repository(stage)
    index = indexed(stage, made)
    assert len(index.files) == len(FILES)
    assert index.commit_sha == made.git.resolve("main")
    ((path, symbol),) = index.defining("total")
    assert [f"{c.path}:{c.line}" for c in callers_of(index, path, symbol)] == [
        "app/shop.py:1", "app/shop.py:5",
    ]  # fmt: skip
    assert len(stage.github.record.calls_to("GET", "tarball")) == 1
    assert stage.github.record.calls_to("GET", "git/blobs") == []


def test_a_push_fetches_the_changed_blobs_alone(stage: Stage) -> None:
    made = repository(stage)
    indexed(stage, made)
    changes = {f"lib/m{n}.py": f"def g{n}(a):\n    return {n}\n" for n in (3, 30, 50)}
    stage.github.commit(made, "ben", changes)
    stage.work()
    index = open_index(stage.redis, made.id)
    assert index is not None
    assert index.commit_sha == made.git.resolve("main")
    assert index.defining("g30")
    assert index.defining("f30") == []
    assert len(stage.github.record.calls_to("GET", "git/blobs")) == 3
    assert len(stage.github.record.calls_to("GET", "tarball")) == 1


def test_a_review_names_the_callers_that_its_change_breaks(stage: Stage) -> None:
    made = repository(stage)
    indexed(stage, made)
    model = ScriptedModel(script=[AIMessage(json.dumps({"findings": []}))], repeat_last=True)
    services = replace(
        stage.services,
        has_model=True,
        graph=build_graph(stage.services.store, model, checkpointer=stage.services.saver),
    )
    stage.services = services
    after = FILES["app/price.py"].replace("items, rate", "items, rate, code")
    stage.github.open_pull_request(
        made, "ben", "Add a code", "Because.", changes={"app/price.py": after}
    )
    stage.work()
    prompt = str(model.prompts[0][1].text)
    assert "app/shop.py:5 in pay (passes 2, does not fit): return total(items, 2)" in prompt


def test_a_reviewed_repository_without_an_index_gets_one(stage: Stage) -> None:
    made = repository(stage)
    stage.github.open_pull_request(
        made, "ben", "Add a file", "Because.", changes={"app/new.py": "x = 1\n"}
    )
    stage.github.hooks.wait_idle()
    event = Event(
        id="gh:opened", kind="pull_request.push", subject=f"pr:{made.id}:1", action="opened",
        installation_id=stage.world.installation.id, repository_id=made.id, number=1,
    )  # fmt: skip
    outcome = stage.handle(event)
    (follow_up,) = [e for e in outcome.follow_up if e.kind == "index"]
    stage.handle(follow_up)
    assert open_index(stage.redis, made.id) is not None
    again = stage.handle(replace(event, id="gh:again"))
    assert [e for e in again.follow_up if e.kind == "index"] == []


def test_erasing_a_repository_leaves_no_key_of_its_index(stage: Stage) -> None:
    made, other = repository(stage), repository(stage, "other")
    indexed(stage, made)
    indexed(stage, other)
    erase_repository(stage.services, str(made.id))
    assert stage.redis.keys(f"precedent:code:{made.id}:*") == []
    assert open_index(stage.redis, other.id) is not None


def test_a_repository_without_a_commit_is_left_alone(stage: Stage) -> None:
    made = installed(stage, stage.github.add_repository("acme", "empty", {}))
    outcome = stage.handle(index_event(stage, made))
    assert outcome.follow_up == ()


def test_other_embeddings_are_a_reason_to_index_again(stage: Stage) -> None:
    made = repository(stage)
    indexed(stage, made)
    event = index_event(stage, made)
    assert indexing.wanted(stage.services, event) == ()
    other = replace(stage.services, embedding=Embedding("another model", lambda: None))
    (job,) = indexing.wanted(other, event)
    assert job.subject == f"index:{made.id}"


def test_pushes_to_the_default_branch_that_wait_are_indexed_once(stage: Stage) -> None:
    made = repository(stage)
    for n in range(5):
        stage.github.commit(made, "ben", {"lib/m1.py": f"def g{n}():\n    pass\n"})
    before = len(stage.github.record.calls_to("GET", "git/trees"))
    stage.work()
    assert len(stage.github.record.calls_to("GET", "git/trees")) == before + 1
    index = open_index(stage.redis, made.id)
    assert index is not None
    assert index.commit_sha == made.git.resolve("main")
