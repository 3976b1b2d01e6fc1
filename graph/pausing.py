"""`pause` and `resume`: whether a pull request's pushes are reviewed by themselves."""

from __future__ import annotations

from graph.store import ConventionStore, Write


def pause(store: ConventionStore, repository_id: int, number: int, by: str) -> None:
    store.commit([Write(_namespace(repository_id), str(number), {"by": by})])


def resume(store: ConventionStore, repository_id: int, number: int) -> None:
    store.commit([Write(_namespace(repository_id), str(number), None)])


def is_paused(store: ConventionStore, repository_id: int, number: int) -> bool:
    return store.read([(_namespace(repository_id), str(number))])[0] is not None


def _namespace(repository_id: int) -> tuple[str, ...]:
    return ("pauses", str(repository_id))
