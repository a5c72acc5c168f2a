"""Tests of refusals that no play shows."""

from __future__ import annotations

import pytest

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cities import SayCities
from bot.games.advciv.drawing import DrawCards
from bot.games.advciv.losing import LoseCards
from bot.games.advciv.surrendering import SurrenderCards
from bot.games.advciv.taking import TakeCard
from bot.games.advciv.trading import DoneTrading, OpenTrading, UndoTrading
from bot.rules.commands import Command
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.tables import ChangeSetting, SetPhase
from bot.rules.model.goods import NOTHING, Goods
from tests.games.advciv.playing import Evening, cards

DRAW, OPEN = DrawCards(cities=4), OpenTrading(0, anyway=True)
HAND = Gain(cards("3 salt, 3 iron, 2 bronze"))
TOO_MUCH = Goods({"commodity:salt": 10})
AFTER = (HAND, SetPhase("after"))
SHOWN = (SetPhase("after"), ShowCalamities(anyway=True))
MINED = (*AFTER, ShowCalamities(), SurrenderCards(cards("bronze"), "bronze"))

Commands = tuple[Command, ...]

REFUSED: list[tuple[Commands, int, Command, str]] = [
    ((DRAW,), 2, ChangeSetting("cards", "real"), "Only the host may change the settings."),
    ((), 1, DrawCards(cities=10), "Nobody has 10 cities."),
    ((DRAW,), 1, DRAW, "<seat:egypt> has drawn for 4 cities this turn."),
    ((DRAW,), 1, SetPhase("acquire"), "Drawing trade cards has already begun."),
    ((DRAW,), 1, SetHoldings("crete", NOTHING), "they would learn what is in it"),
    ((DRAW, SetPhase("after")), 1, ShowCalamities(), "still have cards to draw"),
    ((HAND,), 1, Gain(cards("9 salt")), "That makes 12 Salt."),
    ((HAND,), 1, Gain(cards("?")), "A hand can't hold 1 unnamed card."),
    ((HAND,), 1, Spend(cards("gold")), "You don't have 1 Gold."),
    ((HAND,), 1, TakeCard("babylon"), "Nobody has played that nation here."),
    ((HAND,), 1, SetHoldings("crete", TOO_MUCH), "That makes 10 Salt."),
    ((HAND,), 1, LoseCards(cards=99), "[15.62]"),
    ((HAND,), 1, LoseCards(cards=0), "You can't lose 0 cards."),
    ((), 1, OpenTrading(-1), "Trading can't last -1 minutes."),
    ((), 1, OpenTrading(1441), "Trading can't last 1441 minutes."),
    ((OPEN,), 1, OpenTrading(), "Trading is open already."),
    ((OPEN,), 1, OPEN, "Trading is open already."),
    ((OPEN,), 2, UndoTrading(), "Only the host may take that back."),
    ((OPEN,), 3, SayCities(2), "Draw at once: /cards draw."),
    ((OPEN, DoneTrading(True)), 1, DoneTrading(True), "You have already said so."),
    ((DRAW, *SHOWN), 2, DRAW, "Calamities have been shown, so nobody can draw any more this turn."),
    (
        (*AFTER, ShowCalamities()),
        1,
        ShowCalamities(),
        "The calamities of this turn have been shown.",
    ),
    (AFTER, 1, SetPhase("acquire"), "[29.3]"),
    (AFTER, 1, DRAW, "Cards are drawn before trading."),
    (AFTER, 1, SurrenderCards(cards("iron")), "Calamities come first; then cards are turned in."),
    (SHOWN, 1, SurrenderCards(NOTHING), "You can't turn in nothing."),
    (SHOWN, 1, SurrenderCards(cards("?")), "You can't turn in 1 unnamed card."),
    ((HAND, *SHOWN), 1, SurrenderCards(cards("4 iron")), "You don't have 1 Iron."),
    (MINED, 1, SurrenderCards(cards("iron"), "iron"), "You have already used Mining this turn."),
]
"""What has been done by the host, whose command is refused then, and in which words."""


@pytest.mark.parametrize(("before", "by", "command", "says"), REFUSED)
def test_it_is_refused(before: Commands, by: int, command: Command, says: str) -> None:
    evening = Evening()
    for earlier in before:
        evening.do(1, earlier)
    assert says in evening.refused(by, command).sentence()
