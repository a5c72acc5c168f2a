"""Tests that a briefing from memory is the one that the ledger leads to, after every command."""

from __future__ import annotations

import pytest

from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.model.table import Table
from bot.rules.views import TableView, Viewer
from bot.rules.visible_table import TableViews
from bot.service.briefing import briefing
from bot.service.records import LastChange, TableRecords
from tests.service.club import ALICE, BOB, TABLE, Club, tg
from tests.service.evening import spend_the_evening
from tests.tools.bench.counting import counting


async def test_what_was_just_written_gives_the_same_briefing(
    empty: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes: list[LastChange] = []

    def note(self: TableRecords, change: LastChange) -> None:
        changes.append(change)

    monkeypatch.setattr(TableRecords, "note_change", note)
    await spend_the_evening(empty)
    records = empty.records
    now = await records.current(TABLE)
    assert len(changes) > 30
    for change in changes:
        after = change.before.seq
        then = await records.at(now, change.recorded[-1].seq)
        known = await briefing(empty.ledger, then, after, last=change)
        read = await briefing(empty.ledger, then, after)
        assert known.public == read.public
        assert (known.rooms, known.entries, known.commands) == (
            read.rooms,
            read.entries,
            read.commands,
        )
        for seat, one in read.seats.items():
            other = known.seats[seat]
            assert (one.view, one.shared_view, one.entries) == (
                other.view,
                other.shared_view,
                other.entries,
            )


async def test_after_a_command_nothing_is_read(club: Club) -> None:
    before = await club.seq()
    posted = await club.does(ALICE, PostOffer(to="sol", give=tg(2)))
    with counting() as counts:
        made = await club.service.briefing(TABLE, before, as_known=True)
    assert counts.statements == 0
    assert made is not None
    assert [each.seq for each in made.entries] == [each.seq for each in posted.entries]
    before = await club.seq()
    await club.does(BOB, Sign(2))
    with counting() as counts:
        made = await club.service.briefing(TABLE, before, as_known=True)
    assert counts.statements == 0
    assert made is not None
    assert made.public.offers[2].status == "resolved"


async def test_the_reply_and_delivery_look_at_the_table_together(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewers: list[Viewer] = []
    see = TableViews._see

    def counted(self: TableViews, viewer: Viewer) -> TableView:
        viewers.append(viewer)
        return see(self, viewer)

    monkeypatch.setattr(TableViews, "_see", counted)
    before = await club.seq()
    posted = await club.does(BOB, PostOffer(to="hacan", give=tg(1)))
    reply = posted.view
    made = await club.service.briefing(TABLE, before, as_known=True)
    assert made is not None
    assert made.seats["sol"].view is reply
    assert made.seats["sol"].entries is posted.entries
    assert len(viewers) == 1 + len(made.seats)  # the channel, and each seat once


async def test_what_is_not_the_last_change_is_read(club: Club) -> None:
    before = await club.seq()
    await club.does(ALICE, PostOffer(to="sol", give=tg(2)))
    await club.does(ALICE, EndOffer(2, "withdraw"))
    last = await club.seq()
    with counting() as counts:
        made = await club.service.briefing(TABLE, before, as_known=True)
    assert counts.statements > 0
    assert made is not None
    assert [each.seq for each in made.entries] == list(range(before + 1, last + 1))


async def test_only_so_many_tables_are_kept(monkeypatch: pytest.MonkeyPatch, club: Club) -> None:
    monkeypatch.setattr("bot.service.records.CHANGES_KEPT", 2)
    kept, table = TableRecords(club.ledger), await club.table()
    for number in (1, 2, 3):
        kept.note_change(LastChange(Table(id=number), Table(id=number), []))
    assert len(kept._changes) == 2
    assert kept.take_change(0, table) is None
