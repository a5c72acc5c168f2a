"""Rule 27: drawing and buying; hands are secret."""

from __future__ import annotations

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cards import box
from bot.games.advciv.cities import SayCities
from bot.games.advciv.drawing import BuyCard, CardsDrawn, DrawCards
from bot.games.advciv.stacks import StacksShuffled
from bot.games.advciv.state import Stacks
from bot.games.advciv.trading import OpenTrading
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.tables import SetPhase
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.parts import part
from tests.games.advciv.playing import Evening, cards, dealt


def draw(cities: int, seat: str | None = None) -> DrawCards:
    return DrawCards(cities=cities, seat=seat)


def test_the_first_draw_makes_up_the_stacks() -> None:
    evening = Evening()
    shuffled, drawn = evening.do(1, draw(4))
    assert isinstance(shuffled, StacksShuffled)
    assert shuffled.players == 3
    assert isinstance(drawn, CardsDrawn)
    assert drawn.stacks == (1, 2, 3, 4)
    assert evening.hand(1).total() == 4
    assert len(evening.do(2, draw(4))) == 1


def test_once_a_turn_and_before_trading() -> None:
    evening = Evening()
    evening.do(1, draw(4))
    assert evening.refused(1, draw(4)).reason == "<seat:egypt> has drawn for 4 cities this turn."
    evening.do(1, OpenTrading(0, anyway=True))
    evening.do(2, draw(5))  # who had not drawn by then still can
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities(anyway=True))
    assert evening.refused(3, draw(5)).reason.startswith("Calamities have been shown")


def test_who_is_early_keeps_nobody_from_drawing() -> None:
    evening = Evening()
    evening.do(3, SayCities(cities=3))
    drawn = evening.do(1, draw(5))[-1]
    assert isinstance(drawn, CardsDrawn)
    assert drawn.before == ("italy",)
    both = evening.do(2, draw(4))
    assert [(entry.seat, entry.told) for entry in both if isinstance(entry, CardsDrawn)] == [
        ("italy", True),
        ("crete", False),
    ]


def test_only_the_host_draws_for_others() -> None:
    evening = Evening()
    assert evening.refused(2, draw(4, "italy")).reason == "Only the host can draw for another player."
    evening.do(2, draw(4, "crete"))
    assert evening.hand(2).total() == 4


def test_nine_cities_at_most() -> None:
    assert Evening().refused(1, draw(10)).reason == "Nobody has 10 cities."


def test_the_ninth_stack_is_for_those_who_have_drawn() -> None:
    evening = Evening()
    assert evening.refused(1, BuyCard()).rule == "27.5"
    evening.do(1, draw(2))
    evening.do(1, BuyCard())
    assert evening.hand(1).total() == 3


def test_an_untracked_table_deals_nothing() -> None:
    assert Evening(inventory="untracked").refused(1, draw(2)).reason == "This table does not keep count of holdings."


# ---------------------------------------------------------------- hands


def test_only_the_owner_sees_a_hand() -> None:
    evening = dealt()
    assert evening.seat_seen(1, "egypt").known == evening.hand(1)
    assert evening.seat_seen(2, "egypt").hidden is None
    drawn = [view.entry for view in evening.views() if isinstance(view.entry, CardsDrawn)]
    assert [entry.hidden for entry in drawn] == [None, None, None]


def test_where_the_bot_deals_nobody_who_sat_sets_a_hand() -> None:
    evening = dealt()
    refused = evening.refused(1, SetHoldings("crete", NOTHING))
    assert refused.rule == "27.4"
    assert evening.refused(2, SetHoldings("crete", NOTHING)).rule == ""
    evening.sets("crete", NOTHING)
    assert not evening.hand(2)


def test_a_hand_that_is_set_is_exchanged_with_the_stacks() -> None:
    evening = dealt()
    before = Goods.of(token for stack in part(evening.table, Stacks).stacks for token in stack) + evening.hand(2)
    evening.sets("crete", cards("2 salt, gold"))
    there = Goods.of(token for stack in part(evening.table, Stacks).stacks for token in stack)
    assert there + evening.hand(2) == before
    elsewhere = evening.refused(9, SetHoldings("crete", cards("9 salt")), moderator=True)
    assert elsewhere.reason.endswith("is not in the stacks.")


def test_where_the_bot_deals_no_cards_come_or_go_otherwise() -> None:
    evening = dealt()
    assert evening.refused(1, Gain(cards("salt"))).rule == "27.1"
    assert evening.refused(1, Spend(cards("salt"))).rule == "31.1"


def test_real_cards_can_be_no_more_than_there_are() -> None:
    evening = Evening()
    evening.do(1, Gain(cards("3 salt")))
    assert evening.refused(1, Gain(cards("9 salt"))).reason == "That makes 12 Salt."
    assert evening.refused(1, Gain(cards("?"))).reason == "A hand can't hold 1 unnamed card."
    assert evening.refused(1, Spend(cards("gold"))).reason == "You don't have 1 Gold."


def test_only_the_host_has_the_bot_deal_where_hands_were_real() -> None:
    evening = Evening()
    evening.do(2, Gain(cards("3 salt")))
    assert evening.refused(2, draw(3)).rule == ""
    evening.do(1, draw(3))
    assert evening.hand(2) == cards("3 salt")


def test_whether_a_player_may_begin_to_draw_tells_nothing_of_hands() -> None:
    """It rests on what everybody has read: that people said what they hold; not on whether they still hold any."""
    full, empty = Evening(), Evening()
    for evening in (full, empty):
        evening.do(2, Gain(cards("3 salt")))
    empty.do(2, Spend(cards("3 salt")))
    full.do(2, Spend(cards("1 salt")))
    refusals = [evening.refused(3, draw(cities)) for evening in (full, empty) for cities in (0, 3)]
    assert refusals == [refusals[0]] * 4


def test_a_host_who_has_the_bot_deal_is_not_told_that_hands_hold_too_much() -> None:
    evening = Evening()
    evening.do(2, Gain(cards("9 salt, oil")))
    evening.do(3, Gain(cards("9 salt")))
    evening.do(1, draw(9))
    stacks = [token for stack in part(evening.table, Stacks).stacks for token in stack]
    assert "commodity:salt" not in stacks
    assert stacks.count("commodity:oil") + evening.hand(1).count("commodity:oil") == box()["commodity:oil"] - 1
