"""A backup of Redis, restored as docs/operation.md says."""

from __future__ import annotations

import shutil
from pathlib import Path

from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from graph.store import ConventionStore, Write
from tests.workers.inbox_events import comment, push
from tests.workers.stage import open_stage
from workers.effects import EffectLedger
from workers.inbox import Inbox


def test_a_copy_of_the_append_only_directory_is_a_whole_backup(tmp_path: Path) -> None:
    place = (("conventions", "7"), "C1")
    with EmbeddedRedis(tmp_path / "first", fsync="always") as server:
        redis = Redis.from_url(server.url)
        inbox = Inbox(redis, quiet_s=0)
        inbox.accept(comment("c1"))
        inbox.accept(push("p1", "sha1"))
        lease = inbox.claim("reviews")
        assert lease is not None
        inbox.fail(lease, "boom", "", permanent=True)
        ConventionStore(redis).commit([Write(*place, {"rule": "no tabs"})])
        EffectLedger(redis).done("reply:1", {"id": 5})
        redis.close()
    shutil.copytree(tmp_path / "first" / "appendonlydir", tmp_path / "second" / "appendonlydir")
    with EmbeddedRedis(tmp_path / "second") as restored:
        redis = Redis.from_url(restored.url)
        inbox = Inbox(redis, quiet_s=0)
        assert [letter.id for letter in inbox.dead_letters()] == ["c1"]
        assert inbox.accept(push("p1", "sha1")) == "duplicate"
        claimed = inbox.claim("reviews")
        assert claimed is not None
        assert claimed.event.id == "p1"
        found = ConventionStore(redis).read([place])[0]
        assert found is not None
        effect = EffectLedger(redis).read("reply:1")
        assert effect is not None
        assert effect.outcome == {"id": 5}
        redis.close()


def test_after_a_restore_nothing_is_forgotten_and_no_review_is_said_twice(tmp_path: Path) -> None:
    """The backup is older than the review; GitHub still has the review, with our mark."""
    files = tmp_path / "redis" / "appendonlydir"
    with (
        EmbeddedRedis(tmp_path / "redis", fsync="always") as server,
        open_stage(tmp_path, server.url) as stage,
    ):
        stage.link()
        stage.identify()
        stage.slack.command("api-reviews", "ada", "/conventions", "add line length is 88")
        stage.work()
        pull = stage.github.open_pull_request(
            stage.world.api, "ben", "Widen", "", "widen", {"wide.py": f'A = "{"x" * 100}"\n'}
        )
        stage.github.hooks.wait_idle()
        server.kill()
        shutil.copytree(files, tmp_path / "backup")
        server.start()
        stage.work()
        server.kill()
        shutil.rmtree(files)
        shutil.copytree(tmp_path / "backup", files)
        server.start()
        stage.work()
        assert stage.dead() == []
        assert len(stage.github.record.calls_to("GET", rf"/pulls/{pull.number}/files$")) == 2
        assert len([r for r in pull.reviews.values() if r.body]) == 1
        assert len(pull.threads) == 1
        stage.slack.command("api-reviews", "ada", "/conventions", "list")
        stage.work()
        assert "line length is 88" in stage.told("ada")
