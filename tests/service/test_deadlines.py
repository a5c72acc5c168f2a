"""Tests that what has expired ends first, once, in whichever process."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.ledger import UNCHANGED, Deadline
from bot.rules.features.offers.entries import OfferExpired
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.tables import ChangeSettings, CloseTable
from bot.rules.model.violation import Refused
from tests.service.club import ALICE, BOB, GAIN, GUILD, NOON, TABLE, Club, tg
from tests.service.conftest import Another

MINUTE = 60_000
NOON_MS = int(NOON.timestamp() * 1000)


def lasting(minutes: int) -> PostOffer:
    return PostOffer(to="sol", give=tg(1), lasts=minutes * MINUTE)


async def expiries(club: Club) -> list[int]:
    return [
        recorded.at for recorded in await club.entries() if isinstance(recorded.entry, OfferExpired)
    ]


async def test_time_comes_before_a_command(club: Club) -> None:
    """An offer that has run out can't be accepted, although nobody has ticked."""
    await club.does(ALICE, lasting(1))
    club.clock.moves(minutes=2)
    with pytest.raises(Refused, match="has run out"):
        await club.does(BOB, Sign(2))
    assert await expiries(club) == [NOON_MS + 2 * MINUTE]
    assert await club.transactions() == 0


async def test_what_the_clock_did_is_nobodys(club: Club) -> None:
    """It has no person and no interaction, though it came along with a command of somebody's."""
    await club.does(ALICE, lasting(1))
    club.clock.moves(minutes=2)
    outcome = await club.does(BOB, GAIN, interaction=77)
    expired, gained = (await club.entries())[-2:]
    assert (expired.by, expired.entry.kind) == (None, "offer.expired")
    assert [entry.seq for entry in outcome.entries] == [gained.seq]
    assert (await club.does(BOB, GAIN, interaction=77)).entries == outcome.entries


async def test_a_tick_ends_what_has_run_out_and_nothing_else(club: Club) -> None:
    await club.does(ALICE, lasting(1))
    await club.does(ALICE, lasting(5))
    seq = await club.seq()
    await club.service.tick(TABLE)
    assert await club.seq() == seq
    club.clock.moves(minutes=1)
    await club.service.tick(TABLE)
    await club.service.tick(TABLE)
    assert await expiries(club) == [NOON_MS + MINUTE]
    assert await club.service.deadline(TABLE) == NOON_MS + 5 * MINUTE


async def test_two_services_tick_at_once_and_it_ends_once(club: Club, another: Another) -> None:
    await club.does(ALICE, lasting(1))
    other = await another()
    await other.remembered()
    for each in (club, other):
        each.clock.moves(minutes=3)
    ticks = [each.service.tick(TABLE) for each in (club, other)]
    await asyncio.gather(*ticks, club.does(BOB, GAIN))
    assert len(await expiries(club)) == 1
    assert await club.remembered() == await other.remembered() == await club.table()


async def test_the_deadline_beside_the_table_is_what_its_entries_lead_to(club: Club) -> None:
    assert await club.service.deadlines() == []
    await club.does(ALICE, lasting(5))
    assert await club.service.deadlines() == [Deadline(TABLE, GUILD, NOON_MS + 5 * MINUTE)]
    await club.does(ALICE, lasting(2))
    assert await club.service.deadlines() == [Deadline(TABLE, GUILD, NOON_MS + 2 * MINUTE)]
    await club.does(ALICE, EndOffer(3, how="withdraw"))
    assert await club.service.deadlines() == [Deadline(TABLE, GUILD, NOON_MS + 5 * MINUTE)]
    await club.does(ALICE, CloseTable())
    assert await club.service.deadlines() == []
    assert await club.service.deadline(TABLE) is None


async def test_a_deadline_is_written_only_when_it_changes(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[object] = []
    append = club.ledger.entries.append

    async def watched(*arguments: Any, **named: Any) -> Any:
        written.append(named["deadline"])
        return await append(*arguments, **named)

    monkeypatch.setattr(club.ledger.entries, "append", watched)
    await club.does(ALICE, GAIN)
    await club.does(ALICE, lasting(2))
    await club.does(ALICE, lasting(5))
    await club.does(BOB, GAIN)
    await club.does(ALICE, EndOffer(2, how="withdraw"))
    await club.does(ALICE, EndOffer(3, how="withdraw"))
    assert written == [
        UNCHANGED,
        NOON_MS + 2 * MINUTE,
        UNCHANGED,
        UNCHANGED,
        NOON_MS + 5 * MINUTE,
        None,
    ]


async def test_a_table_may_open_with_a_deadline(
    empty: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a game whose clock runs from the start."""
    monkeypatch.setattr("bot.service.service.next_deadline", lambda table: NOON_MS + MINUTE)
    await empty.opens()
    assert await empty.service.deadlines() == [Deadline(TABLE, GUILD, NOON_MS + MINUTE)]


async def test_a_setting_reaches_the_next_offer(club: Club) -> None:
    await club.does(ALICE, ChangeSettings({"timer": 10}))
    outcome = await club.does(ALICE, PostOffer(to="sol", give=tg(1)))
    assert outcome.view.offers[2].until == NOON_MS + 10 * MINUTE
    assert await club.service.deadlines() == [Deadline(TABLE, GUILD, NOON_MS + 10 * MINUTE)]


async def test_a_look_does_not_move_the_clock(club: Club) -> None:
    """Only a tick or a command writes; until then the offer stands as it was."""
    await club.does(ALICE, lasting(1))
    club.clock.moves(minutes=2)
    seq = await club.seq()
    view = await club.sees(BOB)
    assert view.offers[2].status == "open"
    assert await club.seq() == seq
