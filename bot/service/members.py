"""Members: who is on a server now. Discord is asked, and its answer holds for a minute."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from bot.service.memory import now
from bot.tasks import Tasks

KEPT_FOR = 60.0
"""How long it is remembered whether a user is on a server, in seconds."""

SIZE = 8192
"""The most answers that are remembered."""

LookUp = Callable[[int, int], Awaitable[bool]]
"""Asks whether a server has a user as a member. Raises `MembershipUnknown` when that can't be found out just now."""


class MembershipUnknown(Exception):
    """It can't be found out just now whether a user is still on a server."""


async def _nobody_to_ask(guild_id: int, user_id: int) -> bool:
    raise MembershipUnknown("there is nobody to ask")


class Members:
    """Remembers who is on which server. Without a ``look_up``, only what `note` was told is known."""

    def __init__(self, look_up: LookUp = _nobody_to_ask) -> None:
        self._look_up = look_up
        self._known: OrderedDict[tuple[int, int], tuple[float, bool]] = OrderedDict()
        self._asking: dict[tuple[int, int], asyncio.Task[bool | MembershipUnknown]] = {}
        self._tasks = Tasks()

    def known(self, guild_id: int, user_id: int) -> bool | None:
        """Return whether the user is on the server, without asking; None when that was not known a minute ago."""
        at, member = self._known.get((guild_id, user_id), (-KEPT_FOR, False))
        return member if now() - at < KEPT_FOR else None

    def note(self, guild_id: int, user_id: int, *, member: bool) -> None:
        """Remember what was just seen, for example that an interaction came from the server."""
        self._known[guild_id, user_id] = now(), member
        self._known.move_to_end((guild_id, user_id))
        if len(self._known) > SIZE:
            self._known.popitem(last=False)

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        """Return whether the user is on the server. Raises `MembershipUnknown`."""
        known = self.known(guild_id, user_id)
        return await self._asked(guild_id, user_id) if known is None else known

    async def _asked(self, guild_id: int, user_id: int) -> bool:
        """Ask, once for all who want to know the same at the same time."""
        task = self._asking.get((guild_id, user_id))
        if task is None:
            task = self._tasks.start("asking for a member", self._ask(guild_id, user_id))
            self._asking[guild_id, user_id] = task
            task.add_done_callback(lambda _: self._asking.pop((guild_id, user_id), None))
        # Shielded: one of those who wait may be cancelled.
        answer = await asyncio.shield(task)
        if isinstance(answer, MembershipUnknown):
            raise answer
        return answer

    async def _ask(self, guild_id: int, user_id: int) -> bool | MembershipUnknown:
        try:
            member = await self._look_up(guild_id, user_id)
        except MembershipUnknown as unknown:
            return unknown
        self.note(guild_id, user_id, member=member)
        return member
