"""`make chaos`: the long fault-injection run, and the two controls that must fail."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.chaos.controls import CONTROLS, notices
from tests.chaos.havoc import Plan
from tests.chaos.run import Parameters, run


def main() -> int:
    arguments = _arguments()
    parameters = Parameters(
        pulls=arguments.pulls,
        repositories=arguments.repositories,
        questions=arguments.questions,
        pushes=arguments.pushes,
        workers=arguments.workers,
        threads=arguments.threads,
        lease_s=arguments.lease,
        post_kill_chance=arguments.post_kills,
        again_chance=arguments.again,
        limit_s=arguments.limit,
        seed=arguments.seed,
        plan=replace(
            Plan(),
            every_s=arguments.every,
            redis_kills=arguments.redis_kills,
            web_kills=arguments.web_kills,
        ),
    )
    directory = arguments.directory or Path(tempfile.mkdtemp(prefix="precedent-chaos-"))
    if directory.exists() and any(directory.iterdir()):
        print(f"{directory} is not empty: an earlier run's events would be judged with this one.")
        return 2
    print(f"Logs are in {directory}.", flush=True)
    report = run(parameters, directory / "run")
    print(report.table(), flush=True)
    is_right = report.is_complete and report.verdict.holds
    for control in () if arguments.no_controls else CONTROLS:
        seen = notices(control, directory / control)
        print(f"control {control}: {'noticed' if seen else 'NOT NOTICED'} {seen}", flush=True)
        is_right = is_right and bool(seen)
    print("The run holds." if is_right else "The run does NOT hold.")
    return 0 if is_right else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    standard = Parameters()
    add = parser.add_argument
    add("--pulls", type=int, default=standard.pulls)
    add("--repositories", type=int, default=standard.repositories)
    add("--questions", type=int, default=standard.questions, help="for each pull request")
    add("--pushes", type=int, default=standard.pushes, help="for each, the opening included")
    add("--workers", type=int, default=standard.workers)
    add("--threads", type=int, default=standard.threads, help="of each worker")
    add("--lease", type=float, default=standard.lease_s, help="seconds")
    add("--every", type=float, default=standard.plan.every_s, help="seconds between two blows")
    add("--redis-kills", type=int, default=standard.plan.redis_kills)
    add("--web-kills", type=int, default=standard.plan.web_kills)
    add("--post-kills", type=float, default=standard.post_kill_chance, help="chance for a write")
    add("--again", type=float, default=standard.again_chance, help="chance of a second delivery")
    add("--limit", type=float, default=standard.limit_s, help="seconds until it counts as stuck")
    add("--seed", type=int, default=standard.seed)
    add("--directory", type=Path, help="where the logs go")
    add("--no-controls", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
