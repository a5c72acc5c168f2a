# ruff: noqa: ASYNC240  (a test may wait for its disk)
"""Tests that verification finds every change to the database that was made without the key.

Every column of every table of the schema is attacked. What may be changed unnoticed is listed, each
with its reason.

After each attack the bot starts, people play on at every table and delivery saves what it shows;
then what was changed must still be found. What the bot writes anew instead is listed too.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

from bot.cli import maintenance
from bot.errors import OperatorError
from bot.games.advciv.drawing import DrawCards
from bot.games.advciv.trading import OpenTrading
from bot.games.ti4.turns import StartTurn
from bot.ledger import GENESIS, Head, Ledger, LedgerError, Message
from bot.ledger.chain import REMOVALS_GENESIS, canonical, digests_of, link, link_removal
from bot.ledger.schema import metadata
from bot.rules import snapshots
from bot.rules.apply import replay
from bot.rules.commands import Command
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Gain
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.service import Outcome, Requester, Service
from bot.service.auditing import PostedHead
from tests.ledger.samples import save_snapshot
from tests.scale import SCALE, at_scale

pytestmark = pytest.mark.slow

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
ALICE, BOB, CAROL = 101, 102, 103
NAMES = {ALICE: "alice", BOB: "bob", CAROL: "carol"}

TI4, ADVCIV, CLOSED, REMOVED, LAST_REMOVED = 1, 2, 3, 4, 5
"""The tables of the ledger under attack."""

UNNOTICED = {
    ("snapshots", "a row deleted"): "the table is read from its entries instead",
    (
        "messages",
        "a row deleted",
    ): "the message is sent anew, or not edited any more; nothing of the table changes",
    ("cursors", "a row deleted"): "the messages are planned anew, and found again by their records",
    (
        "key_values",
        "a row deleted",
    ): "but for the number of tables, these are choices that are asked for or made anew",
}
"""What nobody can tell afterwards, and why it does no harm."""

REPLACED = {
    ("tables", "deadline"): "it follows from the entries, and is stored again when it changes",
    ("key_values", "value"): "these are choices that are asked for or made anew, and then stored",
    ("key_values", "seal"): "as above",
}
"""What the bot does not use once it was changed, and later stores anew of its own knowledge, and
why.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("attacks")


@pytest.fixture
async def played(folder: Path) -> Path:
    """A ledger in which everything stands that a database can hold. It is made once."""
    file = folder / "bourse.db"
    if not file.exists():
        await _play(file)
    return file


async def _play(file: Path) -> None:
    ledger = await Ledger.open(str(file))
    service, interactions = Service(ledger, lambda: NOON), count(2**60)

    def asks(user: int, name: str = "") -> Requester:
        return Requester(user, name or NAMES[user], guild_id=7, interaction=next(interactions))

    async def does(table: int, user: int, command: Command, name: str = "") -> None:
        await service.execute(table, asks(user, name), command)

    for number, game in (
        (TI4, "ti4"),
        (ADVCIV, "advciv"),
        (CLOSED, "ti4"),
        (REMOVED, "ti4"),
        (LAST_REMOVED, "ti4"),
    ):
        await service.open_table(
            asks(ALICE), game=game, name=f"Night {number}", channel_id=1000 + number
        )
        for user, seats in (
            (ALICE, ("hacan", "egypt")),
            (BOB, ("sol", "crete")),
            (CAROL, ("letnev", "italy")),
        ):
            await does(number, user, Sit(seats[game == "advciv"]))
    for user in (ALICE, BOB, CAROL):
        await does(ADVCIV, user, DrawCards(cities=3))
    await does(ADVCIV, ALICE, OpenTrading(minutes=30))
    await does(TI4, ALICE, Gain(Goods({"trade_good": 5})))
    await does(TI4, ALICE, StartTurn("hacan"), "Alicia")
    for number in (CLOSED, REMOVED, LAST_REMOVED):
        await does(number, ALICE, CloseTable())
    for number in (REMOVED, LAST_REMOVED):
        await service.remove(number, asks(ALICE))
    await service.forget_person(asks(CAROL))
    await service.choose_for_dm(asks(BOB), TI4)
    await service.choose_for_dm(asks(ALICE), ADVCIV)
    for number in (TI4, ADVCIV):
        entries = await ledger.entries.read(number)
        table = replay((each.entry for each in entries), Table(id=number))
        await save_snapshot(ledger, number, table.seq, snapshots.dump(table))
        shown = [Message(subject, 1000 + number, 5, "x") for subject in ("board", "offer:1")]
        await ledger.messages.save(number, shown, cursor=table.seq)
    await ledger.close()


@pytest.fixture
def verified(played: Path, tmp_path: Path) -> Callable[..., Any]:
    """Attacks a copy of the ledger; returns whether `bourse verify` finds something, None where
    SQLite forbids it.
    """
    file = tmp_path / "copy.db"
    shutil.copy(f"{played}.key", f"{file}.key")

    async def attacked(
        attack: Callable[[sqlite3.Connection], object], *heads: PostedHead, replaced: bool = False
    ) -> bool | None:
        for left in tmp_path.glob("copy.db-*"):
            left.unlink()
        shutil.copy(played, file)
        connection = sqlite3.connect(file)
        try:
            connection.execute("PRAGMA synchronous = OFF")
            triggers = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall()
            for name, _ in triggers:
                connection.execute(f"DROP TRIGGER {name}")
            with connection:
                attack(connection)
            for _, trigger in triggers:
                connection.execute(trigger)
        except sqlite3.IntegrityError:
            return None
        finally:
            connection.close()
        found = await _found(file, heads)
        await _play_on(file)
        assert replaced or await _found(file, heads) == found, (
            "the bot has sealed what it did not verify"
        )
        return found

    return attacked


async def _found(file: Path, heads: Sequence[PostedHead]) -> bool:
    try:
        return await maintenance.verify_ledger(str(file), heads, lambda line: None) == 1
    except OperatorError:
        return True


async def _play_on(file: Path) -> None:
    """The bot starts, and does everything that changes what is stored. What it refuses is left."""
    try:
        ledger = await Ledger.open(str(file))
    except LedgerError:
        return
    service, interactions = Service(ledger, lambda: NOON), count(2**61)

    def asks(user: int, name: str = "") -> Requester:
        return Requester(user, name or NAMES[user], guild_id=7, interaction=next(interactions))

    for number in (TI4, ADVCIV, CLOSED):
        await _unless_refused(service.execute(number, asks(ALICE, "Alice II"), Audit("ledger")))
        await _unless_refused(_deliver(ledger, number))
    gain = Gain(Goods({"trade_good": 1}))
    await _unless_refused(service.execute(TI4, asks(BOB), gain))
    opened = await _unless_refused(
        service.open_table(asks(BOB), game="ti4", name="Next", channel_id=1100)
    )
    if isinstance(opened, Outcome):
        await _unless_refused(service.execute(opened.table_id, asks(BOB), CloseTable()))
        await _unless_refused(service.remove(opened.table_id, asks(BOB)))
    await _unless_refused(service.choose_for_dm(asks(BOB), ADVCIV))
    await _unless_refused(service.forget_person(asks(BOB)))
    await ledger.close()


async def _deliver(ledger: Ledger, table: int) -> None:
    """Read the messages of a table and save them as edited, as delivery does."""
    messages = await ledger.messages.of_table(table)
    cursor = await ledger.messages.cursor(table)
    last = (await ledger.entries.head(table)).seq
    edited = [replace(message, shown="y") for message in messages]
    await ledger.messages.save(table, edited, cursor=max(cursor, last))


async def _unless_refused(doing: Awaitable[object]) -> object:
    try:
        return await doing
    except (Refused, LedgerError):
        return None


def rows_of(file: Path, table: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(file)
    try:
        names = ", ".join(f'"{column.name}"' for column in metadata.tables[table].columns)
        return connection.execute(f"SELECT {names} FROM {table}").fetchall()
    finally:
        connection.close()


Values = tuple[Any, ...]
"""A row."""


def at(table: str, row: Values) -> tuple[str, list[Any]]:
    """The condition that finds a row by its primary key, with its values."""
    columns = list(metadata.tables[table].columns)
    keys = [
        (column.name, value)
        for column, value in zip(columns, row, strict=True)
        if column.primary_key
    ]
    return " AND ".join(f'"{name}" = ?' for name, _ in keys), [value for _, value in keys]


def others(value: Any) -> Iterator[Any]:
    """Other values than this one, of the same kind and of none."""
    if value is None:
        yield from (1, "x")
        return
    yield (
        value + 1 if isinstance(value, int) else f"{value[:-1]}{'0' if value[-1:] != '0' else '1'}"
    )
    yield None


def some(rows: list[Values], place: int = 0) -> list[Values]:
    """Return the first, a middle and the last row; in `make test` one, with a value if any has."""
    if SCALE > 1:
        middle = rows[len(rows) // 2]
        return list({rows[0], middle, rows[-1]})
    with_value = [row for row in rows if row[place] not in (None, "")] or rows
    return with_value[len(with_value) // 2 :][:1]


TABLES = sorted(metadata.tables)


async def test_nothing_is_found_where_nothing_was_done(
    verified: Callable[..., Any], played: Path
) -> None:
    assert await verified(lambda connection: None) is False
    assert all(rows_of(played, table) for table in TABLES), "each table has rows to attack"


@pytest.mark.parametrize("table", TABLES)
async def test_a_changed_value(
    verified: Callable[..., Any], played: Path, table: str, subtests: pytest.Subtests
) -> None:
    rows = rows_of(played, table)
    for place, column in enumerate(metadata.tables[table].columns.keys()):
        with subtests.test(str(column)):
            for row in some(rows, place):
                where, key = at(table, row)
                update = f'UPDATE {table} SET "{column}" = ? WHERE {where}'
                for value in others(row[place]):

                    def change(
                        connection: sqlite3.Connection,
                        update: str = update,
                        values: Any = (value, *key),
                    ) -> None:
                        connection.execute(update, values)

                    assert (
                        await verified(change, replaced=(table, column) in REPLACED) is not False
                    ), (row, value)


@pytest.mark.parametrize("table", TABLES)
async def test_two_values_swapped(
    verified: Callable[..., Any], played: Path, table: str, subtests: pytest.Subtests
) -> None:
    rows = rows_of(played, table)
    for place, column in enumerate(metadata.tables[table].columns.keys()):
        pairs = [(one, two) for one, two in pairwise(rows) if one[place] != two[place]]
        for one, two in pairs[: at_scale(1, 2)]:
            first, key = at(table, one)
            second, other_key = at(table, two)
            swaps = [
                (second, [one[place], *other_key]),
                (first, [two[place], *key]),
            ]

            def swap(
                connection: sqlite3.Connection, column: str = column, swaps: Any = swaps
            ) -> None:
                for where, values in swaps:
                    connection.execute(f'UPDATE {table} SET "{column}" = ? WHERE {where}', values)

            with subtests.test(str(column)):
                assert await verified(swap, replaced=(table, column) in REPLACED) is not False, (
                    one,
                    two,
                )


@pytest.mark.parametrize("table", TABLES)
async def test_a_deleted_row(verified: Callable[..., Any], played: Path, table: str) -> None:
    rows = rows_of(played, table)
    if SCALE == 1 and table == "entries":
        rows = [rows[0], rows[-1]]
    for row in rows:
        where, key = at(table, row)

        def delete(connection: sqlite3.Connection, where: str = where, key: Any = key) -> None:
            connection.execute(f"DELETE FROM {table} WHERE {where}", key)

        if (table, "a row deleted") not in UNNOTICED or row[0] == "tables":
            assert await verified(delete), row


@pytest.mark.parametrize("table", TABLES)
async def test_a_copied_row(verified: Callable[..., Any], played: Path, table: str) -> None:
    columns = list(metadata.tables[table].columns)
    for row in rows_of(played, table)[: at_scale(1, 3)]:
        for place in (number for number, column in enumerate(columns) if column.primary_key):
            copy = list(row)
            copy[place] = copy[place] + 1000 if isinstance(copy[place], int) else f"{copy[place]}0"

            def insert(connection: sqlite3.Connection, copy: Any = copy) -> None:
                connection.execute(
                    f"INSERT INTO {table} VALUES ({', '.join('?' * len(copy))})", copy
                )

            assert await verified(insert) is not False, copy


# ---------------------------------------------------------------- several changes that fit each oth


def _everything_of(table: int, connection: sqlite3.Connection) -> None:
    for name in ("entries", "people", "snapshots", "messages", "cursors"):
        connection.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))


@pytest.mark.parametrize("table", [TI4, ADVCIV, CLOSED])
async def test_a_table_taken_out_without_a_trace(verified: Callable[..., Any], table: int) -> None:
    def attack(connection: sqlite3.Connection) -> None:
        _everything_of(table, connection)
        connection.execute("DELETE FROM tables WHERE id = ?", (table,))

    assert await verified(attack)


async def test_the_last_tables_taken_out_with_their_removals(verified: Callable[..., Any]) -> None:
    def attack(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM removals WHERE table_id = ?", (LAST_REMOVED,))
        connection.execute("DELETE FROM tables WHERE id = ?", (LAST_REMOVED,))

    assert await verified(attack)


async def test_a_false_removal(verified: Callable[..., Any]) -> None:
    """With a hash that fits, and nothing left of the table but what a removal leaves."""

    def attack(connection: sqlite3.Connection) -> None:
        query = "SELECT seq, hash FROM entries WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
        seq, head = connection.execute(query, (CLOSED,)).fetchone()
        last = connection.execute(
            "SELECT seq, hash FROM removals ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        last_number, previous = last or (0, REMOVALS_GENESIS)
        removal = {"seq": last_number + 1, "table_id": CLOSED, "at": 9, "last_seq": seq}
        hashed = link_removal(previous, head=head, **removal)
        values = (*removal.values(), head, hashed, hashed)
        connection.execute("INSERT INTO removals VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        _everything_of(CLOSED, connection)
        connection.execute(
            "UPDATE tables SET guild_id = NULL, channel_id = 0, place_salt = '', game = '', name = "
            "'', closed_at = 9"
            " WHERE id = ?",
            (CLOSED,),
        )

    assert await verified(attack)


@pytest.mark.parametrize("entries", [1, 2])
async def test_a_cut_with_all_that_spoke_of_it(verified: Callable[..., Any], entries: int) -> None:
    def attack(connection: sqlite3.Connection) -> None:
        query = "SELECT max(seq) FROM entries WHERE table_id = ?"
        (last,) = connection.execute(query, (TI4,)).fetchone()
        connection.execute(
            "DELETE FROM entries WHERE table_id = ? AND seq > ?", (TI4, last - entries)
        )
        for name in ("snapshots", "cursors"):
            connection.execute(f"DELETE FROM {name} WHERE table_id = ?", (TI4,))

    assert await verified(attack)


@pytest.mark.parametrize("table", [TI4, ADVCIV])
async def test_a_chain_written_anew(verified: Callable[..., Any], table: int) -> None:
    """Every hash fits, but the last has no seal."""
    assert await verified(lambda connection: _written_anew(connection, table))


def _written_anew(connection: sqlite3.Connection, table: int) -> None:
    head = Head(0, GENESIS)
    rows = connection.execute(
        'SELECT seq, at, "by", public, sealed, interaction, command_size FROM entries WHERE '
        "table_id = ? ORDER BY seq",
        (table,),
    ).fetchall()
    for seq, at, by, public, sealed, interaction, size in rows:
        digests = digests_of(orjson.loads(sealed)) if sealed else {}
        found = link(
            head.hash,
            table_id=table,
            seq=seq,
            at=at + 1,
            by=by,
            public=canonical(orjson.loads(public)),
            digests=digests,
            interaction=interaction,
            command_size=size,
        )
        head = Head(seq, found)
        connection.execute(
            "UPDATE entries SET at = ?, hash = ? WHERE table_id = ? AND seq = ?",
            (at + 1, found, table, seq),
        )


async def test_a_person_erased_by_hand(verified: Callable[..., Any]) -> None:
    def attack(connection: sqlite3.Connection) -> None:
        connection.execute(
            "UPDATE people SET user_id = NULL, salt = NULL, name = 'Player 2' WHERE table_id = ? "
            "AND person = 2",
            (TI4,),
        )

    assert await verified(attack)


async def test_a_ledger_put_back_is_found_by_what_was_posted(
    verified: Callable[..., Any], played: Path
) -> None:
    """The one thing that a key can't show: the whole database as it was some time ago."""
    assert await verified(lambda connection: None, PostedHead("ab" * 32, TI4, 99))
    assert await verified(lambda connection: None, PostedHead("ab" * 32))
