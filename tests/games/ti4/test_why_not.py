"""Tests that the reason shown against a trade is the one that trying it gives, in every state."""

from __future__ import annotations

from itertools import product

import pytest

from bot.games.ti4.agendas import RevealAgenda
from bot.games.ti4.combat import BeginCombat
from bot.games.ti4.neighbors import JoinNeighbors, PartNeighbors
from bot.games.ti4.permits import GrantPermit
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.tables import ChangeSettings, SetPhase
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from tests.games.ti4.tables import after, all_done, having, table_of
from tests.games.ti4.why_not import reasons_agree

NEIGHBORS = JoinNeighbors("letnev", "sol")
TRADE = PostOffer(to="sol", give=Goods({"trade_good": 1}))


def table() -> Table:
    """Letnev, Sol and Xxcha are at the table; only the first two are neighbours."""
    return after(
        having(table_of(("letnev", "sol", "xxcha")), "letnev", {"trade_good": 3}), NEIGHBORS
    )


def traded(table: Table) -> Table:
    return after(after(table, TRADE), Sign(table.offers_posted + 1), by=2)


TURN = after(table(), StartTurn("letnev"))
AGENDA = all_done(table(), [SetPhase("agenda"), RevealAgenda()])
STATES = {
    "strategy phase": table(),
    "no turn": after(table(), SetPhase("action")),
    "a turn": TURN,
    "has traded": traded(TURN),
    "has traded and parted": all_done(traded(TURN), [PartNeighbors("letnev", "sol"), NEIGHBORS]),
    "turn of a stranger": after(table(), StartTurn("xxcha")),
    "combat": after(TURN, BeginCombat(None, "xxcha")),
    "turn over": after(TURN, EndTurn()),
    "agenda phase": after(table(), SetPhase("agenda")),
    "agenda": AGENDA,
    "has traded for an agenda": traded(AGENDA),
    "permit": after(TURN, GrantPermit("letnev", "xxcha", lifts="neighbors", reason="a card")),
    "only warns": after(table(), ChangeSettings({"rulings": "warn"})),
    "untracked": after(TURN, ChangeSettings({"inventory": "untracked"})),
    "confirms twice": after(TURN, ChangeSettings({"confirm": "twice"})),
}

GOODS = [
    Goods({"trade_good": 1}),
    Goods({"trade_good": 9}),
    Goods({"fragment:cultural": 1}),
    Goods({"note:ceasefire:sol": 1}),
    Goods({"note:ceasefire:letnev": 1}),
    Goods({"zone:Arretze": 1}),
]


def test_what_is_shown_is_what_trying_brings(subtests: pytest.Subtests) -> None:
    for state, table in STATES.items():
        with subtests.test(state):
            reasons_agree(table)


def test_a_card_says_what_accepting_brings(subtests: pytest.Subtests) -> None:
    for to, goods, state in product(["sol", "xxcha"], GOODS, STATES):
        with subtests.test(f"{state}: {goods} to {to}"):
            reasons_agree(after(STATES[state], PostOffer(to=to, want=goods)))
            reasons_agree(after(STATES[state], PostOffer(to=to, give=goods)))


def test_a_card_of_an_earlier_turn_says_it_too(subtests: pytest.Subtests) -> None:
    """Its poster is asked once more, so whoever accepts is not stopped by what the poster's hand
    lacks.
    """
    for goods in GOODS:
        with subtests.test(str(goods)):
            posted = after(TURN, PostOffer(to="sol", give=goods))
            reasons_agree(all_done(posted, [EndTurn(), StartTurn("letnev")]))
