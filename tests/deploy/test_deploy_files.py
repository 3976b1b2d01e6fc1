"""What deploy/ says must fit what the processes take: commands, settings, keys and metrics."""

from __future__ import annotations

import argparse
import configparser
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from workers import cli_processes
from workers.bell import queue_key
from workers.metrics import METRICS
from workers.settings import NAMES

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def documents(path: str) -> list[Any]:
    return list(yaml.safe_load_all((DEPLOY / path).read_text()))


def takes(command: list[str]) -> argparse.Namespace:
    """Parse a command as `precedent` would; exits when it does not fit."""
    parser = argparse.ArgumentParser(prog=f"precedent {command[0]}", exit_on_error=True)
    cli_processes.add_arguments(parser)
    return parser.parse_args(command[1:])


def compose() -> dict[str, Any]:
    return dict(documents("compose.yml")[0])


def test_compose_runs_each_process_with_settings_that_exist() -> None:
    services = compose()["services"]
    assert set(services) == {"redis", "web", "worker", "background"}
    redis = " ".join(services["redis"]["command"])
    assert "--appendonly yes" in redis
    assert "--maxmemory-policy noeviction" in redis
    for name in ("web", "worker", "background"):
        takes(services[name]["command"])
        assert set(services[name]["environment"]) <= NAMES
        assert services[name]["restart"] == "always"
    assert takes(services["worker"]["command"]).queues == "reviews"
    assert takes(services["background"]["command"]).queues == "background"


def test_the_image_runs_as_nobody_in_particular_and_copies_what_is_there() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    assert re.findall(r"^FROM (\S+)", text, re.MULTILINE) == ["python:3.11-slim"] * 2
    assert re.search(r"^USER 10001$", text, re.MULTILINE)
    for names in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in names.split())


def test_kubernetes_probes_and_commands() -> None:
    parts = documents("kubernetes/precedent.yaml")
    deployments = {p["metadata"]["name"]: p for p in parts if p["kind"] == "Deployment"}
    assert set(deployments) == {"precedent-web", "precedent-worker", "precedent-background"}
    for deployment in deployments.values():
        pod = deployment["spec"]["template"]
        assert pod["metadata"]["labels"] == deployment["spec"]["selector"]["matchLabels"]
        takes(pod["spec"]["containers"][0]["args"])
    web = deployments["precedent-web"]["spec"]["template"]["spec"]["containers"][0]
    assert web["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert web["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert {e["name"] for e in web["env"]} <= NAMES


def test_the_autoscaler_reads_the_list_that_celery_fills() -> None:
    scaled = documents("kubernetes/autoscaling.yaml")[0]["spec"]
    assert scaled["scaleTargetRef"]["name"] == "precedent-worker"
    assert scaled["triggers"][0]["metadata"]["listName"] == queue_key("reviews")


@pytest.mark.parametrize("role", ["web", "worker", "background"])
def test_systemd_restarts_and_gives_reviews_time_to_hand_over(role: str) -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / f"systemd/precedent-{role}.service")
    service = dict(unit["Service"])
    wanted = {"Restart": "always", "KillMode": "mixed", "TimeoutStopSec": "150"}
    assert wanted.items() <= service.items()
    takes(shlex.split(service["ExecStart"])[1:])


def test_alerts_and_dashboard_name_metrics_that_exist() -> None:
    known = {m.name for m in METRICS}
    histograms = {m.name for m in METRICS if m.kind == "histogram"}
    known |= {f"{name}_{part}" for name in histograms for part in ("bucket", "count", "sum")}
    rules = documents("prometheus/alerts.yml")[0]["groups"][0]["rules"]
    expressions = [rule["expr"] for rule in rules]
    assert all(rule["annotations"]["action"] for rule in rules)
    board = json.loads((DEPLOY / "grafana/precedent.json").read_text())
    expressions += [t["expr"] for panel in board["panels"] for t in panel["targets"]]
    named = {name for e in expressions for name in re.findall(r"precedent_\w+", e)}
    assert named <= known


def test_the_procfile_takes_the_same_commands() -> None:
    for line in (ROOT / "Procfile").read_text().splitlines():
        takes(shlex.split(line.partition(":")[2])[1:])
