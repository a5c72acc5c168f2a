"""Tests of the board: the message that says which offers are possible now."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.features.offers.posting import PostOffer
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Violation
from bot.show.board import board_card, on_board
from tests.show.playing import World, labels_of, table_of, with_changes


def offered(turn: str = "hacan") -> World:
    """An offer from hacan to sol, in this seat's turn."""
    world = table_of(3)
    world.do(StartTurn(turn))
    world.do(PostOffer("sol", Goods({"trade_good": 1})))
    return world


def line(world: World, **changes: Any) -> str:
    """Return the board's line about offer 1, with the offer changed."""
    view = world.view()
    offer = with_changes(view.offers[1], **changes)
    changed = replace(view, offers={1: offer})
    text = next(
        block for block in board_card(changed).blocks if block.startswith("**Open offers**")
    )
    return re.sub("</?at[^>]*>", "", text.splitlines()[1])


@pytest.mark.parametrize(
    ("changes", "sign"),
    [
        ({"why_not": Violation("", "Not enough.")}, "⏳ #1"),
        ({"status": "suspended"}, "⏸️ #1"),
        ({"fits": True}, "✅ #1"),
    ],
)
def test_the_sign_before_an_offer(changes: dict[str, Any], sign: str) -> None:
    assert line(offered(), **changes).startswith(sign)


def test_an_offer_that_matches_another_is_marked() -> None:
    assert line(offered(), fits=True).endswith("🧩")
    assert not line(offered()).endswith("🧩")


def test_where_all_trade_with_all_the_phase_says_it_for_every_offer() -> None:
    view = offered().view()
    to_all = replace(view.offers[1], to=None)
    market = replace(view, pairwise=False, offers={1: to_all})
    text = next(block for block in board_card(market).blocks if block.startswith("**Open offers**"))
    assert text.splitlines()[1].startswith("<at:offer:1>#1</at> p1 · ")


def test_five_offers_are_on_the_board_and_one_press_shows_the_rest() -> None:
    world = offered()
    assert labels_of(board_card(world.view())) == [
        ["New offer", "My goods", "Who can I trade with?"],
        ["End turn", "Offers", "Menu"],
    ]
    for _ in range(5):
        world.do(PostOffer("letnev", Goods({"trade_good": 1})))
    card = board_card(world.view())
    *lines, more = card.blocks[-1].splitlines()[1:]
    numbers = re.findall(r"#\d", "\n".join(lines))
    assert numbers == ["#6", "#5", "#4", "#3", "#2"]
    assert more == "-# and 1 more: **Offers** shows all"


def test_what_waits_for_the_person_whose_turn_it_is_comes_first() -> None:
    world = offered(turn="sol")
    for _ in range(5):
        world.do(PostOffer("letnev", Goods({"trade_good": 1})))
    numbers = [offer.number for offer in on_board(world.view())]
    assert numbers == [1, 6, 5, 4, 3, 2]


def test_an_empty_board_names_the_next_step() -> None:
    card = board_card(table_of(3).view())
    assert card.blocks[0] == "### Friday · Strategy phase"
    assert "presses **Start my turn**" in card.blocks[1]
    assert card.blocks[2] == "-# No open offers. **New offer** makes one."
