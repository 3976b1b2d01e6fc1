"""Conventions in a conversation: who may do what, organisation rules, lists, last days."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from redis import Redis

from graph.context import Permission
from graph.convention_book import ConventionBook
from graph.conventions import Source
from graph.desk import lesson_from
from graph.importing import Document
from graph.ledger import Scope
from graph.permissions import PERMISSIONS
from tests.graph.threads import LONG, Room, diff_adding

RULE = "@precedent remember: the maximum line length is 88 characters"
DAY_S = 86_400.0


class Clock:
    now_s = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(redis: Redis, clock: Clock) -> Room:
    return Room(redis, now=clock)


def ids_of(text: str) -> list[str]:
    return re.findall(r"^- \*\*([CO]\d+)\*\*", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "least", "own_least"),
    [
        ("list", "read", "read"),
        ("show C1", "read", "read"),
        ("history C1", "read", "read"),
        ("export", "read", "read"),
        ("remember: never call eval()", "write", "write"),
        ("no, the maximum line length is 100 characters", "write", "write"),
        ("approve C2", "write", "write"),
        ("dismiss C2", "write", "write"),
        ("edit C1 the maximum line length is 90 characters", "maintain", "write"),
        ("forget C1", "maintain", "write"),
        ("restore C2", "maintain", "write"),
        ("import AGENTS.md", "maintain", "maintain"),
        ("confirm", "maintain", "maintain"),
        ("add --org never call eval()", "", ""),
    ],
)
def test_the_table_of_who_may_do_what(
    room: Room, words: str, least: Permission | Literal[""], own_least: Permission | Literal[""]
) -> None:
    """Each action just below the permission it needs, and with it, for others and for oneself."""
    documents = {"AGENTS.md": Document("AGENTS.md", "- Use pytest for all tests")}.get
    book = ConventionBook(room.store, Scope("repository", 1), room.now)
    by = Source("github", "person1", github_id=1)
    book.teach(lesson_from("the maximum line length is 88 characters"), by, "t1")
    book.teach(lesson_from("never log access tokens"), by, "t2")
    book.forget("C2", by, "f2")
    before = book.all()
    for person, needed in ((1, own_least), (2, least)):
        rank = PERMISSIONS.index(needed) if needed else len(PERMISSIONS)
        refused = room.say(
            f"@precedent {words}",
            person=person, permission=PERMISSIONS[rank - 1], documents=documents,
        )  # fmt: skip
        assert re.search(r"needs? |no access|not configured", refused)
        assert book.all() == before
        if needed:
            allowed = room.say(
                f"@precedent {words}", person=person, permission=needed, documents=documents
            )
            assert not re.search(r"needs? |no access|not configured", allowed)
            before = book.all()


@pytest.mark.parametrize(
    ("words", "paths"),
    [
        ("remember: in acme/web use tabs", None),
        ("remember: for the repo `acme/web` the maximum line length is 100", None),
        ("add never use print in Acme/web", None),
        ("remember: in acme/web/ use tabs", ["acme/web/"]),
        ("remember: in acme/web/src use tabs", ["acme/web/src"]),
        ("add use tabs in acme/web --paths 'acme/web/**'", ["acme/web/**"]),
        ("remember: in acme/repo1 use tabs", []),
        ("remember: never import acme/legacy", []),
        ("remember: in docs/web use tabs", ["docs/web"]),
    ],
)
def test_a_rule_for_another_repository_is_not_taken_for_a_folder(
    room: Room, words: str, paths: list[str] | None
) -> None:
    """ "in acme/web use tabs", said in another repository, was remembered for a folder that does
    not exist there, and never acted."""
    answer = room.say(f"@precedent {words}")
    book = ConventionBook(room.store, Scope("repository", 1), room.now)
    assert [list(c.paths) for c in book.all()] == ([] if paths is None else [paths])
    if paths is None:
        assert re.search(r"This is acme/repo1, and acme/web is another repository", answer, re.I)
        assert "`repo:" in answer


def test_a_refusal_says_what_is_missing(room: Room) -> None:
    answer = room.say(RULE, permission="triage")
    assert 'needs write permission. Yours is "triage"' in answer
    room.say(RULE, person=1)
    assert "maintain or admin" in room.say("@precedent forget C1", person=2)
    assert "owner" in room.say("@precedent add --org never call eval()", permission="admin")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("forget C99", "There is no C99 here"),
        ("show C99", "There is no C99 here"),
        ("restore C99", "There is no C99 here"),
        ("remember: " + "x" * 10_000, "2,000 are the most"),
        ("remember: " + "word " * 2_000, "The rule has 9,999 characters; 2,000 are the most"),
        ("remember:", "Write the rule in plain words after it"),
        ("remember: !!!", "Write the rule in plain words after it"),
        ("remember: ```always use tabs```", "Code blocks and quoted text don't become rules"),
        ("add", "Write the rule after it"),
        ('add ""', "The rule is empty"),
        ("edit C1", "Write the rule after it"),
        ("forget", "Say which one"),
        ("forget C1 in acme/other", "only what belongs to this repository"),
        ("show O1", "There is no O1 here"),
        ("import ../../other/AGENTS.md", "There is no ../../other/AGENTS.md"),
        ("add never call eval() --until 2020-01-01", "is over"),
        ("add never call eval() --until soon", "--until 2027-01-31"),
    ],
)
def test_bad_input_is_answered_and_nothing_is_lost(room: Room, words: str, sentence: str) -> None:
    room.say(RULE)
    before = room.say("@precedent list")
    answer = room.say(f"@precedent {words}", permission="maintain", documents=lambda _: None)
    assert sentence in answer
    assert room.say("@precedent list") == before


@pytest.mark.parametrize(
    "words",
    [
        "I think every client gets a timeout. What do you say?",
        "always blame the intern :joy:",
        "we might always want to squash, just thinking aloud",
    ],
)
def test_what_may_have_been_a_rule_is_answered_with_how_to_make_it_one(
    room: Room, words: str
) -> None:
    """Opinions and jokes once became active rules at once; now the answer says how to mean it."""
    assert "say it as `remember: …`" in room.say(f"@precedent {words}")
    assert "No conventions" in room.say("@precedent list")


def test_another_repository_is_out_of_reach(room: Room) -> None:
    """The ids are the same in each repository; what is said in one never reaches another."""
    room.say(RULE)
    elsewhere: dict[str, Any] = {"repository_id": 11, "thread": "pr:11:7", "permission": "admin"}
    for words in ("show C1", "forget C1", "edit C1 use tabs", "restore C1", "approve C1"):
        assert "There is no C1 here" in room.say(f"@precedent {words}", **elsewhere)
    assert "no access" in room.say("@precedent list", permission="none")
    assert ids_of(room.say("@precedent list")) == ["C1"]


def test_replacing_what_another_taught_is_editing_it(room: Room) -> None:
    """Whoever could write once replaced anybody's convention by contradicting it."""
    room.say("@precedent remember: use pytest for tests", person=1)
    asked = room.say("@precedent remember: use unittest for tests", person=2)
    assert "Replace C1 or keep both?" in asked
    refused = room.say("replace C1", person=2)
    assert 'needs the maintain or admin role, unless it is your own. Yours is "write"' in refused
    assert "`keep both` saves yours beside C1" in refused
    assert "“use pytest for tests”" in room.say("@precedent list")
    assert "Remembered as **C2**" in room.say("keep both", person=2)
    assert ids_of(room.say("@precedent list")) == ["C1", "C2"]


@pytest.mark.parametrize(("person", "permission"), [(1, "write"), (2, "maintain")])
def test_who_may_edit_may_replace(room: Room, person: int, permission: Permission) -> None:
    room.say("@precedent remember: use pytest for tests", person=1)
    who: dict[str, Any] = {"person": person, "permission": permission}
    room.say("@precedent remember: use unittest for tests", **who)
    assert "now version 2" in room.say("replace C1", **who)
    assert "“use unittest for tests”" in room.say("@precedent list")


def test_one_wrong_id_does_not_keep_the_others_from_being_done(room: Room) -> None:
    room.say(RULE)
    answer = room.say("@precedent forget C1 C99")
    assert "Forgotten **C1**" in answer
    assert "no C99" in answer


def test_rules_of_the_organisation_hold_in_all_its_repositories(room: Room) -> None:
    answer = room.say(
        "@precedent for the whole organisation: the maximum line length is 88 characters",
        is_org_owner=True,
    )
    assert "Remembered as **O1**" in answer
    assert "every repository" in answer
    assert "for the whole" not in answer
    room.outside.diff_text = diff_adding(LONG)
    assert "O1" in room.review(repository_id=2, thread="pr:2:7").comments[0].body
    assert ids_of(room.say("@precedent list", repository_id=2, thread="pr:2:7")) == ["O1"]
    room.say("@precedent remember: the maximum line length is 120 characters")
    assert room.review().comments == ()
    assert ids_of(room.say("@precedent list")) == ["C1", "O1"]
    assert "owner" in room.say("@precedent forget O1", permission="admin", person=2)
    assert "Forgotten **O1**" in room.say("@precedent forget O1", is_org_owner=True)


@pytest.mark.parametrize(
    "words",
    [
        "add --org never call eval()",
        "remember for the whole organization: never call eval()",
        "remember: across the organisation: never call eval()",
        "from now on, for the whole organisation, never call eval()",
    ],
)
def test_ways_to_say_that_the_organisation_is_meant(room: Room, words: str) -> None:
    assert "**O1**" in room.say(f"@precedent {words}", is_org_owner=True)
    assert "“never call eval()”" in room.say("@precedent list")
    assert "Undone. **O1** is deleted" in room.say("@precedent undo", is_org_owner=True)


def test_a_contradiction_in_the_organisation_is_asked_and_answered(room: Room) -> None:
    room.say("@precedent add --org use pytest for tests", is_org_owner=True)
    asked = room.say("@precedent add --org use unittest for tests", is_org_owner=True)
    assert "Replace O1 or keep both?" in asked
    assert "owner" in room.say("replace O1")
    assert "version 2" in room.say("replace O1", is_org_owner=True)


def test_a_rule_holds_until_its_last_day_is_over(room: Room, clock: Clock) -> None:
    answer = room.say("@precedent add the maximum line length is 88 characters --until 2027-01-31")
    assert "It holds until 2027-01-31." in answer
    room.outside.diff_text = diff_adding(LONG)
    clock.now_s = 1_801_439_999.0  # 2027-01-31 23:59:59 UTC
    assert len(room.review().comments) == 1
    clock.now_s += 2
    room.outside.head = "d" * 40
    assert room.review().comments == ()
    assert ids_of(room.say("@precedent list expired")) == ["C1"]
    assert "**expired**" in room.say("@precedent list")
    assert "holds until" not in room.say("@precedent edit C1 --until never")
    assert "No convention has expired" in room.say("@precedent list expired")


def test_the_lists_show_what_their_name_says(room: Room, clock: Clock) -> None:
    room.say(RULE)
    room.say("@precedent remember: never log access tokens")
    room.say("@precedent forget C2")
    documents = {"AGENTS.md": Document("AGENTS.md", "- Use pytest for all tests")}.get
    room.say("@precedent import", permission="maintain", documents=documents)
    assert ids_of(room.say("@precedent list")) == ["C1", "C3"]
    assert ids_of(room.say("@precedent list deleted")) == ["C2"]
    assert ids_of(room.say("@precedent list proposed")) == ["C3"]
    assert "Every convention was used" in room.say("@precedent list unused")
    clock.now_s += 91 * DAY_S
    assert ids_of(room.say("@precedent list unused")) == ["C1"]


def test_a_topic_without_conventions_is_not_called_an_empty_book(room: Room) -> None:
    """`list naming` was answered with "No conventions for acme/api yet" beside three others."""
    room.say(RULE)
    assert "is about naming; `list` shows all." in room.say("@precedent list naming")


def test_a_named_group_of_files_is_one_word_and_show_lists_its_globs(room: Room) -> None:
    """A rule for tests was answered with twenty-one globs, and so was each `list`."""
    said = room.say("@precedent remember: the maximum line length in tests is 120 characters")
    assert "(line length, in tests):" in said
    assert "; in tests; checked by code)" in room.say("@precedent list")
    shown = room.say("@precedent show C1")
    assert "The files meant: in `test/`, `tests/`, " in shown
    assert "`*_test.go`" in shown


def test_who_asks_what_this_is_gets_help_without_a_model(room: Room) -> None:
    """ "what can you do?" was answered with "I can't answer questions"."""
    helped = room.say("@precedent help")
    assert "**Teach me.**" in helped
    for words in ("what can you do?", "Hi there, who are you?", "hey, how does this work?",
                  "was kannst du?", "你能做什么？"):  # fmt: skip
        assert room.say(f"@precedent {words}") == helped
    assert "Remembered as" in room.say("@precedent hi, remember: never log access tokens")


def test_a_review_counts_as_use(room: Room) -> None:
    room.say(RULE)
    assert "No review has reported anything by it yet." in room.say("@precedent show C1")
    room.outside.diff_text = diff_adding(LONG)
    room.review()
    assert "1 review reported by it, last on 2027-01-15" in room.say("@precedent show C1")


def test_details_are_in_plain_words_and_true_of_what_is_deleted(room: Room) -> None:
    """`show` began with "version 2, deleted, enforce", and said of it that it flags lines."""
    room.say(RULE)
    shown = room.say("@precedent show C1")
    assert shown.startswith("**C1** (line length, in all files)\n")
    room.say("@precedent remember: the maximum line length is 100 characters")
    assert "It was changed 1 time: `history C1`." in room.say("@precedent show C1")
    room.say("@precedent forget C1")
    shown = room.say("@precedent show C1")
    assert shown.startswith("**C1** (line length, in all files), **deleted** on 2027-01-15\n")
    assert "I'll flag" not in shown
    assert "It does nothing now. Until 30 days after the deletion `restore C1`" in shown
    assert "Undo with `undo`" in room.say("@precedent restore C1")


def test_the_history_of_an_undo_says_what_it_left(room: Room) -> None:
    """ "undone by ada: “88 characters”" read as if the 88 had been taken away."""
    room.say(RULE)
    room.say("@precedent forget C1")
    room.say("@precedent undo")
    room.say("@precedent undo")
    told = room.say("@precedent history C1").splitlines()
    assert [re.findall(r", then (\w+): “the maximum", line) for line in told[-2:]] == [
        ["active"],
        ["deleted"],
    ]


def test_undoing_the_first_words_says_that_they_are_gone_and_how_to_get_them_back(
    room: Room,
) -> None:
    """ "C1 is deleted again" was said of what had never been deleted before."""
    room.say(RULE)
    undone = room.say("@precedent undo")
    assert "**C1** is deleted:" in undone
    assert "`restore C1` brings it back" in undone


def test_answering_for_somebody_else_is_refused_and_not_taken_for_a_question(room: Room) -> None:
    """A colleague's "replace C1" under the question was answered with what no model can do."""
    room.say("@precedent remember: use pytest for tests", person=1)
    room.say("@precedent remember: use unittest for tests", person=1)
    for words in ("@precedent replace C1", "keep both"):
        assert "Only the person who was asked" in room.say(words, person=2, permission="maintain")
    # On GitHub an answer names us, as everything that we are to hear there.
    assert "now version 2" in room.say("@precedent replace C1", person=1)


def test_the_history_says_who_what_when_and_from_where(room: Room) -> None:
    room.say(RULE, person=1)
    room.say("@precedent edit C1 the maximum line length is 100 characters", person=1)
    lines = room.say("@precedent history C1").splitlines()
    assert lines[2] == (
        "- 2027-01-15 08:00 UTC, taught by [person1 on GitHub, 1970-01-01](https://github.test/c/1)"
        ": “the maximum line length is 88 characters”"
    )
    assert "edited by [person1" in lines[3]


def test_frozen_conventions_are_confirmed_by_a_maintainer(room: Room) -> None:
    room.say(RULE)
    book = ConventionBook(room.store, Scope("repository", 1), room.now)
    book.freeze(Source("github", "github"), "transfer-1")
    room.outside.diff_text = diff_adding(LONG)
    assert room.review().comments == ()
    assert "Nothing of this holds now" in room.say("@precedent list")
    assert "frozen until a maintainer" in room.say("@precedent remember: never call eval()")
    assert "maintain" in room.say("@precedent conventions confirm", permission="write")
    assert "Confirmed." in room.say("@precedent conventions confirm", permission="maintain")
    room.outside.head = "e" * 40
    assert len(room.review().comments) == 1


def test_an_export_is_shown_in_a_block(room: Room) -> None:
    room.say(RULE)
    answer = room.say("@precedent export")
    assert answer.startswith("```markdown\n# Conventions of acme/repo1")
    assert "- the maximum line length is 88 characters <!-- precedent:C1" in answer
    assert room.say("@precedent export json").startswith("```json\n{")


def test_a_rule_for_the_model_promises_no_review_where_no_model_may_be(room: Room) -> None:
    """Incident: "I'll review every pull request against it" was said with REVIEW_MODEL=none."""
    answer = room.say("@precedent remember: we always write tests")
    assert "Code can't check this one: a model reviews against it, when one is" in answer
