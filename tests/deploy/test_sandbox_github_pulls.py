"""Pull requests, files, contents and names, as PyGithub and plain requests see them."""

from __future__ import annotations

import io
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import github as pygithub
import pytest
import requests
from github.PullRequest import PullRequest as ApiPull
from github.Repository import Repository as ApiRepository

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.git import FileContent, GitRepository
from deploy.sandbox.github.model import Limits
from tests.deploy.conftest import START, Acme


def test_files_have_the_patches_that_git_makes(pull: ApiPull) -> None:
    files = {f.filename: f for f in pull.get_files()}
    assert {name: f.status for name, f in files.items()} == {
        "gone.txt": "removed", "logo.png": "modified", "new.py": "added", "src/app.py": "modified",
    }  # fmt: skip
    assert files["new.py"].patch == (
        "@@ -0,0 +1,2 @@\n+-- not a header\n+x = 1\n\\ No newline at end of file"
    )
    assert files["logo.png"].patch is None
    assert files["src/app.py"].patch.count("@@ -") == 2
    assert (files["src/app.py"].additions, files["src/app.py"].deletions) == (2, 2)
    assert (files["gone.txt"].additions, files["gone.txt"].deletions) == (0, 2)


def test_a_pull_request_tells_its_sums_and_whether_it_merges(acme: Acme, pull: ApiPull) -> None:
    assert (pull.changed_files, pull.commits, pull.mergeable) == (4, 1, True)
    assert (pull.head.sha, pull.base.ref) == (acme.pull.head_sha, "main")
    assert pull.base.repo.id == acme.repository.id
    acme.github.commit(acme.repository, "maria", {"src/app.py": "all other\n"})
    assert acme.call("GET", acme.pull_path).json()["mergeable"] is False


def test_a_moved_base_branch_does_not_change_the_diff(acme: Acme, pull: ApiPull) -> None:
    before = [(f.filename, f.patch) for f in pull.get_files()]
    acme.github.commit(acme.repository, "maria", {"unrelated.txt": "x\n"})
    assert [(f.filename, f.patch) for f in pull.get_files()] == before


def test_renames_links_modes_and_submodules(acme: Acme) -> None:
    github = acme.github
    pull = github.open_pull_request(
        acme.repository, "tom", "Odd files", head="odd",
        changes={
            "gone.txt": None, "moved.txt": "first\nsecond\n",
            "link": FileContent(b"src/app.py", "120000"),
            "vendor": FileContent(acme.pull.head_sha.encode(), "160000"),
            'sp ace/"quoted"\tü.py': "x = 1\n",
        },
    )  # fmt: skip
    path = f"/repositories/{acme.repository.id}/pulls/{pull.number}/files"
    files = {f["filename"]: f for f in acme.call("GET", path).json()}
    moved = files["moved.txt"]
    assert (moved["status"], moved["previous_filename"]) == ("renamed", "gone.txt")
    assert "patch" not in moved
    assert files["vendor"]["patch"].endswith(f"+Subproject commit {acme.pull.head_sha}")
    assert files["link"]["patch"].startswith("@@ -0,0 +1 @@\n+src/app.py")
    assert 'sp ace/"quoted"\tü.py' in files


def test_paging_by_link_headers(acme: Acme, repo: ApiRepository) -> None:
    many = {f"d/{n:03}.txt": f"{n}\n" for n in range(205)}
    pull = acme.github.open_pull_request(acme.repository, "tom", "Many", head="many", changes=many)
    path = f"/repositories/{acme.repository.id}/pulls/{pull.number}/files"
    second = acme.call("GET", path, params={"per_page": "100", "page": "2"})
    assert len(second.json()) == 100
    assert set(second.links) == {"first", "prev", "next", "last"}
    third = requests.get(
        second.links["next"]["url"], headers=dict(second.request.headers), timeout=10
    )
    assert len(third.json()) == 5
    assert set(third.links) == {"first", "prev"}
    assert len(list(repo.get_pull(pull.number).get_files())) == 205


def test_large_patches_are_left_out_and_large_diffs_refused(tmp_path: Path) -> None:
    limits = Limits(
        diff_files=3, files_listed=4, file_patch_lines=10, file_patch_bytes=400,
        all_patches_bytes=600,
    )  # fmt: skip
    github = SandboxGitHub(tmp_path, webhook_secret="x", limits=limits)
    github.add_user("tom")
    repository = github.add_repository("tom", "big")
    github.install("tom")
    changes = {
        "a.txt": "x\n" * 11, "b.txt": "y" * 401 + "\n", "c.txt": "z" * 300 + "\n",
        "d.txt": "w" * 350 + "\n", "e.txt": "one too many\n",
    }  # fmt: skip
    pull = github.open_pull_request(repository, "tom", "Big", changes=changes)
    headers = {"Authorization": f"token {github.user_token('tom').value}"}
    with github.serve():
        url = f"{github.api_url}/repositories/{repository.id}/pulls/{pull.number}"
        files = requests.get(f"{url}/files", headers=headers, timeout=10).json()
        assert [("patch" in f, f["filename"]) for f in files] == [
            (False, "a.txt"), (False, "b.txt"), (True, "c.txt"), (False, "d.txt"),
        ]  # fmt: skip
        as_diff = {**headers, "Accept": "application/vnd.github.v3.diff"}
        refused = requests.get(url, headers=as_diff, timeout=10)
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (406, "too_large")
    github.close()


def test_the_diff_media_type(acme: Acme) -> None:
    answer = acme.call("GET", acme.pull_path, headers={"Accept": "application/vnd.github.diff"})
    assert answer.headers["Content-Type"].startswith("application/vnd.github.diff")
    assert answer.text.startswith("diff --git a/gone.txt b/gone.txt\n")
    assert answer.text.count("diff --git") == 4


def test_lists_filter_by_state_and_base(acme: Acme) -> None:
    github = acme.github
    second = github.open_pull_request(
        acme.repository, "tom", "Second", head="second", changes={"s.txt": "s\n"}
    )
    github.close_pull_request(acme.pull)
    path = f"/repositories/{acme.repository.id}/pulls"

    def numbers(**query: str) -> list[int]:
        return [p["number"] for p in acme.call("GET", path, params=query).json()]

    assert numbers() == [second.number]
    assert numbers(state="closed") == [acme.pull.number]
    assert numbers(state="all", direction="asc") == [acme.pull.number, second.number]
    assert numbers(head="acme:second") == [second.number]
    assert numbers(base="other") == []


def test_a_fork_brings_its_head_into_the_base_repository(acme: Acme) -> None:
    github = acme.github
    fork = github.add_fork(acme.repository, "eve")
    pull = github.open_pull_request(
        acme.repository, "eve", "From a fork", head="patch", changes={"f.txt": "f\n"}, fork=fork
    )
    path = f"/repositories/{acme.repository.id}/pulls/{pull.number}"
    body = acme.call("GET", path).json()
    assert (body["head"]["repo"]["id"], body["head"]["label"]) == (fork.id, "eve:patch")
    assert acme.call("GET", f"{path}/files").json()[0]["filename"] == "f.txt"
    content = f"/repositories/{acme.repository.id}/contents/f.txt"
    assert acme.call("GET", content, params={"ref": pull.head_sha}).status_code == 200
    assert acme.call("GET", content, params={"ref": f"refs/pull/{pull.number}/head"}).ok
    assert acme.call("GET", f"/repositories/{fork.id}").status_code == 404
    github.delete_repository(fork)
    assert acme.call("GET", path).json()["head"]["repo"] is None


def test_commits_of_a_pull_request_are_oldest_first(acme: Acme, pull: ApiPull) -> None:
    second = acme.github.push(acme.pull, {"more.txt": "m\n"})
    assert [c.sha for c in pull.get_commits()][-1] == second
    assert len(list(pull.get_commits())) == 2


def test_comparison_uses_three_dots(acme: Acme, repo: ApiRepository) -> None:
    acme.github.commit(acme.repository, "maria", {"unrelated.txt": "x\n"})
    found = repo.compare("main", "feature")
    assert (found.status, found.ahead_by, found.behind_by) == ("diverged", 1, 1)
    assert "unrelated.txt" not in {f.filename for f in found.files}
    assert repo.compare("main", "main").status == "identical"
    assert repo.compare("feature~1", "feature").status == "ahead"
    missing = acme.call("GET", f"/repositories/{acme.repository.id}/compare/main...nowhere")
    assert missing.status_code == 404


def test_contents_of_files_directories_and_missing_paths(acme: Acme, repo: ApiRepository) -> None:
    assert repo.get_contents(".gitattributes").decoded_content == b"*.lock linguist-generated\n"  # type: ignore[union-attr]
    listed = repo.get_contents("", ref=acme.pull.head_sha)
    assert isinstance(listed, list)
    assert {(e.name, e.type) for e in listed} >= {("src", "dir"), ("new.py", "file")}
    raw = acme.call(
        "GET", f"/repositories/{acme.repository.id}/contents/src/app.py",
        headers={"Accept": "application/vnd.github.raw+json"},
    )  # fmt: skip
    assert raw.text == START["src/app.py"]
    with pytest.raises(pygithub.UnknownObjectException):
        repo.get_contents("nothing.txt")
    with pytest.raises(pygithub.GithubException, match="No commit found for the ref"):
        repo.get_contents("src/app.py", ref="no-such-ref")


def test_a_file_above_one_megabyte_comes_without_its_content(acme: Acme) -> None:
    data = b"0123456789" * 100_001
    sha = acme.github.commit(acme.repository, "maria", {"big.txt": data})
    path = f"/repositories/{acme.repository.id}"
    body = acme.call("GET", f"{path}/contents/big.txt", params={"ref": sha}).json()
    assert (body["encoding"], body["content"], body["size"]) == ("none", "", len(data))
    raw = {"Accept": "application/vnd.github.raw"}
    blob = acme.call("GET", f"{path}/git/blobs/{body['sha']}", headers=raw)
    assert blob.content == data


def test_trees_branches_commits_and_refs(acme: Acme, repo: ApiRepository) -> None:
    tree = repo.get_git_tree("feature", recursive=True)
    assert {e.path for e in tree.tree} >= {"src", "src/app.py", "new.py"}
    assert {b.name: b.commit.sha for b in repo.get_branches()}["feature"] == acme.pull.head_sha
    assert repo.get_branch("feature").commit.sha == acme.pull.head_sha
    assert next(c.sha for c in repo.get_commits(sha="feature")) == acme.pull.head_sha
    assert repo.get_git_ref("heads/feature").object.sha == acme.pull.head_sha
    short = acme.call("GET", f"/repositories/{acme.repository.id}/commits/feature").json()
    assert short["sha"] == acme.pull.head_sha
    missing = f"/repositories/{acme.repository.id}/commits/{'0' * 40}"
    assert acme.call("GET", missing).status_code == 422


def test_the_archive_holds_the_files_of_a_commit(acme: Acme) -> None:
    path = f"/repositories/{acme.repository.id}/tarball/{acme.pull.head_sha}"
    first = acme.call("GET", path)
    assert first.status_code == 302
    archive = requests.get(
        first.headers["Location"], headers=dict(first.request.headers), timeout=10
    )
    with tarfile.open(fileobj=io.BytesIO(archive.content)) as tar:
        names = tar.getnames()
    top = f"acme-api-{acme.pull.head_sha[:7]}"
    assert f"{top}/src/app.py" in names
    assert f"{top}/gone.txt" not in names


def test_names_have_no_case_and_old_names_redirect(
    acme: Acme, client: Callable[..., pygithub.Github]
) -> None:
    assert acme.call("GET", "/repos/ACME/Api/pulls/1").status_code == 200
    acme.github.rename(acme.repository, "backend", "maria")
    moved = acme.call("GET", "/repos/acme/api/pulls/1", params={"x": "1"})
    assert moved.status_code == 301
    assert moved.headers["Location"].endswith(f"/api/v3/repositories/{acme.repository.id}/pulls/1")
    body = {"body": "hello"}
    posted = acme.call("POST", "/repos/acme/api/issues/1/comments", json=body)
    assert posted.status_code == 307
    assert acme.pull.comments == {}
    assert acme.call("GET", "/repos/acme/backend/pulls/1").status_code == 200
    by_old_name = client().get_repo("acme/api").get_pull(1)
    assert by_old_name.base.repo.full_name == "acme/backend"


def test_a_transferred_repository_keeps_its_id_and_leaves_the_installation(acme: Acme) -> None:
    acme.github.transfer(acme.repository, "eve", "maria")
    assert acme.call("GET", acme.pull_path).status_code == 404
    theirs = acme.github.install("eve")
    token = Acme(acme.github, acme.repository, theirs, acme.pull, *[acme.eve] * 3).token()
    assert acme.call("GET", acme.pull_path, token=token).status_code == 200


def test_an_archived_repository_is_read_only(acme: Acme) -> None:
    acme.github.archive(acme.repository)
    assert acme.call("GET", acme.pull_path).status_code == 200
    path = f"/repositories/{acme.repository.id}/issues/1/comments"
    assert acme.call("POST", path, json={"body": "x"}).status_code == 403


def test_an_unchanged_answer_is_304_for_its_entity_tag(acme: Acme) -> None:
    first = acme.call("GET", acme.pull_path)
    again = {"If-None-Match": first.headers["ETag"]}
    assert acme.call("GET", acme.pull_path, headers=again).status_code == 304
    acme.github.edit_pull_request(acme.pull, title="Other")
    assert acme.call("GET", acme.pull_path, headers=again).status_code == 200


def test_a_merge_closes_and_a_conflict_is_refused(acme: Acme, pull: ApiPull) -> None:
    other = acme.github.open_pull_request(
        acme.repository, "tom", "Clash", head="clash", changes={"src/app.py": "short\n"}
    )
    sha = acme.github.merge_pull_request(acme.pull, "maria")
    body = acme.call("GET", acme.pull_path).json()
    assert (body["merged"], body["state"], body["merge_commit_sha"]) == (True, "closed", sha)
    assert len(list(pull.get_files())) == 4
    with pytest.raises(ValueError, match="cannot be merged"):
        acme.github.merge_pull_request(other, "maria")


def test_a_branch_of_that_name_is_found_before_a_sha(tmp_path: Path) -> None:
    git = GitRepository(tmp_path / "r.git")
    sha = git.commit_changes(
        "feature/x", {"a": "1"}, parent=None, message="m", author=("a", "b"), when=time.time()
    )
    assert git.resolve("feature/x") == git.resolve(sha[:12]) == sha
    for hostile in ("--all", "a..b", "HEAD:a", "", "nothing"):
        assert git.resolve(hostile) is None
