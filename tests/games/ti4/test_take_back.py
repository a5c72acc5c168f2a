"""Tests of transactions that can't be taken back although both want it."""

from __future__ import annotations

from bot.games.ti4 import GAME
from bot.games.ti4.commodities import Convert
from bot.games.ti4.components import trade_goods
from bot.games.ti4.losses import LoseCommodities
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.requests import Replenish
from bot.games.ti4.take_back import TakeTradeBack
from bot.games.ti4.trade_agreements import Replenishings
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from tests.games.ti4.tables import after, having, refused, table_of

ALICE, BOB, CAROL, DORA = 1, 2, 3, 4
CEASEFIRE = "note:ceasefire:sol"
CEASEFIRE_OF_HACAN = "note:ceasefire:hacan"
ASK = TakeTradeBack(1)


def table(setting: str = "on") -> Table:
    """Hacan's turn, at a table with Sol and Letnev; each has something to trade."""
    begun = table_of()
    if setting != "on":
        begun = after(begun, ChangeSettings({"take_back": setting}))
    begun = having(begun, "hacan", {"trade_good": 5, "commodity": 2})
    begun = having(begun, "sol", {"trade_good": 2, "commodity": 3})
    return after(begun, StartTurn("hacan"))


def traded(begun: Table, give: Goods, want: Goods = NOTHING) -> Table:
    begun = after(begun, PostOffer(to="sol", give=give, want=want), by=ALICE)
    return after(begun, Sign(begun.offers_posted), by=BOB)


def taken_back(done: Table, number: int = 1) -> Table:
    asked = after(done, TakeTradeBack(number), by=ALICE)
    return after(asked, TakeTradeBack(number), by=BOB)


def with_a_successor(begun: Table) -> Table:
    """Return the table after Bob has left it and Dora has taken his seat."""
    left = after(begun, Leave(None), by=BOB)
    return after(left, Sit("sol"), by=DORA)


def test_a_successor_is_asked_unless_the_trade_had_something_hidden() -> None:
    hidden = Goods.of([CEASEFIRE_OF_HACAN])
    for give, asked in ((trade_goods(1), 1), (hidden, 0)):
        done = after(traded(table(), give), ASK, by=ALICE)
        taken = with_a_successor(done)
        assert len(GAME.features.prompts(taken)) == asked
    asked_for = after(traded(table(), trade_goods(1)), ASK, by=ALICE)
    back = after(with_a_successor(asked_for), ASK, by=DORA)
    assert back.seats["hacan"].holdings.count("trade_good") == 5


def test_once_one_of_them_has_traded_again_it_stays() -> None:
    done = traded(table(), trade_goods(1))
    done = after(done, PostOffer(to="letnev", give=trade_goods(1)), by=ALICE)
    again = after(done, JoinNeighbors("hacan", "letnev"))
    again = after(again, Sign(2), by=CAROL)
    assert refused(again, ASK, by=BOB).reason == "One of you has traded since."


def test_nor_does_it_once_a_hand_or_commodities_have_changed() -> None:
    """Whether a note is there still only its holder may know, so all that can be seen to have moved
    counts.
    """
    note = traded(table(), trade_goods(1), Goods({CEASEFIRE: 1}))
    note = after(note, Gain(trade_goods(1)), by=ALICE)
    assert "gained or lost" in refused(note, ASK, by=BOB).reason
    for command in (Replenish(None), Convert(1), LoseCommodities(1)):
        commodities = traded(table(), NOTHING, Goods({"commodity": 1}))
        moved = after(commodities, command, by=BOB)
        assert "gained or lost" in refused(moved, ASK, by=ALICE).reason


def test_a_trade_agreement_still_brings_what_was_taken_back() -> None:
    begun = having(table(), "sol", {"trade_good": 2})
    begun = after(after(begun, EndTurn(), by=ALICE), StartTurn("sol"))
    begun = after(begun, Replenish(None), by=BOB)
    (before,) = part(begun, Replenishings).recent
    done = traded(begun, NOTHING, Goods({"commodity": 1}))
    assert part(done, Replenishings).recent[0].left == before.left - 1
    assert part(taken_back(done), Replenishings).recent == (before,)
