"""Who speaks to the desk, and why they may not do something: the table with its sentences."""

from __future__ import annotations

from dataclasses import dataclass

from graph.answers import Answer
from graph.context import Permission
from graph.conventions import Convention, Source
from graph.ledger import actor_key
from graph.permissions import Action, Refused, may, needs_identity


@dataclass(frozen=True)
class Visitor:
    """Who speaks, and what they may do here and now."""

    source: Source
    permission: Permission
    is_public: bool = False
    is_org_owner: bool = False
    is_operator: bool = False
    is_private_channel: bool = False
    is_direct_message: bool = False
    is_external: bool = False
    is_linked: bool = True


def refusal(action: Action, visitor: Visitor, *, owns: bool = False) -> Answer | None:
    """Why the visitor may not; None when they may."""
    if visitor.is_external:
        return Answer(
            "People from outside this workspace can't use me here; ask a colleague inside it.",
            is_refusal=True,
        )
    if not visitor.is_linked and needs_identity(action):
        return Answer(
            "I don't know who you are on GitHub yet: link your account with "
            "`/conventions login`, then say it again.",
            is_refusal=True,
        )
    verdict = may(
        action,
        visitor.permission,
        owns=owns,
        is_public=visitor.is_public,
        is_org_owner=visitor.is_org_owner,
        is_operator=visitor.is_operator,
    )
    return Answer(verdict.sentence, is_refusal=True) if isinstance(verdict, Refused) else None


def refusal_about(command: str, convention: Convention, visitor: Visitor) -> Answer | None:
    """Why the visitor may not do that to one convention; None when they may."""
    owns = actor_key(convention.source) == actor_key(visitor.source)
    return refusal(_action(command, convention.id), visitor, owns=owns)


def refusal_to_replace(convention: Convention, visitor: Visitor) -> Answer | None:
    """Replacing is editing: why the visitor may not, and what they can do instead."""
    refused = refusal_about("edit", convention, visitor)
    if refused is None:
        return None
    return Answer(
        f"{refused.text} Until then, `keep both` saves yours beside {convention.id}.",
        is_refusal=True,
    )


def _action(name: str, convention_id: str) -> Action:
    """The row of the table: changing one of the organisation's is another than the repository's."""
    if not convention_id.startswith("O") or name in {"show", "history"}:
        return name  # type: ignore[return-value]
    if name == "edit":
        return "org_add"
    return "org_approve" if name in {"approve", "dismiss"} else "org_forget"
