"""Tests of strategy cards beyond the plays: old buttons, who must take one, goods that are laid."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.components import TRADE_GOOD
from bot.games.ti4.initiative import by_cards, cards_each, missing, turn_order
from bot.games.ti4.slips import UndoPhase
from bot.games.ti4.state import GameRound
from bot.games.ti4.strategy_cards import PutCardBack, SetCardGoods, SwapCards, TakeCard
from bot.games.ti4.turns import NextTurn, SetOrder, StartTurn
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings, SetPhase
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from data.ti4 import find_strategy_card, strategy_cards
from tests.games.ti4.tables import after, refused, table_of

FIVE = table_of(("hacan", "sol", "letnev", "mentak", "winnu"))
CARDS = [*strategy_cards()]
HOST, BOB, CAROL = 1, 2, 3


def all_take(table: Table, cards: list[str] = CARDS) -> Table:
    """Return the table after each player has taken a card, in the order in which they sat down."""
    for person, card in enumerate(cards[: len(table.seated())], 1):
        table = after(table, TakeCard(card), by=person)
    return table


KNOWN = all_take(FIVE)
BEGUN = after(KNOWN, NextTurn())


def goods(table: Table) -> dict[str, int]:
    """Return the trade goods on strategy cards."""
    now = part(table, GameRound)
    return {card: now.goods_on(card) for card in CARDS if now.goods_on(card)}


def choices(table: Table) -> list[str]:
    return [each.label for each in GAME.commands.board(table).choices]


def test_a_button_of_the_last_round_takes_no_card() -> None:
    old = TakeCard("trade", since=FIVE.phase_since)
    later = after(after(BEGUN, SetPhase("status")), SetPhase("strategy"))
    assert refused(later, old, by=BOB).reason == "The strategy phase has begun since."
    assert refused(BEGUN, old, by=HOST).reason == "The action phase has begun since."
    assert after(later, TakeCard("trade", since=later.phase_since), by=BOB)


def test_a_swap_is_about_the_cards_of_now() -> None:
    swap = SwapCards(CARDS[0], CARDS[1], part(KNOWN, GameRound).changed)
    swapped = after(KNOWN, swap)
    assert refused(swapped, swap).reason == "The strategy cards have changed since."
    assert by_cards(swapped)[:2] == ["sol", "hacan"]


def test_who_has_a_card_by_a_swap_takes_no_goods_from_who_chose_it() -> None:
    table = all_take(after(FIVE, SetCardGoods(CARDS[0], 2)))
    swapped = after(table, SwapCards(CARDS[0], CARDS[1]))
    for command in (PutCardBack(CARDS[0]), TakeCard("imperial")):
        assert "Only the host" in refused(swapped, command, by=BOB).reason
    back = after(swapped, PutCardBack(CARDS[0], "sol"))
    assert back.seats["hacan"].holdings.count(TRADE_GOOD) == 0


def test_one_card_for_another_puts_the_first_back() -> None:
    table = after(after(FIVE, TakeCard("trade"), by=BOB), TakeCard("politics"), by=BOB)
    assert part(table, GameRound).cards_of("sol") == ["politics"]
    assert "5 Trade" in choices(table)
    for not_own in ("trade", "warfare"):
        again = after(table, TakeCard("warfare", instead=not_own), by=BOB)
        assert part(again, GameRound).cards_of("sol") == ["warfare"]


def test_how_many_began_counts_all_game() -> None:
    six = table_of(("hacan", "sol", "letnev", "mentak", "winnu", "xxcha"))
    begun = after(six, StartTurn())
    left = after(after(after(begun, Leave(), by=2), Leave(), by=5), SetPhase("strategy"))
    assert len(left.seated()) == 4
    assert cards_each(left) == 1
    assert cards_each(after(left, ChangeSettings({"players": "4"}))) == 2


def test_two_people_are_not_asked() -> None:
    two = table_of(("hacan", "sol"))
    assert choices(two) == []
    assert len(choices(after(two, ChangeSettings({"players": "6"})))) == len(CARDS)


def test_while_a_card_is_missing_the_order_is_nobodys() -> None:
    four_of_five = after(KNOWN, PutCardBack(CARDS[4]), by=5)
    assert missing(four_of_five) == ["winnu"]
    assert by_cards(four_of_five) == []
    begun = after(four_of_five, StartTurn("hacan"))
    assert by_cards(begun) == []
    assert goods(begun) == {}
    late = after(begun, TakeCard(CARDS[4], "winnu"))
    assert turn_order(late) == ["hacan", "sol", "letnev", "mentak", "winnu"]
    assert goods(late) == dict.fromkeys(CARDS[5:], 1)


def test_somebody_who_sits_down_later_comes_last() -> None:
    table = after(BEGUN, Sit("arborec", 9), by=9)
    assert turn_order(table)[-1] == "arborec"
    assert by_cards(table)[0] == "hacan"


def test_the_hosts_order_holds() -> None:
    table = after(KNOWN, SetOrder(("winnu", "sol", "hacan")))
    assert turn_order(table)[:3] == ["winnu", "sol", "hacan"]
    assert turn_order(after(table, NextTurn()))[0] == "winnu"


def test_a_card_corrected_in_the_action_phase_moves_what_was_laid() -> None:
    corrected = after(BEGUN, TakeCard("imperial", "winnu"))
    assert goods(corrected) == {CARDS[4]: 1, CARDS[5]: 1, CARDS[6]: 1}
    assert corrected.seats["winnu"].holdings.count(TRADE_GOOD) == 0
    assert goods(after(corrected, TakeCard(CARDS[4], "winnu"))) == goods(BEGUN)


def test_where_not_all_sit_nothing_is_laid() -> None:
    table = all_take(after(FIVE, ChangeSettings({"players": "6"})))
    assert by_cards(table)
    assert goods(after(table, NextTurn())) == {}
    assert goods(after(table, SetCardGoods("trade", 2))) == {"trade": 2}


def test_where_nothing_is_counted_goods_are_only_shown() -> None:
    table = after(FIVE, ChangeSettings({"inventory": "untracked"}))
    table = after(table, SetCardGoods("trade", 2))
    assert "5 Trade +2 tg" in choices(table)
    taken = after(table, TakeCard("trade"), by=BOB)
    assert goods(taken) == {}
    assert taken.seats["sol"].holdings == table.seats["sol"].holdings
    assert goods(after(taken, PutCardBack("trade"), by=BOB)) == {"trade": 2}


def test_a_phase_is_taken_back_only_while_nothing_has_happened_in_it() -> None:
    back = after(BEGUN, UndoPhase())
    assert (back.phase, goods(back), by_cards(back)) == ("strategy", {}, by_cards(KNOWN))
    assert refused(back, UndoPhase()).reason == "The strategy phase can't be taken back any more."
    assert "can't be taken back" in refused(after(BEGUN, NextTurn()), UndoPhase()).reason
    status = after(BEGUN, SetPhase("status"))
    again = after(after(status, SetPhase("strategy")), UndoPhase())
    assert (again.phase, by_cards(again)) == ("status", by_cards(BEGUN))
    assert goods(again) == goods(BEGUN)


@pytest.mark.parametrize("text", ["5", "trade", "Trade", "5 Trade"])
def test_a_card_is_named_by_its_number_too(text: str) -> None:
    card = find_strategy_card(text)
    assert card is not None
    assert card.id == "trade"


def test_what_is_no_card_is_refused() -> None:
    assert refused(FIVE, TakeCard("piracy"), by=BOB).reason == "That is no strategy card."
    assert find_strategy_card("piracy") is None
