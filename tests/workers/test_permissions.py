"""Live permissions: by id, by role, and never older than a minute."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as redis_client

from deploy.sandbox.github.model import Role
from tests.workers.github_stage import Stage, open_stage
from workers.errors import Transient
from workers.permissions import PermissionReader

ASK = r"/collaborators/[^/]+/permission$"


@pytest.fixture
def stage(tmp_path: Path, redis: redis_client.Redis) -> Iterator[Stage]:
    with open_stage(tmp_path, redis) as opened:
        yield opened


def _permission(stage: Stage, login: str, user_id: int) -> str:
    reader = PermissionReader(stage.tokens(), stage.redis)
    return reader.permission(stage.installation_id, stage.repository_id, login, user_id)


@pytest.mark.parametrize("role", ["read", "triage", "write", "maintain", "admin"])
def test_every_role_is_told_apart(stage: Stage, role: Role) -> None:
    person = stage.github.add_user("cleo")
    stage.github.set_role(stage.repository, "cleo", role)
    assert _permission(stage, "cleo", person.id) == role


def test_strangers_have_nothing(stage: Stage) -> None:
    person = stage.github.add_user("cleo")
    assert _permission(stage, "cleo", person.id) == "none"
    assert _permission(stage, "nobody-of-that-name", 424_242) == "none"
    assert _permission(stage, "", 424_243) == "none"


def test_a_custom_role_counts_as_its_base(stage: Stage) -> None:
    ada = stage.github.existing("ada")
    body = {"permission": "write", "role_name": "release captain", "user": {"id": ada.id}}
    stage.github.faults.add("GET", ASK, status=200, body=body)
    assert _permission(stage, "ada", ada.id) == "write"


def test_a_login_that_belongs_to_somebody_else_by_now_gives_nothing(stage: Stage) -> None:
    ada = stage.github.existing("ada")
    gone_id = 424_242
    assert _permission(stage, "ada", gone_id) == "none"
    assert _permission(stage, "ada", ada.id) == "admin"


def test_a_renamed_person_is_found_by_id(stage: Stage) -> None:
    ben = stage.github.existing("ben")
    ben.login = "ben-the-second"
    stage.github.add_user("ben")
    assert _permission(stage, "ben", ben.id) == "write"


def test_an_answer_is_kept_for_a_minute_at_most(stage: Stage) -> None:
    ben = stage.github.existing("ben")
    for _ in range(3):
        assert _permission(stage, "ben", ben.id) == "write"
    assert len(stage.calls_to("GET", ASK)) == 1
    (key,) = stage.redis.scan_iter("precedent:permission:*")
    assert 0 < stage.redis.ttl(key) <= 60
    stage.github.set_role(stage.repository, "ben", "read")
    PermissionReader(stage.tokens(), stage.redis).forget(stage.repository_id, ben.id)
    assert _permission(stage, "ben", ben.id) == "read"


def test_trouble_is_never_taken_for_a_no(stage: Stage) -> None:
    stage.github.faults.add("GET", ASK, status=502, times=None)
    with pytest.raises(Transient):
        _permission(stage, "ada", stage.github.existing("ada").id)
    assert list(stage.redis.scan_iter("precedent:permission:*")) == []


def test_owners_of_the_organisation(stage: Stage) -> None:
    reader = PermissionReader(stage.tokens(), stage.redis)
    account_id = stage.repository.owner.id

    def owns(login: str) -> bool:
        user_id = stage.github.existing(login).id
        return reader.is_org_owner(stage.installation_id, account_id, login, user_id)

    stage.github.add_user("cleo")
    assert owns("ada")
    assert not owns("ben")
    assert not owns("cleo")
    ada_id = stage.github.existing("ada").id
    assert not reader.is_org_owner(stage.installation_id, account_id, "ada", ada_id + 7_000)
    assert reader.is_org_owner(stage.installation_id, 5, "whoever", 5)
    for key in stage.redis.scan_iter("precedent:owner:*"):
        assert stage.redis.ttl(key) <= 60


def test_without_the_permission_to_read_members_nobody_owns(stage: Stage) -> None:
    body = {"message": "Resource not accessible by integration"}
    stage.github.faults.add("GET", "/memberships/", status=403, body=body)
    ada = stage.github.existing("ada")
    reader = PermissionReader(stage.tokens(), stage.redis)
    account_id = stage.repository.owner.id
    assert not reader.is_org_owner(stage.installation_id, account_id, "ada", ada.id)
