"""Tests that the independent verifier in FORMAT.md agrees with the program."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import bot.ledger
from bot.ledger import Ledger
from bot.rules.features.tables import TableMoved
from tests.ledger.samples import ALICE, AT, BOB, add, by_hand, hidden, new_table, signed

FORMAT = Path(bot.ledger.__file__).with_name("FORMAT.md")


@pytest.fixture(scope="module")
def stranger() -> Callable[[Path], dict[int, str]]:
    [code] = re.findall(r"```python\n(.*?)```", FORMAT.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Callable[[Path], dict[int, str]]] = {}
    exec(compile(code, str(FORMAT), "exec"), names)
    return names["verify"]


async def several(ledger: Ledger) -> list[int]:
    """Two tables, one that has moved, one with an erased person, and a third that was removed."""
    made = []
    for channel in (1, 2, 3):
        table, _ = await new_table(
            ledger, channel=channel, entries=[hidden("žižkov \u2028 \x7f \x1f \U0001f600"), signed()]
        )
        await add(ledger, table, hidden(), people=[BOB], interaction=channel)
        made.append(table)
    await add(ledger, made[0], TableMoved(), moves_to=(2**60, 8))
    for table in made[1:]:
        await add(ledger, table, by=None, closes=True)
    await ledger.tables.remove_table(made[2], at=AT)
    await ledger.tables.erase_person(ALICE.user_id or 0)
    return made[:2]


async def test_a_stranger_can_verify_a_ledger(
    ledger: Ledger, file: Path, stranger: Callable[[Path], dict[int, str]]
) -> None:
    tables = await several(ledger)
    assert stranger(file) == {table: (await ledger.entries.head(table)).hash for table in tables}


CHANGES = (
    "UPDATE entries SET at = at + 1 WHERE seq = 2 AND table_id = 1",
    "UPDATE entries SET sealed = replace(sealed, ':3', ':4') WHERE seq = 3 AND table_id = 1",
    "UPDATE people SET user_id = 5 WHERE person = 2 AND table_id = 1",
    "DELETE FROM people WHERE person = 2 AND table_id = 1",
    "INSERT INTO people VALUES (1, 3, NULL, '', NULL, NULL)",
    "UPDATE tables SET channel_id = 9 WHERE id = 1",
    "UPDATE removals SET last_seq = 9",
)


@pytest.mark.parametrize("change", CHANGES)
async def test_a_stranger_finds_what_bourse_finds(
    ledger: Ledger, file: Path, stranger: Callable[[Path], dict[int, str]], change: str
) -> None:
    await several(ledger)
    by_hand(file, change)
    assert await ledger.entries.verify(1) or await ledger.tables.verify_removals()
    with pytest.raises(AssertionError):
        stranger(file)
