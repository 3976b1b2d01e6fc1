"""Reviews through the real Gemini client class against an endpoint that speaks its wire format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import redis as redis_client

from graph.models import build_model
from graph.structured import ModelBusy
from tests.gemini_endpoint import (
    API_KEY,
    GeminiCall,
    GeminiEndpoint,
    Reply,
    as_json,
    error,
    refused,
    text,
)
from tests.workers.review_stage import ReviewStage, open_review, proposal

PATH = "src/mean.py"
MEAN = "mean = total / len(items)"
FINDING = proposal(PATH, 1, MEAN, "Empty list divides by zero")


def _good(call: GeminiCall) -> Reply:
    if "kind=claims" in call.text:
        return as_json({"verdicts": [{"claim": 1, "holds": True, "quote": MEAN}]})
    return as_json({"findings": [FINDING]})


def _stage(
    tmp_path: Path, redis: redis_client.Redis, endpoint: GeminiEndpoint, patch: pytest.MonkeyPatch
) -> Any:
    patch.setenv("GOOGLE_GEMINI_BASE_URL", endpoint.url)
    opened = open_review(tmp_path, redis, changes={PATH: f"{MEAN}\n"})

    def with_gemini(stage: ReviewStage) -> ReviewStage:
        stage.reviewer.model = build_model("gemini-3.8-flash", google_api_key=API_KEY)  # type: ignore[assignment]
        return stage

    return opened, with_gemini


def test_a_review_from_push_to_comment(
    tmp_path: Path, redis: redis_client.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GeminiEndpoint(_good) as endpoint:
        opened, with_gemini = _stage(tmp_path, redis, endpoint, monkeypatch)
        with opened as stage:
            state = with_gemini(stage).review()
            (comment,) = stage.comments()
            summary = stage.check()["output"]["summary"]
    first, second = endpoint.calls
    assert comment["line"] == 1
    assert "Empty list divides by zero" in comment["body"]
    assert first.model == "gemini-3.8-flash"
    assert "You review one part of a pull request" in first.system
    assert first.body["generationConfig"]["responseMimeType"] == "application/json"
    assert first.schema is not None
    assert set(first.schema["properties"]) == {"findings"}
    assert second.schema is not None
    assert set(second.schema["properties"]) == {"verdicts"}
    assert first.tools == []
    assert MEAN in first.text
    assert [bool(used["input_tokens"]) for used in state["usage"]] == [True, True]
    assert "2 calls of gemini-3.8-flash" in summary


def test_what_gemini_may_answer_instead(
    tmp_path: Path, redis: redis_client.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    script: list[Reply | str] = [
        text("Looks fine to me."), as_json({"findings": []}),
        refused(), refused(),
        error(429), as_json({"findings": []}),
        error(400, "The input token count exceeds the maximum."),
    ]  # fmt: skip
    with GeminiEndpoint(script) as endpoint:
        opened, with_gemini = _stage(tmp_path, redis, endpoint, monkeypatch)
        with opened as stage:
            with_gemini(stage).review("asked")
            assert stage.check()["conclusion"] == "success"
            state = stage.review("asked")
            assert state["failures"] == [f"`{PATH}`: the model refused to answer"]
            stage.review("asked")
            assert len(endpoint.calls) == 6
            state = stage.review("asked")
            assert "did not take the request (400)" in state["failures"][0]
            assert "token count" not in stage.check()["output"]["summary"]
    assert endpoint.unexpected == 0


def test_an_endpoint_that_is_down_is_a_busy_model(
    tmp_path: Path, redis: redis_client.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GeminiEndpoint([]) as endpoint:
        opened, with_gemini = _stage(tmp_path, redis, endpoint, monkeypatch)
    with opened as stage, pytest.raises(ModelBusy):
        with_gemini(stage).review()
