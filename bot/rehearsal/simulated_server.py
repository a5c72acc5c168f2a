"""The simulated server of a play, with a game channel and people.

SimCord stands in for Discord; this module adds what a play needs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import Any

import discord
import simcord
from simcord.actors import MemberActor
from simcord.backend.access import channel_accessible
from simcord.backend.models.channel import Overwrite
from simcord.builders import ChannelHandle, GuildHandle, RoleHandle, UserHandle
from simcord.enums import OverwriteType

from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused

GUILD, CHANNEL = "The games room", "table"


class ImpossibleAction(Exception):
    """Discord would not let this person do it, or there is nothing to act on. The text is the
    reason.
    """


@frozen
class PlayPerson:
    """A person in a play. They act as a user in direct messages, elsewhere as a member of the
    server.
    """

    name: str
    user: UserHandle
    member: MemberActor

    @property
    def id(self) -> int:
        """Their Discord id."""
        return self.user.id


class SimulatedServer:
    """A server with the bot in it. People exist from their first mention."""

    def __init__(self, env: simcord.Env) -> None:
        self.env = env
        self.guild: GuildHandle = env.create_guild(GUILD)
        self.channel: ChannelHandle = self.guild.create_text_channel(CHANNEL)
        self.people: dict[str, PlayPerson] = {}
        self.display: Callable[[str], str | None] = lambda _name: None
        """The display name for a name in a play. None: the name itself."""
        self._moderators: RoleHandle | None = None
        self._closed: dict[str, dict[str, Any]] = {}
        self._errors = 0
        self.logged = ErrorCollector()

    def person(self, name: str) -> PlayPerson:
        """Return the person with this name. Creates a person for a new name."""
        if name not in self.people:
            user = self.env.create_user(name, global_name=self.display(name))
            self.people[name] = PlayPerson(name, user, self.guild.add_member(user))
        return self.people[name]

    def moderate(self, name: str) -> None:
        """Give a person the permission Manage Server."""
        if self._moderators is None:
            allowed = discord.Permissions(manage_guild=True)
            self._moderators = self.guild.create_role("Moderators", permissions=allowed)
        person = self.person(name)
        self.env.backend.add_member_role(self.guild.id, person.id, self._moderators.id)

    def permit(self, permission: str, *, granted: bool) -> None:
        """Give the bot a permission in the game channel, or take it away."""
        channel = self.env.backend.channels[self.channel.id]
        bot = self.env.backend.bot_user.id
        flag = discord.Permissions(**{permission: True}).value
        mine = next((each for each in channel.overwrites if each.target_id == bot), None)
        if mine is None:
            mine = Overwrite(target_id=bot, type=OverwriteType.MEMBER, allow=0, deny=0)
            channel.overwrites.append(mine)
        mine.allow = mine.allow | flag if granted else mine.allow & ~flag
        mine.deny = mine.deny & ~flag if granted else mine.deny | flag

    def close_dms(self, name: str) -> None:
        """Make DMs to this person fail as on Discord: 403, code 50007."""
        self._refuse_dms(name, 50007, "Cannot send messages to this user")

    def _refuse_dms(self, name: str, code: int, message: str) -> None:
        if name in self._closed:
            return
        path = f"/channels/{self.person(name).user.dm_channel.id}/messages"
        self.env.inject_error("POST", path, status=403, code=code, message=message, times=None)
        self._closed[name] = self.env.backend.faults[-1]

    def open_dms(self, name: str) -> None:
        """Make DMs to this person succeed again."""
        fault = self._closed.pop(name, None)
        if fault is not None:
            self.env.backend.faults.remove(fault)

    def leave_server(self, name: str) -> None:
        """Take this person off the server. DMs to them fail as on Discord: 403, code 50278."""
        self.guild.remove_member(self.person(name).member)
        self._refuse_dms(name, 50278, "Cannot send messages to this user due to no mutual guilds")

    def join_server(self, name: str) -> None:
        """Bring this person back to the server."""
        user = self.person(name).user
        self.people[name] = PlayPerson(name, user, self.guild.add_member(user))
        self.open_dms(name)

    def actor(self, person: PlayPerson, channel: int) -> MemberActor | UserHandle:
        """Return a person as they act in a channel: in a DM as a user, elsewhere as a member."""
        return person.user if self.is_dm(channel) else person.member

    def names(self, kind: str, id: int) -> str | None:
        """Return the name of a ``user``, ``role`` or ``channel``; None for an unknown id."""
        store = self.env.backend
        if kind == "user":
            user = store.users.get(id)
            return None if user is None else user.global_name or user.name
        if kind == "role":
            roles = [guild.roles[id] for guild in store.guilds.values() if id in guild.roles]
            return roles[0].name if roles else None
        channel = store.channels.get(id)
        return None if channel is None else channel.name

    def is_dm(self, channel: int) -> bool:
        return self.env.backend.channels[channel].guild_id is None

    def channels_of(self, person: PlayPerson) -> frozenset[int]:
        """Return the channels and threads that this person can read."""
        store = self.env.backend
        return frozenset(
            id for id in store.channels if channel_accessible(store, id, person.id, history=True)
        )

    def errors(self) -> tuple[BaseException, ...]:
        """Return the errors that the bot raised or logged since the last call, but no refusals."""
        found = self.env.errors_since(self._errors)
        self._errors += len(found)
        raised = [error for error in found if not isinstance(error.__cause__, Refused)]
        causes = [error.__cause__ for error in raised]
        logged = [error for error in self.logged.take() if error not in (*raised, *causes)]
        return (*raised, *logged)


class ErrorCollector(logging.Handler):
    """Collects the errors that our own code logs: a play fails on them."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._errors: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Collect a record's exception, if any."""
        if record.exc_info and record.exc_info[1] is not None:
            self._errors.append(record.exc_info[1])

    def take(self) -> list[BaseException]:
        """Return the exceptions collected since the last call."""
        taken, self._errors = self._errors, []
        return taken


OUR_LOGGERS = ("bot", "cogs")
"""The loggers of our own code."""


def listing(what: str, names: Collection[str], *, silent: bool = False) -> str:
    """Return a sentence that lists these names. ``silent``: return nothing if there are none."""
    if not names:
        return "" if silent else f"{what}: none."
    return f"{what}: {', '.join(repr(name) for name in names)}."
