"""Fetches two releases each of well-known packages, whose differences are the real diffs.

`python -m tests.real_diffs.fetch [FOLDER]` asks the configured package index for the source
distributions and unpacks them below FOLDER (default: ~/.cache/precedent-tests). Nothing is built
or installed, and nothing of it is committed. What is there already is not fetched again.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

RELEASES = (
    ("click", "8.1.3", "8.1.7"),
    ("flask", "2.2.5", "3.0.3"),
    ("jinja2", "3.1.2", "3.1.4"),
    ("requests", "2.28.2", "2.32.3"),
    ("werkzeug", "2.3.8", "3.0.3"),
    ("bottle", "0.12.25", "0.13.2"),
    ("tornado", "6.2", "6.4.1"),
    ("docopt-ng", "0.8.1", "0.9.0"),
)
CACHE = Path.home() / ".cache" / "precedent-tests"


def folder_of(cache: Path, name: str, version: str) -> Path:
    return cache / f"{name}-{version}"


def fetch(cache: Path, name: str, version: str) -> bool:
    """Whether the release is there now."""
    target = folder_of(cache, name, version)
    if target.is_dir():
        return True
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--no-binary", name, "--dest", scratch, f"{name}=={version}"]
        answer = subprocess.run(command, capture_output=True, check=False, timeout=300)
        archives = list(Path(scratch).glob("*.tar.gz"))
        if answer.returncode or len(archives) != 1:
            return False
        with tarfile.open(archives[0]) as archive:
            archive.extractall(Path(scratch) / "out", filter="data")
        (unpacked,) = (Path(scratch) / "out").iterdir()
        unpacked.rename(target)
    return True


def main(cache: Path) -> int:
    missing = [
        f"{name} {version}"
        for name, *versions in RELEASES
        for version in versions
        if not fetch(cache, name, version)
    ]
    for release in missing:
        print(f"could not fetch {release}", file=sys.stderr)
    print(f"{len(RELEASES) * 2 - len(missing)} of {len(RELEASES) * 2} releases are in {cache}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else CACHE))
