"""Encryption at rest: tokens of GitHub and Slack are stored sealed, never in the clear."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from workers.errors import Permanent


class SecretUnreadable(Permanent):
    """What was stored was sealed with a key that is not in SECRET_KEY any more."""

    reason = "secret_unreadable"


class SecretsBox:
    """Seals and opens short texts with keys derived from SECRET_KEY, one per `purpose`.

    `secret_keys` are the current key first and the earlier ones after it, while rotating. What was
    sealed for one purpose cannot be opened for another, so a token cannot be moved between records.
    """

    def __init__(self, secret_keys: Sequence[str], purpose: str) -> None:
        if not secret_keys or not all(secret_keys):
            raise ValueError("SECRET_KEY is empty: set it to a long random text.")
        self._fernets = [Fernet(_derive(key, purpose)) for key in secret_keys]
        self._box = MultiFernet(self._fernets)

    def __repr__(self) -> str:
        return "SecretsBox(***)"

    def seal(self, text: str) -> str:
        return self._box.encrypt(text.encode()).decode("ascii")

    def open(self, sealed: str | bytes) -> str:
        """Raises SecretUnreadable when no key fits."""
        try:
            return self._box.decrypt(sealed).decode()
        except InvalidToken as error:
            raise SecretUnreadable(
                "A stored secret cannot be opened: add the earlier key to SECRET_KEY after the "
                "current one, separated by a comma, or install again."
            ) from error

    def is_current(self, sealed: str | bytes) -> bool:
        """Whether `sealed` was made with the first key, so that the others may be removed."""
        try:
            self._fernets[0].decrypt(sealed)
        except InvalidToken:
            return False
        return True

    def reseal(self, sealed: str | bytes) -> str:
        """The same secret under the first key, for a sweep after rotation."""
        return self.seal(self.open(sealed))


def _derive(secret_key: str, purpose: str) -> bytes:
    material = HKDF(
        algorithm=hashes.SHA256(), length=32, salt=None, info=f"precedent:{purpose}".encode()
    ).derive(secret_key.encode())
    return base64.urlsafe_b64encode(material)
