"""Installation tokens: minted once, kept sealed, renewed in time, dropped when refused."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jwt
import pytest
import redis as redis_client

from tests.workers.github_stage import Stage, open_stage
from workers.errors import Permanent, RateLimited
from workers.github_limits import DoubtfulWrite, InstallationSuspended, Unauthorized
from workers.github_tokens import RENEW_BEFORE_S, AppIdentity

MINT = r"/access_tokens$"


@pytest.fixture
def stage(tmp_path: Path, redis: redis_client.Redis) -> Iterator[Stage]:
    with open_stage(tmp_path, redis) as opened:
        yield opened


def _token(stage: Stage) -> str:
    return stage.tokens().token(stage.installation_id, stage.repository_id)


def test_eight_threads_mint_one_token(stage: Stage) -> None:
    stage.github.faults.add("POST", MINT, delay_s=0.3, times=None)
    start = threading.Barrier(8)

    def ask(_n: int) -> str:
        tokens = stage.tokens()
        start.wait()
        return tokens.token(stage.installation_id, stage.repository_id)

    with ThreadPoolExecutor(8) as pool:
        minted = set(pool.map(ask, range(8)))
    assert len(minted) == 1
    (call,) = stage.calls_to("POST", MINT)
    assert call.body == {"repository_ids": [stage.repository_id]}


def test_a_token_reaches_one_repository_only(stage: Stage) -> None:
    other = stage.github.add_repository("acme", "secret")
    client = stage.client()
    assert client.get("")["name"] == "app"
    with pytest.raises(Permanent) as refused:
        client.client.get(f"/repositories/{other.id}")
    assert refused.value.reason in ("github_not_found", "github_forbidden")


def test_the_token_is_not_readable_in_redis(stage: Stage) -> None:
    token = _token(stage)
    for key in stage.redis.scan_iter("*"):
        assert token.encode() not in (stage.redis.get(key) or b"")
    assert token not in repr(stage.tokens())


def test_a_token_is_renewed_five_minutes_before_its_end(stage: Stage) -> None:
    first = _token(stage)
    hour = 3_600.0
    early = stage.tokens(now=lambda: time.time() + hour - RENEW_BEFORE_S - 20)
    assert early.token(stage.installation_id, stage.repository_id) == first
    # Our clock is late in the hour while GitHub's is not, so the signature must still be accepted.
    late = stage.tokens(now=lambda: time.time() + hour - RENEW_BEFORE_S + 20)
    assert late.token(stage.installation_id, stage.repository_id) != first
    (key,) = stage.redis.scan_iter(f"precedent:token:{stage.installation_id}:*")
    assert 0 < stage.redis.ttl(key) <= hour - RENEW_BEFORE_S


def test_a_refused_token_is_dropped_and_tried_once_more(stage: Stage) -> None:
    client = stage.client()
    client.get("")
    stage.github.tokens.clear()
    assert client.get("")["id"] == stage.repository_id
    assert len(stage.calls_to("POST", MINT)) == 2


def test_a_refused_token_does_not_cost_the_others_their_new_one(stage: Stage) -> None:
    first, second = stage.client(), stage.client()
    first.get("")
    second.get("")
    stage.github.tokens.clear()
    first.get("")
    second.get("")
    assert len(stage.calls_to("POST", MINT)) == 2


def test_credentials_that_stay_refused_end_in_one_sentence(stage: Stage) -> None:
    body = {"message": "Bad credentials"}
    stage.github.faults.add("GET", r"^/repositories/\d+$", status=401, body=body, times=None)
    with pytest.raises(Unauthorized, match="GITHUB_APP_PRIVATE_KEY"):
        stage.client().get("")
    assert len(stage.calls_to("GET", r"^/repositories/\d+$")) == 2


def test_a_suspended_installation_has_its_own_name(stage: Stage) -> None:
    stage.github.suspend(stage.installation, "ada")
    with pytest.raises(InstallationSuspended) as suspended:
        _token(stage)
    assert suspended.value.reason == "installation_suspended"
    assert isinstance(suspended.value, Permanent)


def test_a_token_minted_before_the_suspension_ends_with_the_same_name(stage: Stage) -> None:
    client = stage.client()
    client.get("")
    stage.github.suspend(stage.installation, "ada")
    with pytest.raises(InstallationSuspended):
        client.get("")


def test_a_removed_installation_is_named_too(stage: Stage) -> None:
    stage.github.uninstall(stage.installation, "ada")
    with pytest.raises(InstallationSuspended, match="install it again"):
        _token(stage)


def test_a_repository_outside_the_installation_is_named(stage: Stage) -> None:
    stage.github.add_user("eve")
    foreign = stage.github.add_repository("eve", "elsewhere")
    with pytest.raises(Permanent) as refused:
        stage.tokens().token(stage.installation_id, foreign.id)
    assert refused.value.reason == "repository_not_installed"


def test_forgetting_an_installation_forgets_its_tokens_only(stage: Stage) -> None:
    _token(stage)
    stage.redis.set("precedent:token:1:2", b"x")
    stage.tokens().forget_installation(stage.installation_id)
    assert list(stage.redis.scan_iter("precedent:token:*")) == [b"precedent:token:1:2"]


@pytest.mark.parametrize("phase", ["drop", "after"])
def test_a_lost_answer_to_the_minting_is_transient(stage: Stage, phase: str) -> None:
    stage.github.faults.add("POST", MINT, phase=phase, status=502)
    with pytest.raises(DoubtfulWrite):
        _token(stage)
    assert _token(stage)


def test_a_limit_on_minting_is_told_in_seconds(stage: Stage) -> None:
    stage.github.faults.secondary_rate_limit("POST", MINT, retry_after_s=21)
    with pytest.raises(RateLimited) as limited:
        _token(stage)
    assert limited.value.retry_after_s == 21


def test_the_signature_lives_nine_minutes_at_most(stage: Stage) -> None:
    token = stage.tokens()._app_auth().token
    key = stage.github.registration.public_key_pem
    claims = jwt.decode(token, key, algorithms=["RS256"], options={"verify_iat": False})
    assert claims["iss"] == str(stage.github.registration.id)
    assert claims["iat"] == pytest.approx(time.time() - 60, abs=5)
    assert claims["exp"] - claims["iat"] <= 540


def test_the_identity_comes_from_the_api_and_is_kept(stage: Stage) -> None:
    identity = stage.tokens().identity()
    assert identity == stage.tokens().identity()
    assert identity == AppIdentity(stage.github.registration.id, "precedent")
    assert identity.login == "precedent[bot]"
    assert len(stage.calls_to("GET", "^/app$")) == 1
    assert identity.wrote({"login": "precedent[bot]", "type": "Bot"})
    assert not identity.wrote({"login": "precedent", "type": "User"})
    assert not identity.wrote(None)
