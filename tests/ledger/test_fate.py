"""Tests that a write's outcome is known when its caller gets an answer, whenever the database
fails.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from bot.ledger import Ledger, LostRace, NotWritten, OutcomeUnknown
from bot.ledger import writer as writer_module
from bot.ledger.writer import LOCKED_FOR, UNKNOWN_FOR
from bot.rules.entries import Recorded
from tests.ledger.failing import Cable, Moment, cable, failing_commits, slow_commits
from tests.ledger.prepared import emptied
from tests.ledger.samples import (
    AT,
    BOB,
    add,
    execute,
    fetch,
    fresh_database,
    hidden,
    in_file,
    inside,
    new_table,
    new_tables,
    on_server,
    signed,
)
from tests.scale import long

SIGNED = signed().kind.encode()
"""Words of the one statement that is a transaction of its own, and of its transaction."""
MOMENTS = pytest.mark.parametrize("moment", ["before", "after"])


async def written_once(ledger: Ledger, table: int, recorded: list[Recorded]) -> None:
    """What the caller got is what the ledger has, and it has it once."""
    assert await ledger.entries.read(table, after=recorded[0].seq - 1) == recorded
    assert await ledger.entries.verify(table) is None


# ---------------------------------------------------------------- SQLite


@MOMENTS
@pytest.mark.parametrize("interaction", [None, 7])
async def test_a_commit_that_fails_once_is_told_as_it_ended(
    ledger: Ledger, moment: Moment, interaction: int | None
) -> None:
    table, _ = await new_table(ledger)
    told: list[list[Recorded]] = []
    with failing_commits(ledger, moment) as failed:
        recorded = await add(
            ledger,
            table,
            hidden(),
            signed(),
            interaction=interaction,
            people=[BOB],
            then=told.append,
        )
    assert failed == [moment]
    assert told == [recorded]
    await written_once(ledger, table, recorded)
    assert [person.name for person in await ledger.tables.people(table)] == ["Alice", "Bob"]


@MOMENTS
async def test_a_table_that_is_opened_by_a_failing_commit_is_opened_once(
    ledger: Ledger, moment: Moment
) -> None:
    with failing_commits(ledger, moment) as failed:
        table, recorded = await new_table(ledger, interaction=7)
    assert failed == [moment]
    assert [row.id for row in await ledger.tables.all_tables()] == [table]
    await written_once(ledger, table, recorded)


@MOMENTS
async def test_a_table_is_removed_once(ledger: Ledger, moment: Moment) -> None:
    table, _ = await new_table(ledger)
    await add(ledger, table, closes=True)
    with failing_commits(ledger, moment) as failed:
        removal = await ledger.tables.remove_table(table, at=AT)
    assert failed == [moment]
    assert await ledger.tables.removed() == [removal]


@MOMENTS
async def test_what_is_stored_beside_the_entries_is_stored(ledger: Ledger, moment: Moment) -> None:
    with failing_commits(ledger, moment) as failed:
        await ledger.set_key_value("dm:1", "2")
    assert failed == [moment]
    assert await ledger.key_value("dm:1") == "2"


@MOMENTS
async def test_everyone_in_a_batch_gets_their_own_answer(ledger: Ledger, moment: Moment) -> None:
    tables = await new_tables(ledger, *range(3))
    heads = [await ledger.entries.head(table) for table in tables]
    with failing_commits(ledger, moment):
        done = await asyncio.gather(
            *(
                add(ledger, table, after=head, interaction=table)
                for table, head in zip(tables, heads, strict=True)
            ),
            add(ledger, tables[0], signed(2), after=heads[0]),
            ledger.set_key_value("a", "b"),
            return_exceptions=True,
        )
    for table, recorded in zip(tables, done[:3], strict=True):
        assert isinstance(recorded, list)
        await written_once(ledger, table, recorded)
    assert isinstance(done[3], LostRace)


@pytest.mark.parametrize(("interaction", "same"), [(9, False), (8, True)])
async def test_what_another_process_wrote_meanwhile_is_not_taken_for_ours(
    file: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, interaction: int, same: bool
) -> None:
    """Equal entries of two clicks have equal hashes: what tells them apart is the interaction."""
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)
    other = await Ledger.open(str(file))
    first: list[Recorded] = []

    async def meanwhile(_seconds: float) -> None:
        first.extend(await add(other, table, after=head, interaction=8))

    monkeypatch.setattr(inside(ledger).writer, "_wait", meanwhile)
    with failing_commits(ledger, "before"):
        writing = add(ledger, table, after=head, interaction=interaction)
        if same:  # the entry is the same, and so is the click: it does not matter who wrote it
            assert await writing == first
        else:
            with pytest.raises(LostRace):
                await writing
    await written_once(ledger, table, first)
    await other.close()


async def test_a_full_disk_is_no_riddle(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file it can be seen that a failed commit left nothing, and nothing of it comes later."""
    monkeypatch.setattr(writer_module, "UNKNOWN_FOR", 0.2)
    table, _ = await new_table(ledger)
    with (
        failing_commits(ledger, "before", times=99) as failed,
        pytest.raises(NotWritten, match="disk I/O error"),
    ):
        await add(ledger, table)
    assert len(failed) > 1
    assert (await ledger.entries.head(table)).seq == 1
    await add(ledger, table)


async def test_a_database_that_can_no_longer_be_read_leaves_it_open(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "UNKNOWN_FOR", 0.2)
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)

    async def fails(_work: object) -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as broken, failing_commits(ledger, "before", times=99):
        broken.setattr(in_file(ledger), "read", fails)
        with pytest.raises(OutcomeUnknown):
            await add(ledger, table, after=head)
    assert (await ledger.entries.head(table)).seq == 1


async def test_a_failure_before_the_commit_is_known_to_have_written_nothing(
    ledger: Ledger, file: Path
) -> None:
    table, _ = await new_table(ledger)
    with closing(sqlite3.connect(file)) as other, other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(FAIL, 'no room'); END"
        )
    with pytest.raises(NotWritten, match="no room"):
        await add(ledger, table)
    assert (await ledger.entries.head(table)).seq == 1


# ---------------------------------------------------------------- callers who leave


async def test_what_is_written_for_a_caller_who_left_is_told_to_whom_it_concerns(
    ledger: Ledger,
) -> None:
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)
    told: asyncio.Future[list[Recorded]] = asyncio.get_running_loop().create_future()
    with slow_commits(ledger) as slow:
        leaves = asyncio.ensure_future(add(ledger, table, after=head, then=told.set_result))
        await slow.begun()
        leaves.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaves
        slow.go_on()
        recorded = await asyncio.wait_for(told, 30)
    await written_once(ledger, table, recorded)


# ---------------------------------------------------------------- a locked file


@pytest.fixture
def locked(file: Path, ledger: Ledger) -> Iterator[sqlite3.Connection]:
    """Another program, which has locked the ledger's file."""
    with closing(
        sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    ) as connection:
        yield connection


async def test_a_locked_file_is_waited_for(ledger: Ledger, locked: sqlite3.Connection) -> None:
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)
    locked.execute("BEGIN EXCLUSIVE")
    writing = asyncio.ensure_future(add(ledger, table, after=head))
    leaving = asyncio.ensure_future(ledger.set_key_value("a", "b"))
    await asyncio.sleep(0.6)  # two tries, whatever the machine: nothing can be written meanwhile
    assert (await ledger.entries.head(table)).seq == 1, "reading goes on"
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    locked.execute("ROLLBACK")
    await written_once(ledger, table, await asyncio.wait_for(writing, 30))


async def test_a_file_that_stays_locked_is_given_up(
    ledger: Ledger, locked: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "LOCKED_FOR", 0.3)
    table, _ = await new_table(ledger)
    locked.execute("BEGIN IMMEDIATE")
    first = asyncio.ensure_future(add(ledger, table, after=await ledger.entries.head(table)))
    with pytest.raises(NotWritten, match="database is locked"):
        await first
    locked.execute("ROLLBACK")
    assert (await ledger.entries.head(table)).seq == 1
    await add(ledger, table)


async def test_what_waits_is_not_written_once_its_caller_has_left(
    ledger: Ledger, locked: sqlite3.Connection
) -> None:
    table, _ = await new_table(ledger)
    locked.execute("BEGIN IMMEDIATE")
    leaves = asyncio.ensure_future(add(ledger, table, after=await ledger.entries.head(table)))
    await asyncio.sleep(0.1)
    leaves.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaves
    await asyncio.sleep(0.6)  # the try that was under way has ended
    locked.execute("ROLLBACK")
    await ledger.set_key_value("a", "b")
    assert (await ledger.entries.head(table)).seq == 1


async def test_a_locked_ledger_closes_at_once(ledger: Ledger, locked: sqlite3.Connection) -> None:
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)
    locked.execute("BEGIN IMMEDIATE")
    waiting = []
    for interaction in range(3):
        request = add(ledger, table, after=head, interaction=interaction)
        waiting.append(asyncio.ensure_future(request))
    await asyncio.sleep(0.1)
    async with asyncio.timeout(LOCKED_FOR / 2):
        await ledger.close()
    for each in waiting:
        with pytest.raises(NotWritten):
            await each


async def test_a_read_may_be_cancelled_and_the_next_one_does_not_wait_for_it(
    ledger: Ledger,
) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def slow(_connection: Connection) -> None:
        begun.set()
        goes_on.wait(30)

    reading = asyncio.ensure_future(in_file(ledger).read(slow))
    await asyncio.to_thread(begun.wait, 30)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    async with asyncio.timeout(60):
        for _ in range(8):  # the readers that are free
            await ledger.tables.all_tables()
    goes_on.set()


# ---------------------------------------------------------------- PostgreSQL


@pytest.fixture
async def wired(postgres: str) -> AsyncIterator[tuple[Cable, Ledger]]:
    """A ledger on PostgreSQL, at the end of a cable."""
    url = await asyncio.to_thread(emptied, postgres)
    async with cable(url) as (made, through):
        ledger = await Ledger.open(through)
        yield made, ledger
        made.away = False
        await ledger.close()


@pytest.mark.postgres
@MOMENTS
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"interaction": 7, "deadline": 5},
        *long([{"interaction": 7}, {"deadline": 5}]),
    ],
)
async def test_a_cable_that_is_cut_at_the_commit(
    wired: tuple[Cable, Ledger], moment: Moment, more: dict[str, int]
) -> None:
    """With a deadline, the transaction has a COMMIT of its own; without, the one statement is the
    transaction.
    """
    line, ledger = wired
    table, _ = await new_table(ledger)
    with_deadline = "deadline" in more
    earlier = {"deadline": 4} if with_deadline else {}
    await add(ledger, table, signed(1), **earlier)  # connects
    more["after"] = await ledger.entries.head(table)
    told: list[list[Recorded]] = []
    line.cut(b"COMMIT" if with_deadline else SIGNED, moment)
    recorded = await add(ledger, table, hidden(), signed(2), then=told.append, **more)
    assert line.cuts == 1
    assert told == [recorded]
    await written_once(ledger, table, recorded)


@pytest.mark.postgres
@MOMENTS
async def test_a_table_is_opened_once_over_a_cable_that_is_cut(
    wired: tuple[Cable, Ledger], moment: Moment
) -> None:
    line, ledger = wired
    await new_table(ledger, channel=1)
    line.cut(b"COMMIT", moment)
    table, recorded = await new_table(ledger, channel=2, interaction=7)
    assert line.cuts == 1
    assert len(await ledger.tables.all_tables()) == 2
    await written_once(ledger, table, recorded)


@pytest.mark.postgres
@MOMENTS
@pytest.mark.parametrize("words", [b"COMMIT", SIGNED])
async def test_a_server_that_stays_away_leaves_it_open(
    wired: tuple[Cable, Ledger], moment: Moment, words: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "UNKNOWN_FOR", 0.3)
    line, ledger = wired
    table, _ = await new_table(ledger)
    more = {"deadline": 5} if words == b"COMMIT" else {}
    await add(ledger, table, **dict.fromkeys(more, 4))
    head = await ledger.entries.head(table)
    line.cut(words, moment, stays_away=True)
    with pytest.raises(OutcomeUnknown):
        await add(ledger, table, after=head, **more)
    with pytest.raises(NotWritten):  # this one did not get as far
        await add(ledger, table, after=head)
    line.away = False
    assert (await ledger.entries.head(table)).seq == (3 if moment == "after" else 2)


@pytest.mark.postgres
async def test_a_server_that_goes_before_the_commit_has_written_nothing(
    wired: tuple[Cable, Ledger],
) -> None:
    line, ledger = wired
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)
    line.away = True
    line.hang_up()
    with pytest.raises(NotWritten):
        await add(ledger, table, after=head)
    line.away = False
    assert len(await add(ledger, table, after=head)) == 1


SLOW_COMMIT = (
    "CREATE FUNCTION wait() RETURNS trigger AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$ "
    "LANGUAGE plpgsql",
    "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON entries DEFERRABLE INITIALLY DEFERRED "
    "FOR EACH ROW EXECUTE FUNCTION wait()",
)

SLEEPING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = "
    "'PgSleep'"
)


@pytest.mark.postgres
async def test_a_commit_that_is_still_under_way_at_the_server_is_waited_for(postgres: str) -> None:
    """The line was cut before the server was done: it is not there yet, and the second try must
    wait for the first.
    """
    url = await asyncio.to_thread(fresh_database, postgres, "bourse_under_way")
    async with cable(url) as (line, through):
        ledger, other = await Ledger.open(through), await Ledger.open(url)
        table, _ = await new_table(ledger)
        await add(ledger, table)
        await execute(other, *SLOW_COMMIT)
        head = await ledger.entries.head(table)
        writing = asyncio.ensure_future(add(ledger, table, after=head, interaction=7))
        for _ in range(500):
            if (await fetch(other, SLEEPING))[0][0]:
                break
            await asyncio.sleep(0.01)
        line.hang_up()
        recorded = await asyncio.wait_for(writing, 30)
        await written_once(other, table, recorded)
        await ledger.close()
        await other.close()


@asynccontextmanager
async def locked_entries(other: Ledger) -> AsyncIterator[None]:
    """Another program has locked the entries on the server."""
    async with on_server(other).writing.begin() as connection:
        await connection.execute(text("LOCK TABLE entries IN EXCLUSIVE MODE"))
        yield


@pytest.mark.postgres
async def test_a_table_that_is_locked_on_the_server(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ledger.engine.LOCK_TIMEOUT", "200ms")
    monkeypatch.setattr(writer_module, "LOCKED_FOR", 0.3)
    url = await asyncio.to_thread(emptied, postgres)
    ledger, other = await Ledger.open(url), await Ledger.open(url)
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)
    async with locked_entries(other):
        assert await ledger.entries.head(table) == head
        for more in ({}, {"deadline": 5}):
            with pytest.raises(NotWritten, match="lock timeout"):
                await add(ledger, table, after=head, **more)
    await add(ledger, table, after=head)
    await ledger.close()
    await other.close()


@pytest.mark.postgres
@pytest.mark.parametrize("more", [{}, {"deadline": 5}])
async def test_a_ledger_closes_at_once_though_the_server_does_not_answer(
    postgres: str, more: dict[str, int]
) -> None:
    """What was being written may be written or not, so that its caller is told no more than
    that.
    """
    url = await asyncio.to_thread(emptied, postgres)
    ledger, other = await Ledger.open(url), await Ledger.open(url)
    table, _ = await new_table(ledger)
    head = await ledger.entries.head(table)
    async with locked_entries(other):
        writing = asyncio.ensure_future(add(ledger, table, after=head, **more))
        await asyncio.sleep(0.2)
        queued = asyncio.ensure_future(ledger.set_key_value("a", "b"))
        await asyncio.sleep(0)
        async with asyncio.timeout(UNKNOWN_FOR - 1):
            await ledger.close()
        with pytest.raises(OutcomeUnknown):
            await writing
        with pytest.raises(NotWritten):
            await queued
    assert (await other.entries.head(table)).seq in (1, 2)
    await other.close()
