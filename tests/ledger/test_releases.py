"""The ledger of each release is read, verified, replayed to the same tables and played on.

Words may change from version to version; what a table is for those who look at it may not.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot import __version__
from bot.cli import maintenance
from bot.ledger import Ledger
from bot.rules.apply import replay
from bot.rules.features.tables import CloseTable
from bot.rules.model.table import Table
from bot.rules.viewers import everybody
from bot.rules.visible_entry import see_entry
from bot.rules.vocabulary import unreadable
from bot.service import Requester, Service
from bot.show.narration import sentence
from tests.ledger.golden import digests
from tests.ledger.releases import RELEASES, Release


@pytest.fixture
async def ledger(release: Release) -> Ledger:
    opened = await Ledger.open(f"sqlite:///{release.file}", release.key)
    yield opened
    await opened.close()


def test_this_version_has_one() -> None:
    """`python -m tests.ledger.golden` makes it, before a release."""
    assert __version__ in RELEASES


async def test_it_verifies(release: Release) -> None:
    said: list[str] = []
    code = await maintenance.verify_ledger(
        f"sqlite:///{release.file}", [], said.append, key=release.key
    )
    assert (code, len(said)) == (0, len(release.tables) + 1), said  # one was removed


async def test_every_table_is_what_it_was(release: Release, ledger: Ledger) -> None:
    kinds = await ledger.entries.every_kind()
    assert [*unreadable(kinds)] == []
    assert {row.game for row in await ledger.tables.all_tables()} >= {"advciv", "ti4"}
    for table, seen in release.tables.items():
        recorded, people = (
            await ledger.entries.read(int(table)),
            await ledger.tables.people(int(table)),
        )
        assert digests(recorded, people) == seen, f"table {table}"


async def test_every_entry_is_told(release: Release, ledger: Ledger) -> None:
    for number in map(int, release.tables):
        recorded, people = await ledger.entries.read(number), await ledger.tables.people(number)
        table = replay([each.entry for each in recorded], Table(id=number))
        for each in recorded:
            assert isinstance(sentence(see_entry(each, everybody(table, people), table.game)), str)


async def test_it_is_played_on(release: Release, ledger: Ledger) -> None:
    """The host of each open table closes it."""
    service = Service(ledger, lambda: datetime.now(UTC))
    still_open = [row for row in await ledger.tables.all_tables() if not row.closed]
    assert still_open
    for row in still_open:
        view = await service.view(row.id, Requester(0, "nobody", row.guild_id))
        host = view.names.people[view.host]
        assert host.user_id
        await service.execute(
            row.id, Requester(host.user_id, host.name, row.guild_id), CloseTable()
        )
        assert await ledger.entries.verify(row.id) is None
    assert await ledger.tables.open_tables() == 0
