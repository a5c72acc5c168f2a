from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextvars import ContextVar

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import IntegrityError, OperationalError

from bot.ledger import (
    Head,
    Ledger,
    LedgerError,
    LostRace,
    NotWritten,
    OutcomeUnknown,
    Person,
    Repeated,
)
from bot.ledger import writer as writer_module
from bot.ledger.batch import draft
from bot.ledger.chain import link
from bot.ledger.engine import Database
from bot.ledger.writer import Writer
from bot.rules.entries import Entry
from tests.ledger.samples import (
    ALICE,
    AT,
    BOB,
    add,
    deadlines,
    faults,
    in_file,
    inside,
    new_table,
    new_tables,
    signed,
)


def following(table: int, head: Head, entry: Entry, interaction: int | None = None) -> Head:
    """The head after an entry that is not written yet."""
    made = draft(entry)
    found = link(
        head.hash,
        table_id=table,
        seq=head.seq + 1,
        at=AT,
        by=1,
        public=made.public,
        digests=made.digests,
        interaction=interaction,
        command_size=interaction and 1,
    )
    return Head(head.seq + 1, found)


class Commits:
    count = 0


@pytest.fixture
def commits(ledger: Ledger) -> Iterator[Commits]:
    counted = Commits()

    def count(_connection: object) -> None:
        counted.count += 1

    engine = in_file(ledger).writing
    event.listen(engine, "commit", count)
    yield counted
    event.remove(engine, "commit", count)


async def test_what_arrives_during_a_commit_goes_into_the_next(
    ledger: Ledger, commits: Commits
) -> None:
    tables = await new_tables(ledger, *range(50))
    heads = {table: await ledger.entries.head(table) for table in tables}
    commits.count = 0
    requests = [add(ledger, table, after=head) for table, head in heads.items()]
    first = asyncio.ensure_future(requests[0])
    for _ in range(3):  # until its batch has begun
        await asyncio.sleep(0)
    assert inside(ledger).writer._queue.empty()
    await asyncio.gather(*requests[1:])
    assert first.done()
    assert commits.count == 2


async def test_one_refusal_in_a_batch_does_not_touch_the_others(
    ledger: Ledger, commits: Commits
) -> None:
    one, _ = await new_table(ledger, channel=1)
    two, _ = await new_table(ledger, channel=2, interaction=7)
    head, second = await ledger.entries.head(one), await ledger.entries.head(two)
    first = following(one, head, signed(1), 8)
    commits.count = 0
    outcomes = await asyncio.gather(
        add(ledger, one, signed(1), interaction=8, after=head),
        add(ledger, one, signed(2), after=head),  # the one before it was first
        add(ledger, one, signed(3), after=first),
        # its number is right, its hash is not
        add(ledger, one, signed(3), after=Head(3, "00" * 32)),
        add(ledger, two, signed(5), interaction=8, after=second),  # recorded a moment ago
        add(ledger, two, signed(6), after=second),
        return_exceptions=True,
    )
    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [list, LostRace, list, LostRace, Repeated, list]
    assert commits.count == 1
    assert await faults(ledger, one, two) == [None, None]
    assert (await ledger.entries.head(one))[0] == 3
    assert (await ledger.entries.head(two))[0] == 2


async def test_conflicts_with_what_was_written_before_are_sorted_out_one_by_one(
    both: Ledger,
) -> None:
    one, _ = await new_table(both, channel=1)
    two, _ = await new_table(both, channel=2, interaction=7)
    old, second = await both.entries.head(one), await both.entries.head(two)
    await add(both, one, signed(1))
    head = await both.entries.head(one)
    mallory = Person(1, 99, "Mallory")
    alice_again = Person(2, ALICE.user_id, "Alice again")
    outcomes = await asyncio.gather(
        add(both, one, signed(2), interaction=9, after=old),
        add(both, one, signed(2), interaction=9, after=head),
        add(both, one, signed(3), after=Head(9, head.hash)),  # would leave a gap
        add(both, two, signed(4), interaction=7, after=second),
        add(both, two, signed(5), people=[mallory], after=second),
        add(both, two, signed(6), people=[alice_again], after=second),
        add(both, two, signed(7), people=[BOB], after=second, deadline=5),
        add(both, 99, after=Head(1, head.hash)),  # was there when it was decided on
        add(both, 99, after=Head()),
        return_exceptions=True,
    )
    kinds = [type(outcome).__name__ for outcome in outcomes]
    refused = ["LostRace", "Repeated", "LostRace", "LostRace", "list", "LostRace", "NotWritten"]
    assert kinds == ["LostRace", "list", *refused]
    assert (await both.entries.head(one)).seq == 3
    assert (await both.entries.head(two)).seq == 2
    assert await faults(both, one, two) == [None, None]
    assert await deadlines(both) == [(two, 5)]


async def test_a_request_that_cannot_be_stored_fails_alone(ledger: Ledger) -> None:
    one, _ = await new_table(ledger, channel=1)
    two, _ = await new_table(ledger, channel=2)
    good, bad = await asyncio.gather(
        add(ledger, one, after=await ledger.entries.head(one)),
        add(ledger, two, after=await ledger.entries.head(two), interaction=2**70),
        return_exceptions=True,
    )
    assert isinstance(good, list)
    assert type(bad) is NotWritten
    assert (await ledger.entries.head(two))[0] == 1


async def test_a_cancelled_caller_does_not_stop_the_writer(ledger: Ledger) -> None:
    one, _ = await new_table(ledger, channel=1)
    two, _ = await new_table(ledger, channel=2)
    heads = [await ledger.entries.head(table) for table in (one, two)]
    cancelled = asyncio.ensure_future(add(ledger, one, after=heads[0]))
    kept = asyncio.ensure_future(add(ledger, two, after=heads[1]))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert len(await kept) == 1
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert (await ledger.entries.head(one))[0] == 1, "its batch had not begun"
    await add(ledger, one)


# the writer alone, with a batch that does what the test says


@pytest.fixture
async def database(ledger: Ledger) -> Database:
    return inside(ledger).database


def nothing(_connection: Connection, _request: str) -> None:
    """Explain no failure."""


async def test_a_clash_with_another_process_is_sorted_out_one_by_one(database: Database) -> None:
    batches: list[list[str]] = []

    def perform(connection: Connection, requests: Sequence[str]) -> list[str | LedgerError]:
        batches.append(list(requests))
        if "clash" in requests:
            raise IntegrityError("INSERT", {}, Exception("entries.seq"))
        return [request.upper() for request in requests]

    writer = Writer(database, perform, lambda _connection, _request: LostRace(1, 1, 2))
    writer.start()
    requests = map(writer.write, ["a", "clash", "b"])
    outcomes = await asyncio.gather(*requests, return_exceptions=True)
    with pytest.raises(LostRace):
        await writer.write("clash")
    await writer.close()
    assert batches == [["a", "clash", "b"], ["a"], ["clash"], ["b"], ["clash"]]
    assert outcomes[0::2] == ["A", "B"]
    assert isinstance(outcomes[1], LostRace)


@pytest.mark.parametrize(
    ("clashes", "tries"),
    [(1, 2), (2, 3), (9, 3)],
)
async def test_a_clash_that_has_gone_is_tried_again(
    database: Database, clashes: int, tries: int
) -> None:
    calls = 0

    def perform(connection: Connection, requests: Sequence[str]) -> list[str | LedgerError]:
        nonlocal calls
        calls += 1
        if calls <= clashes:
            raise IntegrityError("INSERT", {}, Exception("removals.seq"))
        return list(requests)

    writer = Writer(database, perform, nothing)
    writer.start()
    [outcome] = await asyncio.gather(writer.write("a"), return_exceptions=True)
    await writer.close()
    assert calls == tries
    assert outcome == "a" if clashes < 3 else str(outcome) == "Nothing was written: removals.seq."


async def test_a_reason_that_cannot_be_read_is_told(database: Database) -> None:
    def perform(connection: Connection, requests: Sequence[str]) -> list[str | LedgerError]:
        raise IntegrityError("INSERT", {}, Exception("entries.seq"))

    def explain(connection: Connection, request: str) -> LedgerError | None:
        raise OperationalError("SELECT", {}, Exception("disk I/O error"))

    writer = Writer(database, perform, explain)
    writer.start()
    with pytest.raises(NotWritten, match="disk I/O error"):
        await writer.write("a")
    await writer.close()


async def test_a_server_that_went_away_in_the_meantime_is_tried_again_once(
    database: Database,
) -> None:
    tries = 0

    def perform(connection: Connection, requests: Sequence[str]) -> list[str | LedgerError]:
        nonlocal tries
        tries += 1
        if tries == 1:
            connection.invalidate()
            raise OperationalError("SELECT", {}, Exception("gone"), connection_invalidated=True)
        connection.execute(text("SELECT 1"))
        return list(requests)

    writer = Writer(database, perform, nothing)
    writer.start()
    assert await writer.write("a") == "a"
    await writer.close()
    assert tries == 2


async def test_a_large_crowd_is_served_in_several_batches(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "LARGEST_BATCH", 4)
    sizes: list[int] = []

    def perform(connection: Connection, requests: Sequence[int]) -> list[int | LedgerError]:
        sizes.append(len(requests))
        return list(requests)

    writer = Writer(database, perform, lambda _connection, _request: None)
    writer.start()
    requests = map(writer.write, range(10))
    assert await asyncio.gather(*requests) == list(range(10))
    await writer.close()
    assert sizes == [4, 4, 2]


async def test_a_writer_that_is_stopped_by_force_leaves_nobody_waiting(database: Database) -> None:
    begun, finish = threading.Event(), threading.Event()

    def perform(connection: Connection, requests: Sequence[str]) -> list[str | LedgerError]:
        begun.set()
        finish.wait()
        return []

    writer = Writer(database, perform, nothing)
    writer.start()
    first = asyncio.ensure_future(writer.write("a"))
    await asyncio.to_thread(begun.wait)
    second = asyncio.ensure_future(writer.write("b"))
    await asyncio.sleep(0)
    assert writer._task is not None
    writer._task.cancel()
    with pytest.raises(OutcomeUnknown):  # it was being written
        await first
    with pytest.raises(NotWritten):
        await second
    finish.set()
    await writer.close()


WHO: ContextVar[str] = ContextVar("who", default="nobody")


async def test_what_follows_a_write_follows_in_the_context_of_its_caller(
    database: Database,
) -> None:
    """Not in that of the task that writes: what a rehearsal's bot sets in motion is known by its
    context.
    """
    writer = Writer[str, str](database, lambda _connection, requests: list(requests), nothing)
    writer.start()
    WHO.set("alice")
    callers: list[str] = []
    assert await writer.write("a", lambda _written: callers.append(WHO.get())) == "a"
    assert callers == ["alice"]
    await writer.close()
