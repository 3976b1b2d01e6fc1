"""Addresses for people's browsers that go with an API's address, also of an Enterprise Server."""

from __future__ import annotations

from urllib.parse import urlsplit

PUBLIC = "https://github.com"


def web_url(api_url: str) -> str:
    """ "https://host/api/v3" gives "https://host", "https://api.name.ghe.com" its own host.

    Without a slash at the end. A port and another scheme are kept.
    """
    parts = urlsplit(api_url)
    host = parts.netloc
    if host == "api.github.com":
        return PUBLIC
    if host.startswith("api.") and host.endswith(".ghe.com"):
        host = host.removeprefix("api.")
    path = parts.path.rstrip("/").removesuffix("/api/v3").rstrip("/")
    return f"{parts.scheme}://{host}{path}"


def authorize_url(api_url: str) -> str:
    return f"{web_url(api_url)}/login/oauth/authorize"


def access_token_url(api_url: str) -> str:
    return f"{web_url(api_url)}/login/oauth/access_token"


def install_url(api_url: str, slug: str) -> str:
    """Where an owner installs the App; Enterprise Server has it under another path."""
    root = web_url(api_url)
    is_cloud = root == PUBLIC or root.endswith(".ghe.com")
    return f"{root}/{'apps' if is_cloud else 'github-apps'}/{slug}/installations/new"
