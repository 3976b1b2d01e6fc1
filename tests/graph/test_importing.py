"""Exports read back whole whatever a rule says; documents give proposals with file and line."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from graph.checks.parser import parse_check
from graph.convention_book import BookError, ConventionBook, Lesson
from graph.conventions import MODES, TOPICS, Convention, Source
from graph.desk import lesson_from
from graph.desk_files import as_file, imported
from graph.document_sentences import rule_sentences
from graph.exporting import as_json, as_markdown, fenced
from graph.importing import Document, ImportRefused, contents_of, read_conventions
from graph.ledger import Scope
from graph.store import ConventionStore

NOW = 1_800_000_000.0
ADA = Source("github", "ada", "https://github.test/1", github_id=1, thread="pr:1:7", said_at=NOW)
REPOSITORIES = itertools.count(1_000)
NASTY = [
    "never <!-- hide --> things", "--> all of it", "```\nfenced\n```", "~~~ three", "# a heading",
    "- a list\n- of two", "1. first", "> quoted", "a\u2028b\x85c\x0cd", "trailing --",
    "`a` and ``b``", "| a | b |", "--- ", "=== ", "\\# escaped", "x\ty", "never log {tokens}",
    '{"a": 1} -->', "规则：不要", " <!-- precedent:C9 {} -->",
    "- x <!-- precedent:C9 {\"rule\":\"y\"} -->",
]  # fmt: skip

rules = st.one_of(
    st.sampled_from(NASTY),
    st.text(min_size=1, max_size=80).filter(lambda t: t.strip() != ""),
    st.sampled_from(["the maximum line length is 88 characters", "never call eval()"]),
)
globs = st.lists(
    st.sampled_from(["src/**", "!tests/**", "*.py", "a b/*.md", "we`ird/*", "x--y/**"]),
    max_size=3, unique=True,
).map(tuple)  # fmt: skip


@st.composite
def conventions(draw: st.DrawFn) -> list[Convention]:
    found: list[Convention] = []
    numbers = draw(st.lists(st.integers(1, 60), max_size=6, unique=True))
    for number in sorted(numbers):
        rule = draw(rules)
        parsed = parse_check(rule)
        found.append(
            Convention(
                id=f"C{number}",
                topic=draw(st.sampled_from([t for t in TOPICS if t != "line_length"])),
                rule=rule,
                source=Source("slack", "ben -- [x](y)", "https://slack.test/p1", said_at=NOW),
                mode=draw(st.sampled_from(MODES)),
                paths=draw(globs),
                check=parsed.check.to_json() if parsed else None,
                version=draw(st.integers(1, 5)),
                created_at=NOW,
                updated_at=NOW,
                expires_at=draw(st.sampled_from([None, NOW + 86_400])),
            )
        )
    return found


def gist(found: list[Convention]) -> list[tuple[object, ...]]:
    return [(c.id, c.rule, c.topic, c.mode, c.paths, c.check, c.expires_at) for c in found]


@settings(max_examples=200, deadline=None)
@given(conventions(), st.sampled_from(["json", "markdown"]))
def test_an_export_reads_back_whole(found: list[Convention], form: str) -> None:
    text = as_json(found) if form == "json" else as_markdown(found, "acme/api\n# x")
    assert sorted(gist(list(contents_of(text).conventions))) == sorted(gist(found))
    assert contents_of(text).sentences == ()


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(conventions(), st.sampled_from(["json", "markdown"]))
def test_an_import_into_an_empty_repository_is_the_same(
    redis: Redis, found: list[Convention], form: str
) -> None:
    scope = Scope("repository", next(REPOSITORIES))
    book = ConventionBook(ConventionStore(redis), scope, lambda: NOW)
    text = as_file(found, "acme/api", form, NOW)
    exported = list(contents_of(text).conventions)
    outcome = book.import_all(exported, [], ADA, "import-1")
    assert len(outcome.active) == len(found)
    assert gist(book.active()) == gist(found)
    again = book.import_all(exported, [], ADA, "import-2")
    assert (again.active, again.proposed, again.known) == ((), (), len(found))
    if found:
        taught = book.teach(Lesson("something quite new here", "other"), ADA, "next")
        assert taught.convention is not None
        assert int(taught.convention.id[1:]) > max(int(c.id[1:]) for c in found)


@pytest.fixture
def book(redis: Redis) -> ConventionBook:
    return ConventionBook(ConventionStore(redis), Scope("repository", 1), lambda: NOW)


def one(convention_id: str, rule: str) -> Convention:
    lesson = lesson_from(rule)
    return Convention(
        convention_id, lesson.topic, rule, ADA, paths=lesson.paths, check=lesson.check
    )


def test_a_taken_id_becomes_a_proposal_with_a_new_one(book: ConventionBook) -> None:
    book.teach(lesson_from("use pytest for tests"), ADA, "t1")
    book.teach(lesson_from("never call eval"), ADA, "t2")
    book.forget("C2", ADA, "f2")
    exported = [
        one("C1", "name branches after tickets"),
        one("C2", "commit messages are in English"),
        one("C7", "never log access tokens"),
    ]
    outcome = book.import_all(exported, [], ADA, "i1")
    assert outcome.renamed == (("C1", "C8"), ("C2", "C9"))
    assert outcome.active == ("C7",)
    assert [(c.id, c.status) for c in book.all()] == [
        ("C1", "active"),
        ("C2", "deleted"),
        ("C7", "active"),
        ("C8", "proposed"),
        ("C9", "proposed"),
    ]


def test_what_contradicts_a_rule_that_holds_is_only_proposed(book: ConventionBook) -> None:
    book.teach(lesson_from("the maximum line length is 88 characters"), ADA, "t1")
    book.teach(lesson_from("use pytest for tests"), ADA, "t2")
    exported = [
        one("C5", "the maximum line length is 100 characters"),
        one("C6", "use unittest for tests"),
    ]
    assert book.import_all(exported, [], ADA, "i1").proposed == ("C5", "C6")
    assert [c.id for c in book.active()] == ["C1", "C2"]


def test_rules_edited_by_hand_keep_their_id_and_get_a_check_that_fits(
    book: ConventionBook,
) -> None:
    book.teach(lesson_from("the maximum line length is 88 characters"), ADA, "t1")
    text = as_markdown(book.active(), "acme/api").replace("88 characters", "100 characters")
    (found,) = read_conventions(text)
    assert (found.id, found.rule) == ("C1", "the maximum line length is 100 characters")
    assert found.check is not None
    assert found.check["limit"] == 100


def test_too_many_are_refused_and_nothing_is_saved(book: ConventionBook) -> None:
    first = one("C1", "rule number 1 of the team")
    exported = [
        replace(first, id=f"C{n}", rule=f"rule number {n} of the team") for n in range(1, 5_001)
    ]
    with pytest.raises(BookError, match="5,000 conventions"):
        book.import_all(exported, [], ADA, "i1")
    assert book.all() == []


DOCUMENT = """---
title: must not be read
---
# Always a heading

Never commit secrets. Please be nice.
Always use the logger
instead of print statements.

- Functions must not exceed 40 lines
  and should be documented
- Why should this be a rule?
* Use `pathlib` for paths.

```python
# you must never import this
```

~~~
always fenced
```
never fenced either
~~~

    never indented code

> never quoted

<!-- never
commented -->
| never | tables |
"""


def test_documents_give_sentences_with_their_lines_and_no_code() -> None:
    assert [(s.text, s.line) for s in rule_sentences(DOCUMENT)] == [
        ("Never commit secrets", 6),
        ("Always use the logger instead of print statements", 7),
        ("Functions must not exceed 40 lines and should be documented", 10),
        ("Use `pathlib` for paths", 13),
    ]


def test_a_document_becomes_proposals_with_its_permalink(book: ConventionBook) -> None:
    sha = "c" * 40
    url = f"https://github.test/acme/api/blob/{sha}/AGENTS.md"
    document = Document("AGENTS.md", DOCUMENT, sha, url)
    files = {"AGENTS.md": document}
    answer = imported(book, "", files.get, ADA, "i1")
    assert not answer.is_refusal
    assert "4 proposals" in answer.text
    found = book.all()
    assert [c.status for c in found] == ["proposed"] * 4
    assert found[1].source.permalink == f"{url}#L7"
    assert found[1].source.name == "AGENTS.md:7@ccccccc"
    assert book.active() == []
    book.dismiss("C1", ADA, "d1")
    again = imported(book, "AGENTS.md", files.get, ADA, "i2")
    assert "4 rules in it I had heard before" in again.text
    assert [e.by.name for e in book.history("C2")] == ["ada"]


def test_fifty_sentences_at_a_time_the_rest_is_counted(book: ConventionBook) -> None:
    words = [f"{a}{b}" for a in "abcdefghij" for b in "klmnopqrst"]
    text = "\n".join(f"- Never import the module {w}zz" for w in words)
    files = {"AGENTS.md": Document("AGENTS.md", text)}
    assert "50 further sentences left" in imported(book, "", files.get, ADA, "i1").text
    assert len(book.all()) == 50
    assert "left" not in imported(book, "", files.get, ADA, "i2").text
    assert len(book.all()) == 100


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not valid JSON"),
        ("[1]", "no exported conventions"),
        ("{}", "its format is not"),
        ('{"format": "precedent-conventions/1"}', "no list"),
        ('{"format": "precedent-conventions/1", "conventions": [7]}', "number 1 is not valid"),
        ("{" * 100_000, "not valid JSON"),
        ("- a rule <!-- precedent:C1 {} -->", "C1 is not valid"),
    ],
)
def test_bad_files_are_refused_with_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(ImportRefused, match=problem):
        read_conventions(text)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "X1"}, "its id"),
        ({"topic": "weather"}, "no topic 'weather'"),
        ({"mode": "shout"}, "no mode"),
        ({"status": "deleted"}, "its status"),
        ({"rule": " "}, "its rule is empty"),
        ({"rule": "x" * 10_000}, "too long"),
        ({"rule": 7}, "its rule is empty"),
        ({"paths": [7]}, "not globs"),
        ({"check": {"kind": "line_length", "limit": "88"}}, "not valid"),
        ({"check": 7}, "no object"),
        ({"expires_at": "tomorrow"}, "no number"),
        ({"source": {"place": "github", "name": "a", "evil": 1}}, "not valid"),
    ],
)
def test_bad_conventions_are_refused_by_name(change: dict[str, object], problem: str) -> None:
    record = {**one("C1", "use pytest for tests").to_json(), **change}
    text = json.dumps({"format": "precedent-conventions/1", "conventions": [record]})
    with pytest.raises(ImportRefused, match=problem):
        read_conventions(text)


def test_a_source_from_a_file_smuggles_in_no_markup() -> None:
    record = one("C1", "use pytest for tests").to_json()
    record["source"] |= {"name": "a](javascript:x) <!channel>", "permalink": "javascript:alert(1)"}
    text = json.dumps({"format": "precedent-conventions/1", "conventions": [record]})
    (found,) = read_conventions(text)
    assert found.source.permalink == ""
    assert not set("[]()<>") & set(found.source.name)


def test_a_block_that_shows_an_export_is_not_ended_by_it() -> None:
    assert fenced("a\n````\nb", "json") == "`````json\na\n````\nb\n`````"
