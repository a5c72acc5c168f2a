"""Everything that a viewer can look at, as values to compare.

Add each new function that shows people something of a table or an entry to `shown` or
`told_at_length`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, TypeVar, cast

from bot.ledger import Head, Ledger, TableRow
from bot.rules.entries import Recorded, Reference, kind_name, split
from bot.rules.registry import game_of
from bot.rules.views import Viewer
from bot.rules.visibility import TableViews, open_parts, see, see_entry, see_pairs
from bot.service import history
from bot.service.records import TableRecord
from bot.testing.world import EVERYONE, World

T = TypeVar("T")

Look = tuple[str, object]
"""The name of a view, and the view."""


def shown(world: World, viewer: Viewer, since: int) -> Iterator[Look]:
    """Yield everything short that this viewer can see, with the entries after ``since``.

    The view has the offers and deals of these entries even if they are over, as for messages that
    are edited.
    """
    new = world.recorded[since:]
    table = world.recall({recorded.entry.subject() or Reference("") for recorded in new})
    yield "table", see(table, viewer)
    yield "pairs", see_pairs(world.table, viewer)
    game = game_of(world.table)
    yield (
        "rules",
        [game.commands.rule_status(world.table, number) for number in game.info.rulebook()],
    )
    for recorded in new:
        after = world.tables[recorded.seq - 1]
        yield f"entry {recorded.entry.kind}", see_entry(recorded, viewer, table.game, after)
        yield f"late {recorded.entry.kind}", see_entry(recorded, viewer, table.game, world.table)
        yield "published", split(recorded.entry)[0]


def told_at_length(world: World, viewer: Viewer) -> Iterator[Look]:
    """Yield everything long that this viewer can see: the whole history, ended offers, the story of
    each trade.
    """
    game = world.table.game
    for recorded in world.recorded:
        yield f"history {recorded.entry.kind}", see_entry(recorded, viewer, game)
        parts = sorted(open_parts(recorded.entry, viewer, recorded.seq))
        yield "parts", (world.table.open or viewer.opened, parts) if viewer.sees_all else parts
    yield "all there was", TableViews(world.recall_all()).see(viewer)
    for number in range(1, world.table.transactions + 1) if not viewer.shared else ():
        yield f"trade {number}", _story(world, viewer, number)


class Shelf:
    """As much of a ledger as the story of a trade needs."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.entries = self

    async def with_number(
        self, table_id: int, kind: str, field: str, number: int, *, until_seq: int | None = None
    ) -> list[Recorded]:
        found = [
            recorded
            for recorded in self._upto(until_seq)
            if kind_name(type(recorded.entry)) == kind
        ]
        return [recorded for recorded in found if getattr(recorded.entry, field) == number]

    async def read_subject(
        self, table_id: int, subject: str, *, until_seq: int | None = None
    ) -> list[Recorded]:
        return [
            recorded for recorded in self._upto(until_seq) if recorded.entry.subject() == subject
        ]

    async def stream(
        self, table_id: int, *, until_seq: int | None = None
    ) -> AsyncIterator[list[Recorded]]:
        yield self._upto(until_seq)

    def _upto(self, until_seq: int | None) -> list[Recorded]:
        return self._world.recorded[:until_seq]


def _story(world: World, viewer: Viewer, number: int) -> object:
    """Return the story of a trade, without the table as it is now."""
    row = TableRow(world.table.id, 1, 1, world.table.game, world.table.name, not world.table.open)
    record = TableRecord(row, world.table, {person.number: person for person in EVERYONE}, Head())
    shelf = cast(Ledger, Shelf(world))
    story = at_once(history.trade_history(shelf, record, viewer, number, world.table.seq))
    return story.entries, story.done, story.violations


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that never waits. Spares an event loop, which would take
    most of the time.
    """
    try:
        work.send(None)
    except StopIteration as done:
        return cast(T, done.value)
    raise AssertionError("it waits for something")
