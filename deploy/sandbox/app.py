"""GitHub, Slack and the page at one address: what `precedent dev` and the demo serve."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.routing import Mount

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.page import page_routes
from deploy.sandbox.slack import SandboxSlack
from deploy.sandbox.slack.routes import slack_routes


def create_sandbox_app(github: SandboxGitHub, slack: SandboxSlack) -> Starlette:
    """One app: Slack below /slack, GitHub below /api and /login, the page at /.

    Both stand-ins put their own address into payloads, so give both its `base_url` once the
    server's is known: `set_base_url`.
    """
    return Starlette(
        routes=[
            *slack_routes(slack),
            *page_routes(github, slack),
            Mount("/", app=github.app),
        ]
    )


def set_base_url(github: SandboxGitHub, slack: SandboxSlack, url: str) -> None:
    """Tell both stand-ins where they are served; without a slash at the end."""
    github.base_url = url
    slack.base_url = url
