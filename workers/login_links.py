"""One-time links with which a Slack person shows which GitHub account is theirs.

`/conventions login` answers with a link that names the Slack person under our signature. It opens a
page that says whose Slack account is about to be linked; the person's own click there starts
GitHub's OAuth in that browser, with PKCE. So nobody can hand somebody else a link and get their
GitHub account, and a link preview, which only reads, uses nothing up.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from urllib.parse import quote

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from redis import Redis

LINK_TTL_S = 600
MAX_TOKEN_CHARACTERS = 200


@dataclass(frozen=True)
class LoginRequest:
    """Who asked. `user_name` and `team_name` are what the page shows; the ids count.

    `response_url` is where the answer goes while it is valid.
    """

    team: str
    user: str
    user_name: str
    team_name: str
    response_url: str


class LoginLinks:
    """Makes and reads links. `secret_keys`: the current key first, earlier ones while rotating."""

    def __init__(self, redis: Redis, secret_keys: Sequence[str], public_url: str) -> None:
        self._redis = redis
        self._keys = [_derive(key) for key in secret_keys]
        self._public_url = public_url

    def make(self, request: LoginRequest) -> str:
        """The address to open, good for ten minutes and once."""
        nonce = secrets.token_urlsafe(24)
        self._redis.set(_key(nonce), json.dumps(asdict(request)), ex=LINK_TTL_S)
        token = f"{nonce}.{_encode(_sign(self._keys[0], nonce))}"
        return f"{self._public_url}/github/oauth/start?token={quote(token)}"

    def read(self, token: str) -> LoginRequest | None:
        """Who asked, if the link is ours, fresh and unused. Uses nothing up."""
        stored = self._redis.get(_key(self._nonce(token)))
        return LoginRequest(**json.loads(stored)) if stored else None

    def use(self, token: str) -> LoginRequest | None:
        """The same, and use it up: of several at once one gets it."""
        stored = self._redis.getdel(_key(self._nonce(token)))
        return LoginRequest(**json.loads(stored)) if stored else None

    def _nonce(self, token: str) -> str:
        """The token's nonce if the signature is ours, else ""; no link has that one."""
        nonce, _, signature = token[:MAX_TOKEN_CHARACTERS].partition(".")
        given = signature.encode(errors="replace")
        fits = [
            hmac.compare_digest(given, _encode(_sign(key, nonce)).encode()) for key in self._keys
        ]
        return nonce if any(fits) else ""


@dataclass(frozen=True)
class Pkce:
    """The verifier stays here; GitHub sees its challenge first and the verifier last."""

    verifier: str

    @staticmethod
    def fresh() -> Pkce:
        return Pkce(secrets.token_urlsafe(48))

    @property
    def challenge(self) -> str:
        return _encode(hashlib.sha256(self.verifier.encode()).digest())


def _key(nonce: str) -> str:
    return f"precedent:login:{nonce}"


def _derive(secret_key: str) -> bytes:
    kdf = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=b"precedent:login links")
    return kdf.derive(secret_key.encode())


def _sign(key: bytes, nonce: str) -> bytes:
    return hmac.new(key, nonce.encode(errors="replace"), sha256).digest()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
