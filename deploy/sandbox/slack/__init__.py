"""A Slack stand-in on real HTTP: Web API, signed events, commands and interactions."""

from deploy.sandbox.slack.faults import Fault
from deploy.sandbox.slack.sender import Attempt, Delivery
from deploy.sandbox.slack.stand_in import SandboxSlack
from deploy.sandbox.slack.world import Channel, Team, User

__all__ = ["Attempt", "Channel", "Delivery", "Fault", "SandboxSlack", "Team", "User"]
