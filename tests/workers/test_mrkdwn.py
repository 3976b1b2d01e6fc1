"""Answers in Slack: exports keep their comments, long lists are split and lose nothing."""

from __future__ import annotations

import re

from graph import wording
from graph.conventions import Convention, Source
from workers.mrkdwn import to_mrkdwn
from workers.repliers import MAX_BLOCKS, SECTION_CHARACTERS, slack_messages
from workers.slack_text import MAX_TEXT_CHARACTERS

NOW = 1_800_000_000.0


def test_comments_are_hidden_but_not_in_code() -> None:
    assert to_mrkdwn("a <!-- b `c` --> d") == "a  d"
    assert to_mrkdwn("```\n- a <!-- b -->\n```") == "```\n- a &lt;!-- b --&gt;\n```"
    assert to_mrkdwn("`x <!-- y` **z**") == "`x &lt;!-- y` *z*"


def test_words_beside_code_stay_as_they_were_said() -> None:
    """A taught "always use `log` - not print" was quoted as "always use`log` • not print".

    What follows code was read as the beginning of a line, and quoted lines lost a space before it.
    """
    rule = "always use `log` - not print"
    assert to_mrkdwn(wording.quoted(rule)) == f"> {rule}"
    assert to_mrkdwn("`a` > `b`") == "`a` &gt; `b`"
    assert to_mrkdwn("`a`\n- b\n> c") == "`a`\n• b\n> c"


def test_sixty_conventions_are_split_between_lines_and_none_is_lost() -> None:
    said = Source("slack", "ada", "https://acme.slack.test/archives/C1/p1", said_at=NOW)
    kept = [
        Convention(f"C{n}", "naming", f"rule {n}: <b> & `code` " + "word " * 30, said)
        for n in range(1, 61)
    ]
    messages = slack_messages(wording.listing(kept, "acme/api", NOW))
    assert len(messages) > 1
    text = "\n".join(text for text, _ in messages)
    assert re.findall(r"\*(C\d+)\*", text) == [c.id for c in kept]
    for text, blocks in messages:
        assert len(text) <= MAX_TEXT_CHARACTERS
        assert len(blocks) <= MAX_BLOCKS
        assert all(len(b["text"]["text"]) <= SECTION_CHARACTERS for b in blocks)
        assert text.startswith(("*60 conventions", "•"))
        assert not re.search(r"&(?!amp;|lt;|gt;)", text)
