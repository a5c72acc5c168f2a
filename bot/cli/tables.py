"""``bourse tables`` and ``bourse forget``: list, close and remove tables, forget a person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.cli.maintenance import opened
from bot.cli.output import Echo, columns
from bot.errors import OperatorError
from bot.ledger import KeySource
from bot.rules.model.violation import Refused
from bot.service import Service


async def list_tables(url: str, key: KeySource, echo: Echo) -> int:
    """List all tables that were not removed, also while the bot runs. Return the exit code, 0."""
    async with opened(url, key, reading=True) as ledger:
        rows = await ledger.tables.listed()
    if not rows:
        echo("There are no tables yet.")
        return 0
    cells = [("table", "game", "state", "entries", "last used", "name")]
    for row in rows:
        state = "open" if row.closed_at is None else f"closed {_day(row.closed_at)}"
        size, day = str(row.entries), _day(row.last_at)
        cells.append((str(row.id), row.game, state, size, day, row.name))
    for line in columns(cells):
        echo(line)
    return 0


async def close(url: str, key: KeySource, numbers: Sequence[int], echo: Echo) -> int:
    """Close tables that their hosts left open. Return the exit code, 0.

    Raises `OperatorError` if one of them is closed or does not exist; those before it are closed
    then.
    """
    async with opened(url, key) as ledger:
        service = Service(ledger, lambda: datetime.now(UTC))
        for number in numbers:
            try:
                await service.close_for_operator(number)
            except Refused as refused:
                raise OperatorError(
                    f"{refused.violation.reason} bourse tables lists all."
                ) from None
            echo(f"Table {number} is closed. The bot says so in its channel when it runs.")
    return 0


async def remove(url: str, key: KeySource, numbers: Sequence[int], sure: bool, echo: Echo) -> int:
    """Remove closed tables for good, or without ``sure`` say which. Return the exit code, 1 if not
    sure.

    Raises `OperatorError`, before anything is removed, if one of them is open or does not exist.
    """
    async with opened(url, key) as ledger:
        rows = {row.id: row for row in await ledger.tables.listed()}
        for number in numbers:
            if number not in rows:
                raise OperatorError(f"There is no table {number}. bourse tables lists all.")
            if rows[number].closed_at is None:
                raise OperatorError(
                    f"Table {number} is open. Close it first: bourse tables close {number}"
                )
        for number in numbers:
            row = rows[number]
            if sure:
                removal = await ledger.tables.remove_table(
                    number, at=int(datetime.now(UTC).timestamp() * 1000)
                )
                echo(
                    f"Table {number} ({row.name}) is removed. The last of its {row.entries} "
                    "entries had the hash"
                )
                echo(removal.head)
            else:
                echo(
                    f"Table {number} ({row.name}, {row.entries} entries, closed "
                    f"{_day(row.closed_at or 0)})"
                )
    if sure:
        echo(
            "Backups made before still have it all. Delete those, or wait until the bot has "
            "replaced them."
        )
        return 0
    echo("would be removed for good. To do so, add --yes.")
    return 1


async def forget(url: str, key: KeySource, user_id: int, sure: bool, echo: Echo) -> int:
    """Take a person's name and id out of all closed tables, or without ``sure`` say how many.
    Return the exit code.

    The code is 1 if open tables know the person, who then stays there, and if not sure.
    """
    async with opened(url, key) as ledger:
        closed, still_open = await ledger.tables.known_at(user_id)
        if sure:  # also where no table knows them: their choices may be stored
            closed = await ledger.tables.erase_person(user_id)
        names = [str(row.id) for row in await ledger.tables.tables_of(user_id)]
    if sure:
        echo(
            f"{user_id} is taken out of {_tables(closed)}, with all that was stored under that id."
        )
        if not url.startswith("sqlite"):
            echo("Restart the bots, which may remember the name until then.")
        echo(
            "Backups made before still have the name. Delete those, or wait until the bot has "
            "replaced them; after "
            "bourse restore, forget again. What was posted in Discord stays there: its moderators "
            "can delete it."
        )
    elif closed:
        echo(
            f"{_tables(closed)} would lose the name and id of {user_id}, for good. To do so, add "
            "--yes."
        )
    else:
        echo(
            f"No closed table knows {user_id}. With --yes I erase what else is stored under that "
            "id."
        )
    if still_open:
        which = "An open table knows" if still_open == 1 else "Open tables know"
        echo(
            f"{which} this person, who stays there: {', '.join(names)}. bourse tables close closes "
            "them; "
            "then forget again."
        )
    return 0 if sure and not still_open else 1


def _tables(number: int) -> str:
    return "1 table" if number == 1 else f"{number} tables"


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
