"""`precedent setup github`: make the GitHub App in a browser, and print its settings."""

from __future__ import annotations

import argparse

from workers.cli import UsageError
from workers.github_addresses import install_url
from workers.github_manifest import SetupPage, convert, settings_of
from workers.settings import GITHUB_API_URL


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["github"])
    parser.add_argument("--public-url", required=True, help="where GitHub reaches the web process")
    parser.add_argument("--name", default="precedent", help="of the App; people mention it")
    parser.add_argument("--organization", default="", help="the owner; default: yourself")
    parser.add_argument("--api-url", default=GITHUB_API_URL, help="of GitHub Enterprise Server")
    parser.add_argument("--port", type=int, default=8765, help="of the page on this machine")


def run(arguments: argparse.Namespace) -> int:
    public_url = arguments.public_url.rstrip("/")
    if not public_url.startswith(("https://", "http://")):
        raise UsageError("--public-url is an address: https://precedent.example.com")
    api_url = arguments.api_url.rstrip("/")
    page = SetupPage(public_url, api_url, arguments.name, arguments.organization, arguments.port)
    app = convert(api_url, page.wait_for_code())
    print(f"\n# The App {app['slug']}. Put these lines into .env; they are shown only now.")
    print(settings_of(app), end="")
    print(f"\n# Then install it: {install_url(api_url, app['slug'])}")
    return 0
