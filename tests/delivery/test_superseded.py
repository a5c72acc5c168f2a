"""What a message should become may change while work on it is under way: then the old state is not drawn first."""

from __future__ import annotations

import asyncio

import pytest

from bot.delivery.budget import Budget, Recall, Slot
from bot.delivery.desired import Priority, Retired
from bot.delivery.transport import Transport
from tests.delivery.display import Display
from tests.delivery.test_reconciler import BOB, DMS, OTHER, THEIRS, personal


async def test_news_that_come_before_an_edit_waits_for_its_turn_are_drawn_in_its_place(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look whether a message exists may wait for minutes, and the news would have to wait with it."""
    require_member, take = Transport.require_member, Budget.take
    asked, known, urgencies = asyncio.Event(), asyncio.Event(), list[float]()

    async def slow(self: Transport, guild_id: int | None, user_id: int, *, priority: int) -> None:
        asked.set()
        await known.wait()
        await require_member(self, guild_id, user_id, priority=priority)

    async def noting(self: Budget, route: object, priority: float, recall: Recall | None = None) -> Slot:
        urgencies.append(priority)
        return await take(self, route, priority, recall)

    await display.shows(personal())
    monkeypatch.setattr(Transport, "require_member", slow)
    monkeypatch.setattr(Budget, "take", noting)
    display.delivery.check(1)
    await asked.wait()
    display.wants(Retired(THEIRS, OTHER, OTHER))
    await display.delivery._plan_alone(1)
    known.set()
    await display.idle()
    assert urgencies == [Priority.LEISURE]
    assert display.seen(BOB + DMS) == [("two", False)]
