"""The index in Redis: what it holds, what it reads again, and that nothing half-built is used."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

import pytest
from redis import Redis

from graph.code.building import build_index
from graph.code.callers import callers_of
from graph.code.code_store import CodeStore, IndexAbandoned
from graph.code.index import CodeIndex, open_index
from graph.code.search import search
from tests.graph.code.local_commits import LocalCommit

FILES: dict[str, bytes | str] = {
    "app/price.py": "def total(items, rate):\n    return sum(items) * rate\n",
    "app/shop.py": "from app.price import total\n\n\ndef pay(items):\n    return total(items, 2)\n",
    "app/retry.py": "def with_backoff(call):\n    # waits longer after every failure\n    call()\n",
    "docs/guide.md": "# Guide\n\nHow to pay.\n",
}


def built(redis: Redis, files: Mapping[str, bytes | str], repository_id: int = 1) -> CodeIndex:
    build_index(CodeStore(redis, repository_id), LocalCommit(files))
    index = open_index(redis, repository_id)
    assert index is not None
    return index


def test_an_index_answers_for_definitions_references_and_questions(redis: Redis) -> None:
    index = built(redis, FILES)
    ((path, symbol),) = index.defining("total")
    assert (path, symbol.first_line, symbol.signature) == (
        "app/price.py", 1, "def total(items, rate)",
    )  # fmt: skip
    assert [c.path for c in callers_of(index, path, symbol)] == ["app/shop.py", "app/shop.py"]
    assert index.files_naming("total") == ["app/price.py", "app/shop.py"]
    assert search(index, "where do we wait after failures?", 1)[0].path == "app/retry.py"
    assert index.text("app/price.py") == FILES["app/price.py"]
    assert index.commit_sha == "c" * 40
    assert index.importers("app/price.py") == ["app/shop.py"]


def test_a_push_reads_only_what_it_changed(redis: Redis) -> None:
    many: dict[str, bytes | str] = {
        f"src/m{n}.py": f"def f{n}(a):\n    return {n}\n" for n in range(300)
    }
    built(redis, many)
    changed = {f"src/m{n}.py": f"def g{n}(a):\n    return {n}\n" for n in (7, 70, 170)}
    commit = LocalCommit({**many, **changed}, commit_sha="d" * 40)
    report = build_index(CodeStore(redis, 1), commit)
    assert report.read == 3
    assert sorted(commit.asked) == sorted(changed)
    index = open_index(redis, 1)
    assert index is not None
    assert index.commit_sha == "d" * 40
    assert index.defining("g70")
    assert not index.defining("f70")
    assert index.defining("f71")


def test_the_same_commit_is_not_read_twice(redis: Redis) -> None:
    built(redis, FILES)
    commit = LocalCommit(FILES)
    assert build_index(CodeStore(redis, 1), commit).was_current
    assert commit.asked == []


class Killed(BaseException):
    """As when the process is gone."""


def test_a_job_killed_at_any_step_leaves_the_old_index_in_use(redis: Redis) -> None:
    built(redis, FILES)
    new = LocalCommit({**FILES, "app/new.py": "def fresh():\n    pass\n"}, commit_sha="d" * 40)
    survived = 0
    for step in range(1, 200):
        left = step

        def die() -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise Killed

        store = DyingStore(redis, 1, die)
        try:
            build_index(store, new, still_ours=die)
        except Killed:
            survived += 1
        else:
            break
        index = open_index(redis, 1)
        assert index is not None
        if index.commit_sha == "d" * 40:  # killed while it tidied up behind the swap
            break
        assert index.defining("total")
        assert not index.defining("fresh")
        assert index.text("app/shop.py")
        assert search(index, "pay items", 1)[0].path == "app/shop.py"
    assert survived > 5
    index = open_index(redis, 1)
    assert index is not None
    assert index.defining("fresh")
    generations = {k.split(b":")[4] for k in redis.keys("precedent:code:1:g:*")}
    lasting = {k.split(b":")[4] for k in redis.keys("precedent:code:1:g:*") if redis.ttl(k) < 0}
    assert len(lasting) == 1
    assert len(generations) <= 2


class DyingStore(CodeStore):
    """Calls `die` before every command that it sends for itself."""

    def __init__(self, redis: Redis, repository_id: int, die: object) -> None:
        super().__init__(redis, repository_id)
        self._die = die

    def _execute(self, *command: object) -> object:
        assert callable(self._die)
        self._die()
        return super()._execute(*command)


def test_deletion_leaves_no_key_and_stops_a_job_that_is_building(redis: Redis) -> None:
    store = CodeStore(redis, 1)
    built(redis, FILES)
    other = built(redis, FILES, repository_id=11)

    class Deleting(LocalCommit):
        def contents(self, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
            store.forget()
            yield from super().contents(wanted)

    changed = Deleting({**FILES, "a.py": "x = 1\n"}, commit_sha="d" * 40)
    with pytest.raises(IndexAbandoned):
        build_index(store, changed)
    assert redis.keys("precedent:code:1:*") == []
    assert open_index(redis, 1) is None
    assert other.defining("total")


def test_of_two_jobs_of_one_repository_the_later_one_wins(redis: Redis) -> None:
    store = CodeStore(redis, 1)

    class Slow(LocalCommit):
        def contents(self, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
            build_index(store, LocalCommit(FILES, commit_sha="e" * 40))
            yield from super().contents(wanted)

    with pytest.raises(IndexAbandoned):
        build_index(store, Slow(FILES, commit_sha="d" * 40))
    index = open_index(redis, 1)
    assert index is not None
    assert index.commit_sha == "e" * 40


def test_two_repositories_with_the_same_files_share_nothing(redis: Redis) -> None:
    def files(word: str) -> dict[str, bytes | str]:
        return {
            f"src/m{n}.py": (
                f"def shared_{n}():\n    return '{word}'\n\n\ndef {word}_{n}():\n    pass\n"
            )
            for n in range(40)
        }

    failures: list[BaseException] = []

    def work(repository_id: int, word: str) -> None:
        try:
            for commit in ("c", "d", "e"):
                source = LocalCommit(files(word), commit_sha=commit * 40)
                build_index(CodeStore(redis, repository_id), source)
        except BaseException as error:
            failures.append(error)

    threads = [
        threading.Thread(target=work, args=(1, "secretword")),
        threading.Thread(target=work, args=(12, "publicword")),
        threading.Thread(target=work, args=(123, "thirdword")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for repository_id, own, others in (
        (1, "secretword", ("publicword", "thirdword")),
        (12, "publicword", ("secretword", "thirdword")),
    ):
        index = open_index(redis, repository_id)
        assert index is not None
        assert own in (index.text("src/m3.py") or "")
        assert index.defining(f"{own}_3")
        for other in others:
            assert index.defining(f"{other}_3") == []
            assert index.files_naming(f"{other}_3") == []
            assert search(index, other, 5) == []
        for hit in search(index, "shared 7", 20):
            assert not any(other in (index.text(hit.path) or "") for other in others)


def test_what_is_not_code_is_left_out_and_named(redis: Redis) -> None:
    index = built(
        redis,
        {
            **FILES,
            "app/schema_pb2.py": "x = 1\n",
            "vendor/lib.py": "def vendored():\n    pass\n",
            "made.py": "# Code generated by a tool. DO NOT EDIT.\ndef made():\n    pass\n",
            "kept.gen.py": "def marked():\n    pass\n",
            ".gitattributes": "*.gen.py linguist-generated\n",
            "image.png": b"\x89PNG\0\0",
            "binary.py": b"x = 1\0\0",
            "big.py": "x = 1\n" * 100_000,
            "package-lock.json": "{}",
            "server.pem": "-----BEGIN PRIVATE KEY-----\n",
            ".env": "TOKEN=abc\n",
        },
    )
    assert {path for path, _, _ in index.files} == set(FILES)
    reasons = index.about["left_out_paths"]
    named = {path: reason for reason, (_, paths) in reasons.items() for path in paths}
    assert named["vendor/lib.py"] == "vendored: by its name"
    assert named["made.py"] == "generated: its first lines say so"
    assert named["kept.gen.py"] == "generated: `.gitattributes` says so"
    assert named["big.py"] == "larger than 400 kB"
    assert named["binary.py"] == "binary"
    assert named[".env"] == "made to hold secrets"


def test_links_and_submodules_are_not_followed(redis: Redis) -> None:
    commit = LocalCommit(
        {**FILES, "link.py": "/etc/passwd", "sub.py": "abc"},
        modes={"link.py": "120000", "sub.py": "160000"},
    )
    build_index(CodeStore(redis, 1), commit)
    index = open_index(redis, 1)
    assert index is not None
    assert index.text("link.py") is None
    assert index.text("sub.py") is None


def test_a_secret_in_code_is_in_no_key(redis: Redis) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4gH6"
    index = built(redis, {"a.py": f"TOKEN = '{token}'\n\n\ndef use():\n    return TOKEN\n"})
    text = index.text("a.py")
    assert text is not None
    assert token not in text
    assert "def use():" in text
    assert index.files_naming(token) == []
    for key in redis.keys("precedent:code:1:g:*:terms"):
        assert not any(token.lower().encode() in term for term in redis.hkeys(key))


def test_a_file_that_speaks_of_a_question_often_comes_before_one_that_names_it_once(
    redis: Redis,
) -> None:
    often = "".join(
        f"def stream_{n}():\n" + "    # how a stream is closed\n" * 14 + "\n\n" for n in range(4)
    )
    once = "def stream():\n" + "    # how a stream is closed\n" * 14
    index = built(redis, {"a/once.py": once, "b/often.py": often})
    assert [h.path for h in search(index, "close stream", 2)] == ["b/often.py", "a/once.py"]
