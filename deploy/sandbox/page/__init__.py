"""The sandbox page: a pull request with the bot's comments, and a chat beside it."""

from deploy.sandbox.page.routes import page_routes

__all__ = ["page_routes"]
