"""Which of our processes is behind a connection to this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import psutil


def owner_of_port(port: int, pids: Iterable[int]) -> int:
    """The process of `pids` that holds the client side of a connection, or 0."""
    for pid in pids:
        try:
            connections = psutil.Process(pid).net_connections("tcp")
        except psutil.Error:
            continue
        if any(each.laddr and each.laddr.port == port for each in connections):
            return pid
    return 0


def finder(pids: Callable[[], Iterable[int]]) -> Callable[[int], int]:
    return lambda port: owner_of_port(port, pids())
