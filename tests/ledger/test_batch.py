from __future__ import annotations

import asyncio

from bot.ledger import ChannelTaken, Ledger, Message
from tests.ledger.samples import AT, BOB, new_table, signed


async def test_everything_at_once(both: Ledger) -> None:
    tables = [(await new_table(both, channel=channel))[0] for channel in (1, 2, 3)]
    made, taken, *rest = await asyncio.gather(
        new_table(both, channel=1),  # free by the time it is made: the append below closes the table there
        new_table(both, channel=2),
        both.append(tables[0], 1, [signed()], at=AT, by=1, closes=True),
        both.append(tables[1], 1, [signed()], at=AT, by=1, people=[BOB]),
        both.save_message(tables[2], Message("board", 1, 2, "a")),
        both.save_message(tables[2], Message("board", 1, 2, "b")),
        both.forget_message(tables[2], "board"),
        both.save_message(tables[2], Message("board", 1, 2, "c")),
        both.set_cursor(tables[1], 1),
        both.set_cursor(tables[1], 2),
        return_exceptions=True,
    )
    assert isinstance(taken, ChannelTaken)
    assert isinstance(made, tuple)
    assert not any(isinstance(outcome, BaseException) for outcome in rest)
    assert made[0] not in tables
    assert (await both.table_in(1)) == await both.table(made[0])
    assert await both.message(tables[2], "board") == Message("board", 1, 2, "c")
    assert await both.cursor(tables[1]) == 2
    assert [await both.verify(table) for table in (*tables, made[0])] == [None] * 4


async def test_two_open_a_table_in_one_channel(both: Ledger) -> None:
    outcomes = await asyncio.gather(new_table(both), new_table(both), return_exceptions=True)
    assert [type(outcome).__name__ for outcome in outcomes] == ["tuple", "ChannelTaken"]


async def test_an_append_without_entries_still_remembers_its_interaction(both: Ledger) -> None:
    table, _ = await new_table(both)
    assert await both.append(table, 1, [], at=AT, by=1, people=[BOB], interaction=3) == []
    assert BOB in await both.people(table)
    assert (await both.head(table))[0] == 1
