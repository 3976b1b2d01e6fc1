"""`python -m deploy.sandbox`: everything in one command, until Ctrl-C."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path

from deploy.sandbox.redis_server import EmbeddedRedisUnavailable
from deploy.sandbox.serving import ServerStartError
from deploy.sandbox.stack import Stack, StackDidNotStart

PASSED_ON = ("REVIEW_MODEL", "GOOGLE_API_KEY", "LOG_LEVEL")


def main() -> int:
    """Serve until a signal comes; answers the exit code."""
    parser = argparse.ArgumentParser(prog="precedent dev")
    parser.add_argument("--port", type=int, default=8080, help="of the sandbox's page")
    port = parser.parse_args().port
    directory = Path(tempfile.mkdtemp(prefix="precedent-"))
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    environment = {name: os.environ[name] for name in PASSED_ON if os.environ.get(name)}
    stack = Stack(
        directory,
        sandbox_port=port,
        redis_url=os.environ.get("REDIS_URL", ""),
        environment=environment,
    )
    # Flushed, for who reads it through a pipe or from a file.
    print("Starting Redis, a small GitHub and Slack, web and worker …", flush=True)
    try:
        with stack:
            print(
                f"Precedent's sandbox: {stack.sandbox.url}  (logs in {directory}; Ctrl-C ends it)",
                flush=True,
            )
            stop.wait()
    except (StackDidNotStart, EmbeddedRedisUnavailable, ServerStartError) as error:
        print(error, file=sys.stderr)
        return 1
    shutil.rmtree(directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
