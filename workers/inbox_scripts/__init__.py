"""The inbox's Lua scripts, one atomic operation a file; `schedule.lua` is put before each.

The scripts build the names of their keys, so they need one Redis (or Sentinel), not a Cluster.
"""

from __future__ import annotations

from importlib.resources import files


def source(name: str) -> str:
    """The complete text of script `name`, for example "claim"."""
    here = files(__package__)
    return here.joinpath("schedule.lua").read_text() + here.joinpath(f"{name}.lua").read_text()
