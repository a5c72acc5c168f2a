from __future__ import annotations

import asyncio
from functools import partial

import pytest

from bot.ledger import ChannelTaken, Ledger, Message, Person
from tests.ledger.samples import ALICE, AT, BOB, add, faults, new_table, new_tables


async def test_everything_at_once(both: Ledger) -> None:
    tables = await new_tables(both, 1, 2, 3)
    heads = [await both.entries.head(table) for table in tables]
    last = Message("board", 1, 2, "c")
    made, taken, *rest = await asyncio.gather(
        # free by the time it is made: the append below closes the table there
        new_table(both, channel=1),
        new_table(both, channel=2),
        add(both, tables[0], after=heads[0], closes=True),
        add(both, tables[1], after=heads[1], people=[BOB]),
        both.messages.save(tables[2], [Message("board", 1, 2, "a")]),
        both.messages.save(tables[2], [Message("board", 1, 2, "b")]),
        both.messages.save(tables[2], [], forgotten=["board"]),
        both.messages.save(tables[2], [last]),
        both.messages.save(tables[1], [], cursor=1),
        both.messages.save(tables[1], [], cursor=2),
        return_exceptions=True,
    )
    assert isinstance(taken, ChannelTaken)
    assert isinstance(made, tuple)
    assert not any(isinstance(outcome, BaseException) for outcome in rest)
    assert made[0] not in tables
    assert (await both.tables.table_in(1)) == await both.tables.table(made[0])
    assert await both.messages.of_table(tables[2]) == [last]
    assert await both.messages.cursor(tables[1]) == 2
    assert await faults(both, *tables, made[0]) == [None] * 4


async def test_an_append_without_entries_writes_nothing(both: Ledger) -> None:
    table, _ = await new_table(both)
    head = await both.entries.head(table)
    append = partial(both.entries.append, table, head, [], at=AT, by=1)
    assert await append(interaction=3, deadline=5) == []
    with pytest.raises(ValueError, match="People come to a table with an entry"):
        await append(people=[BOB])
    assert await both.entries.head(table) == head
    assert await both.tables.people(table) == [ALICE]
    assert await both.tables.deadlines() == []
    assert await both.entries.answered(3) is None


async def test_what_cannot_be_committed_to_is_not_taken(both: Ledger) -> None:
    with pytest.raises(ValueError, match="begins with an entry"):
        await new_table(both, entries=[])
    with pytest.raises(ValueError, match="Person 1 comes to a table without a user"):
        await new_table(both, people=[Person(1, None, "Nobody")])
    assert await both.tables.all_tables() == []
