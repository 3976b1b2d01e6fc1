"""Reviews by GitHub's rules: which lines, all or nothing, one pending, and outdated threads."""

from __future__ import annotations

import difflib
from typing import Any

import requests
from github.PullRequest import PullRequest as ApiPull
from github.Repository import Repository as ApiRepository
from hypothesis import given
from hypothesis import strategies as st

from deploy.sandbox.github.anchors import patch_lines
from tests.deploy.conftest import CHANGE, Acme

APP = "src/app.py"


def post(acme: Acme, *comments: dict[str, Any], **review: Any) -> requests.Response:
    wish = {"event": "COMMENT", "body": "words", "comments": list(comments), **review}
    wish = {key: value for key, value in wish.items() if value is not None}
    return acme.call("POST", f"{acme.pull_path}/reviews", json=wish)


def at(line: int, path: str = APP, **more: Any) -> dict[str, Any]:
    return {"path": path, "line": line, "body": "look", **more}


def comments_of(acme: Acme) -> list[dict[str, Any]]:
    body: list[dict[str, Any]] = acme.call("GET", f"{acme.pull_path}/comments").json()
    return body


GOOD = [
    at(5), at(2), at(8, side="RIGHT"), at(6, side="LEFT"), at(5, side="LEFT"),
    at(30), at(1, "new.py"), at(2, "new.py"), at(1, "gone.txt", side="LEFT"),
    at(5, start_line=3), at(6, start_line=5, start_side="LEFT", side="LEFT"),
]  # fmt: skip
BAD = [
    (at(20), "Line could not be resolved"),
    (at(400), "Line could not be resolved"),
    (at(1, "gone.txt"), "Line could not be resolved"),
    (at(1, "new.py", side="LEFT"), "Line could not be resolved"),
    ({"path": APP, "body": "no place"}, "Line could not be resolved"),
    (at(1, "README.md"), "Path could not be resolved"),
    (at(1, "logo.png"), "Diff hunk can't be blank"),
    (at(30, start_line=5), "same hunk"),
    (at(5, start_line=5), "must precede"),
    (at(4, start_line=6), "must precede"),
    (at(5, start_line=20), "Start line could not be resolved"),
    ({"path": APP, "position": 400, "body": "x"}, "Position could not be resolved"),
]


def test_lines_of_a_hunk_take_comments(acme: Acme) -> None:
    answer = post(acme, *GOOD, {"path": APP, "position": 6, "body": "by position"})
    assert answer.status_code == 200, answer.text
    *found, by_position = comments_of(acme)
    for wish, comment in zip(GOOD, found, strict=True):
        assert (comment["path"], comment["line"]) == (wish["path"], wish["line"])
        assert comment["original_line"] == wish["line"]
        assert comment["side"] == wish.get("side", "RIGHT")
        assert comment["start_line"] == wish.get("start_line")
    assert (by_position["line"], by_position["side"]) == (5, "RIGHT")


def test_one_bad_comment_refuses_the_whole_review(acme: Acme) -> None:
    for comment, words in BAD:
        answer = post(acme, at(5), comment)
        assert answer.status_code == 422, comment
        assert words in str(answer.json()["errors"]), comment
    assert comments_of(acme) == []
    assert acme.call("GET", f"{acme.pull_path}/reviews").json() == []


def test_a_comment_carries_its_hunk_up_to_its_line(acme: Acme) -> None:
    post(acme, at(5))
    (found,) = comments_of(acme)
    assert found["diff_hunk"].startswith("@@ -2,8 +2,7 @@")
    assert found["diff_hunk"].endswith("\n+five")
    assert found["position"] == found["original_position"] == 6
    assert found["user"]["login"] == "precedent[bot]"
    assert found["user"]["type"] == "Bot"


def test_reviews_that_are_refused(acme: Acme) -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"body": None}, "blank"),
        ({"body": None, "event": "REQUEST_CHANGES"}, "blank"),
        ({"body": "x" * 65_537}, "too long (maximum is 65536 characters)"),
        ({"commit_id": "0" * 40}, "not part of the pull request"),
        ({"commit_id": acme.pull.base_sha}, "not part of the pull request"),
    ]
    for review, words in refused:
        answer = post(acme, **review)
        assert answer.status_code == 422
        assert words in answer.text


def test_sizes_count_code_points(acme: Acme) -> None:
    assert post(acme, body="ü" * 65_536).status_code == 200
    assert post(acme, at(5, body="ü" * 65_537)).status_code == 422


def test_nobody_judges_their_own_pull_request(acme: Acme) -> None:
    token = acme.github.user_token("tom").value
    for event in ("APPROVE", "REQUEST_CHANGES"):
        answer = acme.call(
            "POST", f"{acme.pull_path}/reviews", token=token, json={"event": event, "body": "b"}
        )
        assert answer.status_code == 422
        assert "your own pull request" in answer.text
    assert post(acme, event="APPROVE", body=None).status_code == 200


def test_a_pending_review_is_its_authors_alone_until_submitted(
    acme: Acme, repo: ApiRepository, pull: ApiPull
) -> None:
    head = repo.get_commit(acme.pull.head_sha)
    tom = acme.github.user_token("tom").value
    pending = pull.create_review(head, "<!-- mark -->", comments=[at(5)])  # type: ignore[list-item]
    assert pending.state == "PENDING"
    assert "submitted_at" not in acme.call("GET", f"{acme.pull_path}/reviews/{pending.id}").json()
    for path in (f"{acme.pull_path}/reviews", f"{acme.pull_path}/comments"):
        assert len(acme.call("GET", path).json()) == 1
        assert acme.call("GET", path, token=tom).json() == []
    hidden = acme.call("GET", f"{acme.pull_path}/reviews/{pending.id}", token=tom)
    assert hidden.status_code == 404
    assert [c.body for c in pull.get_single_review_comments(pending.id)] == ["look"]

    answer = acme.call(
        "POST", f"{acme.pull_path}/reviews/{pending.id}/events", json={"event": "COMMENT"}
    )
    assert (answer.status_code, answer.json()["state"]) == (200, "COMMENTED")
    assert acme.call("GET", f"{acme.pull_path}/reviews", token=tom).json()[0]["id"] == pending.id
    again = acme.call(
        "POST", f"{acme.pull_path}/reviews/{pending.id}/events", json={"event": "COMMENT"}
    )
    assert again.status_code == 422


def test_a_pending_review_blocks_every_other_until_it_is_deleted(
    acme: Acme, repo: ApiRepository, pull: ApiPull
) -> None:
    pending = pull.create_review(repo.get_commit(acme.pull.head_sha), comments=[at(5)])  # type: ignore[list-item]
    words = "User can only have one pending review per pull request"
    assert words in post(acme, event=None).text
    assert words in post(acme).text
    assert post(acme).status_code == 422
    single = acme.call(
        "POST", f"{acme.pull_path}/comments", json={**at(5), "commit_id": acme.pull.head_sha}
    )
    assert single.status_code == 422
    pending.delete()
    assert comments_of(acme) == []
    assert post(acme).status_code == 200
    submitted = acme.call("GET", f"{acme.pull_path}/reviews").json()[0]["id"]
    refused = acme.call("DELETE", f"{acme.pull_path}/reviews/{submitted}")
    assert (refused.status_code, "non-pending" in refused.text) == (422, True)


def test_single_comments_replies_edits_and_deletion(acme: Acme, repo: ApiRepository) -> None:
    pull = repo.get_pull(acme.pull.number)
    comment = pull.create_review_comment("look", repo.get_commit(acme.pull.head_sha), APP, line=5)
    answer = pull.create_review_comment_reply(comment.id, "seen")
    assert answer.in_reply_to_id == comment.id
    assert answer.pull_request_review_id != comment.pull_request_review_id
    nested = acme.call(
        "POST", f"{acme.pull_path}/comments/{answer.id}/replies", json={"body": "deeper"}
    )
    assert nested.status_code == 422
    by_key = {"body": "third", "in_reply_to": comment.id}
    third = acme.call("POST", f"{acme.pull_path}/comments", json=by_key)
    assert third.json()["in_reply_to_id"] == comment.id
    comment.edit("look again")
    assert comments_of(acme)[0]["body"] == "look again"
    comment.delete()
    assert comment.id not in {c["id"] for c in comments_of(acme)}
    missing = acme.call("GET", f"/repositories/{acme.repository.id}/pulls/comments/{comment.id}")
    assert missing.status_code == 404


def test_a_bad_single_comment_names_its_field(acme: Acme) -> None:
    wish = {**at(20), "commit_id": acme.pull.head_sha}
    answer = acme.call("POST", f"{acme.pull_path}/comments", json=wish)
    assert answer.status_code == 422
    assert "pull_request_review_thread.line must be part of the diff" in answer.text


def test_a_comment_on_a_whole_file(acme: Acme) -> None:
    wish = {"path": "logo.png", "subject_type": "file", "body": "large", "commit_id": ""}
    wish["commit_id"] = acme.pull.head_sha
    answer = acme.call("POST", f"{acme.pull_path}/comments", json=wish)
    assert answer.status_code == 201, answer.text
    assert (answer.json()["subject_type"], answer.json()["line"]) == ("file", None)


def test_comments_follow_their_line_until_it_changes(acme: Acme) -> None:
    first_head = acme.pull.head_sha
    post(acme, at(5), at(29), at(6, side="LEFT"), at(30, start_line=28), at(1, "new.py"))

    acme.github.push(acme.pull, {APP: "zero\n" + str(CHANGE[APP])})
    moved = {(c["original_line"], c["side"]): c for c in comments_of(acme) if c["path"] == APP}
    assert moved[5, "RIGHT"]["line"] == 6
    assert moved[5, "RIGHT"]["commit_id"] == acme.pull.head_sha
    assert moved[5, "RIGHT"]["original_commit_id"] == first_head
    assert moved[6, "LEFT"]["line"] == 6
    assert (moved[30, "RIGHT"]["start_line"], moved[30, "RIGHT"]["line"]) == (29, 31)

    edited = str(CHANGE[APP]).replace("five", "FIVE")
    acme.github.push(acme.pull, {APP: edited, "new.py": None})
    after = {(c["path"], c["original_line"], c["side"]): c for c in comments_of(acme)}
    gone = after[APP, 5, "RIGHT"]
    assert (gone["line"], gone["position"], gone["commit_id"]) == (None, None, first_head)
    assert after["new.py", 1, "RIGHT"]["line"] is None
    assert after[APP, 29, "RIGHT"]["line"] == 29


def test_a_line_that_is_back_to_the_base_leaves_the_diff(acme: Acme) -> None:
    post(acme, at(5), at(6, side="LEFT"))
    original = "".join(f"line {n}\n" for n in range(1, 41))
    acme.github.push(acme.pull, {APP: original})
    assert [c["line"] for c in comments_of(acme)] == [None, None]


def test_a_forced_push_takes_the_old_commit_out_of_the_pull_request(acme: Acme) -> None:
    old = acme.pull.head_sha
    acme.github.push(acme.pull, {"other.txt": "o\n"}, force=True)
    assert post(acme, commit_id=old).status_code == 422
    assert post(acme, at(1, "other.txt"), commit_id=acme.pull.head_sha).status_code == 200


def test_a_review_of_an_earlier_commit_is_placed_on_that_commit(acme: Acme) -> None:
    old = acme.pull.head_sha
    acme.github.push(acme.pull, {APP: "zero\n" + str(CHANGE[APP])})
    assert post(acme, at(5), commit_id=old).status_code == 200
    (found,) = comments_of(acme)
    assert (found["original_line"], found["line"]) == (5, 6)


def test_a_review_is_dismissed_once(acme: Acme) -> None:
    review = acme.github.review(acme.pull, "maria", event="APPROVE")
    path = f"{acme.pull_path}/reviews/{review.id}/dismissals"
    assert acme.call("PUT", path, json={"message": "stale"}).json()["state"] == "DISMISSED"
    assert acme.call("PUT", path, json={"message": "stale"}).status_code == 422


def test_a_lagging_list_hides_the_newest_and_then_shows_it(acme: Acme) -> None:
    post(acme, body="one")
    post(acme, body="two")
    acme.github.faults.add("GET", r"/reviews$", phase="lag", times=1)
    path = f"{acme.pull_path}/reviews"
    assert [r["body"] for r in acme.call("GET", path).json()] == ["one"]
    assert [r["body"] for r in acme.call("GET", path).json()] == ["one", "two"]


LINES = st.lists(st.sampled_from(["a", "b", "- c", "+ d", "@@ -1 +1 @@", ""]), max_size=12)


@given(old=LINES, new=LINES)
def test_numbers_of_patch_lines_are_those_of_the_files(old: list[str], new: list[str]) -> None:
    patch = unified(old, new)
    numbered = patch_lines(patch) if patch else []
    texts = patch.split("\n")
    for line in numbered:
        text = texts[line.position][1:]
        if line.old_line is not None:
            assert old[line.old_line - 1] == text
        if line.new_line is not None:
            assert new[line.new_line - 1] == text
    assert sum(line.old_line is None for line in numbered) == sum(t.startswith("+") for t in texts)


def unified(old: list[str], new: list[str]) -> str:
    """The hunks that difflib makes, in the form of a patch."""
    return "\n".join(list(difflib.unified_diff(old, new, n=1, lineterm=""))[2:])
