"""What /rules show says of a table: something for each rule it knows, short enough, and nothing that a hand hides."""

from __future__ import annotations

from itertools import combinations

import pytest

from bot.rules.apply import replay
from bot.rules.commands import OpenTable, SetHoldings, Sit
from bot.rules.decide import decide
from bot.rules.games.ti4 import GAME
from bot.rules.games.ti4.commands import GrantPermit, JoinNeighbors, RevealAgenda
from bot.rules.games.ti4.standing import TOLD, standing
from bot.rules.goods import Goods
from bot.rules.table import Table, pair
from data import rules

EIGHT = ("hacan", "sol", "letnev", "xxcha", "mentak", "mahact", "empyrean", "firmament")
FITS = 2500
"""With everybody's names in it, a text of this length still fits into one message of 4000 characters."""


def table_of_eight() -> Table:
    """Everybody sits, everybody has traded with everybody for this agenda, everybody has something of each kind."""
    table = replay(decide(Table(), OpenTable(by=1, game="ti4")))
    for person, seat in enumerate(EIGHT, 1):
        table = replay(decide(table, Sit(by=1, person=person, seat=seat)), table)
        goods = Goods({"trade_good": 9, "commodity": 1, "fragment:cultural": 2, "action_card": 3, "station:X": 1})
        table = replay(decide(table, SetHoldings(by=1, person=person, goods=goods)), table)
    for first, second in combinations(range(1, 9), 2):
        table = replay(decide(table, JoinNeighbors(by=1, first=first, second=second)), table)
        granted = GrantPermit(by=1, first=first, second=second, lifts="limit", reason="x" * 100)
        table = replay(decide(table, granted), table)
    table = replay(decide(table, RevealAgenda(by=1, title="y" * 80)), table)
    used = frozenset(pair(*two) for two in combinations(EIGHT, 2))
    return table.model_copy(update={"window": table.window.model_copy(update={"used": used})})


EIGHT_SIT = table_of_eight()


def test_only_rules_that_there_are_are_told() -> None:
    assert set(TOLD) <= set(rules("ti4"))


@pytest.mark.parametrize("number", rules("ti4"))
def test_it_fits_on_a_phone_and_an_empty_table_is_no_trouble(number: str) -> None:
    assert len(standing(EIGHT_SIT, number)) < FITS
    standing(replay(decide(Table(), OpenTable(by=1, game="ti4"))), number)


@pytest.mark.parametrize("number", rules("ti4"))
def test_no_hand_is_told(number: str) -> None:
    """Which promissory notes lie in whose hand makes no difference."""
    bare = {
        id: seat.model_copy(update={"holdings": seat.holdings.without_kind("note")})
        for id, seat in EIGHT_SIT.seats.items()
    }
    assert standing(EIGHT_SIT, number) == standing(EIGHT_SIT.model_copy(update={"seats": bare}), number)


def test_the_game_tells_it() -> None:
    assert GAME.standing(EIGHT_SIT, "94.6") == standing(EIGHT_SIT, "94.6")
    assert "Pairs that still can: 0" in standing(EIGHT_SIT, "94.6")
