"""Teach, correct, forget, restore, undo: what is in Redis afterwards, also under concurrency."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from graph.convention_book import BookError, ConventionBook, Lesson
from graph.conventions import (
    MAX_CONVENTIONS,
    MAX_RULE_CHARACTERS,
    Convention,
    Source,
    effective,
)
from graph.desk import lesson_from
from graph.ledger import Scope
from graph.store import ConventionStore

ADA = Source("github", "ada", "https://github.test/1", github_id=1, thread="pr:1:7")
BEN = Source("github", "ben", "https://github.test/2", github_id=2, thread="pr:1:7")
DAY_S = 86_400.0
NAMES = [a + b for a in "bcdfghjklm" for b in ("azure", "ember", "ivory", "ocean", "umber", "yacht",
                                               "orbit", "indigo", "amber", "ozone")]  # fmt: skip


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(redis: Redis, clock: Clock) -> ConventionBook:
    return ConventionBook(ConventionStore(redis), Scope("repository", 1), clock)


def teach(book: ConventionBook, rule: str, key: str = "", by: Source = ADA, **more: Any) -> Any:
    lesson = replace(lesson_from(rule), **more)
    return book.teach(lesson, by, key or f"k:{rule}")


def test_line_length_has_one_slot_per_set_of_paths(book: ConventionBook) -> None:
    teach(book, "the maximum line length is 88 characters")
    teach(book, "the maximum line length in tests is 120 characters")
    outcome = teach(book, "the maximum line length is 100 characters", by=BEN)
    assert (outcome.what, outcome.convention.id, outcome.convention.version) == (
        "replaced",
        "C1",
        2,
    )
    assert outcome.previous.rule == "the maximum line length is 88 characters"
    assert outcome.convention.source.name == "ben"
    assert [(c.id, c.check["limit"]) for c in book.active() if c.check] == [
        ("C1", 100),
        ("C2", 120),
    ]


def test_the_narrowest_paths_win(book: ConventionBook) -> None:
    teach(book, "the maximum line length is 88 characters")
    teach(book, "the maximum line length in tests is 120 characters")
    assert [c.id for c in effective(book.active(), "src/app.py")] == ["C1"]
    assert [c.id for c in effective(book.active(), "tests/test_app.py")] == ["C2"]


def test_an_id_is_never_used_again(book: ConventionBook) -> None:
    teach(book, "use pytest for tests")
    book.forget("C1", ADA, "f1")
    assert teach(book, "never call eval").convention.id == "C2"


def test_the_same_words_are_known_already(book: ConventionBook) -> None:
    teach(book, "use pytest for tests")
    assert teach(book, "Use pytest for tests.", "again").what == "unchanged"
    assert len(book.active()) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("use pytest for tests", "use unittest for tests"),
        ("cache API responses", "do not cache API responses"),
        ("functions have at most 40 lines", "functions have at most 60 lines"),
    ],
)
def test_a_contradiction_is_asked_about_and_saves_nothing(
    book: ConventionBook, old: str, new: str
) -> None:
    teach(book, old)
    outcome = teach(book, new)
    assert outcome.what == "question"
    assert [c.rule for c in book.active()] == [old]
    (question,) = book.open_questions("pr:1:7")
    kept = book.answer_question(question, replace_id=None, key="both")
    assert kept.convention.id == "C2"
    assert [c.rule for c in book.active()] == [old, new]
    assert book.open_questions() == []


def test_a_deleted_convention_can_be_restored_for_thirty_days(
    book: ConventionBook, clock: Clock
) -> None:
    teach(book, "use pytest for tests")
    book.forget("C1", ADA, "f1")
    assert book.active() == []
    clock.now_s += 29 * DAY_S
    assert book.restore("c1", BEN, "r1").convention.version == 2
    book.forget("C1", ADA, "f2")
    clock.now_s += 31 * DAY_S
    with pytest.raises(BookError, match="30 days"):
        book.restore("C1", BEN, "r2")


def test_restoring_never_takes_a_slot_that_somebody_holds(book: ConventionBook) -> None:
    teach(book, "the maximum line length is 88 characters")
    book.forget("C1", ADA, "f1")
    teach(book, "the maximum line length is 100 characters")
    with pytest.raises(BookError, match="C2 already rules line length"):
        book.restore("C1", ADA, "r1")


def test_undo_takes_back_ones_own_last_change_step_by_step(book: ConventionBook) -> None:
    teach(book, "the maximum line length is 88 characters")
    teach(book, "the maximum line length is 100 characters")
    assert book.undo(ADA, "u1").convention.rule == "the maximum line length is 88 characters"
    assert book.undo(ADA, "u2").convention.status == "deleted"
    with pytest.raises(BookError, match="nothing here that can be undone"):
        book.undo(ADA, "u3")
    with pytest.raises(BookError, match="nothing here that can be undone"):
        book.undo(BEN, "u4")


def test_undo_refuses_what_somebody_changed_since(book: ConventionBook) -> None:
    teach(book, "the maximum line length is 88 characters")
    teach(book, "the maximum line length is 100 characters", by=BEN)
    with pytest.raises(BookError, match="changed since"):
        book.undo(ADA, "u1")


def test_a_proposal_does_nothing_until_it_is_approved(book: ConventionBook) -> None:
    teach(book, "use pytest for tests", is_proposal=True)
    assert book.active() == []
    assert book.approve("C1", BEN, "a1").convention.status == "active"
    teach(book, "never call eval", is_proposal=True)
    book.dismiss("C2", BEN, "d1")
    assert [c.id for c in book.active()] == ["C1"]


def test_an_approved_correction_keeps_the_id_that_people_know(book: ConventionBook) -> None:
    teach(book, "the maximum line length is 88 characters")
    teach(book, "the maximum line length is 100 characters", is_proposal=True)
    outcome = book.approve("C2", BEN, "a1")
    assert (outcome.convention.id, outcome.convention.check["limit"]) == ("C1", 100)
    assert [c.id for c in book.active()] == ["C1"]


def test_every_change_is_in_the_audit_log(book: ConventionBook) -> None:
    teach(book, "the maximum line length is 88 characters")
    teach(book, "the maximum line length is 100 characters", by=BEN)
    book.forget("C1", ADA, "f1")
    log = [(e.what, e.by.name, e.after.rule if e.after else "") for e in book.history("C1")]
    assert log == [
        ("taught", "ada", "the maximum line length is 88 characters"),
        ("replaced", "ben", "the maximum line length is 100 characters"),
        ("forgotten", "ada", "the maximum line length is 100 characters"),
    ]


def test_erased_text_is_gone_from_redis(book: ConventionBook, redis: Redis, clock: Clock) -> None:
    teach(book, "use a very peculiar formatter", "t1")
    book.forget("C1", ADA, "f1")
    clock.now_s += 31 * DAY_S
    assert book.ledger.erase_text(clock.now_s - 30 * DAY_S) == 1
    left = [key for key in redis.scan_iter() if "peculiar" in contents(redis, key)]
    # What is left is the record of the changes' keys, which ends by its own time to live.
    assert all(b"convention_done" in key for key in left)
    assert [e.after for e in book.history("C1")] == [None, None]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [("", "empty_rule"), (" \n", "empty_rule"), ("x" * 10_000, "rule_too_long")],
)
def test_bad_rules_are_refused_with_a_sentence(
    book: ConventionBook, rule: str, reason: str
) -> None:
    with pytest.raises(BookError) as refused:
        book.teach(Lesson(rule, "other"), ADA, "k")
    assert refused.value.reason == reason
    assert book.all() == []


@pytest.mark.parametrize("method", ["forget", "restore", "approve", "dismiss"])
def test_an_unknown_id_is_a_sentence(book: ConventionBook, method: str) -> None:
    with pytest.raises(BookError, match="There is no C99 here"):
        getattr(book, method)("C99", ADA, "k")


def test_too_many_conventions_are_refused_and_none_is_lost(
    book: ConventionBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.convention_book.MAX_CONVENTIONS", 5)
    for number in range(5):
        teach(book, f"never import {NAMES[number]}")
    with pytest.raises(BookError) as refused:
        teach(book, f"never import {NAMES[5]}")
    assert refused.value.reason == "too_many"
    assert len(book.active()) == 5
    assert MAX_CONVENTIONS >= 1_000
    assert MAX_RULE_CHARACTERS < 10_000


def test_a_full_repository_says_so_and_goes_on(book: ConventionBook) -> None:
    full = [
        Convention(f"C{n}", "other", f"never call function_{n}", ADA)
        for n in range(1, MAX_CONVENTIONS + 1)
    ]
    book.import_all(full, [], ADA, "import")
    with pytest.raises(BookError, match="already 1000 conventions here; forget some first"):
        teach(book, "use pytest for tests")
    assert len(book.active()) == MAX_CONVENTIONS
    book.forget("C7", ADA, "f7")
    assert teach(book, "use pytest for tests", "again").convention.id == "C1001"


def test_a_repeated_key_changes_nothing_twice(book: ConventionBook) -> None:
    first = teach(book, "the maximum line length is 88 characters", "event-1")
    teach(book, "the maximum line length is 100 characters", "event-2")
    assert teach(book, "the maximum line length is 88 characters", "event-1") == first
    assert book.active()[0].rule == "the maximum line length is 100 characters"


def contents(redis: Redis, key: bytes) -> str:
    kind = redis.type(key)
    if kind == b"hash":
        return str(redis.hgetall(key))
    if kind == b"list":
        return str(redis.lrange(key, 0, -1))
    return str(redis.zrange(key, 0, -1) if kind == b"zset" else redis.get(key))


def test_many_teachers_at_once_lose_nothing_and_share_no_id(redis: Redis, clock: Clock) -> None:
    """Eight threads, each with its own connection, teach into one repository."""
    errors: list[Exception] = []

    def work(worker: int) -> None:
        client = Redis.from_url(
            f"redis://127.0.0.1:{redis.connection_pool.connection_kwargs['port']}"
        )
        own = ConventionBook(ConventionStore(client), Scope("repository", 1), clock)
        try:
            for number in range(10):
                teach(own, f"never import {NAMES[worker * 10 + number]}", f"{worker}:{number}")
                teach(
                    own,
                    f"the maximum line length is {80 + number} characters",
                    f"l{worker}:{number}",
                )
        except Exception as error:
            errors.append(error)
        client.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    book = ConventionBook(ConventionStore(redis), Scope("repository", 1), clock)
    kept = book.active()
    assert len({c.id for c in kept}) == len(kept) == 81
    assert sum(1 for c in kept if c.topic == "line_length") == 1


def test_repositories_whose_ids_begin_alike_see_nothing_of_each_other(
    redis: Redis, clock: Clock
) -> None:
    store = ConventionStore(redis)
    books = [ConventionBook(store, Scope("repository", n), clock) for n in (1, 12, 123)]
    organisation = ConventionBook(store, Scope("organisation", 1), clock)
    teach(books[0], "use pytest for tests")
    assert [b.all() for b in (*books[1:], organisation)] == [[], [], []]
    assert teach(organisation, "use pytest for tests").convention.id == "O1"
    assert [len(b.all()) for b in books] == [1, 0, 0]


def test_hits_are_counted_once_per_review(book: ConventionBook, clock: Clock) -> None:
    teach(book, "use pytest for tests")
    for _ in range(3):
        book.used(["C1"], "7@abc")
    book.used(["C1"], "7@def")
    assert (book.get("C1").hits, book.get("C1").last_used_at) == (2, clock.now_s)
    clock.now_s += 91 * DAY_S
    assert [c.id for c in book.unused()] == ["C1"]
