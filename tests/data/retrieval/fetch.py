"""Fetches the packages that the questions of `pairs.jsonl` are about.

`python -m tests.data.retrieval.fetch [FOLDER]` asks the configured package index for source
distributions and unpacks them below FOLDER (default: ~/.cache/precedent-tests), where
`precedent eval retrieval` looks for them. None of them is committed, built or installed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.real_diffs.fetch import CACHE, fetch

PAIRS = Path(__file__).with_name("pairs.jsonl")


def main(cache: Path) -> int:
    lines = PAIRS.read_text(encoding="utf-8").splitlines()
    sources = sorted({json.loads(line)["source"] for line in lines})
    missing = [source for source in sources if not fetch(cache, *source.rsplit("-", 1))]
    for source in missing:
        print(f"could not be fetched: {source}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else CACHE))
