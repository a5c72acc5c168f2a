"""Rules 29 and 31: calamities are shown, cards turned in, and the next turn begins."""

from __future__ import annotations

import pytest

from bot.games.advciv.calamities import CalamitiesShown, ShowCalamities, shown_this_turn
from bot.games.advciv.drawing import DrawCards
from bot.games.advciv.stacks import StacksRestored
from bot.games.advciv.state import Calamities, Draws, Stacks, deals, state_of
from bot.games.advciv.surrendering import CardsKept, CardsSurrendered, SurrenderCards, Surrenders
from bot.games.advciv.trading import OpenTrading
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.tables import ChangeSetting, ChangeSettings, SetPhase
from bot.rules.model.goods import NOTHING
from bot.rules.model.parts import part
from data.advciv import calamities
from tests.games.advciv.playing import Evening, cards, dealt, held


def after(hand: str) -> Evening:
    """Return a table after trading, with real cards and this hand."""
    evening = held({1: hand, 2: "9 salt, epidemic", 3: "3 gold"})
    evening.do(1, SetPhase("after"))
    return evening


def test_calamities_are_shown_in_order_two_a_player_at_most() -> None:
    evening = after("famine, flood, treachery, civil war, salt")
    (shown,) = evening.do(2, ShowCalamities())
    assert isinstance(shown, CalamitiesShown)
    assert sorted(one.seat for one in shown.effects) == ["crete", "egypt", "egypt"]
    assert len(shown.spared) == 2
    assert [one.calamity for one in shown.effects] == sorted(
        (one.calamity for one in shown.effects), key=[f"calamity:{id}" for id in calamities()].index
    )
    assert evening.hand(1) == cards("salt")
    assert evening.refused(2, ShowCalamities()).reason == "The calamities of this turn have been shown."


def test_they_stay_hidden_until_trading_is_over() -> None:
    evening = dealt()
    assert evening.refused(1, ShowCalamities()).reason.startswith("There has been no trading this turn")
    evening.do(1, OpenTrading(0))
    assert evening.refused(1, ShowCalamities()).reason.startswith("Trading is still open")
    assert evening.refused(9, ShowCalamities()).reason == "You have no seat at this table."


def test_what_was_shown_this_turn_can_be_found_again() -> None:
    evening = after("famine")
    assert shown_this_turn(evening.views()).shown is None
    (shown,) = evening.do(1, ShowCalamities())
    assert shown.sentence("").startswith("1. **Famine**: <player:egypt>, drawn, and never traded.")
    evening.do(3, Gain(cards("2 salt, treachery")))
    assert shown_this_turn(evening.views()) == part(evening.table, Calamities)
    found = shown_this_turn(evening.views()).shown
    assert found is not None
    assert [one.calamity.partition(":")[2] for one in found] == ["treachery", "famine", "epidemic"]
    evening.do(2, SurrenderCards(cards("salt")))
    evening.do(1, SetPhase("acquire"))
    assert shown_this_turn(evening.views()).shown is None


def test_a_calamity_that_comes_into_a_hand_after_the_showing_is_shown() -> None:
    evening = after("famine, flood, salt")
    assert len(evening.do(1, Gain(cards("civil war")))) == 1
    evening.do(2, ShowCalamities())
    _, late = evening.do(1, Gain(cards("piracy, salt")))
    assert isinstance(late, CalamitiesShown)
    assert (len(late.effects), [one.calamity for one in late.spared]) == (0, ["calamity:piracy"])
    _, late = evening.do(1, SetHoldings("italy", cards("gold, treachery")))
    assert isinstance(late, CalamitiesShown)
    assert [one.seat for one in late.effects] == ["italy"]
    assert evening.hand(3) == cards("gold")
    assert len(evening.do(1, Gain(cards("salt")))) == 1


@pytest.mark.parametrize("who", ["dealt", "real"])
def test_who_deals_is_chosen_before_the_first_hand(who: str) -> None:
    evening = Evening()
    evening.do(1, ChangeSetting("cards", who))
    assert deals(evening.table) == (who == "dealt")
    refused = Gain(cards("salt")) if who == "dealt" else DrawCards(cities=1)
    assert evening.refused(1, refused).rule == "27.1"
    evening.do(1, ChangeSettings({"cards": "real" if who == "dealt" else "dealt"}))
    evening.do(1, refused)
    for change in (ChangeSetting("cards", who), ChangeSettings({"cards": "undecided"})):
        assert evening.refused(1, change).rule == "27.1"
        assert evening.refused(2, change).reason == "Only the host may change the settings."


def test_cards_are_turned_in_for_all_to_see() -> None:
    evening = after("2 bronze, 2 iron, famine")
    assert evening.refused(1, SurrenderCards(cards("famine"))).rule == "31.72"
    assert evening.refused(1, SurrenderCards(cards("?"))).reason == "You can't turn in 1 unnamed card."
    assert evening.refused(1, SurrenderCards(NOTHING)).reason == "You can't turn in nothing."
    assert evening.refused(1, SurrenderCards(cards("3 iron"))).reason == "You don't have 1 Iron."
    (given,) = evening.do(1, SurrenderCards(cards("2 bronze"), "bronze"))
    assert isinstance(given, CardsSurrendered)
    assert (given.worth, given.mining) == (54, "commodity:bronze")
    assert evening.refused(1, SurrenderCards(cards("iron"), "iron")).reason == "You have already used Mining this turn."
    assert evening.do(1, SurrenderCards(cards("iron")))


def test_cards_stay_in_hand_until_trading_is_over() -> None:
    assert held({1: "3 salt"}).refused(1, SurrenderCards(cards("salt"))).rule == "31.1"


def test_players_with_too_many_cards_are_asked_which_go() -> None:
    evening = after("salt")
    assert not evening.sees(2).prompts
    evening.do(1, ShowCalamities())
    (prompt,) = evening.sees(2).prompts
    assert (prompt.seat, prompt.secret, prompt.buttons[0].label) == ("crete", True, "Turn in cards")
    assert ":" not in prompt.key
    assert not evening.sees(1).prompts
    evening.do(2, SurrenderCards(cards("salt")))
    assert not evening.sees(2).prompts


def test_the_next_turn_begins_whatever_hands_hold_and_its_owner_alone_is_stopped() -> None:
    """31.71: that somebody is over the limit is told to nobody else, by no answer."""
    evening = after("salt")
    evening.do(1, ShowCalamities())
    evening.do(1, SetPhase("acquire"))
    (prompt,) = evening.sees(2).prompts
    assert "kept 9" in prompt.text
    assert evening.refused(2, DrawCards(cities=1), moderator=True).rule == "31.71"
    assert evening.refused(2, SurrenderCards(cards("2 salt"))).rule == "31.1"
    assert evening.refused(1, SurrenderCards(cards("salt"))).rule == "31.1"
    evening.do(2, SurrenderCards(cards("salt")))
    assert not evening.sees(2).prompts
    assert evening.do(2, DrawCards(cities=1), moderator=True)


def test_who_kept_too_much_can_trade_nothing_either() -> None:
    evening = after("salt")
    evening.do(1, ShowCalamities())
    evening.do(1, SetPhase("acquire"))
    assert evening.refused(1, SetPhase("trade")).rule == "28.4"  # nobody has said what they drew
    evening.do(1, OpenTrading(0, anyway=True))
    post = PostOffer(to="egypt", give=cards("3 salt"), want=cards("3 iron"))
    assert evening.refused(2, post).rule == "31.71"
    evening.do(1, SetPhase("after"))
    assert not evening.sees(2).prompts  # not before the calamities have been shown


def test_calamities_come_before_the_next_turn() -> None:
    assert after("salt").refused(1, SetPhase("acquire")).rule == "29.3"
    assert dealt().refused(1, SetPhase("acquire")).reason == "The acquire phase has already begun."


def test_an_untracked_table_goes_on_without() -> None:
    evening = Evening(inventory="untracked")
    evening.do(1, SetPhase("after"))
    evening.do(1, SetPhase("acquire"))
    assert state_of(evening.table).turn == 2


def test_a_new_turn_begins_afresh() -> None:
    evening = dealt()
    evening.sets("crete", cards("4 iron, gold"))
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities())
    evening.do(2, SurrenderCards(cards("4 iron"), "iron"))
    _, restored, _ = evening.do(1, SetPhase("acquire"))
    assert isinstance(restored, StacksRestored)
    assert restored.cards == cards("4 iron")
    table = evening.table
    assert state_of(table).turn == 2
    assert (part(table, Draws), part(table, Calamities)) == (Draws(), Calamities())
    assert (part(table, Surrenders).mined, part(table, Stacks).aside) == (frozenset(), NOTHING)
    evening.do(1, DrawCards(cities=1))
    assert len(part(evening.table, Stacks).stacks[0]) == len(part(table, Stacks).stacks[0]) - 1


def test_how_many_cards_each_keeps_is_told_and_nothing_beyond_the_limit() -> None:
    evening = after("2 salt, famine")
    evening.do(1, ShowCalamities())
    kept, *_ = evening.do(1, SetPhase("acquire"))
    assert kept == CardsKept(kept={"egypt": 2, "crete": 8, "italy": 3})
