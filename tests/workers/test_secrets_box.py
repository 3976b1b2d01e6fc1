"""Secrets at rest: rotation, purposes, and nothing shown."""

from __future__ import annotations

import pytest

from workers.secrets_box import SecretsBox, SecretUnreadable


def test_what_is_sealed_does_not_show_and_opens_again() -> None:
    box = SecretsBox(["first-key"], "github-token")
    sealed = box.seal("ghs_secret")
    assert "ghs_secret" not in sealed
    assert box.open(sealed) == box.open(sealed.encode()) == "ghs_secret"
    assert "first-key" not in repr(box)


def test_rotation_opens_with_the_old_key_and_seals_with_the_new_one() -> None:
    old = SecretsBox(["old"], "slack").seal("xoxb-1")
    both = SecretsBox(["new", "old"], "slack")
    assert both.open(old) == "xoxb-1"
    assert not both.is_current(old)
    fresh = both.reseal(old)
    assert both.is_current(fresh)
    assert SecretsBox(["new"], "slack").open(fresh) == "xoxb-1"


def test_a_removed_key_is_named_as_the_cause() -> None:
    sealed = SecretsBox(["old"], "slack").seal("x")
    with pytest.raises(SecretUnreadable, match="SECRET_KEY") as error:
        SecretsBox(["new"], "slack").open(sealed)
    assert error.value.reason == "secret_unreadable"


def test_a_secret_of_one_purpose_does_not_open_for_another() -> None:
    sealed = SecretsBox(["key"], "slack").seal("x")
    with pytest.raises(SecretUnreadable):
        SecretsBox(["key"], "github").open(sealed)


@pytest.mark.parametrize("keys", [[], [""], ["good", ""]])
def test_an_empty_key_is_refused(keys: list[str]) -> None:
    with pytest.raises(ValueError, match="SECRET_KEY"):
        SecretsBox(keys, "slack")
