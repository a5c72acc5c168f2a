"""A person is taken out of closed tables, a table is removed: the chains still verify, and nothing else is touched."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.desk import Asker, Desk
from bot.ledger import Ledger, LedgerError, Message, Person, Removal
from bot.rules.commands import Audit, CloseTable, Sit
from bot.rules.ruling import Refused
from tests.ledger.conftest import both, postgres, url
from tests.ledger.samples import ALICE, AT, BOB, CHANNEL, gained, hidden, new_table, signed

__all__ = ["both", "postgres", "url"]  # fixtures

USER = ALICE.user_id or 0


async def closed_and_open(ledger: Ledger) -> tuple[int, int]:
    """A closed table and an open one; Alice is known at both."""
    closed, _ = await new_table(ledger, entries=[gained(), hidden()], interaction=5)
    await ledger.append(closed, 2, [signed()], at=AT, by=2, people=[BOB], closes=True)
    still_open, _ = await new_table(ledger)
    return closed, still_open


async def test_a_person_is_taken_out_of_closed_tables_only(both: Ledger) -> None:
    closed, still_open = await closed_and_open(both)
    head, entries = await both.head(closed), await both.read(closed)
    for subject in (f"offer:1:to:{USER}", f"offer:1:to:{BOB.user_id}", "board"):
        await both.save_message(closed, Message(subject, CHANNEL, 5, "a"))
    await both.set_mark(f"dm:{USER}", "1")
    assert await both.known_at(USER) == (1, 1)

    assert await both.erase_person(USER) == 1
    assert await both.people(closed) == [Person(1, None, "Player 1"), BOB]
    assert await both.people(still_open) == [ALICE]
    assert [message.subject for message in await both.messages(closed)] == ["board", f"offer:1:to:{BOB.user_id}"]
    assert await both.mark(f"dm:{USER}") is None
    assert await both.known_at(USER) == (0, 1)
    assert (await both.head(closed), await both.read(closed)) == (head, entries)
    assert await both.verify(closed) is None
    assert await both.erase_person(USER) == 0


async def test_a_user_id_stands_nowhere_any_more(ledger: Ledger, file: Path) -> None:
    closed, _ = await new_table(ledger, entries=[gained()])
    await ledger.save_message(closed, Message(f"result:1:{USER}", CHANNEL, 5, "a"))
    await ledger.append(closed, 1, [signed()], at=AT, by=1, closes=True)
    await ledger.erase_person(USER)
    async with ledger._engines.reading.connect() as connection:
        for table in ("tables", "entries", "interactions", "people", "snapshots", "messages", "cursors", "marks"):
            rows = (await connection.execute(text(f"SELECT * FROM {table}"))).all()
            assert str(USER) not in repr(rows)
            assert "Alice" not in repr(rows)


async def test_a_table_is_removed_and_its_end_is_remembered(both: Ledger) -> None:
    closed, still_open = await closed_and_open(both)
    await both.save_snapshot(closed, 2, "state")
    await both.set_cursor(closed, 3)
    seq, head = await both.head(closed)
    assert await both.remove_table(closed, at=AT + 9) == Removal(closed, AT + 9, seq, head)

    assert await both.removed() == [Removal(closed, AT + 9, 3, head)]
    assert await both.table(closed) is None
    assert [row.id for row in await both.all_tables()] == [still_open]
    assert (await both.read(closed), await both.people(closed), await both.snapshot(closed)) == ([], [], None)
    assert await both.messages(closed) == []
    assert await both.owing() == [still_open]
    assert await both.known_at(BOB.user_id or 0) == (0, 0)
    assert await both.verify(still_open) is None
    with pytest.raises(LedgerError, match="no closed table"):
        await both.remove_table(closed, at=AT)
    with pytest.raises(LedgerError):
        await both.append(closed, 0, [signed()], at=AT, by=1)
    assert await both.read(closed) == []


async def test_an_open_table_is_not_removed(both: Ledger) -> None:
    table, _ = await new_table(both)
    with pytest.raises(LedgerError, match="no closed table"):
        await both.remove_table(table, at=AT)
    assert (await both.head(table))[0] == 1


async def test_entries_of_other_tables_still_refuse_to_go(both: Ledger) -> None:
    from sqlalchemy.exc import DBAPIError

    closed, still_open = await closed_and_open(both)
    await both.remove_table(closed, at=AT)
    with pytest.raises(DBAPIError, match="never changed or deleted"):
        async with both._engines.writing.begin() as connection:
            await connection.execute(text(f"DELETE FROM entries WHERE table_id = {still_open}"))


async def test_the_last_table_of_a_channel(both: Ledger) -> None:
    assert await both.last_table_in(CHANNEL) is None
    closed, still_open = await closed_and_open(both)
    row = await both.last_table_in(CHANNEL)
    assert row is not None
    assert row.id == still_open
    await both.append(still_open, 1, [signed()], at=AT, by=1, closes=True)
    row = await both.last_table_in(CHANNEL)
    assert row is not None
    assert (row.id, row.closed) == (still_open, True)
    await both.remove_table(still_open, at=AT)
    row = await both.last_table_in(CHANNEL)
    assert row is not None
    assert row.id == closed


# ---------------------------------------------------------------- at the desk


async def test_who_may_have_a_table_removed(ledger: Ledger) -> None:
    desk = Desk(ledger, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    host, player, moderator = Asker(1, "alice"), Asker(2, "bob"), Asker(3, "mona", moderator=True)
    opened = await desk.open_table(host, game="ti4", name="Friday", guild_id=1, channel_id=2)
    table = opened.after.table_id
    await desk.do(table, player, lambda here: Sit(by=here.me, seat="sol", person=here.me))
    for asker in (host, moderator):
        with pytest.raises(Refused, match="still open"):
            await desk.remove(table, asker)
    await desk.do(table, host, lambda here: CloseTable(by=here.me))
    with pytest.raises(Refused, match="Only the host"):
        await desk.remove(table, player)
    assert (await desk.remove(table, moderator)).seq == 3
    with pytest.raises(Refused, match="no such table"):
        await desk.look(table)


async def test_the_desk_forgets_at_once(ledger: Ledger) -> None:
    desk = Desk(ledger, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    host = Asker(1, "alice")
    table = (await desk.open_table(host, game="ti4", name="Friday", guild_id=1, channel_id=2)).after.table_id
    await desk.do(table, host, lambda here: CloseTable(by=here.me))
    assert (await desk.look(table)).person(1) is not None
    assert await desk.forget_person(1) == 1
    look = await desk.look(table)
    assert look.person(1) is None
    assert look.people[1].name == "Player 1"


async def test_another_process_does_not_write_a_name_back(ledger: Ledger, file: Path) -> None:
    """What it keeps of the closed table still has the name; who comes again is somebody new."""
    other = await Ledger.open(f"sqlite:///{file}")
    try:
        here, there = (Desk(each, lambda: datetime(2026, 1, 2, tzinfo=UTC)) for each in (ledger, other))
        host, player = Asker(1, "alice"), Asker(2, "bob")
        table = (await here.open_table(host, game="ti4", name="Friday", guild_id=1, channel_id=2)).after.table_id
        await here.do(table, player, lambda at: Sit(by=at.me, seat="sol", person=at.me))
        await here.do(table, host, lambda at: CloseTable(by=at.me))
        assert (await there.look(table)).people[2].name == "bob"
        await here.forget_person(2)
        assert (await there.look(table)).people[2].name == "Player 2"
        again = Asker(2, "bob the great", moderator=True)
        await there.do(table, again, lambda at: Audit(by=at.me, moderator=True, what="ledger"))
        people = await ledger.people(table)
        assert people[1] == Person(2, None, "Player 2")
        assert people[2].number == 3
        await ledger.rename(table, 99, "nobody")
        assert await ledger.people(table) == people
    finally:
        await other.close()
