"""What a person sees of a table in memory and reads of its entries."""

from __future__ import annotations

from bot.games.advciv.trading import OpenTrading
from bot.rules.commands import Caller
from bot.rules.features.holdings import Gain
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.goods import Goods
from bot.rules.viewers import everybody, person_viewer
from bot.rules.views import EntryView, TableView, Viewer
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import see
from bot.testing.world import EVERYONE, World, look_by


def viewer(world: World, person: int, **more: bool) -> Viewer:
    """Return a person as a viewer, who may be a ``moderator``, or ``audits`` with a look."""
    caller = Caller(person, moderator=more.get("moderator", False))
    look = look_by(person) if more.get("audits") else None
    return person_viewer(world.table, EVERYONE, caller, look=look)


def channel(world: World) -> Viewer:
    return everybody(world.table, EVERYONE)


def looks(world: World, person: int, **more: bool) -> TableView:
    """Return the table, with all there was, as this person sees it."""
    return see(world.recall_all(), viewer(world, person, **more))


def reads(world: World, who: Viewer) -> list[EntryView]:
    """Return all entries as this viewer reads them."""
    return [
        see_entry(recorded, who, world.table.game, after)
        for recorded, after in zip(world.recorded, world.tables, strict=True)
    ]


def cards(world: World) -> dict[int, str]:
    """Return three who trade with real cards, by seat."""
    hand = Goods({"commodity:salt": 2, "commodity:iron": 2, "commodity:wine": 2})
    world.do(1, OpenTable("advciv"))
    for person, seat in ((1, "crete"), (2, "egypt"), (3, "asia")):
        world.do(1, Sit(seat, person))
        world.do(person, Gain(hand))
    world.do(1, OpenTrading())
    return {1: "crete", 2: "egypt", 3: "asia"}
