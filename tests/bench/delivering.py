"""A process that delivers: it must not share a lock with the stand-ins whose answers it times.

Reads the port and the number of clients from the command line and JSON lines of `{"headers",
"body"}` from standard input; writes the milliseconds of each delivery as one JSON list.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence

from deploy.sandbox.github.hooks import Delivery

PATH = "/github/webhook"


def encoded(deliveries: Iterable[Delivery]) -> str:
    """The lines for standard input."""
    lines = [{"headers": dict(d.headers), "body": b64encode(d.body).decode()} for d in deliveries]
    return "".join(json.dumps(line) + "\n" for line in lines)


def deliver(port: int, clients: int, requests: Sequence[bytes]) -> list[float]:
    """Milliseconds of each request; every client keeps one connection and waits for its answer."""
    waiting = list(requests)
    times_ms: list[float] = []

    def client() -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            while waiting:
                try:
                    request = waiting.pop()
                except IndexError:
                    return
                began_s = time.perf_counter()
                connection.sendall(request)
                answer = _answer(connection)
                times_ms.append((time.perf_counter() - began_s) * 1_000)
                assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 202")), answer

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(times_ms) == len(requests), "a client ended early"
    return times_ms


def _answer(connection: socket.socket) -> bytes:
    received = b""
    while True:
        head, blank, body = received.partition(b"\r\n\r\n")
        if blank:
            length = head.lower().split(b"content-length:")[1].split(b"\r\n")[0]
            if len(body) >= int(length):
                return received
        received += connection.recv(65536)


def _request(headers: Mapping[str, str], body: bytes) -> bytes:
    sent = {"Host": "127.0.0.1", **headers, "Content-Length": str(len(body))}
    lines = [f"{name}: {value}" for name, value in sent.items()]
    return "\r\n".join([f"POST {PATH} HTTP/1.1", *lines, "", ""]).encode() + body


if __name__ == "__main__":
    given = [json.loads(line) for line in sys.stdin]
    made = [_request(line["headers"], b64decode(line["body"])) for line in given]
    print(json.dumps(deliver(int(sys.argv[1]), int(sys.argv[2]), made)))
