from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from bot.ledger import (
    GENESIS,
    BadEntry,
    ChannelTaken,
    Head,
    Ledger,
    LedgerError,
    LostRace,
    Message,
    Person,
    Repeated,
    Snapshot,
    TableRow,
)
from tests.exports.checked import fault_of
from tests.ledger.samples import (
    ALICE,
    AT,
    BOB,
    CHANNEL,
    add,
    by_hand,
    execute,
    gained,
    head_at,
    hidden,
    new_table,
    new_tables,
    save_snapshot,
    signed,
)

# the same on SQLite and PostgreSQL


async def test_what_is_recorded_is_read_back(both: Ledger) -> None:
    entries = [gained(), hidden()]
    table, first = await new_table(both, entries=entries, interaction=2**63 - 1)
    then = await add(both, table, at=AT + 5, by=None, people=[BOB])

    assert [entry.seq for entry in first + then] == [1, 2, 3]
    assert await both.entries.read(table) == first + then
    assert await both.entries.read(table, after=1, until_seq=2) == first[1:]
    assert await both.entries.head(table) == (3, then[-1].hash)
    assert await both.tables.people(table) == [ALICE, BOB]
    assert await both.entries.verify(table) is None


async def test_an_unknown_table_is_empty_and_takes_nothing(both: Ledger) -> None:
    assert await both.entries.read(7) == []
    assert await both.entries.head(7) == (0, GENESIS)
    assert await both.tables.table(7) is None
    with pytest.raises(LedgerError, match="no table 7"):
        await add(both, 7, gained())


async def test_who_decided_on_an_older_state_lost_the_race(both: Ledger) -> None:
    table, _ = await new_table(both)
    await add(both, table)
    head = await both.entries.head(table)
    first = await head_at(both, table, 1)
    for after in (Head(), first, Head(3, head.hash)):
        with pytest.raises(LostRace) as lost:
            await add(both, table, after=after)
        assert (lost.value.after, lost.value.last) == (after.seq, 2)
    assert (await both.entries.head(table))[0] == 2


@pytest.mark.parametrize(
    "comes", [Person(1, 99, "Mallory"), Person(3, ALICE.user_id, "Alice again")]
)
async def test_a_persons_place_is_taken_once(both: Ledger, comes: Person) -> None:
    table, _ = await new_table(both)
    head = await both.entries.head(table)
    with pytest.raises(LostRace):
        await add(both, table, people=[comes])
    assert await both.tables.people(table) == [ALICE]
    assert await both.entries.head(table) == head


async def test_an_interaction_is_recorded_once(both: Ledger) -> None:
    table, _ = await new_table(both, interaction=11)
    await add(both, table, signed(), signed(), interaction=12)
    with pytest.raises(Repeated) as repeated:
        await add(both, table, interaction=12)
    assert (repeated.value.table_id, repeated.value.first_seq, repeated.value.last_seq) == (
        table,
        2,
        3,
    )
    for channel in (CHANNEL, 5):
        with pytest.raises(Repeated):
            await new_table(both, channel=channel, interaction=11)
    assert (await both.entries.head(table))[0] == 3


async def test_a_channel_has_one_open_table(both: Ledger) -> None:
    first, _ = await new_table(both)
    with pytest.raises(ChannelTaken) as taken:
        await new_table(both)
    assert taken.value.table_id == first

    await add(both, first, closes=True)
    second, _ = await new_table(both)
    assert second != first
    assert await both.tables.table_in(CHANNEL) == TableRow(
        second, 2**60, CHANNEL, "ti4", "Friday", False
    )
    assert [(row.id, row.closed) for row in await both.tables.all_tables()] == [
        (first, True),
        (second, False),
    ]
    theirs = await both.tables.tables_of(ALICE.user_id or 0)
    assert [row.id for row in theirs] == [second]


async def test_two_processes_race_and_one_wins(both: Ledger, url: str) -> None:
    other = await Ledger.open(url)
    table, _ = await new_table(both)
    for after in range(1, 21):
        head = await both.entries.head(table)
        outcomes = await asyncio.gather(
            add(both, table, signed(1), interaction=after, after=head),
            add(other, table, signed(2), interaction=after + 100, after=head),
            return_exceptions=True,
        )
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["LostRace", "list"]
    assert (await both.entries.head(table))[0] == 21
    assert await both.entries.verify(table) is None
    await other.close()


async def test_two_processes_deliver_one_interaction_once(both: Ledger, url: str) -> None:
    other = await Ledger.open(url)
    tables = await new_tables(both, 1, 2)
    for interaction in range(1, 11):
        one, two = [await both.entries.head(table) for table in tables]
        outcomes = await asyncio.gather(
            add(both, tables[0], interaction=interaction, after=one),
            add(other, tables[1], interaction=interaction, after=two),
            return_exceptions=True,
        )
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Repeated", "list"]
    await other.close()


async def test_what_delivery_remembers(both: Ledger) -> None:
    table, _ = await new_table(both)
    old = Message("offer:1", CHANNEL, 5, "a")
    new = Message("offer:1", CHANNEL, 2**63 - 1, "b")
    board = Message("board", CHANNEL, 6, "c")
    strange = Message("off%r:1", CHANNEL, 7, "d")
    for message in (old, new, board, strange):
        await both.messages.save(table, [message])
    assert await both.messages.of_table(table) == [board, strange, new]
    await both.messages.save(table, [], forgotten=["offer:1"])
    assert await both.messages.of_table(table) == [board, strange]

    assert await both.messages.cursor(table) == 0
    assert await both.messages.undelivered() == [table]
    await both.messages.save(table, [], cursor=1)
    assert await both.messages.undelivered() == []
    await both.messages.save(table, [replace(board, fate="sending")])
    assert await both.messages.undelivered() == [table]
    await both.messages.save(table, [replace(board, fate="given_up", reason="forbidden")])
    assert await both.messages.undelivered() == []
    await add(both, table, closes=True)
    assert await both.messages.undelivered() == [table]
    await both.messages.save(table, [], cursor=2)
    await both.messages.save(table, [], cursor=1)  # late
    assert await both.messages.cursor(table) == 2

    await both.tables.rename(table, ALICE.user_id or 0, "Alicia")
    assert await both.tables.people(table) == [Person(1, ALICE.user_id, "Alicia")]
    assert await both.key_value("commands") is None
    await both.set_key_value("commands", "1")
    await both.set_key_value("commands", "2")
    assert await both.key_value("commands") == "2"


async def test_a_snapshot_is_written_with_its_entries_or_not_at_all(both: Ledger) -> None:
    table, made = await new_table(both)
    head = Head(made[-1].seq, made[-1].hash)
    await both.entries.append(
        table,
        head,
        [gained(), gained()],
        at=1,
        by=1,
        snapshot=Snapshot("three entries", 1, CHANNEL, 1),
    )
    assert await both.entries.snapshot(table) == (3, "three entries")
    with pytest.raises(LostRace):
        await both.entries.append(
            table,
            head,
            [gained(), gained(), gained()],
            at=1,
            by=1,
            snapshot=Snapshot("of another table", 1, CHANNEL, 1),
        )
    assert await both.entries.snapshot(table) == (3, "three entries")
    assert await both.entries.verify(table) is None


async def test_a_snapshot_is_a_cache_of_the_newest_state(both: Ledger) -> None:
    table, _ = await new_table(both)
    assert await both.entries.snapshot(table) is None
    await save_snapshot(both, table, 4, "newer")
    await save_snapshot(both, table, 3, "older")
    assert await both.entries.snapshot(table) == (4, "newer")


async def test_entries_refuse_to_be_changed(both: Ledger) -> None:
    await new_table(both)
    for statement in ("UPDATE entries SET at = 0", "DELETE FROM entries"):
        with pytest.raises(
            DBAPIError, match="never changed or deleted: record a correction instead"
        ):
            await execute(both, statement)


async def test_what_is_published_verifies_alone_and_holds_no_secret(both: Ledger) -> None:
    table, _ = await new_table(both, entries=[gained(), hidden("salt")])
    published = await both.entries.published(table)
    assert fault_of(table, published) == ""
    assert "salt" not in repr(published)
    assert published[1].public["seat"] == "crete"
    assert [list(entry.digests) for entry in published] == [
        ["parties", "person:1", "place"],
        ["parties"],
    ]
    assert str(ALICE.user_id) not in repr(published)
    assert fault_of(table + 1, published) == "entry 1"
    assert fault_of(table, published[1:]) == "entry 1"


# SQLite


SAME_INTERACTION = (
    "SELECT table_id, 2, kind, subject, version, at, by, interaction, 1, public, sealed, hash, seal"
)


async def test_a_replaced_row_is_refused_as_well(ledger: Ledger, file: Path) -> None:
    await new_table(ledger, interaction=5)
    with closing(sqlite3.connect(file)) as connection:
        for other in ("SELECT *", SAME_INTERACTION):
            with pytest.raises(sqlite3.IntegrityError, match="never changed"):
                connection.execute(f"INSERT OR REPLACE INTO entries {other} FROM entries")


async def test_sealed_parts_are_not_in_the_public_column(ledger: Ledger, file: Path) -> None:
    await new_table(ledger, entries=[hidden("salt"), hidden("salt"), gained()])
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT public, sealed FROM entries ORDER BY seq").fetchall()
    assert not any("salt" in public for public, _ in rows)
    assert '"salt":3' in rows[0][1]
    assert rows[0][1] != rows[1][1], "the same secret has a salt of its own each time"
    assert rows[2][1] is not None, "an entry of a kind with secrets does not tell that it has none"


TAMPERED = {
    "public": "UPDATE entries SET public = replace(public, 'crete', 'Crete') WHERE seq = 3",
    "a space": "UPDATE entries SET public = public || ' ' WHERE seq = 3",
    "a key twice": "UPDATE entries SET public = replace(public, '{', '{\"v\":1,') WHERE seq = 3",
    "not JSON": "UPDATE entries SET public = '{' WHERE seq = 3",
    "a list": "UPDATE entries SET public = '[]' WHERE seq = 3",
    "a deep one": "UPDATE entries SET public = replace(hex(zeroblob(100000)), '0', '[') WHERE seq "
    "= 3",
    "bytes": "UPDATE entries SET public = x'ff00' WHERE seq = 3",
    "text that is not UTF-8": "UPDATE entries SET public = CAST(x'ff00' AS TEXT) WHERE seq = 3",
    "kind": "UPDATE entries SET kind = 'deal' WHERE seq = 3",
    "version": "UPDATE entries SET version = 2 WHERE seq = 3",
    "at": "UPDATE entries SET at = at + 1 WHERE seq = 3",
    "at as text": "UPDATE entries SET at = 'noon' WHERE seq = 3",
    "by": "UPDATE entries SET by = 2 WHERE seq = 3",
    "by nobody": "UPDATE entries SET by = NULL WHERE seq = 3",
    "hash": "UPDATE entries SET hash = replace(hash, substr(hash, 1, 1), 'g') WHERE seq = 3",
    "no hash": "UPDATE entries SET hash = '' WHERE seq = 3",
    "sealed": "UPDATE entries SET sealed = replace(sealed, ':3', ':4') WHERE seq = 3",
    "sealed gone": "UPDATE entries SET sealed = NULL WHERE seq = 3",
    "sealed empty": "UPDATE entries SET sealed = '{}' WHERE seq = 3",
    "sealed shapeless": "UPDATE entries SET sealed = '{\"parties\":[]}' WHERE seq = 3",
    "salt": "UPDATE entries SET sealed = upper(sealed) WHERE seq = 3",
    "row gone": "DELETE FROM entries WHERE seq = 3",
    "row moved": "UPDATE entries SET seq = 9 WHERE seq = 3",
    "row renumbered": "UPDATE entries SET seq = -seq WHERE seq = 3",
    "row at another table": "UPDATE entries SET table_id = 2 WHERE seq = 3",
    "subject": "UPDATE entries SET subject = 'offer:1' WHERE seq = 3",
    "interaction without a size": "UPDATE entries SET interaction = 5 WHERE seq = 3",
    "interaction as text": "UPDATE entries SET interaction = 'x', command_size = 1 WHERE seq = 3",
    "a command inside another": "UPDATE entries SET interaction = 5, command_size = 1 WHERE seq = "
    "3",
    "a commitment again": "UPDATE entries SET sealed = (SELECT sealed FROM entries WHERE seq = 1) "
    "WHERE seq = 3",
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
async def test_a_change_by_hand_is_found(ledger: Ledger, file: Path, change: str) -> None:
    table, _ = await new_table(
        ledger, entries=[gained(), hidden(), hidden(), signed()], interaction=4
    )
    await new_table(ledger, channel=1)
    assert await ledger.entries.verify(table) is None
    by_hand(file, change)
    bad = await ledger.entries.verify(table)
    assert isinstance(bad, BadEntry)
    assert bad.seq == (1 if "-seq" in change else 3), bad


async def test_a_long_chain_is_verified_page_by_page(
    ledger: Ledger, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ledger.entries.PAGE", 3)
    table, _ = await new_table(ledger, entries=[signed(number) for number in range(10)])
    assert await ledger.entries.verify(table) is None
    by_hand(file, "UPDATE entries SET public = CAST(x'ff' AS TEXT) WHERE seq = 8")
    bad = await ledger.entries.verify(table)
    assert bad is not None
    assert bad.seq == 8


async def test_reading_what_was_changed_by_hand_says_so(ledger: Ledger, file: Path) -> None:
    table, _ = await new_table(ledger)
    by_hand(file, "UPDATE entries SET public = '{}'")
    with pytest.raises(LedgerError, match=f"Entry 1 of table {table}"):
        await ledger.entries.read(table)


async def test_nothing_is_lost_by_closing(ledger: Ledger, file: Path) -> None:
    tables = await new_tables(ledger, *range(20))
    heads = [await ledger.entries.head(table) for table in tables]
    waiting = [
        asyncio.ensure_future(add(ledger, table, after=head))
        for table, head in zip(tables, heads, strict=True)
    ]
    await asyncio.sleep(0)
    await ledger.close()
    assert [len(made) for made in await asyncio.gather(*waiting)] == [1] * 20
    with pytest.raises(LedgerError, match="closed"):
        await add(ledger, tables[0], after=heads[0])
    await ledger.close()

    again = await Ledger.open(str(file))
    heads = [await again.entries.head(table) for table in tables]
    assert {head.seq for head in heads} == {2}
    await again.close()


CRASHING = """
import asyncio, sys
from bot.ledger import Head, Ledger
from tests.ledger.samples import add, hidden, new_table, signed

async def main():
    ledger = await Ledger.open(sys.argv[1])
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)
    while True:
        recorded = await add(ledger, table, signed(), hidden(), after=head, interaction=head.seq)
        head = Head(recorded[-1].seq, recorded[-1].hash)
        print(*head, flush=True)

asyncio.run(main())
"""


async def test_what_was_acknowledged_survives_being_killed(file: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CRASHING, str(file), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    for _ in range(40):
        await process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    rest, _ = await process.communicate()
    _, *lines = rest.decode().splitlines() or [""]  # the first may be the end of one
    acknowledged = lines[-1].split() if lines else []

    ledger = await Ledger.open(str(file))
    entries = await ledger.entries.read(1)
    assert len(entries) >= 81
    assert len(entries) % 2 == 1, "an append is there as a whole or not at all"
    if len(acknowledged) == 2:
        assert entries[int(acknowledged[0]) - 1].hash == acknowledged[1]
    assert await ledger.entries.verify(1) is None
    await add(ledger, 1)
    await ledger.close()
