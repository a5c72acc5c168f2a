"""Tests that dealing by the bot tells nothing of hands [27]."""

from __future__ import annotations

from bot.games.advciv.cards import box
from bot.games.advciv.drawing import BuyCard, DrawCards
from bot.games.advciv.trading import OpenTrading
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver
from tests.games.advciv.playing import Evening, cards


def draw(cities: int, seat: str | None = None) -> DrawCards:
    return DrawCards(cities=cities, seat=seat)


# ---------------------------------------------------------------- hands


def test_a_host_who_has_the_bot_deal_is_not_told_that_hands_hold_too_much() -> None:
    evening = Evening()
    evening.do(2, Gain(cards("9 salt, oil")))
    evening.do(3, Gain(cards("9 salt")))
    evening.do(1, draw(9))
    dealt_out = evening.stacked() + evening.hand(1)
    assert dealt_out.count("commodity:salt") == 0
    assert dealt_out.count("commodity:oil") == box()["commodity:oil"] - 1


def test_who_draws_late_buys_until_their_first_trade() -> None:
    """27.51: one buys right after one's own draw."""
    evening = Evening(cards="dealt")
    evening.do(1, draw(9))
    evening.do(2, draw(9))
    evening.do(1, OpenTrading(0, anyway=True))
    evening.do(3, draw(9))
    evening.do(3, BuyCard())

    give, want = evening.three_commodities(3), evening.three_commodities(1)
    evening.do(3, PostOffer(to="egypt", give=give, want=want))
    evening.do(3, HandOver(1, give))
    evening.do(1, HandOver(1, want))

    assert evening.refused(3, BuyCard()).rule == "27.5"
