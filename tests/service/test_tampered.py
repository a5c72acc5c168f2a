"""Tests that rows written without the key are rejected, and never sealed by later writes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import orjson
import pytest
from sqlalchemy import Connection, text

from bot.ledger import GENESIS, Ledger, Message, Tampered
from bot.ledger.chain import canonical, digests_of, link
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Gain
from bot.rules.features.tables import CloseTable
from tests.ledger.prepared import DATABASES, emptied
from tests.ledger.samples import inside
from tests.scale import long, variants
from tests.service.club import ALICE, BOB, CHANNEL, TABLE, Club, requester, tg
from tests.service.conftest import after, copy

OTHER = 2
"""A table at which nothing is changed."""

Start = Callable[[], "asyncio.Future[Club]"]


async def set_two_up(club: Club) -> None:
    await club.set_up()
    await club.opens(channel=CHANNEL + 1)


@pytest.fixture(scope="session")
def two_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two tables."""
    return after(set_two_up, tmp_path_factory.mktemp("two_tables"))


@pytest.fixture(params=DATABASES)
async def clubs(
    request: pytest.FixtureRequest, tmp_path: Path, two_tables: Path
) -> AsyncIterator[Callable]:
    """Starts a bot on the test's database, which has two tables, as another process would."""
    if request.param == "sqlite":
        file = tmp_path / "bourse.db"
        copy(two_tables, file)
        url = f"sqlite:///{file}"
    else:
        url = await asyncio.to_thread(emptied, request.getfixturevalue("postgres"))
    async with AsyncExitStack() as stack:

        async def started() -> Club:
            ledger = await Ledger.open(url)
            stack.push_async_callback(ledger.close)
            return Club(ledger)

        if request.param != "sqlite":
            await set_two_up(await started())
        yield started


async def by_hand(club: Club, *changed: str | Callable[[Connection], None]) -> None:
    """Change the database, the triggers out of the way meanwhile."""

    def work(connection: Connection) -> None:
        if sqlite := connection.dialect.name == "sqlite":
            query = text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = connection.execute(query).all()
            for name, _ in triggers:
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
        else:
            connection.exec_driver_sql("ALTER TABLE entries DISABLE TRIGGER USER")
        for each in changed:
            connection.exec_driver_sql(each) if isinstance(each, str) else each(connection)
        if sqlite:
            for _, trigger in triggers:
                connection.exec_driver_sql(trigger)
        else:
            connection.exec_driver_sql("ALTER TABLE entries ENABLE TRIGGER USER")

    await inside(club.ledger).database.write(work)


def fifty_goods(connection: Connection) -> None:
    """Alice was said to have 5 trade goods; now it says 50, and every hash fits again."""
    head = GENESIS
    rows = text(f"SELECT * FROM entries WHERE table_id = {TABLE} ORDER BY seq")
    for row in connection.execute(rows).all():
        public = row.public.replace('"trade_good":5', '"trade_good":50')
        head = link(
            head,
            table_id=TABLE,
            seq=row.seq,
            at=row.at,
            by=row.by,
            public=canonical(orjson.loads(public)),
            digests=digests_of(orjson.loads(row.sealed)) if row.sealed else {},
            interaction=row.interaction,
            command_size=row.command_size,
        )
        change = text(
            f"UPDATE entries SET public = :public, hash = :hash WHERE table_id = {TABLE} AND seq = "
            f"{row.seq}"
        )
        connection.execute(change, {"public": public, "hash": head})


async def refuses(club: Club) -> None:
    """Every command is refused at the table, nothing is written there, and the change is found;
    others go on.
    """
    before = await club.ledger.entries.stored_head(TABLE)
    gain = Gain(tg(1))
    close = CloseTable()
    for user, command in ((ALICE, gain), (BOB, gain), (ALICE, close)):
        with pytest.raises(Tampered):
            await club.does(user, command)
    assert await club.ledger.entries.stored_head(TABLE) == before
    assert await club.ledger.entries.verify(TABLE) is not None
    await club.service.execute(OTHER, requester(ALICE), Audit("ledger"))
    assert await club.ledger.entries.verify(OTHER) is None


async def test_goods_that_were_forged_are_not_used_and_not_sealed(
    clubs: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    playing = await clubs()
    assert (await playing.remembered()).seats["hacan"].holdings.count("trade_good") == 5
    await by_hand(playing, fifty_goods)
    with caplog.at_level(logging.CRITICAL):
        await refuses(await clubs())
    [said] = caplog.messages
    assert said.startswith(
        "Table 1: the end of its entries was changed outside the bot: try bourse verify."
    )
    await playing.service.execute(OTHER, requester(ALICE), Audit("ledger"))


async def test_who_knows_the_table_goes_on_from_what_it_was(clubs: Callable) -> None:
    """Its own entries follow what it knows. Whoever reads the table finds that the others do not
    lead there.
    """
    playing = await clubs()
    await playing.remembered()
    await by_hand(playing, fifty_goods)
    await playing.does(ALICE, Gain(tg(1)))
    assert (await playing.remembered()).seats["hacan"].holdings.count("trade_good") == 6
    assert await playing.ledger.entries.verify(TABLE) is not None
    await refuses(await clubs())


async def test_two_processes_take_each_others_heads(clubs: Callable) -> None:
    one, other = await clubs(), await clubs()
    for club in (one, other, one, other):
        await club.does(ALICE, Gain(tg(1)))
    assert (await one.remembered()).seats["hacan"].holdings.count("trade_good") == 9
    assert await one.ledger.entries.verify(TABLE) is None


CHANGES = {
    "an entry": (
        f"UPDATE entries SET public = replace(public, ':5', ':6') WHERE table_id = {TABLE}",
    ),
    "the seal of the head": (f"UPDATE entries SET seal = NULL WHERE table_id = {TABLE}",),
    "whose account it is": (
        f"UPDATE people SET user_id = 9 WHERE table_id = {TABLE} AND user_id = {ALICE}",
        f"UPDATE people SET user_id = {ALICE} WHERE table_id = {TABLE} AND user_id = {BOB}",
        f"UPDATE people SET user_id = {BOB} WHERE table_id = {TABLE} AND user_id = 9",
    ),
    "a person's name": (
        f"UPDATE people SET name = 'bob' WHERE table_id = {TABLE} AND user_id = {ALICE}",
    ),
    # or else the next newcomer would get the number, and with it the seat and the hand
    "a person who is gone": (f"DELETE FROM people WHERE table_id = {TABLE} AND user_id = {BOB}",),
    "the channel": (f"UPDATE tables SET channel_id = 5 WHERE id = {TABLE}",),
    "the server": (f"UPDATE tables SET channel_id = 5, guild_id = 5 WHERE id = {TABLE}",),
}


READ = []
SAVED = []
for name, change in CHANGES.items():
    READ.append(pytest.param(change, False, id=f"{name}, from entries"))
    SAVED.append(pytest.param(change, True, id=f"{name}, from a snapshot"))


@pytest.mark.parametrize(("change", "saved"), [*READ, *variants(*SAVED)])
async def test_a_table_is_read_only_as_it_was_written(
    clubs: Callable, monkeypatch: pytest.MonkeyPatch, change: tuple[str, ...], saved: bool
) -> None:
    playing = await clubs()
    if saved:
        monkeypatch.setattr("bot.rules.snapshots.EVERY", 1)
        await playing.does(ALICE, Gain(tg(5)))
        monkeypatch.undo()
    await playing.does(ALICE, Gain(tg(5)))
    assert (await playing.ledger.entries.snapshot(TABLE) is not None) is saved
    await by_hand(playing, *change)
    await refuses(await clubs())


async def test_a_snapshot_belongs_to_its_entry(clubs: Callable) -> None:
    """One that the bot wrote, but after another entry of the same number: the ledger was put back
    in between.
    """
    playing = await clubs()
    last = await playing.ledger.entries.head(TABLE)
    row = {
        "table_id": TABLE,
        "seq": last.seq,
        "hash": "ab" * 32,
        "guild_id": 1,
        "channel_id": CHANNEL,
        "people": 2,
        "state": "",
    }
    sealed = inside(playing.ledger).key.sealed("snapshots", row)
    names, values = ", ".join(sealed), ", ".join(f":{name}" for name in sealed)

    def save(connection: Connection) -> None:
        connection.execute(text(f"INSERT INTO snapshots ({names}) VALUES ({values})"), sealed)

    await by_hand(playing, save)
    fresh = await clubs()
    with pytest.raises(Tampered, match=f"Table 1: what follows entry {last.seq} was changed"):
        await fresh.does(ALICE, Gain(tg(1)))


@pytest.mark.parametrize(
    "change",
    ["channel_id = 9", "seal = NULL", *long(["fate = 'given_up'", "subject = 'offer:9'"])],
)
async def test_where_messages_are_is_used_only_with_its_seal(clubs: Callable, change: str) -> None:
    """The table stops: what it has to tell would be sent to a place that nobody knows."""
    playing = await clubs()
    board = Message("board", CHANNEL, 5, "x")
    await playing.ledger.messages.save(TABLE, [board], cursor=3)
    await by_hand(playing, f"UPDATE messages SET {change}")
    fresh = await clubs()
    with pytest.raises(Tampered, match=r"Table 1: messages 1, .* was changed"):
        await fresh.ledger.messages.of_table(TABLE)
    await refuses(fresh)


@pytest.mark.parametrize("change", ["seq = 1", "seal = NULL", *long(["seq = 2000"])])
async def test_a_cursor_is_used_only_with_its_seal(clubs: Callable, change: str) -> None:
    playing = await clubs()
    await playing.ledger.messages.save(TABLE, [], cursor=3)
    await by_hand(playing, f"UPDATE cursors SET {change}")
    await refuses(await clubs())


async def test_what_one_chose_is_asked_for_anew(clubs: Callable) -> None:
    playing = await clubs()
    await playing.service.choose_for_dm(requester(ALICE), TABLE)
    await by_hand(playing, f"UPDATE key_values SET value = '{OTHER}' WHERE key = 'dm:{ALICE}'")
    assert await (await clubs()).service.dm_choice(requester(ALICE)) is None


async def test_nobody_is_erased_or_renamed_where_their_row_was_changed(clubs: Callable) -> None:
    """Nor is anything else of the same request, and others' requests in the same transaction are
    carried out.
    """
    playing = await clubs()
    for table in (TABLE, OTHER):
        await playing.service.execute(table, requester(ALICE), CloseTable())
    await by_hand(
        playing, f"UPDATE people SET name = 'x' WHERE table_id = {TABLE} AND user_id = {ALICE}"
    )
    ledger = (await clubs()).ledger
    erased, renamed, done = await asyncio.gather(
        ledger.tables.erase_person(ALICE),
        ledger.tables.rename(TABLE, ALICE, "y"),
        ledger.tables.rename(TABLE, BOB, "Robert"),
        return_exceptions=True,
    )
    assert (type(erased), type(renamed), done) == (Tampered, Tampered, None)
    assert [person.user_id for person in await ledger.tables.people(OTHER)] == [ALICE]
    faults = [await ledger.entries.verify(table) for table in (TABLE, OTHER)]
    assert any(faults)


async def test_a_removal_follows_only_what_the_bot_wrote(clubs: Callable) -> None:
    playing = await clubs()
    for table in (TABLE, OTHER):
        await playing.service.execute(table, requester(ALICE), CloseTable())
    await playing.service.remove(OTHER, requester(ALICE))
    await by_hand(playing, "UPDATE removals SET hash = replace(hash, substr(hash, 1, 1), 'g')")
    with pytest.raises(Tampered, match="removals 1 was changed outside the bot"):
        await playing.service.remove(TABLE, requester(ALICE))
    assert await playing.ledger.entries.verify(TABLE) is None
    assert await playing.ledger.tables.verify_removals() is not None


async def test_a_table_without_its_seal_is_not_removed(clubs: Callable) -> None:
    playing = await clubs()
    await playing.does(ALICE, CloseTable())
    await by_hand(playing, fifty_goods)
    with pytest.raises(Tampered):
        await playing.ledger.tables.remove_table(TABLE, at=1)
    assert await playing.ledger.entries.stored_head(TABLE)
