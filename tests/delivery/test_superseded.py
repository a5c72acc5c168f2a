"""Tests that a newer step replaces one in progress."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.delivery.budget import Budget, Recall, Slot
from bot.delivery.desired import Board, Desired, OfferCard, Priority, Retired
from bot.delivery.transport import Transport
from tests.delivery.briefings import CHANNEL
from tests.delivery.display import Display, Store
from tests.delivery.near import BOBS
from tests.delivery.steps import OTHER, OVER, THEIRS, THIRD, board, fate, personal, public


async def test_news_that_come_before_an_edit_waits_for_its_turn_are_drawn_in_its_place(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look whether a message exists may wait for minutes, and the news would have to wait with
    it.
    """
    require_member, take = Transport.require_member, Budget.take
    asked, known, urgencies = asyncio.Event(), asyncio.Event(), list[float]()

    async def slow(self: Transport, *of: Any, **options: Any) -> None:
        asked.set()
        await known.wait()
        await require_member(self, *of, **options)

    async def noting(
        self: Budget, route: object, priority: float, recall: Recall | None = None
    ) -> Slot:
        slot = await take(self, route, priority, recall)
        urgencies.append(priority)
        return slot

    await display.shows(personal())
    monkeypatch.setattr(Transport, "require_member", slow)
    monkeypatch.setattr(Budget, "take", noting)
    display.delivery.check(1)
    await asked.wait()
    await display.plans(Retired(THEIRS, OTHER, OTHER))
    known.set()
    await display.idle()
    assert urgencies == [Priority.LEISURE]
    assert display.seen(BOBS) == ["two, closed"]


async def test_what_is_sent_anew_while_a_plan_is_stored_is_sent_once(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan's write takes long, and the work on the board does not wait for it."""
    save, written, looked_for = Store.save, asyncio.Event(), asyncio.Event()
    plans = [written]

    async def look(self: Transport, *of: Any, **options: Any) -> None:
        await looked_for.wait()

    async def slow(self: Store, *of: Any, **options: Any) -> None:
        await save(self, *of, **options)
        if plans:
            await plans.pop().wait()

    await display.shows(board(anchor="1"))
    monkeypatch.setattr(Transport, "look", look)
    display.delivery.check(1)
    await display.until(lambda: Board() in display.works)
    monkeypatch.setattr(Store, "save", slow)
    sending = display.discord.hangs("send", CHANNEL, done=True)
    display.begins(board(OTHER, anchor="2"))
    await display.until(lambda: not plans)
    looked_for.set()
    await display.until(sending.arrived.is_set)
    written.set()
    await display.until(lambda: display.table.cursor == display.service.last)
    sending.released.set()
    await display.idle()
    assert display.seen(CHANNEL) == ["two"]


async def test_what_is_planned_while_a_message_in_place_of_a_closed_one_is_stored_is_sent_once(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, planned, sent = Store.save, asyncio.Event(), asyncio.Event()
    saves = list[Store]()

    async def slow(self: Store, *of: Any, **options: Any) -> None:
        saves.append(self)
        place = len(saves)
        await save(self, *of, **options)
        if place == 1:  # of the new message
            await planned.wait()
        if place == 2:  # of the plan
            await sent.wait()

    await display.shows(public())
    closing = await display.hangs("edit", CHANNEL, Retired(OfferCard(1), OVER, OVER))
    await display.plans(public(THIRD))
    monkeypatch.setattr(Store, "save", slow)
    sending = display.discord.hangs("send", CHANNEL, done=True)
    closing.released.set()
    await display.until(lambda: len(saves) == 1)
    display.begins(public())
    await display.until(lambda: len(saves) == 2)
    planned.set()
    await display.until(sending.arrived.is_set)
    sent.set()
    await display.until(lambda: display.table.cursor == display.service.last)
    assert fate(display, OfferCard(1)) == "sending"  # should this process die now
    sending.released.set()
    await display.idle()
    await display.shows(public(OTHER))
    assert display.seen(CHANNEL) == ["two, closed", "two"]


async def test_what_is_planned_while_a_message_in_place_of_a_deleted_one_is_stored_is_sent_once(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That the deleted message is to change is not written after the new message's record."""
    save, planned = Store.save, asyncio.Event()
    saves = list[Store]()

    async def slow(self: Store, *of: Any, **options: Any) -> None:
        saves.append(self)
        place = len(saves)
        await save(self, *of, **options)
        if place == 1:  # of the new message
            await planned.wait()

    await display.shows(board(anchor="1"))
    display.discord.world.messages.clear()
    monkeypatch.setattr(Store, "save", slow)
    sending = display.discord.hangs("send", CHANNEL, done=True)
    display.delivery.check(1)
    await display.until(lambda: saves)
    display.begins(board(anchor="2"))
    await display.until(lambda: display.table.cursor == display.service.last)
    planned.set()
    await display.until(sending.arrived.is_set)
    await display.crash()
    sending.released.set()
    await display.restart(board(anchor="2"))
    assert display.seen(CHANNEL) == ["one"]


# ---------------------------------------------------------------- news outlive a crash


def is_over() -> Desired:
    """The card of an offer that has ended: nobody wants it any more, but where it stands it must
    say so.
    """
    return replace(public(OVER, wanted=False), final=True)


async def test_what_was_sent_too_late_to_be_true_is_remembered_until_it_is_edited(
    display: Display,
) -> None:
    """The entries that made it untrue are planned already, so that only the record can tell the
    next process.
    """
    sending, editing = (
        display.discord.hangs("send", CHANNEL),
        display.discord.hangs("edit", CHANNEL),
    )
    display.begins(public())
    await display.until(lambda: display.discord.requests)
    await display.plans(is_over())
    sending.released.set()
    await display.until(lambda: len(display.discord.requests) == 2)
    assert fate(display, OfferCard(1)) == "editing"
    await display.restart()
    editing.released.set()
    await display.later()
    assert display.seen(CHANNEL) == ["two, closed"]
    assert fate(display, OfferCard(1)) == "forgotten"


async def test_what_is_refused_while_news_come_is_not_given_up(display: Display) -> None:
    sending = display.discord.hangs("send", CHANNEL)
    again = display.discord.hangs("send", CHANNEL)
    display.discord.world.refuse(str(CHANNEL), 400, 0)
    display.begins(public())
    await display.until(lambda: display.discord.requests)
    await display.plans(public(OTHER))
    sending.released.set()
    await display.until(lambda: len(display.discord.requests) == 2)
    assert fate(display, OfferCard(1)) == "sending"
    display.discord.world.readmit(str(CHANNEL))
    again.released.set()
    await display.idle()
    assert display.seen(CHANNEL) == ["two"]
