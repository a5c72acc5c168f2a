"""Tests that cached tables and snapshots change nothing about a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.requests import Replenish
from bot.games.ti4.turns import EndTurn, NextTurn, StartTurn
from bot.ledger import Tampered
from bot.ledger.values import StoredTable
from bot.rules import snapshots
from bot.rules.apply import replay
from bot.rules.commands import Command
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.offers.posting import AlterOffer, PauseOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.service import records
from tests.ledger.samples import by_hand, inside, save_snapshot
from tests.service.club import ALICE, BOB, TABLE, Club, requester, tg
from tests.service.conftest import Another


def some_command(seat: str, other: str, offers: int, dice: Random) -> Command:
    """A command of the person in a seat that is often allowed."""
    offer = dice.randint(max(1, offers - 5), max(1, offers))
    return dice.choice(
        [
            PostOffer(to=other, give=tg(1)),
            PostOffer(to=other, give=tg(2), want=tg(1), terms="peace"),
            PostOffer(give=tg(1)),
            *[Sign(offer)] * 6,
            AlterOffer(offer, give=tg(3)),
            EndOffer(offer, how=dice.choice(["withdraw", "decline", "back_out"])),
            PauseOffer(offer, paused=True),
            PauseOffer(offer, paused=False),
            Gain(tg(4)),
            Spend(tg(1)),
            *[NextTurn()] * 3,
            EndTurn(),
            Replenish(),
            SetHoldings(seat, tg(30)),
        ]
    )


@pytest.mark.slow
async def test_snapshots_and_a_small_memory_give_the_same_table(
    another: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many commands at three tables with one kept in memory and a snapshot every few entries."""
    monkeypatch.setattr(records, "TABLES_KEPT", 1)
    monkeypatch.setattr("bot.rules.snapshots.EVERY", 4)
    club, dice = await another(), Random(7)
    for n in (1, 2, 3):
        await club.opens(channel=n)
        for user, seat in ((ALICE, "hacan"), (BOB, "sol")):
            await club.service.execute(n, requester(user), Sit(seat))
        await club.service.execute(n, requester(ALICE), JoinNeighbors("hacan", "sol"))
        for seat in ("hacan", "sol"):
            await club.service.execute(n, requester(ALICE), SetHoldings(seat, tg(30)))
        await club.service.execute(n, requester(ALICE), StartTurn("hacan"))
    for step in range(300):
        table, (user, seat, other) = (
            1 + step % 3,
            dice.choice([(ALICE, "hacan", "sol"), (BOB, "sol", "hacan")]),
        )
        command = some_command(seat, other, (await club.remembered(table)).offers_posted, dice)
        try:
            await club.service.execute(table, requester(user), command)
        except Refused:
            continue
    fresh = await another()
    for n in (1, 2, 3):
        entries = await club.entries(n)
        snapshot = await club.ledger.entries.snapshot(n)
        assert snapshot is not None
        assert snapshot[0] > 4
        table_now = await club.table(n)
        assert await club.remembered(n) == await fresh.remembered(n) == table_now
        first = [recorded.entry for recorded in entries[: snapshot[0]]]
        assert snapshots.load(*snapshot) == replay(first, Table(id=n))
    tables = [await club.table(n) for n in (1, 2, 3)]
    assert sum(table.transactions for table in tables) > 3
    known = [club.records.known(n) for n in (1, 2, 3)]
    assert known.count(None) == 2


async def test_only_the_entries_since_the_snapshot_are_read(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.rules.snapshots.EVERY", 4)
    for _ in range(9):
        await club.does(ALICE, Gain(tg(1)))
    snapshot = await club.ledger.entries.snapshot(TABLE)
    assert snapshot is not None
    read: list[list[int]] = []
    original = club.ledger.entries.stored

    async def watched(table_id: int) -> StoredTable | None:
        stored = await original(table_id)
        assert stored is not None
        read.append([recorded.seq for recorded in stored.entries])
        return stored

    monkeypatch.setattr(club.ledger.entries, "stored", watched)
    await club.started().view(TABLE, requester(BOB))
    [since] = read
    assert since == list(range(snapshot[0] + 1, await club.seq() + 1))


SPOILT = {
    "no JSON": "'no JSON'",
    "a list": "'[]'",
    "an empty object": "'{}'",
    "another field": """replace(state, '"seats"', '"chairs"')""",
    "another shape": """replace(state, '"shape": "', '"shape": "0')""",
    "no shape": "json_extract(state, '$.table')",
    "another entry": """replace(state, '"seq": ', '"seq": 1')""",
    "another game": """replace(state, '"ti4"', '"go"')""",
}


@pytest.mark.parametrize("change", SPOILT.values(), ids=SPOILT.keys())
async def test_a_snapshot_that_another_program_wrote_is_not_used(
    club: Club, file: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr("bot.rules.snapshots.EVERY", 4)
    for _ in range(6):
        await club.does(ALICE, Gain(tg(1)))
    saved = await club.ledger.entries.snapshot(TABLE)
    by_hand(file, f"UPDATE snapshots SET state = {change}")
    changed = await club.ledger.entries.snapshot(TABLE)
    assert changed is not None
    assert changed != saved
    by_hand(file, "DELETE FROM snapshots")
    await save_snapshot(club.ledger, TABLE, *changed)  # with a seal, as that program would
    club.service = club.started()
    assert await club.remembered() == await club.table()


async def test_a_table_is_not_what_is_left_of_its_entries(
    club: Club, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end was cut off by hand, and the entry before it got back the seal that it had once."""
    monkeypatch.setattr("bot.rules.snapshots.EVERY", 4)
    for _ in range(6):
        await club.does(ALICE, Gain(tg(1)))
    snapshot = await club.ledger.entries.snapshot(TABLE)
    assert snapshot is not None
    seq = snapshot[0] - 1
    [last] = await club.ledger.entries.read(TABLE, after=seq - 1, until_seq=seq)
    seal = inside(club.ledger).key.seal_head(TABLE, last.seq, last.hash)
    cut = f"DELETE FROM entries WHERE seq > {last.seq}"
    resealed = f"UPDATE entries SET seal = '{seal}' WHERE seq = {last.seq}"
    by_hand(file, "DROP TRIGGER entries_no_seal", cut, resealed)
    with pytest.raises(Tampered, match=f"Table 1: what follows entry {snapshot[0]} was changed"):
        await club.started().view(TABLE, requester(ALICE))
    assert await club.ledger.entries.verify(TABLE) is not None


async def test_what_was_read_before_a_command_does_not_replace_its_result(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An audit of a closed table is recorded while somebody looks at the table."""
    await club.does(ALICE, CloseTable())
    club.clock.moves(hours=1)
    await club.service.tick(TABLE)
    people = club.ledger.tables.people

    async def held(table_id: int) -> Sequence[Person]:
        monkeypatch.setattr(club.ledger.tables, "people", people)
        await club.looks(requester(ALICE))
        return await people(table_id)

    monkeypatch.setattr(club.ledger.tables, "people", held)
    await club.sees(BOB)
    assert club.records.seq(TABLE) == await club.seq()
