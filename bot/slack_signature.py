"""Slack's request signature (v0), checked before Bolt sees the request.

Bolt answers 500 to a timestamp that is no number and to a signature that is not ASCII, and knows
only one secret; here both are plain refusals, and several secrets can be valid while rotating.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256

MAX_AGE_S = 300
"""Slack's own advice against replays."""


def is_signed(
    body: bytes, timestamp: str | None, signature: str | None, secrets: Sequence[str], now: float
) -> bool:
    """Whether the request was signed with one of `secrets` within the last five minutes."""
    if timestamp is None or signature is None or not timestamp.isascii():
        return False
    if not timestamp.isdecimal() or len(timestamp) > 12:
        return False
    if abs(now - int(timestamp)) > MAX_AGE_S or not signature.startswith("v0="):
        return False
    base = b"v0:" + timestamp.encode() + b":" + body
    given = signature.encode(errors="replace")
    fits = [
        hmac.compare_digest(given, b"v0=" + _digest(base, secret).encode()) for secret in secrets
    ]
    return any(fits)


def _digest(base: bytes, secret: str) -> str:
    return hmac.new(secret.encode(), base, sha256).hexdigest()
