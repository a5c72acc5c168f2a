"""Tests that work grows in proportion to what lies on a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from bot.delivery.desired import Desired, Subject
from bot.delivery.life import Life
from bot.delivery.planner import plan
from bot.games.advciv.trading import LONGEST, OpenTrading
from bot.games.ti4.turns import StartTurn
from bot.ledger import Head, TableRow
from bot.rules.features.deals import ProposeDeal
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.limits import DEALS, NEGOTIATIONS, OFFERS, OFFERS_TO_ALL
from bot.rules.model.goods import Goods
from bot.rules.views import TableView, Viewer
from bot.rules.visible_table import TableViews
from bot.service import Briefing
from bot.service.briefing import briefing, no_pause
from bot.service.records import LastChange, TableRecord
from bot.testing.looks import at_once
from data.advciv import commodities, nations
from tests.scale import variants
from tests.show.playing import SEATS, World
from tests.work import calls

NATIONS = tuple(nations())[2:10]
CARDS = [f"commodity:{card}" for card in commodities()]


def crowd(game: str, parts: int) -> World:
    """Return a table of eight with half of what the limits let stand at once (1 of 2 ``parts``), or
    with all (2).
    """
    world, seats = World(), SEATS if game == "ti4" else NATIONS
    world.do(OpenTable(game, "Friday"))
    for person, seat in enumerate(seats, start=1):
        world.do(Sit(seat, person))
        world.do(
            SetHoldings(
                seat, Goods({"trade_good": 99} if game == "ti4" else dict.fromkeys(CARDS, 4))
            )
        )
    world.do(StartTurn(seats[0]) if game == "ti4" else OpenTrading(LONGEST))
    for person in range(1, 9):
        for number in range(OFFERS * parts // 2):
            give, want = sides(game, person * OFFERS + number)
            to = None if number < OFFERS_TO_ALL * parts // 2 else other(seats, person, number)
            world.do(PostOffer(to, give, want), person)
        for number in range(DEALS * parts // 2):
            world.do(
                ProposeDeal(other(seats, person, number), f"peace {number}", later=True), person
            )
    for number in range(NEGOTIATIONS * parts // 2):
        person = number % 8 + 1
        world.do(OpenNegotiation(other(seats, person, number // 8), "peace"), person)
    return world


def other(seats: tuple[str, ...], person: int, number: int) -> str:
    return seats[(person + number % 7) % 8]


def sides(game: str, number: int) -> tuple[Goods, Goods]:
    if game == "ti4":
        return Goods({"trade_good": 1 + number}), Goods({"commodity": 1 + number})
    return two_cards(number), two_cards(number + 5)


def two_cards(number: int) -> Goods:
    first, second = CARDS[number % 17], CARDS[number // 17 % 17]
    return Goods.of([first, second, "unnamed"])


def brief(world: World, pause: Callable[[], Awaitable[None]] = no_pause) -> Briefing:
    table = world.table
    row = TableRow(1, 7, 8, table.game, "Friday", False)
    record = TableRecord(row, table, world.people, Head(0, ""))
    nothing = LastChange(table, table, ())
    return at_once(briefing(cast("Any", None), record, table.seq, last=nothing, pause=pause))


def sent(brief: Briefing) -> dict[Subject, Life]:
    steps = [step for step in plan(brief, {}) if isinstance(step, Desired)]
    wanted = [step.subject for step in steps if step.wanted]
    return {subject: Life(subject, 8, 1) for subject in wanted}


def work(game: str, parts: int) -> tuple[int, int]:
    """Return how many calls the views of such a table take, and the plan of its messages."""
    world = crowd(game, parts)
    made = brief(world)
    shown = sent(made)
    return calls(lambda: brief(world)), calls(lambda: plan(made, shown))


@pytest.mark.parametrize("game", variants("ti4", "advciv"))
def test_twice_as_much_is_twice_the_work(game: str) -> None:
    half, whole = work(game, 1), work(game, 2)
    assert whole[0] < 2.2 * half[0], "views"
    assert whole[1] < 2.2 * half[1], "plan"


def test_others_can_run_between_two_views(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [0]
    for way in ("_see", "_see_in_room"):
        see = getattr(TableViews, way)

        def counted(views: TableViews, viewer: Viewer, see: Any = see) -> TableView:
            drawn[-1] += 1
            return cast(TableView, see(views, viewer))

        monkeypatch.setattr(TableViews, way, counted)

    async def pause() -> None:
        drawn.append(0)

    made = brief(crowd("ti4", 1), pause)
    assert made.rooms
    assert drawn == [0] + [1] * (1 + len(made.rooms) + len(made.seats))
