"""The fixture `stage`: the whole of Precedent against both stand-ins, for one test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.stage import Stage, open_stage


@pytest.fixture
def stage(tmp_path: Path, redis_url: str) -> Iterator[Stage]:
    with open_stage(tmp_path, redis_url) as opened:
        yield opened
