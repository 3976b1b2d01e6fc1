"""Runs with one protection taken away: the oracle must notice, or it proves nothing."""

from __future__ import annotations

from pathlib import Path

from tests.chaos.havoc import Plan
from tests.chaos.oracle import Verdict
from tests.chaos.run import Parameters, run

NO_HAVOC = Plan(first_s=3600.0)

SMALL = Parameters(
    pulls=3,
    repositories=3,
    questions=3,
    pushes=1,
    workers=1,
    threads=6,
    lease_s=2.0,
    again_chance=0.0,
    limit_s=40.0,
    actors=1,
)
CONTROLS = {
    # Every third statement kills its worker before it can be recorded: with the marks looked up
    # nothing is said twice, without them the same words come again.
    "no-marks": Parameters(
        **{**vars(SMALL), "post_kill_chance": 0.34, "mutant": "no-marks", "plan": NO_HAVOC}
    ),
    # Nobody dies; a lease of a quarter of a second simply ends in the middle of a model's answer.
    "no-lease": Parameters(
        **{**vars(SMALL), "model_delay_s": 1.0, "post_kill_chance": 0.0, "mutant": "no-lease",
           "plan": NO_HAVOC}
    ),
}  # fmt: skip
EXPECTED = {"no-marks": "duplicates", "no-lease": "two runs of one pull request at once"}


def notices(control: str, directory: Path) -> list[str]:
    """What the oracle found of the fault that the control must cause; the run ends with that."""

    def found(verdict: Verdict) -> list[str]:
        # In the middle of a run a pending review is on its way, and no fault.
        return [what for what in verdict.faults[EXPECTED[control]] if "pending" not in what]

    report = run(CONTROLS[control], directory, enough=lambda verdict: bool(found(verdict)))
    return found(report.verdict)
