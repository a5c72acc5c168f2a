"""Everything that a viewer can look at, as values to compare.

Add each new function that shows people something of a table or an entry to `short_looks` or
`told_at_length`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, TypeVar, cast

from bot.ledger import Head, Ledger, TableRow
from bot.rules.entries import Recorded, split
from bot.rules.registry import game_of
from bot.rules.views import Viewer
from bot.rules.visible_entry import open_parts, see_entry
from bot.rules.visible_table import TableViews, see, see_pairs
from bot.service.history import Past
from bot.service.records import TableRecord
from bot.testing.world import EVERYONE, World

T = TypeVar("T")

Look = tuple[str, object]
"""The name of a view, and the view."""


def short_looks(world: World, viewer: Viewer, since: int) -> Iterator[Look]:
    """Yield everything short that this viewer can see, with the entries after ``since``.

    The view has the offers and deals of these entries even if they are over.
    """
    new = world.recorded[since:]
    subjects = {recorded.entry.subject() for recorded in new}
    table = world.recall(subject for subject in subjects if subject)
    yield "table", see(table, viewer)
    yield "pairs", see_pairs(world.table, viewer)
    game = game_of(world.table)
    status = game.commands.rule_status
    yield "rules", [status(world.table, number) for number in game.info.rulebook()]
    for recorded in new:
        after = world.tables[recorded.seq - 1]
        yield f"entry {recorded.entry.kind}", see_entry(recorded, viewer, table.game, after)
        yield f"late {recorded.entry.kind}", see_entry(recorded, viewer, table.game, world.table)
        yield "published", split(recorded.entry)[0]


def told_at_length(world: World, viewer: Viewer) -> Iterator[Look]:
    """Yield everything long that this viewer can see: history, ended offers, trades' stories."""
    game = world.table.game
    for recorded in world.recorded:
        yield f"history {recorded.entry.kind}", see_entry(recorded, viewer, game)
        parts = sorted(open_parts(recorded.entry, viewer, recorded.seq))
        yield "parts", (world.table.open or viewer.opened, parts) if viewer.sees_all else parts
    yield "all there was", TableViews(world.recall_all()).see(viewer)
    if not viewer.shared:
        for number in range(1, world.table.transactions + 1):
            yield f"trade {number}", _story(world, viewer, number)


class Shelf:
    """As much of a ledger as the story of a trade needs."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.entries = self

    async def with_number(
        self, table_id: int, kind: str, field: str, number: int, *, until_seq: int | None = None
    ) -> list[Recorded]:
        kept = self._upto(until_seq)
        of_kind = [recorded for recorded in kept if recorded.entry.kind == kind]
        return [recorded for recorded in of_kind if getattr(recorded.entry, field) == number]

    async def read_subject(
        self, table_id: int, subject: str, *, until_seq: int | None = None
    ) -> list[Recorded]:
        kept = self._upto(until_seq)
        return [recorded for recorded in kept if recorded.entry.subject() == subject]

    async def stream(
        self, table_id: int, *, until_seq: int | None = None
    ) -> AsyncIterator[list[Recorded]]:
        yield self._upto(until_seq)

    def _upto(self, until_seq: int | None) -> list[Recorded]:
        return self._world.recorded[:until_seq]


def _story(world: World, viewer: Viewer, number: int) -> object:
    """Return the story of a trade, without the table as it is now."""
    table = world.table
    row = TableRow(table.id, 1, 1, table.game, table.name, not table.open)
    people = {person.number: person for person in EVERYONE}
    record = TableRecord(row, table, people, Head())
    shelf = cast(Ledger, Shelf(world))
    story = at_once(Past(shelf, record, viewer, table.seq).trade(number))
    return story.entries, story.done, story.violations


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that waits for nothing, though it may let others run: an
    event loop would take most time.
    """
    while True:
        try:
            awaited = work.send(None)
        except StopIteration as done:
            return cast(T, done.value)
        assert awaited is None, "it waits for something"
