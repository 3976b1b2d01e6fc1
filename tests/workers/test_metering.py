"""What a story leaves in the metrics and in the logs: every count, and nobody's words."""

from __future__ import annotations

import ast
import io
import json
from pathlib import Path

import pytest
from redis import Redis

from graph.models import CHECKS_ONLY
from tests.graph.threads import Room
from tests.scripted_model import ScriptedModel
from tests.workers.stage import Stage
from tests.workers.test_metrics import samples
from workers.inbox import Inbox
from workers.logs import setup_logs
from workers.metering import RunMeter
from workers.metrics import METRICS, Metrics

ROOT = Path(__file__).parents[2]


def test_every_declared_metric_is_counted_somewhere() -> None:
    """By name in the code, or by the inbox's scripts and gauges."""
    texts = [
        node.value
        for room in ("bot", "workers")
        for path in (ROOT / room).rglob("*.py")
        if path.name != "metrics.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    scripts = "\n".join(p.read_text() for p in (ROOT / "workers/inbox_scripts").glob("*.lua"))
    gauges = (ROOT / "workers/metrics.py").read_text().split("def _gauges")[1]
    for metric in METRICS:
        short = metric.name.removeprefix("precedent_inbox_").removesuffix("_total")
        by_inbox = f"'{short}'" in scripts or f'"{short}"' in gauges or metric.name in gauges
        by_reason = short in {"superseded", "cancelled"}  # drop() counts by the reason given
        assert metric.name in texts or by_inbox or by_reason, metric.name


def test_a_run_is_metered_by_node_call_and_token(redis: Redis) -> None:
    metrics = Metrics(redis)
    room = Room(redis, ScriptedModel(script=["Forty-two."]))
    room.graph = room.graph.with_config(callbacks=[RunMeter(metrics, "scripted")])
    room.say("What is the number?")
    found = samples(metrics.render(Inbox(redis).status()))
    nodes = {
        dict(labels)["node"] for name, labels in found if name.endswith("review_seconds_count")
    }
    assert {"begin", "hear", "agent", "reply"} <= nodes
    call = (("model", "scripted"), ("outcome", "answered"))
    assert found["precedent_model_calls_total", call] == 1


def test_a_story_is_counted_and_nobodys_words_are_logged(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = io.StringIO()
    setup_logs("DEBUG", secrets=stage.settings.secrets, stream=stream)
    try:
        pull = stage.world.api_pull
        words = "remember: the maximum line length is 88 characters"
        stage.github.comment(pull, "ada", f"@{stage.github.app_slug} {words}")
        stage.work()
        stage.github.push(pull, {"src/zebra_secret.py": f"ZEBRA = '{'z' * 120}'\n"})
        stage.github.comment(pull, "ben", f"@{stage.github.app_slug} is the wombat blue?")
        stage.services.inbox._waits["quiet_ms"] = 0
        stage.work()
    finally:
        setup_logs("WARNING")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    ours = [line for line in lines if "subject" in line]
    assert {"event.ended", "webhook.accepted"} <= {line["event"] for line in lines}
    assert all("event_id" in line or "delivery" in line for line in ours), "ids are bound"
    text = stream.getvalue()
    for private in ("maximum line length", "ZEBRA", "wombat", "zzzzzzzz", *stage.settings.secrets):
        assert private not in text, private
    found = samples(stage.services.metrics.render(stage.services.inbox.status()))
    posted = (("method", "POST"), ("status", "201"))
    assert found["precedent_github_calls_total", posted] >= 2
    webhook = (("route", "/github/webhook"), ("status", "202"))
    assert found["precedent_web_seconds_count", webhook] >= 3
    assert stage.settings.review_model in ("", CHECKS_ONLY)
