"""The benchmark of views, beside one json.dumps of the same."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable

from pydantic import TypeAdapter

from bot.rules.apply import replay
from bot.rules.commands import Caller
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.viewers import person_viewer
from bot.rules.views import TableView
from bot.rules.visible_table import see
from tests.tools.bench.folder import folder
from tests.tools.bench.measure import Effort, Line, Sides, line
from tests.tools.bench.workload import bench, host, many_offers

OFFERS = 60
"""Open offers in the line `view`."""


@line(
    "view",
    over="ms",
    under="ms",
    about="see(table, viewer) of a table with 60 offers, for a player / one json.dumps of that "
    "view as plain values.",
)
async def view(effort: Effort) -> AsyncIterator[Sides]:
    """Measure what it takes to make a view."""
    with folder() as path:
        async with bench(path, 1) as opened:
            (table_id,) = opened.trades
            await many_offers(opened, table_id, OFFERS)
            table = replay(
                (one.entry for one in await opened.ledger.entries.read(table_id)),
                Table(id=table_id),
            )
            people: list[Person] = await opened.ledger.tables.people(table_id)
    viewer = person_viewer(table, people, Caller(host().user_id))
    plain = TypeAdapter(TableView).dump_python(see(table, viewer), mode="json")
    assert len(plain["offers"]) == OFFERS

    async def seen() -> float:
        return _repeated(lambda: see(table, viewer), effort.seconds)

    async def dumped() -> float:
        return _repeated(lambda: json.dumps(plain), effort.seconds)

    yield Sides(seen, dumped)


LINES: tuple[Line, ...] = (view,)


def _repeated(make: Callable[[], object], seconds: float) -> float:
    """Do something for so many seconds. Return how much of the processor's time it took once, in
    milliseconds.
    """
    begun, until, times = time.process_time(), time.perf_counter() + seconds, 0
    while not times or time.perf_counter() < until:
        make()
        times += 1
    return (time.process_time() - begun) / times * 1000
