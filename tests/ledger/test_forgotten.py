"""Tests that no row and no byte of the files holds a forgotten person's id, name, salt or DM
channel.
"""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from bot.delivery.desired import SUBJECTS, Replaced, Subject, encode
from bot.ledger import Ledger, Message, Person
from bot.ledger.messages import ON_ITS_WAY
from bot.ledger.schema import metadata
from tests.ledger.samples import BOB, CHANNEL, add, fetch, gained, hidden, new_table, signed

USER, DM, NAME = 2**59 + 12_345_677, 2**59 + 98_765_431, "Xanthippe Quux"
NEWER = DM + 2
"""The channel of their DMs since it was opened anew."""
SOMEBODY = Person(1, USER, NAME)


def about(user: int) -> Iterator[Subject]:
    """Every kind of subject, with the user in each of its places for a number, and in a prompt's
    the deal as well.
    """
    for kind in SUBJECTS:
        hints = get_type_hints(kind)
        names = [field.name for field in fields(kind)]
        for name in names:
            if hints[name] is int:
                yield kind(
                    **{each: user if each == name else _sample(hints[each]) for each in names}
                )


def _sample(hint: Any) -> object:
    if get_origin(hint) is Literal:
        return get_args(hint)[0]
    return "deal-2" if hint is str else 2


def traces(content: bytes, salt: str) -> list[str]:
    """What a file still has of them: as text, or as SQLite writes a number."""
    ids = (USER, DM, NEWER)
    texts = [NAME, salt, *map(str, ids)]
    found = [repr(text) for text in texts if text.encode() in content]
    return found + [str(number) for number in ids if number.to_bytes(8, "big") in content]


async def rows(ledger: Ledger) -> str:
    """Return everything in all database tables."""
    found = [await fetch(ledger, f"SELECT * FROM {table.name}") for table in metadata.sorted_tables]
    return "\n".join(repr(tuple(row)) for row in itertools.chain.from_iterable(found))


async def evening(ledger: Ledger) -> tuple[int, str]:
    """A closed table with all that is kept about somebody. Return it, and the salt."""
    entries = [gained(), hidden()]
    table, _ = await new_table(ledger, entries=entries, people=[SOMEBODY, BOB])
    sent = [Message(encode(subject), DM, 5, "a") for subject in about(USER)]
    pinged = [Message(encode(subject), CHANNEL, 5, "a") for subject in about(USER + 1)]
    replaced = []
    for channel in (DM, NEWER):
        replaced.append(Message(encode(Replaced(channel, 6, USER)), channel, 6, "a"))
    await ledger.messages.save(table, [*sent, *pinged, *replaced])
    for kept, value in (
        ("dm", str(table)),
        ("dm-channel", f"{NEWER}:77"),
        ("muted", "turn"),
        ("whatever-comes", "1"),
    ):
        await ledger.set_key_value(f"{kept}:{USER}", value)
    await add(ledger, table, signed(), closes=True)
    [(salt,)] = await fetch(ledger, f"SELECT salt FROM people WHERE user_id = {USER}")
    return table, str(salt)


def files_of(file: Path) -> bytes:
    return b"".join(each.read_bytes() for each in sorted(file.parent.glob(f"{file.name}*")))


async def test_no_row_has_anything_of_them(both: Ledger) -> None:
    table, salt = await evening(both)
    kept = {encode(subject) for subject in about(USER + 1)}
    assert len(kept) > len(SUBJECTS)
    assert await both.tables.erase_person(USER) == 1
    assert traces((await rows(both)).encode(), salt) == []
    assert {message.subject for message in await both.messages.of_table(table)} == kept
    assert await both.entries.verify(table) is None


async def test_no_byte_of_the_files_has_anything_of_them(ledger: Ledger, file: Path) -> None:
    _, salt = await evening(ledger)
    assert len(traces(files_of(file), salt)) == 8
    await ledger.tables.erase_person(USER)
    assert traces(files_of(file), salt) == []


async def test_not_even_with_a_sqlite_that_leaves_deleted_rows_in_place(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.dbapi2.connect

    def careless(*arguments: Any, **options: Any) -> sqlite3.Connection:
        made = connect(*arguments, **options)
        made.execute("PRAGMA secure_delete = OFF")
        return made

    monkeypatch.setattr(sqlite3.dbapi2, "connect", careless)
    ledger = await Ledger.open(str(file))
    _, salt = await evening(ledger)
    await ledger.tables.erase_person(USER)
    await ledger.close()
    assert traces(files_of(file), salt) == []


async def test_while_a_backup_reads_the_log_stays_and_goes_with_it(
    ledger: Ledger, file: Path
) -> None:
    _, salt = await evening(ledger)
    with closing(sqlite3.connect(file, isolation_level=None)) as backup:
        backup.execute("BEGIN")
        backup.execute("SELECT count(*) FROM entries").fetchone()
        await ledger.tables.erase_person(USER)
        assert traces((await rows(ledger)).encode(), salt) == []
        assert traces(files_of(file), salt)
        backup.execute("COMMIT")
    async with asyncio.timeout(60):
        while traces(files_of(file), salt):  # noqa: ASYNC110  (nobody tells when a file is emptied)
            await asyncio.sleep(0.05)


async def test_what_is_sent_to_them_meanwhile_is_not_written_back(both: Ledger) -> None:
    """Its outcome arrives after they were forgotten; messages to others are stored all the same."""
    table, salt = await evening(both)
    await both.tables.erase_person(USER)
    for user in (USER, USER + 1):
        both.messages.buffer(
            table, [Message(f"told:77:{user}", DM if user == USER else CHANNEL, 9, "b")]
        )
        await both.messages.save(
            table, [Message(f"result:78:{user}", DM if user == USER else CHANNEL, 9, "b")]
        )
    await both.messages.flush()
    assert traces((await rows(both)).encode(), salt) == []
    subjects = {message.subject for message in await both.messages.of_table(table)}
    assert {f"told:77:{USER + 1}", f"result:78:{USER + 1}"} <= subjects


async def test_after_a_day_nothing_to_them_is_on_its_way_any_more(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is remembered who was forgotten: they may be back."""
    table, _ = await evening(ledger)
    await ledger.tables.erase_person(USER)
    loop = asyncio.get_running_loop()
    day, time = [0.0], loop.time
    monkeypatch.setattr(loop, "time", lambda: time() + day[0])
    told = Message(f"told:77:{USER}", DM, 9, "b")
    ledger.messages.buffer(table, [told])
    assert told not in await ledger.messages.of_table(table)
    day[0] = ON_ITS_WAY
    ledger.messages.buffer(table, [told])
    assert told in await ledger.messages.of_table(table)
    assert not ledger.messages._erased


async def test_a_removed_table_leaves_no_byte_behind(ledger: Ledger, file: Path) -> None:
    table, salt = await evening(ledger)
    await ledger.tables.remove_table(table, at=1)
    assert NAME.encode() not in files_of(file)
    assert salt.encode() not in files_of(file)
