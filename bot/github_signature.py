"""GitHub's webhook signature, checked over the raw body before anything is parsed."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256

PREFIX = "sha256="


def is_signed(body: bytes, header: str | None, secrets: Sequence[str]) -> bool:
    """Whether `header` (X-Hub-Signature-256) is HMAC-SHA-256 of `body` under one of `secrets`.

    Several secrets while rotating. A SHA-1 signature, or one of any other shape, is refused.
    """
    if header is None or not header.startswith(PREFIX):
        return False
    try:
        given = bytes.fromhex(header.removeprefix(PREFIX))
    except ValueError:
        return False
    if len(given) != sha256().digest_size:
        return False
    # Every secret is tried, so that the time taken does not tell which one fitted.
    fits = [
        hmac.compare_digest(given, hmac.new(secret.encode(), body, sha256).digest())
        for secret in secrets
    ]
    return any(fits)
