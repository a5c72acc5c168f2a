"""Rule 27.1: all say how many cities they have, then all draw in order; 28.4: nobody is forgotten."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cities import CitiesSaid, SayCities
from bot.games.advciv.drawing import BuyCard, CardsDrawn, DrawCards, in_order, yet_to_draw
from bot.games.advciv.stacks import StacksShuffled
from bot.games.advciv.state import Bell, Draws, Stacks, state_of
from bot.games.advciv.trading import CloseTrading, DoneTrading, OpenTrading, TradingOpened, TradingUndone, UndoTrading
from bot.rules.commands import Press
from bot.rules.entries import Entry
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.offers.entries import OfferVoided
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver, Sign
from bot.rules.features.seats import Leave
from bot.rules.features.tables import SetPhase, Tick, next_deadline
from bot.rules.model.parts import part
from tests.games.advciv.playing import Evening, cards, dealt


def say(cities: int, seat: str | None = None) -> SayCities:
    return SayCities(cities=cities, seat=seat)


def drew(entries: Iterable[Entry]) -> list[tuple[str, int, bool]]:
    return [(entry.seat, entry.cities, entry.told) for entry in entries if isinstance(entry, CardsDrawn)]


def test_fewest_cities_first_and_ties_as_on_the_ast() -> None:
    cities = {"egypt": 3, "africa": 3, "italy": 0, "crete": 2, "asia": 3}
    assert in_order(cities) == (("italy", 0), ("crete", 2), ("africa", 3), ("asia", 3), ("egypt", 3))


def test_the_last_to_say_has_all_draw() -> None:
    evening = Evening()
    assert evening.do(1, say(5)) == (CitiesSaid(seat="egypt", cities=5),)
    assert evening.do(2, say(4)) == (CitiesSaid(seat="crete", cities=4),)
    said, shuffled, *draws = evening.do(3, say(5))
    assert isinstance(said, CitiesSaid)
    assert isinstance(shuffled, StacksShuffled)
    assert drew(draws) == [("crete", 4, True), ("italy", 5, False), ("egypt", 5, True)]
    assert not part(evening.table, Draws).said
    assert evening.refused(1, say(4)).rule == "27.1"
    assert evening.do(1, BuyCard())


def test_a_slip_is_mended_until_all_have_said() -> None:
    evening = Evening(2)
    evening.do(1, say(5))
    assert evening.refused(1, say(5)).rule == ""
    evening.do(1, say(2))
    assert drew(evening.do(2, say(3))) == [("egypt", 2, True), ("crete", 3, False)]


def test_a_host_says_it_for_another_and_nobody_else_does() -> None:
    evening = Evening(2)
    assert evening.refused(2, say(3, "egypt")).reason == "Only the host can say it for another player."
    evening.do(1, say(3, "crete"))
    assert drew(evening.do(1, say(4))) == [("crete", 3, True), ("egypt", 4, False)]


def test_when_the_last_to_say_nothing_leaves_all_draw_at_once() -> None:
    evening = Evening()
    evening.do(1, say(5))
    evening.do(2, say(4))
    assert next_deadline(evening.table) is None
    evening.do(3, Leave())
    assert next_deadline(evening.table) == 1
    assert drew(evening.do(0, Tick())) == [("crete", 4, True), ("egypt", 5, True)]
    assert next_deadline(evening.table) is None


def test_who_leaves_takes_their_number_along() -> None:
    evening = Evening()
    evening.do(3, say(1))
    evening.do(3, Leave())
    assert not part(evening.table, Draws).said


def test_on_a_real_table_the_order_is_told() -> None:
    evening = Evening(2)
    evening.do(2, Gain(cards("3 salt")))
    evening.do(1, say(5))
    (told,) = evening.do(2, say(4))
    assert isinstance(told, CitiesSaid)
    assert told.order == (("crete", 4), ("egypt", 5))
    assert not part(evening.table, Stacks).stacks
    assert yet_to_draw(evening.table) == ["egypt"]
    evening.do(2, Gain(cards("iron")))
    evening.do(1, SetHoldings("egypt", cards("gold")))
    assert yet_to_draw(evening.table) == []


# ---------------------------------------------------------------- opening too early


def one_has_drawn() -> Evening:
    evening = Evening()
    evening.do(1, DrawCards(cities=7))
    return evening


@pytest.mark.parametrize("command", [OpenTrading(5), SetPhase("trade")])
def test_opening_asks_first_and_names_those_who_have_still_to_draw(command: OpenTrading | SetPhase) -> None:
    evening = one_has_drawn()
    refused = evening.refused(1, command)
    assert (refused.rule, refused.reason) == ("28.4", "<seat:crete>, <seat:italy> still have cards to draw.")


def test_the_question_has_a_button_that_opens_for_as_long() -> None:
    evening = one_has_drawn()
    with pytest.raises(Exception, match="still have cards to draw") as asked:
        evening.do(1, OpenTrading(5))
    (option,) = asked.value.options  # type: ignore[attr-defined]
    assert (option.label, option.action) == ("Open anyway", Press(evening.table.id, OpenTrading(5, anyway=True)))


def test_who_has_said_draws_as_trading_opens_and_the_others_later() -> None:
    evening = one_has_drawn()
    evening.do(2, say(3))
    drawn, opened = evening.do(1, OpenTrading(5, anyway=True))
    assert drew([drawn]) == [("crete", 3, True)]
    assert isinstance(opened, TradingOpened)
    assert evening.refused(3, say(2)).remedy == "Draw at once: /cards draw."
    evening.do(3, DrawCards(cities=2))
    assert evening.do(3, BuyCard())
    assert evening.refused(2, BuyCard()).rule == "27.5"


def test_a_stale_press_does_not_move_the_bell() -> None:
    evening = one_has_drawn()
    evening.do(1, OpenTrading(5, anyway=True))
    assert evening.refused(1, OpenTrading(0, anyway=True)).reason == "Trading is open already."


def test_opening_is_taken_back_as_if_it_had_never_been() -> None:
    evening = one_has_drawn()
    before = evening.table
    evening.do(1, OpenTrading(5, anyway=True))
    evening.do(1, PostOffer(give=evening.hand(1).of_kind("commodity"), want=cards("2 iron, ?")))
    evening.do(1, DoneTrading())
    assert evening.refused(2, UndoTrading()).reason == "Only the host may take that back."
    voided, undone = evening.do(1, UndoTrading())
    assert isinstance(voided, OfferVoided)
    assert isinstance(undone, TradingUndone)
    assert (evening.table.phase, evening.table.window.kind) == (before.phase, before.window.kind)
    assert part(evening.table, Bell) == Bell()
    assert part(evening.table, Draws) == part(before, Draws)
    assert state_of(evening.table).turn == state_of(before).turn
    assert evening.refused(1, UndoTrading()).rule == "28.4"
    assert evening.do(2, DrawCards(cities=3))


def test_what_was_kept_too_many_of_is_still_owed_after_trading_was_taken_back() -> None:
    evening = Evening(2)
    evening.do(1, Gain(cards("9 salt")))
    for phase in ("trade", "after"):
        evening.do(1, SetPhase(phase))
    evening.do(1, ShowCalamities())
    evening.do(1, SetPhase("acquire"))
    evening.do(1, OpenTrading(0, anyway=True))
    evening.do(1, CloseTrading())
    evening.do(1, UndoTrading())
    assert evening.refused(1, say(3)).rule == "31.71"


def test_once_cards_have_changed_hands_the_opening_stands() -> None:
    evening = dealt()
    for person in (1, 2):
        evening.sets(evening.table.seated()[person - 1], cards("3 salt"))
    evening.do(1, OpenTrading(0))
    evening.do(1, PostOffer(to="crete", give=cards("3 salt"), want=cards("3 salt")))
    evening.do(2, Sign(1))
    for person in (1, 2):
        evening.do(person, HandOver(1, cards("3 salt")))
    assert evening.table.transactions == 1
    assert evening.refused(1, UndoTrading()).rule == "28.1"
    evening.do(1, CloseTrading())
    assert evening.refused(1, UndoTrading()).rule == "28.1"


def test_calamities_wait_for_those_who_have_still_to_draw_unless_somebody_says_so() -> None:
    evening = one_has_drawn()
    evening.do(1, SetPhase("after"))
    assert evening.refused(1, ShowCalamities()).rule == "27.1"
    evening.do(2, DrawCards(cities=3))
    assert evening.do(1, ShowCalamities(anyway=True))
