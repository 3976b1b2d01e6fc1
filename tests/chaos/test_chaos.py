"""The fault-injection run, small enough for every run of the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.controls import CONTROLS, notices
from tests.chaos.havoc import Plan
from tests.chaos.run import Parameters, run

SHORT = Parameters(
    pulls=5,
    repositories=4,
    questions=3,
    pushes=2,
    workers=2,
    lease_s=3.0,
    post_kill_chance=0.05,
    limit_s=180.0,
    actors=2,
    plan=Plan(
        every_s=5.0, pause_share=0.3, pause_s=4.0, redis_kills=1, web_kills=1, first_s=2.0, blows=5
    ),
)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_nothing_is_lost_said_twice_or_out_of_order(tmp_path: Path) -> None:
    report = run(SHORT, tmp_path)
    print(report.table())
    assert report.is_complete, report.table()
    assert report.verdict.holds, report.table()
    assert report.havoc["workers killed"] + report.havoc["workers paused"] >= 1
    assert report.havoc["redis killed"] == 1


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("control", CONTROLS)
def test_the_run_notices_a_missing_protection(control: str, tmp_path: Path) -> None:
    """A run that holds without the protection would prove nothing."""
    assert notices(control, tmp_path)
