"""The stand-in as one object: a world, what people do in it, its knobs, and its ASGI app."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import jwt
from starlette.applications import Starlette

from deploy.sandbox.github import auth, payloads, repository_acts, writing
from deploy.sandbox.github.actions import Actions, Where, Who
from deploy.sandbox.github.app import build_app
from deploy.sandbox.github.contract import shared_contract
from deploy.sandbox.github.faults import Faults
from deploy.sandbox.github.git import Changes
from deploy.sandbox.github.hooks import Delivery
from deploy.sandbox.github.model import (
    Account,
    Installation,
    Repository,
    Role,
    Token,
)
from deploy.sandbox.github.record import Call, Record
from deploy.sandbox.serving import AsgiServer


class SandboxGitHub(Actions):
    """A small GitHub in this process. Every method may be called from any thread.

    Things that happen send webhooks to `hooks.url`; without one they are only recorded. People
    are named by login or Account, repositories by full name or Repository.
    """

    def __init__(self, directory: Path, *, webhook_secret: str, **how: Any) -> None:
        """`how`: webhook_url, app_slug, limits, clock (see World)."""
        super().__init__(directory, webhook_secret=webhook_secret, **how)
        self.faults = Faults()
        self.record = Record()
        self.contract = shared_contract()

    @functools.cached_property
    def app(self) -> Starlette:
        """The ASGI app; its paths are absolute."""
        return build_app(self, self.faults, self.record, self.contract)

    def serve(self, port: int = 0) -> AsgiServer:
        """A server for the app, not started yet; payloads carry its address from now on."""
        server = AsgiServer(self.app, port)
        self.base_url = server.url
        return server

    @property
    def api_url(self) -> str:
        """What PyGithub takes as base_url."""
        return f"{self.base_url}/api/v3"

    @property
    def app_id(self) -> int:
        return self.registration.id

    @property
    def app_slug(self) -> str:
        return self.registration.slug

    @property
    def bot(self) -> Account:
        """The account that installations write as, "<slug>[bot]"."""
        return self.registration.bot

    @property
    def private_key_pem(self) -> str:
        return self.registration.private_key_pem

    @property
    def client_id(self) -> str:
        return self.registration.client_id

    @property
    def client_secret(self) -> str:
        return self.registration.client_secret

    @property
    def calls(self) -> list[Call]:
        return self.record.calls

    def close(self) -> None:
        """End the webhook sender."""
        self.hooks.close()

    # People and places

    def add_user(self, login: str, id: int | None = None, type: str = "User") -> Account:  # noqa: A002
        return self.add_account(login, "Bot" if type == "Bot" else "User", id)

    def add_organization(
        self,
        login: str,
        *,
        owners: Iterable[Who] = (),
        members: Iterable[Who] = (),
        public_members: Iterable[Who] = (),
        base_role: Role = "read",
        id: int | None = None,  # noqa: A002
    ) -> Account:
        """`public_members` show their membership to everybody; others only to members."""
        with self.lock:
            account = self.add_account(login, "Organization", id)
            account.base_role = base_role
            for who in (*members, *public_members):
                account.members[self.existing(who).id] = "member"
            for who in owners:
                account.members[self.existing(who).id] = "admin"
            account.public_members |= {self.existing(who).id for who in public_members}
            return account

    def set_role(self, where: Where, who: Who, role: Role) -> None:
        """Make somebody a collaborator; "none" ends it."""
        with self.lock:
            collaborators = self.repo(where).collaborators
            collaborators[self.existing(who).id] = role
            if role == "none":
                del collaborators[self.existing(who).id]

    def add_fork(self, where: Where, owner: Who, name: str | None = None) -> Repository:
        with self.lock:
            return repository_acts.fork(self, self.repo(where), self.existing(owner), name)

    # The App

    def install(
        self,
        account: Who,
        repositories: Sequence[Where] | None = None,
        *,
        permissions: dict[str, str] | None = None,
        events: list[str] | None = None,
        sender: Who | None = None,
    ) -> Installation:
        """Install the App; None means on all repositories of the account."""
        with self.lock:
            holder = self.existing(account)
            chosen = None
            if repositories is not None:
                chosen = {self.repo(r).id for r in repositories}
            person = self.existing(sender) if sender is not None else self._owner(holder)
            return repository_acts.install(self, holder, chosen, permissions, events, person)

    def suspend(self, installation: Installation, sender: Who) -> None:
        with self.lock:
            repository_acts.set_suspended(self, installation, self.existing(sender), suspended=True)

    def unsuspend(self, installation: Installation, sender: Who) -> None:
        with self.lock:
            repository_acts.set_suspended(
                self, installation, self.existing(sender), suspended=False
            )

    def uninstall(self, installation: Installation, sender: Who) -> None:
        with self.lock:
            repository_acts.uninstall(self, installation, self.existing(sender))

    def change_installation(
        self,
        installation: Installation,
        sender: Who,
        *,
        add: Sequence[Where] = (),
        remove: Sequence[Where] = (),
    ) -> None:
        """Add or remove repositories of an installation that holds selected ones."""
        with self.lock:
            repository_acts.change_installation(
                self, installation, self.existing(sender), [self.repo(r) for r in add],
                [self.repo(r) for r in remove],
            )  # fmt: skip

    def user_token(self, who: Who) -> Token:
        """A token that acts as a person, as OAuth would give it."""
        with self.lock:
            return auth.user_token(self, self.existing(who))

    def app_jwt(self, *, life_s: int = 540) -> str:
        """A JSON web token as the App would sign it."""
        now = int(self.clock())
        claims = {"iss": str(self.app_id), "iat": now - 60, "exp": now + life_s}
        return jwt.encode(claims, self.private_key_pem, "RS256")

    # Repositories

    def rename(self, where: Where, name: str, sender: Who | None = None) -> None:
        self._change(where, sender, lambda r, who: repository_acts.rename(self, r, name, who))

    def transfer(self, where: Where, to: Who, sender: Who | None = None) -> None:
        target = self.existing(to)
        self._change(where, sender, lambda r, who: repository_acts.transfer(self, r, target, who))

    def archive(self, where: Where, sender: Who | None = None) -> None:
        self._change(where, sender, lambda r, who: repository_acts.archive(self, r, who))

    def set_private(self, where: Where, private: bool, sender: Who | None = None) -> None:
        self._change(
            where, sender, lambda r, who: repository_acts.set_private(self, r, private, who)
        )

    def delete_repository(self, where: Where, sender: Who | None = None) -> None:
        self._change(where, sender, lambda r, who: repository_acts.delete(self, r, who))

    def _change(
        self, where: Where, sender: Who | None, change: Callable[[Repository, Account], None]
    ) -> None:
        with self.lock:
            repository = self.repo(where)
            person = self._owner(repository.owner) if sender is None else self.existing(sender)
            change(repository, person)

    def _owner(self, account: Account) -> Account:
        """Who acts for an account when nobody is named: an organisation acts through an owner."""
        owners = (self.accounts[i] for i, role in account.members.items() if role == "admin")
        return next(owners, account)

    def commit(
        self,
        where: Where,
        author: Who,
        changes: Changes,
        *,
        branch: str | None = None,
        message: str = "Change files",
    ) -> str:
        """Push a commit to a branch (the default one) and return its sha."""
        with self.lock:
            repository = self.repo(where)
            name = branch or repository.default_branch
            return writing.push_branch(
                self, repository, self.existing(author), name, changes, message
            )

    # Webhooks

    def ping(self) -> Delivery:
        """What GitHub sends when a webhook is set up."""
        with self.lock:
            delivery = self.hooks.build("ping", payloads.ping(self))
            self.hooks.post(delivery)
            return delivery

    def redeliver(self, delivery: Delivery) -> None:
        """Send a recorded delivery again, with the same GUID."""
        self.hooks.post(self.hooks.redelivered(delivery))
