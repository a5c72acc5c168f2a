"""Tests of a table that moves to another channel: the ledger commits to it, and the old one finds
nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.ledger import BadEntry, Tampered
from bot.rules.features.seats import Sit
from bot.rules.features.tables import BeginClosing, PauseTable, SetHost
from bot.rules.model.violation import Refused
from tests.ledger.samples import by_hand
from tests.service.club import (
    ALICE,
    BOB,
    CHANNEL,
    GAIN,
    TABLE,
    Club,
    moderator,
    requester,
    requester_at,
)
from tests.service.conftest import Another

NEW = CHANNEL + 1


async def channels(club: Club) -> list[int]:
    return [row.channel_id for row in await club.service.tables_of(requester(BOB))]


async def test_a_moved_table_is_found_where_it_is_now(club: Club, another: Another) -> None:
    peer = await another()
    for each in (club, peer):
        row = await each.service.table_at(CHANNEL, requester(BOB))
        assert row is not None
        assert await channels(each) == [CHANNEL]
    moved = await club.service.move_table(TABLE, requester(ALICE), NEW)
    assert [each.entry.kind for each in moved.entries] == ["table.moved"]
    await peer.service.refresh(TABLE)
    for each in (club, peer, await another()):
        assert await each.service.table_at(CHANNEL, requester(BOB)) is None
        row = await each.service.table_at(NEW, requester(BOB))
        assert row is not None
        assert (row.id, row.channel_id) == (TABLE, NEW)
        assert await channels(each) == [NEW]
        briefing = await each.service.briefing(TABLE, 0)
        assert briefing is not None
        assert briefing.channel_id == NEW
        await each.does(BOB, GAIN)
    assert await club.ledger.entries.verify(TABLE) is None


async def test_a_snapshot_and_the_moves_before_and_after_it_agree(
    club: Club, another: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.rules.snapshots.EVERY", 1)
    await club.service.move_table(TABLE, requester(ALICE), NEW)
    assert (await (await another()).records.current(TABLE)).row.channel_id == NEW
    monkeypatch.undo()
    await club.service.move_table(TABLE, requester(ALICE), CHANNEL)
    await club.does(BOB, GAIN)
    assert (await (await another()).records.current(TABLE)).row.channel_id == CHANNEL
    assert await club.ledger.entries.verify(TABLE) is None


@pytest.mark.parametrize("channel", [CHANNEL, 5])
async def test_a_place_that_was_changed_after_a_move_is_found(
    club: Club, another: Another, file: Path, channel: int
) -> None:
    moved = await club.service.move_table(TABLE, requester(ALICE), NEW)
    by_hand(file, f"UPDATE tables SET channel_id = {channel}")
    bad = await club.ledger.entries.verify(TABLE)
    reason = "the table's server or channel is not the one that this entry commits to"
    assert bad == BadEntry(moved.entries[0].seq, reason)
    with pytest.raises(Tampered):
        await (await another()).service.view(TABLE, requester(BOB))


async def test_who_may_bring_it_and_where_to(club: Club) -> None:
    with pytest.raises(Refused, match="Only the host may bring"):
        await club.service.move_table(TABLE, requester(BOB), NEW)
    with pytest.raises(Refused, match="no such table"):
        await club.service.move_table(TABLE, requester_at(ALICE, 2), NEW)
    with pytest.raises(Refused, match="here already"):
        await club.service.move_table(TABLE, requester(ALICE), CHANNEL)
    await club.opens(channel=NEW)
    with pytest.raises(Refused, match="already has a table"):
        await club.service.move_table(TABLE, requester(ALICE), NEW)
    assert await club.seq() == (await club.remembered()).seq
    await club.does(ALICE, PauseTable())
    assert (await club.service.move_table(TABLE, moderator(), NEW + 1)).recorded


async def test_a_table_that_is_about_to_close_makes_room_for_its_host(club: Club) -> None:
    await club.opens(game="advciv", channel=NEW)
    other = 2
    await club.service.execute(other, requester(ALICE), Sit("africa"))
    await club.service.execute(other, requester(ALICE), BeginClosing())
    await club.does(ALICE, SetHost(2))
    with pytest.raises(Refused, match="was closed a moment ago"):
        await club.service.move_table(TABLE, requester(BOB), NEW)
    await club.does(BOB, SetHost(1))
    assert (await club.service.move_table(TABLE, requester(ALICE), NEW)).recorded
    assert not (await club.remembered(other)).open
    assert await club.service.table_at(NEW, requester(BOB)) is not None
