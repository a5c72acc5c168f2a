"""Tests of what entries commit to besides themselves: people, places, removals, subjects."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import orjson
import pytest
from sqlalchemy.exc import DBAPIError

from bot.ledger import GENESIS, BadEntry, ChannelTaken, Ledger, Person, Removal
from bot.ledger.chain import canonical, check_removals, is_detached, link
from bot.rules.features.tables import TableMoved, TableNamed
from tests.ledger.samples import (
    ALICE,
    AT,
    BOB,
    add,
    by_hand,
    execute,
    faults,
    fetch,
    hidden,
    new_table,
)


async def two_people(ledger: Ledger, channel: int = 1) -> int:
    """A table of four entries: Alice comes with the first, Bob with the third."""
    table, _ = await new_table(ledger, channel=channel)
    await add(ledger, table, hidden())
    await add(ledger, table, people=[BOB], interaction=channel * 10)
    await add(ledger, table)
    return table


PEOPLE = {
    "another user": (
        "UPDATE people SET user_id = 5 WHERE person = 2",
        3,
        "person 2 is not the user that",
    ),
    "another salt": (
        "UPDATE people SET salt = '" + "00" * 16 + "' WHERE person = 2",
        3,
        "person 2 is not the user that",
    ),
    "an upper-case salt": (
        "UPDATE people SET salt = upper(salt) || '' WHERE person = 2",
        3,
        "person 2 is ",
    ),
    "no salt": (
        "UPDATE people SET salt = NULL WHERE person = 2",
        3,
        "person 2 is neither known nor erased",
    ),
    "no user": (
        "UPDATE people SET user_id = NULL WHERE person = 2",
        3,
        "person 2 is neither known nor erased",
    ),
    "a salt of bytes": (
        "UPDATE people SET salt = x'ff' WHERE person = 2",
        3,
        "person 2 is neither known nor erased",
    ),
    "a user of text": (
        "UPDATE people SET user_id = 'me' WHERE person = 2",
        3,
        "person 2 is neither known nor erased",
    ),
    "gone": (
        "DELETE FROM people WHERE person = 2",
        3,
        "person 2, who came with this entry, is missing",
    ),
    "all gone": ("DELETE FROM people", 1, "person 1, who came with this entry, is missing"),
    "renumbered": (
        "UPDATE people SET person = 3 WHERE person = 2",
        5,
        "the entry is missing that brings person 3",
    ),
    "added": (
        "INSERT INTO people VALUES (1, 3, 5, 'Mallory', '00000000000000000000000000000000', NULL)",
        5,
        "the entry is missing that brings person 3",
    ),
    "added as erased": (
        "INSERT INTO people VALUES (1, 3, NULL, 'Player 3', NULL, NULL)",
        5,
        "the entry is missing that brings person 3",
    ),
}


@pytest.mark.parametrize(("change", "seq", "reason"), PEOPLE.values(), ids=PEOPLE)
async def test_a_person_who_was_changed(
    ledger: Ledger, file: Path, change: str, seq: int, reason: str
) -> None:
    table = await two_people(ledger)
    assert await ledger.entries.verify(table) is None
    by_hand(file, change)
    bad = await ledger.entries.verify(table)
    assert bad is not None
    assert (bad.seq, bad.reason[: len(reason)]) == (seq, reason)


async def test_a_name_may_change_and_a_person_may_be_erased(both: Ledger) -> None:
    table = await two_people(both)
    await both.tables.rename(table, ALICE.user_id or 0, "Alicia")
    assert await both.entries.verify(table) is None
    await add(both, table, closes=True)
    assert await both.tables.erase_person(ALICE.user_id or 0) == 1
    assert await both.entries.verify(table) is None
    assert [
        name for (name,) in await fetch(both, "SELECT name FROM people WHERE salt IS NULL")
    ] == ["Player 1"]


PLACES = {
    "guild": "UPDATE tables SET guild_id = 5",
    "a direct message": "UPDATE tables SET guild_id = NULL",
    "channel": "UPDATE tables SET channel_id = 5",
    "salt": "UPDATE tables SET place_salt = '" + "00" * 16 + "'",
    "no salt": "UPDATE tables SET place_salt = ''",
    "text": "UPDATE tables SET channel_id = 'here'",
}


@pytest.mark.parametrize("change", PLACES.values(), ids=PLACES)
async def test_a_place_that_was_changed(ledger: Ledger, file: Path, change: str) -> None:
    table = await two_people(ledger)
    by_hand(file, change)
    bad = await ledger.entries.verify(table)
    assert bad is not None
    assert bad.seq == 1
    assert bad.reason.startswith("the table's server")


async def test_a_table_in_a_direct_message(both: Ledger) -> None:
    table, _ = await new_table(both)
    direct, _ = await both.entries.create_table(
        guild_id=None,
        channel_id=8,
        game="ti4",
        name="",
        entries=[hidden()],
        at=AT,
        by=1,
        people=[ALICE],
        interaction=None,
    )
    assert await faults(both, table, direct) == [None, None]


async def test_a_table_that_moves_to_a_free_channel(both: Ledger) -> None:
    one, two = await two_people(both, 1), await two_people(both, 2)
    with pytest.raises(ChannelTaken):
        await add(both, one, TableMoved(), moves_to=(2**60, 2))
    await add(both, one, TableMoved(), moves_to=(2**60, 3))
    await add(both, two, TableMoved(), moves_to=(2**60, 1))
    assert [row.channel_id for row in await both.tables.all_tables()] == [3, 1]
    assert await faults(both, one, two) == [None, None]


async def test_a_table_that_gets_another_name(both: Ledger) -> None:
    table = await two_people(both)
    await add(both, table, TableNamed(name="Harbour night"))
    assert [row.name for row in await both.tables.all_tables()] == ["Harbour night"]
    assert await faults(both, table) == [None]


async def test_a_name_that_somebody_wrote_by_hand(ledger: Ledger, file: Path) -> None:
    table = await two_people(ledger)
    await add(ledger, table, TableNamed(name="Harbour night"))
    by_hand(file, "UPDATE tables SET name = 'Friday'")
    bad = await ledger.entries.verify(table)
    assert bad is not None
    assert bad.reason == "the table's name is not the one that this entry gives"


async def test_a_table_without_entries_or_without_its_row(ledger: Ledger, file: Path) -> None:
    table = await two_people(ledger)
    assert await ledger.entries.verify(7) is None
    by_hand(file, "DELETE FROM entries", "DELETE FROM people")
    assert await ledger.entries.verify(table) == BadEntry(1, "the entry is missing")

    other = await two_people(ledger, channel=2)
    by_hand(file, "PRAGMA foreign_keys = OFF", f"DELETE FROM tables WHERE id = {other}")
    assert await ledger.entries.verify(other) == BadEntry(
        1, "its table is not in the list of tables"
    )
    assert await ledger.tables.orphaned() == [other]


async def test_the_end_of_a_command_that_was_cut_off(ledger: Ledger, file: Path) -> None:
    table = await two_people(ledger)
    await add(ledger, table, hidden(), hidden(), interaction=5)
    by_hand(file, "DELETE FROM entries WHERE seq = 6")
    assert await ledger.entries.verify(table) == BadEntry(
        6, "the entry is missing: others refer to entries up to 6"
    )


async def test_a_person_says_that_the_end_was_cut_off(ledger: Ledger, file: Path) -> None:
    table = await two_people(ledger)
    by_hand(file, "DELETE FROM entries WHERE seq > 2")
    assert await ledger.entries.verify(table) == BadEntry(
        3, "the entry is missing that brings person 2"
    )


@pytest.mark.parametrize("size", ["0", "-1", "NULL", "'many'"])
async def test_a_command_of_no_size(ledger: Ledger, file: Path, size: str) -> None:
    table = await two_people(ledger)
    by_hand(file, f"UPDATE entries SET interaction = 77, command_size = {size} WHERE seq = 2")
    bad = await ledger.entries.verify(table)
    assert bad is not None
    assert bad.seq == 2


async def test_people_who_come_while_it_is_verified(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One between two of its entries, one after the last of them."""
    table, _ = await new_table(ledger)
    stored = ledger.entries._stored

    async def slowly(table_id: int):
        async for row in stored(table_id):
            yield row
            if row.seq == 1:
                await add(ledger, table, people=[BOB])
        await add(ledger, table, people=[Person(3, 33, "Carol")])

    monkeypatch.setattr("bot.ledger.entries.PAGE", 1)
    monkeypatch.setattr(ledger.entries, "_stored", slowly)
    assert await ledger.entries.verify(table) is None
    assert (await ledger.entries.head(table)).seq == 3


# removals


async def three_removed(ledger: Ledger) -> list[Removal]:
    removed = []
    for channel in (1, 2, 3):
        table = await two_people(ledger, channel)
        await add(ledger, table, closes=True)
        removed.append(await ledger.tables.remove_table(table, at=AT + channel))
    return removed


async def test_removals_are_chained(both: Ledger) -> None:
    assert await both.tables.verify_removals() is None
    removed = await three_removed(both)
    for seq, removal in enumerate(removed, 1):
        assert (removal.seq, removal.table_id) == (seq, seq)
        assert (removal.at, removal.last_seq) == (AT + seq, 5)
    assert await both.tables.removed() == removed
    assert check_removals(removed) is None
    assert await both.tables.verify_removals() is None
    assert await both.tables.unremoved() == []
    assert [await both.entries.verify(one.table_id) for one in removed] == [None] * 3


REMOVALS = {
    "at": (
        "UPDATE removals SET at = at + 1 WHERE seq = 2",
        BadEntry(2, "the hash does not fit what is recorded"),
    ),
    "table": (
        "UPDATE removals SET table_id = 9 WHERE seq = 2",
        BadEntry(2, "the hash does not fit what is recorded"),
    ),
    "head": (
        "UPDATE removals SET head = 'x' WHERE seq = 2",
        BadEntry(2, "the hash does not fit what is recorded"),
    ),
    "text": (
        "UPDATE removals SET last_seq = 'x' WHERE seq = 2",
        BadEntry(2, "the removal is not as it was written"),
    ),
    "gone": ("DELETE FROM removals WHERE seq = 2", BadEntry(2, "the removal is missing")),
    "added": (
        "INSERT INTO removals SELECT 4, 4, at, last_seq, head, hash, seal FROM removals WHERE seq "
        "= 3",
        BadEntry(4, "the hash does not fit what is recorded"),
    ),
    "never closed": (
        "UPDATE tables SET closed_at = NULL WHERE id = 2",
        BadEntry(2, "table 2 is said to be removed, but it has entries or was never closed"),
    ),
    "entries again": (
        "INSERT INTO entries VALUES (2, 1, 'x', NULL, 1, 0, 1, NULL, NULL, '{}', NULL, '', NULL)",
        BadEntry(2, "table 2 is said to be removed, but it has entries or was never closed"),
    ),
}


@pytest.mark.parametrize(("change", "bad"), REMOVALS.values(), ids=REMOVALS)
async def test_a_removal_that_was_changed(
    ledger: Ledger, file: Path, change: str, bad: BadEntry
) -> None:
    await three_removed(ledger)
    by_hand(file, "DROP TRIGGER entries_no_return", "PRAGMA foreign_keys = OFF", change)
    assert await ledger.tables.verify_removals() == bad


INSERTED = (
    "INSERT INTO entries (table_id, seq, kind, version, at, public, hash) VALUES ({}, {}, 'x', 1, "
    "0, '{{}}', '')"
)


async def test_a_removed_table_takes_no_entries(both: Ledger) -> None:
    [first, *_] = await three_removed(both)
    with pytest.raises(DBAPIError, match="this table was removed"):
        await execute(both, INSERTED.format(first.table_id, 1))


async def test_two_processes_remove_tables_at_once(both: Ledger, url: str) -> None:
    import asyncio

    other = await Ledger.open(url)
    tables = [await two_people(both, channel) for channel in range(1, 9)]
    for table in tables:
        await add(both, table, closes=True)
    removals = [both.tables.remove_table(table, at=AT) for table in tables[::2]]
    removals += [other.tables.remove_table(table, at=AT) for table in tables[1::2]]
    await asyncio.gather(*removals)
    assert len(await both.tables.removed()) == 8
    assert await both.tables.verify_removals() is None
    await other.close()


# what the database itself refuses


@pytest.mark.parametrize("seq", [0, -1, 3, 9])
async def test_no_entry_leaves_a_gap(both: Ledger, seq: int) -> None:
    table, _ = await new_table(both)
    with pytest.raises(DBAPIError, match="does not follow the last one of its table"):
        await execute(both, INSERTED.format(table, seq))


async def test_the_columns_are_those_of_the_format(ledger: Ledger, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(entries)")]
    assert columns == [
        "table_id",
        "seq",
        "kind",
        "subject",
        "version",
        "at",
        "by",
        "interaction",
        "command_size",
        "public",
        "sealed",
        "hash",
        "seal",
    ]


# chains that verify, yet were not written by this program


async def rewritten(
    ledger: Ledger, table: int, file: Path, seq: int, committed: dict[str, str]
) -> None:
    """Give an entry other commitments, and compute all hashes from there on anew."""
    published = await ledger.entries.published(table)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS entries_no_update")
        head = GENESIS
        for entry in published:
            digests = dict(entry.digests)
            if entry.seq == seq:
                digests = {
                    name: digest for name, digest in digests.items() if not is_detached(name)
                } | committed
                [sealed] = connection.execute(SEALED, (seq,)).fetchone()
                cells = orjson.loads(sealed or "{}")
                cells = {name: cell for name, cell in cells.items() if not is_detached(name)}
                cells |= {name: {"digest": digest} for name, digest in committed.items()}
                with connection:
                    connection.execute(
                        "UPDATE entries SET sealed = ? WHERE seq = ?",
                        (canonical(cells).decode(), seq),
                    )
            head = link(
                head,
                table_id=table,
                seq=entry.seq,
                at=entry.at,
                by=entry.by,
                public=canonical(entry.public),
                digests=digests,
                interaction=entry.interaction,
                command_size=entry.command_size,
            )
            with connection:
                connection.execute("UPDATE entries SET hash = ? WHERE seq = ?", (head, entry.seq))


SEALED = "SELECT sealed FROM entries WHERE seq = ?"


async def test_a_commitment_is_made_once(ledger: Ledger, file: Path) -> None:
    table = await two_people(ledger)
    first = (await ledger.entries.published(table))[0].digests
    await rewritten(ledger, table, file, 2, {"person:1": first["person:1"]})
    assert await ledger.entries.verify(table) == BadEntry(
        2, "the commitment person:1 was made before, by entry 1"
    )


async def test_the_place_is_committed_to_first(ledger: Ledger, file: Path) -> None:
    table = await two_people(ledger)
    first = dict((await ledger.entries.published(table))[0].digests)
    place = first.pop("place")
    await rewritten(ledger, table, file, 1, {"person:1": first["person:1"]})
    assert await ledger.entries.verify(table) == BadEntry(
        1, "the entry does not commit to the table's server and channel"
    )
    await rewritten(ledger, table, file, 2, {"place": place})
    assert await ledger.entries.verify(table) == BadEntry(
        1, "the entry does not commit to the table's server and channel"
    )
