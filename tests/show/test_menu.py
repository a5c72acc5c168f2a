"""Tests of the board's menus: partners, holdings, what waits, and more."""

from __future__ import annotations

from dataclasses import replace

from bot.games.ti4.turns import GiveTurn, StartTurn
from bot.rules.features.deals import ProposeDeal
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.model.goods import Goods
from bot.show.actions import BoardPress, RevealPrompt
from bot.show.board import board_card
from bot.show.menu import host_card, menu_card, my_goods_card, settings_card, undo_card, waiting
from bot.show.partners import new_offer_card, partners_card
from tests.show.playing import World, buttons_of, labels_of, selects_of, table_of

ONE = Goods({"trade_good": 1})


def turn_of(seat: str, seats: int = 4) -> World:
    world = table_of(seats)
    world.do(StartTurn(seat))
    return world


# ---------------------------------------------------------------- with whom


def test_what_would_mend_it_is_one_press_for_the_two_only() -> None:
    world = turn_of("mahact")
    card = partners_card(world.view(4), world.pairs(4))
    assert "p2 and I are neighbours" in labels_of(card)[0]
    assert all(each.remedy is None for each in world.pairs())
    spectator = partners_card(world.view(), world.pairs())
    assert spectator.rows == ()
    assert spectator.blocks[1].splitlines()[1].endswith("(Sol) · nobody")


# ---------------------------------------------------------------- what waits


def test_an_offer_waits_for_whom_it_was_made_to_until_they_agree() -> None:
    world = turn_of("hacan")
    world.do(PostOffer("sol", ONE))
    [found] = waiting(world.view(2))
    assert found.line.startswith("Offer 1 from <@1000000000000000001>: you get ")
    assert found.button.action == OfferAction(1, 1, 1, "show")
    for person in (1, 3, 0):
        assert waiting(world.view(person)) == []
    world.do(Sign(1), 2)
    assert waiting(world.view(2)) == []


def test_an_offer_to_all_waits_for_its_poster_once_somebody_accepts() -> None:
    world = turn_of("hacan")
    world.do(PostOffer(None, ONE))
    assert waiting(world.view(1)) == waiting(world.view(2)) == []
    world.do(Sign(1), 2)
    [found] = waiting(world.view(1))
    assert found.button.label == "Pick for offer 1"


def test_what_waits_comes_first_and_a_question_is_shown_as_it_is_by_then() -> None:
    world = turn_of("hacan")
    world.do(ProposeDeal("sol", "peace", later=True))
    view = world.view(2)
    card = my_goods_card(view, "sol")
    assert card.blocks[0] == "**Waiting for you**\nDeal 1, proposed by <@1000000000000000001>."
    reveal = RevealPrompt(1, view.prompts[0].key)
    assert buttons_of(card)[0][0].action == reveal
    assert card.mood == "waiting"
    for each in (
        partners_card(view, world.pairs(2)),
        new_offer_card(view, world.pairs(2)),
        menu_card(view),
    ):
        assert each.blocks[0] == card.blocks[0]


def test_only_amounts_are_bold_among_ones_goods() -> None:
    card = my_goods_card(table_of(2).view(1), "hacan")
    assert (
        "Trade goods: **4**\nCommodities: **1 of 6**\nPromissory notes: yours: Alliance"
        in card.blocks[1]
    )


# ---------------------------------------------------------------- Menu


def test_the_menu_has_the_hosts_part_for_hosts_only() -> None:
    world = turn_of("hacan")
    assert labels_of(menu_card(world.view(2))) == [
        ["There was combat", "An agenda comes up", "Neighbours changed"],
        ["See the offers", "Who has what", "History", "Look at the rules", "Say it"],
        ["Deal…", "Negotiate…", "Leave…"],
        ["Pings"],
    ]
    last = labels_of(menu_card(world.view(1)))[-1]
    assert last == ["p1 passes for this round", "Pings", "Host…"]
    rows = menu_card(world.view(1)).rows
    assert [row for row in rows if isinstance(row, str)] == [
        "This turn",
        "The table",
        "You",
    ]
    assert labels_of(host_card(world.view(1))) == [
        ["Order of play", "Strategy cards…", "Permit…", "Begin a phase", "Undo a slip"],
        ["Settings", "Seats", "Pause", "Close…"],
        ["Back"],
    ]
    assert labels_of(undo_card(world.view(1)))[0] == ["The action phase has not begun"]
    world.do(GiveTurn("sol"))
    assert labels_of(undo_card(world.view(1))) == [["Give p1 the turn back"], ["Back"]]


def test_only_a_host_can_choose_another_setting() -> None:
    world, values = turn_of("hacan"), {"rulings": ("refuse", "warn"), "timer": ()}
    assert selects_of(settings_card(world.view(2), values)) == []
    [select] = selects_of(settings_card(world.view(1), values))
    assert select.options == (
        ("What if the rules forbid a trade? It is done, with a warning", "rulings=warn"),
    )
    [*_, [back]] = buttons_of(settings_card(world.view(1), values))
    assert back.action == BoardPress(1, "host")
    assert (
        "? **It can't be done**\n\nWho counts what everybody has?"
        in settings_card(world.view(2), values).blocks[1]
    )


def test_a_game_with_more_next_steps_than_there_is_room_for_has_the_others_in_the_menu() -> None:
    view = turn_of("hacan").view(2)
    steps = tuple(LabelledAction(f"Step {number}", BoardPress(1, "table")) for number in range(5))
    view = replace(view, board=replace(view.board, buttons=steps))
    assert labels_of(board_card(view))[1] == ["Step 0", "Step 1", "Step 2", "Offers", "Menu"]
    assert labels_of(menu_card(view))[0][:2] == ["Step 3", "Step 4"]
