"""A small GitHub over real git repositories, for development and tests."""

from deploy.sandbox.github.sandbox import SandboxGitHub

__all__ = ["SandboxGitHub"]
