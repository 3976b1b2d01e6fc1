"""What engineers write to a reviewer is stored word for word, or not at all.

Of the first set 44 of 151 messages came out wrong at first sight (4 stored that nobody meant, 33
lost). The second was tried before the recogniser was improved on the first, with 27 of 88 wrong (4
stored, 20 lost), and after it, with 12 (1 stored, 8 lost). The third, of messages close to the new
phrases that mean something else, had 7 of 44 wrong (7 stored), and the fourth 8 of 50 (1 stored, 5
lost). What is held here is that nothing is stored that nobody meant, nothing in other words, and
that what is understood today stays understood.
"""

from __future__ import annotations

import pytest

from graph.teaching import interpret
from tests.graph.teaching_heard import FIRST, FOURTH, SECOND, THIRD, Expected

SETS = {"first": FIRST, "second": SECOND, "third": THIRD, "fourth": FOURTH}
LOST = {"first": 0, "second": 1, "third": 0, "fourth": 1}
GUESSED_TOPICS = 2
KINDS = {"t": "teach", "c": "correct", "f": "forget"}
CHANGES = {"add", "edit", "forget", "restore", "undo"}


def differences(message: str, expected: Expected) -> tuple[list[str], list[str], list[str]]:
    """What of a message is wrong, what was not understood, and the topics taken for others."""
    heard = interpret(message, handle="precedent")
    command = heard.command.name if heard.command else None
    left = list(heard.teachings)
    if isinstance(expected, str):
        is_same = command == expected or {t.kind for t in left} == {expected}
        wrong = [] if is_same else [t.quote for t in left]
        return wrong, [] if is_same else [expected], []
    wrong, lost, topics = [], [], []
    if command in CHANGES and not expected:
        wrong.append(f"{command} {heard.command}")
    for kinds, quotes, right_topics in expected:
        allowed = {KINDS[k] for k in kinds}
        found = next(
            (t for t in left if t.kind in allowed and (quotes is None or t.quote in quotes)), None
        )
        if found is None:
            lost.append(str(quotes))
            continue
        left.remove(found)
        if found.kind != "forget" and found.topic not in right_topics.split("/"):
            topics.append(f"{found.topic}: {found.quote}")
    return wrong + [t.quote for t in left], lost, topics


@pytest.mark.parametrize("name", SETS)
def test_nothing_is_stored_that_nobody_meant_and_hardly_anything_is_lost(name: str) -> None:
    """ "Always blame the intern" was a rule, "no mocks in tests. Remember this." was none."""
    results = {message: differences(message, expected) for message, expected in SETS[name]}
    assert {m: wrong for m, (wrong, _, _) in results.items() if wrong} == {}
    assert len([m for m, (_, lost, _) in results.items() if lost]) <= LOST[name], results
    assert len([m for m, (_, _, topics) in results.items() if topics]) <= GUESSED_TOPICS


def test_each_set_has_enough_of_both_and_no_message_twice() -> None:
    messages = [message for rows in SETS.values() for message, _ in rows]
    assert len(messages) == len(set(messages)) >= 325
    assert sum(not expected for rows in SETS.values() for _, expected in rows) >= 165
