"""What the graph gets to see of a repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as redis_client

from deploy.sandbox.github.git import FileContent
from graph.anchors import Anchor, is_valid
from tests.workers.github_stage import AFTER, BEFORE, Stage, open_stage
from workers.github_limits import GithubUnavailable

BIG = b"0123456789abcdef" * 100_000


@pytest.fixture
def stage(tmp_path: Path, redis: redis_client.Redis) -> Iterator[Stage]:
    with open_stage(tmp_path, redis) as opened:
        yield opened


def test_a_pull_request_as_it_is_now(stage: Stage) -> None:
    stage.github.label(stage.pull, "ada", add=["urgent", "size/s"])
    pull = stage.reader().pull_request(stage.number)
    assert (pull.repository_id, pull.repository_name) == (stage.repository_id, "acme/app")
    assert (pull.title, pull.body, pull.author_login) == ("Change lines", "Why not?", "ben")
    assert pull.author_id == stage.pull.user.id
    assert not pull.author_is_bot
    assert not pull.is_draft
    assert pull.is_open
    assert not pull.is_public_repository
    assert set(pull.labels) == {"urgent", "size/s"}
    assert (pull.base_ref, pull.head_ref, pull.default_branch) == ("main", "feature", "main")
    assert pull.head_sha == stage.head_sha
    assert len(pull.commit_messages) == 1


def test_changes_are_seen_by_the_same_reader(stage: Stage) -> None:
    reader = stage.reader()
    before = reader.pull_request(stage.number)
    first = reader.diff(before)
    assert reader.diff(before) is first
    stage.github.push(stage.pull, {"new.py": "a = 1\n"}, message="More")
    stage.github.close_pull_request(stage.pull)
    stage.github.set_private(stage.repository, False)
    after = reader.pull_request(stage.number)
    assert after.head_sha == reader.head_sha(stage.number) == stage.head_sha != before.head_sha
    assert after.commit_messages[-1] == "More"
    assert not after.is_open
    assert after.is_public_repository
    assert {f.path for f in reader.diff(after).files} == {"src/app.py", "new.py"}


def test_a_pull_request_that_changes_files_is_never_read_as_empty(stage: Stage) -> None:
    """GitHub's list of files was empty once, and the check run said "No findings"."""
    reader = stage.reader()
    pull = reader.pull_request(stage.number)
    stage.github.faults.add("GET", r"/pulls/\d+/files$", status=200, body=[])
    with pytest.raises(GithubUnavailable):
        reader.diff(pull)
    assert [file.path for file in reader.diff(pull).files] == ["src/app.py"]


def test_a_pull_request_may_change_nothing(stage: Stage) -> None:
    stage.github.push(stage.pull, {"src/app.py": BEFORE})
    reader = stage.reader()
    assert reader.diff(reader.pull_request(stage.number)).files == ()


def test_a_fork_that_was_deleted_and_an_empty_description(stage: Stage) -> None:
    fork = stage.github.add_fork(stage.repository, "ben")
    pull = stage.github.open_pull_request(
        stage.repository, "ben", "From afar", None, "patch", {"x.py": "1\n"}, fork=fork
    )
    stage.github.delete_repository(fork)
    reader = stage.reader()
    seen = reader.pull_request(pull.number)
    assert seen.body == ""
    assert seen.head_sha == pull.head_sha
    assert reader.read_file("x.py", seen.head_sha) == b"1\n"


def test_the_diff_knows_where_comments_may_stand(stage: Stage) -> None:
    reader = stage.reader()
    diff = reader.diff(reader.pull_request(stage.number))
    (file,) = diff.files
    assert file.status == "modified"
    assert diff.incomplete == ""
    assert is_valid(diff, Anchor("src/app.py", 10))
    assert is_valid(diff, Anchor("src/app.py", 10, side="LEFT"))
    assert not is_valid(diff, Anchor("src/app.py", 30))


def test_every_kind_of_change_arrives(stage: Stage) -> None:
    stage.github.push(
        stage.pull,
        {
            "README.md": None,
            "docs/guide.md": "# App\n",
            "logo.png": b"\x89PNG\x00\x01",
            "big.txt": "x\n" * 30_000,
            "vendored": FileContent(stage.head_sha.encode(), "160000"),
            "empty.txt": "",
        },
    )
    reader = stage.reader()
    files = {f.path: f for f in reader.diff(reader.pull_request(stage.number)).files}
    assert files["docs/guide.md"].status == "renamed"
    assert files["docs/guide.md"].old_path == "README.md"
    assert files["logo.png"].left_out == "binary"
    assert files["big.txt"].left_out == "too_large"
    assert files["vendored"].left_out == "submodule"
    assert files["empty.txt"].left_out == ""


def test_more_files_than_a_page_and_more_than_github_lists(
    tmp_path: Path, redis: redis_client.Redis
) -> None:
    with open_stage(tmp_path, redis) as stage:
        stage.github.push(stage.pull, {f"many/f{n:04}.py": f"{n}\n" for n in range(3_010)})
        reader = stage.reader()
        diff = reader.diff(reader.pull_request(stage.number))
        assert len(diff.files) == 3_000
        assert "3,000" in diff.incomplete
        assert len(stage.calls_to("GET", r"/files$")) == 30
        compared = reader.compare(stage.pull.base_sha, stage.head_sha)
        assert compared is not None
        assert len(compared.files) == 300
        assert "300" in compared.incomplete


def test_compare_needs_an_ancestor(stage: Stage) -> None:
    reader, old_head = stage.reader(), stage.head_sha
    stage.github.push(stage.pull, {"new.py": "a = 1\n"})
    new_part = reader.compare(old_head, stage.head_sha)
    assert new_part is not None
    assert [f.path for f in new_part.files] == ["new.py"]
    same = reader.compare(old_head, old_head)
    assert same is not None
    assert same.files == ()
    assert reader.compare(stage.head_sha, old_head) is None
    forced = stage.github.push(stage.pull, {"other.py": "b = 1\n"}, force=True)
    assert reader.compare(old_head, forced) is None
    assert reader.compare("0" * 40, forced) is None


def test_files_of_every_kind_are_read_or_refused(stage: Stage) -> None:
    changes: dict[str, bytes | str | FileContent | None] = {
        "src/with space & ümlaut?#.py": "ä = 1\n",
        "raw.bin": bytes(range(256)),
        "big.bin": BIG,
        "link": FileContent(b"src/app.py", "120000"),
        "module": FileContent(stage.head_sha.encode(), "160000"),
        "empty": "",
    }
    sha = stage.github.commit(stage.repository, "ada", changes)
    reader = stage.reader()
    assert reader.read_file("src/with space & ümlaut?#.py", sha) == "ä = 1\n".encode()
    assert reader.read_file("raw.bin", sha) == bytes(range(256))
    assert reader.read_file("big.bin", sha) == BIG
    assert reader.read_file("empty", sha) == b""
    for path in ("link", "module", "src", "nowhere.py", "src/app.py/deeper"):
        assert reader.read_file(path, sha) is None
    assert reader.read_file("src/app.py", "no-such-ref") is None
    assert reader.read_file("src/app.py", "main") == BEFORE.encode()
    assert reader.read_file("src/app.py", stage.head_sha) == AFTER.encode()


def test_content_at_a_sha_is_asked_for_once_and_at_a_branch_always(stage: Stage) -> None:
    reader = stage.reader()
    for _ in range(2):
        reader.read_file("src/app.py", stage.head_sha)
        reader.read_file("missing", stage.head_sha)
        reader.read_file("src/app.py", "main")
    assert len(stage.calls_to("GET", "/contents/")) == 4
    stage.github.commit(stage.repository, "ada", {"src/app.py": "changed\n"})
    assert reader.read_file("src/app.py", "main") == b"changed\n"


def test_threads_on_every_page_with_every_comment(stage: Stage) -> None:
    first = stage.github.review_comment(stage.pull, "ada", "src/app.py", 10, "0")
    for n in range(1, 120):
        stage.github.reply(first, "ben", str(n))
    for n in range(60):
        stage.github.review_comment(stage.pull, "ada", "src/app.py", 51, f"t{n}")
    stage.github.resolve(first.thread, "ben")
    threads = stage.reader().threads(stage.number)
    assert len(threads) == 61
    long = next(t for t in threads if t.line == 10)
    assert [c.body for c in long.comments] == [str(n) for n in range(120)]
    assert long.is_resolved
    assert long.resolved_by_id == stage.pull.user.id
    assert long.comments[0].author_login == "ada"
    assert not any(c.is_ours or c.is_bot for t in threads for c in t.comments)


def test_an_outdated_thread_has_no_line_but_its_first_one(stage: Stage) -> None:
    stage.github.review_comment(stage.pull, "ada", "src/app.py", 51, "look")
    stage.github.push(stage.pull, {"src/app.py": BEFORE.replace("line 10\n", "line ten\n")})
    (thread,) = stage.reader().threads(stage.number)
    assert thread.is_outdated
    assert thread.line is None
    assert thread.original_line == 51


def test_ours_are_told_from_other_bots_and_people(stage: Stage) -> None:
    stage.github.add_user("other[bot]", type="Bot")
    stage.github.add_user("precedent")
    for who in ("other[bot]", "precedent"):
        stage.github.comment(stage.pull, who, f"by {who}")
        stage.github.review_comment(stage.pull, who, "src/app.py", 10, f"by {who}")
    stage.client().post(f"/issues/{stage.number}/comments", {"body": "by us"})
    comments = stage.reader().conversation(stage.number)
    assert [(c.is_ours, c.is_bot) for c in comments] == [
        (False, True), (False, False), (True, True),
    ]  # fmt: skip
    assert comments[-1].html_url
    threads = stage.reader().threads(stage.number)
    assert sorted((c.is_ours, c.is_bot) for t in threads for c in t.comments) == [
        (False, False), (False, True),
    ]  # fmt: skip
