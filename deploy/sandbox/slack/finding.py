"""Names and ids to things: what an act or a test means by `"#api-reviews"` or `"ada"`."""

from __future__ import annotations

from deploy.sandbox.slack.views import OpenView, Views
from deploy.sandbox.slack.world import Channel, JsonObject, Team, User, World


class Finding:
    """Look-ups over the world; each raises LookupError with a sentence for what is missing."""

    world: World
    views: Views

    def _team(self, team: Team | str | None) -> Team:
        if isinstance(team, Team):
            return team
        found = self.world.teams.get(team) if team else next(iter(self.world.teams.values()), None)
        if found is None:
            raise LookupError(f"There is no workspace {team or 'yet'}; add one by add_team.")
        return found

    def _channel(self, channel: Channel | str) -> Channel:
        if isinstance(channel, Channel):
            return channel
        found = self.world.channels.get(channel)
        for team_id in self.world.teams if found is None else ():
            found = found or self.world.channel_named(team_id, channel)
        if found is None:
            raise LookupError(f"There is no channel {channel}.")
        return found

    def _channel_of(self, message: JsonObject) -> Channel:
        if message.get("channel"):
            return self._channel(str(message["channel"]))
        for channel in list(self.world.channels.values()):
            if self.world.message(channel.id, str(message["ts"])) is not None:
                return channel
        raise LookupError(f"There is no message {message['ts']}.")

    def _user(self, user: User | str) -> User:
        if isinstance(user, User):
            return user
        found = self.world.users.get(user)
        if found is None:
            found = next((u for u in self.world.users.values() if u.name == user), None)
        if found is None:
            raise LookupError(f"There is no person {user}.")
        return found

    def _check_member(self, where: Channel, who: User) -> None:
        if where.is_private and who.id not in where.members:
            raise LookupError(f"{who.name} is not in #{where.name}, which is private.")

    def _message(self, where: Channel, ts: str) -> JsonObject:
        found = self.world.message(where.id, ts)
        if found is None:
            raise LookupError(f"There is no message {ts} in #{where.name}.")
        return found

    def _view(self, view_id: str) -> OpenView:
        found = self.views.get(view_id)
        if found is None:
            raise LookupError(f"No view {view_id} is open.")
        return found
