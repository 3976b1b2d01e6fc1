"""Events as the web makes them, with only what the inbox looks at filled in."""

from __future__ import annotations

from workers.event import Event, SlackPlace


def comment(event_id: str, *, repo: int = 1, number: int = 1) -> Event:
    return Event(
        id=event_id,
        kind="github.comment",
        subject=f"pr:{repo}:{number}",
        repository_id=repo,
        installation_id=90 + repo,
        number=number,
        comment_id=5,
        text="@precedent why?",
    )


def push(event_id: str, head_sha: str, *, repo: int = 1, number: int = 1) -> Event:
    return Event(
        id=event_id,
        kind="pull_request.push",
        action="synchronize",
        subject=f"pr:{repo}:{number}",
        repository_id=repo,
        installation_id=90 + repo,
        number=number,
        head_sha=head_sha,
    )


def sign(event_id: str, *, repo: int = 1) -> Event:
    return Event(
        id=event_id, kind="sign", subject=f"sign:{event_id}", repository_id=repo, comment_id=5
    )


def job(event_id: str, *, repo: int = 1, number: int = 1) -> Event:
    return Event(
        id=event_id,
        kind="learn",
        lane="background",
        subject=f"pr:{repo}:{number}",
        repository_id=repo,
        number=number,
    )


def mention(event_id: str, *, team: str = "T1", thread_ts: str = "1.1") -> Event:
    return Event(
        id=event_id,
        kind="slack.mention",
        subject=f"slack:{team}:C1:{thread_ts}",
        slack=SlackPlace(team=team, channel="C1", user="U1", ts=thread_ts),
        text="remember: tests are named after behaviour",
    )
