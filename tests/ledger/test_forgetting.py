"""Tests that forgetting a person or removing a table keeps the chains and everything else."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError

from bot.ledger import Ledger, LedgerError, Message, Person
from tests.ledger.samples import (
    ALICE,
    AT,
    BOB,
    CHANNEL,
    add,
    execute,
    gained,
    hidden,
    new_table,
    save_snapshot,
    signed,
)

USER = ALICE.user_id or 0


async def closed_and_open(ledger: Ledger) -> tuple[int, int]:
    """A closed table and an open one; Alice is known at both."""
    closed, _ = await new_table(ledger, entries=[gained(), hidden()], interaction=5)
    await add(ledger, closed, signed(), by=2, people=[BOB], closes=True)
    still_open, _ = await new_table(ledger)
    return closed, still_open


async def test_a_person_is_taken_out_of_closed_tables_only(both: Ledger) -> None:
    closed, still_open = await closed_and_open(both)
    head, entries = await both.entries.head(closed), await both.entries.read(closed)
    for subject in (f"offer:1:to:{USER}", f"offer:1:to:{BOB.user_id}", "board"):
        await both.messages.save(closed, [Message(subject, CHANNEL, 5, "a")])
    await both.set_key_value(f"dm:{USER}", "1")
    await both.set_key_value(f"dm-channel:{USER}", "1")
    await both.set_key_value(f"muted:{USER}", "turn")
    assert await both.tables.known_at(USER) == (1, 1)

    assert await both.tables.erase_person(USER) == 1
    assert await both.tables.people(closed) == [Person(1, None, "Player 1"), BOB]
    assert await both.tables.people(still_open) == [ALICE]
    assert [message.subject for message in await both.messages.of_table(closed)] == [
        "board",
        f"offer:1:to:{BOB.user_id}",
    ]
    assert await both.key_value(f"dm:{USER}") is None
    assert await both.key_value(f"dm-channel:{USER}") is None
    assert await both.key_value(f"muted:{USER}") is None
    assert await both.tables.known_at(USER) == (0, 1)
    assert await both.entries.head(closed) == head
    assert await both.entries.read(closed) == entries
    assert await both.entries.verify(closed) is None
    assert await both.tables.erase_person(USER) == 0


async def test_a_table_is_removed_and_its_end_is_remembered(both: Ledger) -> None:
    closed, still_open = await closed_and_open(both)
    await save_snapshot(both, closed, 2, "state")
    await both.messages.save(closed, [], cursor=3)
    seq, head = await both.entries.head(closed)
    removal = await both.tables.remove_table(closed, at=AT + 9)
    assert (removal.table_id, removal.at, removal.last_seq, removal.head) == (
        closed,
        AT + 9,
        seq,
        head,
    )

    assert await both.tables.removed() == [removal]
    assert await both.tables.table(closed) is None
    assert [row.id for row in await both.tables.all_tables()] == [still_open]
    assert await both.entries.read(closed) == []
    assert await both.tables.people(closed) == []
    assert await both.entries.snapshot(closed) is None
    assert await both.messages.of_table(closed) == []
    assert await both.messages.cursor(closed) == 0
    assert await both.messages.undelivered() == [still_open]
    assert await both.tables.known_at(BOB.user_id or 0) == (0, 0)
    assert await both.entries.verify(still_open) is None
    with pytest.raises(LedgerError, match="no closed table"):
        await both.tables.remove_table(closed, at=AT)
    with pytest.raises(LedgerError):
        await add(both, closed, signed())
    assert await both.entries.read(closed) == []


async def test_an_open_table_is_not_removed(both: Ledger) -> None:
    table, _ = await new_table(both)
    with pytest.raises(LedgerError, match="no closed table"):
        await both.tables.remove_table(table, at=AT)
    assert (await both.entries.head(table)).seq == 1


async def test_entries_of_other_tables_still_refuse_to_go(both: Ledger) -> None:
    closed, still_open = await closed_and_open(both)
    await both.tables.remove_table(closed, at=AT)
    with pytest.raises(DBAPIError, match="never changed or deleted"):
        await execute(both, f"DELETE FROM entries WHERE table_id = {still_open}")


async def test_the_last_table_of_a_channel(both: Ledger) -> None:
    async def last() -> tuple[int, bool] | None:
        row = await both.tables.last_table_in(CHANNEL)
        return (row.id, row.closed) if row else None

    assert await last() is None
    closed, still_open = await closed_and_open(both)
    assert await last() == (still_open, False)
    await add(both, still_open, signed(), closes=True)
    assert await last() == (still_open, True)
    await both.tables.remove_table(still_open, at=AT)
    assert await last() == (closed, True)
