"""The world that `precedent dev`, the demo and many tests begin with.

One organisation with two repositories, five people of different permission who are on GitHub and
in Slack under the same name, a channel for each repository, and an open pull request in each.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from deploy.sandbox import seed_files
from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.model import Installation, PullRequest, Repository
from deploy.sandbox.slack import Channel, SandboxSlack, Team, User

ORGANIZATION_ID = 4_001
API_ID = 5_001
WEB_ID = 5_002
TEAM_ID = "T0000ACME"
API_CHANNEL_ID = "C0000API"
WEB_CHANNEL_ID = "C0000WEB"

GITHUB_IDS = {"ada": 3_001, "ben": 3_002, "cleo": 3_003, "dana": 3_004, "eve": 3_005}
SLACK_IDS = {
    "ada": "U00000ADA",
    "ben": "U00000BEN",
    "cleo": "U0000CLEO",
    "dana": "U0000DANA",
    "eve": "U00000EVE",
}


@dataclass(frozen=True)
class World:
    """What was made, with the ids under which a program would link it.

    `people` maps a name to (GitHub id, Slack user id): ada maintains, ben writes, cleo reads, dana
    owns the organisation and administers acme/web, eve has no access. `long_line` is the number,
    in `long_line_path` of the acme/api pull request, of an added line of 96 characters.
    """

    team: Team
    installation: Installation
    api: Repository
    web: Repository
    api_channel: Channel
    web_channel: Channel
    api_pull: PullRequest
    web_pull: PullRequest
    long_line: int
    long_line_path: str = seed_files.LONG_LINE_PATH
    people: dict[str, tuple[int, str]] = field(
        default_factory=lambda: {name: (GITHUB_IDS[name], SLACK_IDS[name]) for name in GITHUB_IDS}
    )


def seed(github: SandboxGitHub, slack: SandboxSlack) -> World:
    """Fill two empty stand-ins. Raises ValueError when they are not empty."""
    for name, account_id in GITHUB_IDS.items():
        github.add_user(name, account_id)
    github.add_organization(
        "acme",
        owners=["dana"],
        members=["ada", "ben", "cleo"],
        base_role="none",
        id=ORGANIZATION_ID,
    )
    api = github.add_repository(
        "acme",
        "api",
        dict(seed_files.API_FILES),
        collaborators={"ada": "maintain", "ben": "write", "cleo": "read"},
        repository_id=API_ID,
    )
    web = github.add_repository(
        "acme",
        "web",
        dict(seed_files.WEB_FILES),
        collaborators={"ada": "maintain", "ben": "write", "cleo": "read", "dana": "admin"},
        repository_id=WEB_ID,
    )
    installation = github.install("acme", [api, web], sender="dana")
    team, channels = _seed_slack(slack)
    api_pull = github.open_pull_request(
        api, "ben", seed_files.API_PULL_TITLE, seed_files.API_PULL_BODY, "late-fees",
        dict(seed_files.API_CHANGES),
    )  # fmt: skip
    web_pull = github.open_pull_request(
        web, "ada", seed_files.WEB_PULL_TITLE, seed_files.WEB_PULL_BODY, "overdue-badge",
        dict(seed_files.WEB_CHANGES),
    )  # fmt: skip
    return World(
        team=team,
        installation=installation,
        api=api,
        web=web,
        api_channel=channels[0],
        web_channel=channels[1],
        api_pull=api_pull,
        web_pull=web_pull,
        long_line=seed_files.long_line(),
    )


def _seed_slack(slack: SandboxSlack) -> tuple[Team, tuple[Channel, Channel]]:
    team = slack.add_team("Acme", team_id=TEAM_ID)
    people: list[User] = [
        slack.add_user(name, team=team, user_id=user_id) for name, user_id in SLACK_IDS.items()
    ]
    api = slack.add_channel("api-reviews", members=people, channel_id=API_CHANNEL_ID)
    web = slack.add_channel("web-reviews", members=people, channel_id=WEB_CHANNEL_ID)
    return team, (api, web)
