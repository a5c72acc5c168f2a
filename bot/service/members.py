"""Membership: looks up in Discord who is on a server, and caches the answer for a minute."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from bot.service.memory import now
from bot.tasks import Tasks

KEPT_FOR = 60.0
"""How long a cached answer is valid, in seconds."""

SIZE = 8192
"""The most cached answers."""

LookUp = Callable[[int, int], Awaitable[bool]]
"""Called with the ids of a server and a user. Returns whether the user is a member, or raises `MembershipUnknown`."""


class MembershipUnknown(Exception):
    """Discord can't say just now whether a user is on a server."""


async def _nobody_to_ask(guild_id: int, user_id: int) -> bool:
    raise MembershipUnknown("there is nobody to ask")


class Members:
    """Caches who is on which server. Without a ``look_up``, it knows only what `note` recorded."""

    def __init__(self, look_up: LookUp = _nobody_to_ask) -> None:
        self._look_up = look_up
        self._known: OrderedDict[tuple[int, int], tuple[float, bool]] = OrderedDict()
        self._asking: dict[tuple[int, int], asyncio.Task[bool | MembershipUnknown]] = {}
        self._tasks = Tasks()

    def known(self, guild_id: int, user_id: int) -> bool | None:
        """Return from the cache whether the user is on the server; None if there is no valid answer."""
        at, member = self._known.get((guild_id, user_id), (-KEPT_FOR, False))
        return member if now() - at < KEPT_FOR else None

    def note(self, guild_id: int, user_id: int, *, member: bool) -> None:
        """Record a fact that was just observed, for example that the user sent an interaction from the server."""
        self._known[guild_id, user_id] = now(), member
        self._known.move_to_end((guild_id, user_id))
        if len(self._known) > SIZE:
            self._known.popitem(last=False)

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        """Return whether the user is on the server. Raises `MembershipUnknown`."""
        known = self.known(guild_id, user_id)
        return await self._asked(guild_id, user_id) if known is None else known

    async def _asked(self, guild_id: int, user_id: int) -> bool:
        """Look up a membership. Concurrent callers with the same question share one request."""
        task = self._asking.get((guild_id, user_id))
        if task is None:
            task = self._tasks.start("asking for a member", self._ask(guild_id, user_id))
            self._asking[guild_id, user_id] = task
            task.add_done_callback(lambda _: self._asking.pop((guild_id, user_id), None))
        # Shielded: cancelling one caller must not cancel the shared request.
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
