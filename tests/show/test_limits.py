"""Tests that Discord takes what people are shown, whatever lies on the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, product

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.components import FRAGMENTS, UNITS
from bot.games.ti4.turns import StartTurn
from bot.rules.features import deals
from bot.rules.features.holdings import Corrected, Gained, SetHoldings, Spent
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.posting import AlterOffer, PostOffer
from bot.rules.model.goods import Goods
from bot.show.board import board_card, table_card
from bot.show.cards import LINE_MAX, ROWS_MAX, Card, truncate
from bot.show.drafts import OfferDraft, build_card, proposals_card
from bot.show.forms import TERMS_MAX
from bot.show.menu import menu_card, my_goods_card, phase_card, seats_card, undo_card
from bot.show.narration import headline_text
from bot.show.notices import prompt_card, shared_prompt_card
from bot.show.offer_cards import offer_card, offers_card
from bot.show.partners import new_offer_card, partners_card, partners_now
from bot.show.results import holdings_text, public_result_card, result_card
from tests.drawn import refused
from tests.scale import variants
from tests.show.playing import World, lived, message, problems, table_of, text_problems

LONG = {n: f"{n:02}" + "*_`~|\\" * 5 for n in range(1, 11)}
"""Names of 32 characters, as long as Discord lets them be, nearly all of them in need of a
backslash.
"""

TERMS = "*_~|" * 75

assert {len(name) for name in LONG.values()} == {32}


def full() -> World:
    """Return eight at a table, each with some of everything."""
    world = table_of(8, LONG)
    world.do(StartTurn("hacan"))
    for seat in world.table.seats:
        world.do(SetHoldings(seat, much(world)))
    return world


def much(world: World) -> Goods:
    """Return 999 of whatever is counted, and some captured units of two colours."""
    counted = ["trade_good", "action_card", *(f"fragment:{kind}" for kind in FRAGMENTS)]
    captured = product(UNITS[2:5], list(world.table.seats)[:2])
    units = [f"captured:{unit}:{seat}" for unit, seat in captured]
    return Goods(dict.fromkeys(counted, 999) | dict.fromkeys(units, 1))


def many_offers(goods: Goods) -> World:
    """Return a full table at which everybody offers this to everybody, in the longest words."""
    world = full()
    for by in range(1, 9):
        for to in range(1, 9):
            if by != to:
                world.do(PostOffer(world.seat(to), goods, goods, TERMS), by)
    return world


ALL_FREE = Goods({"trade_good": 999, **{f"fragment:{kind}": 999 for kind in FRAGMENTS}})
"""As much as one side may give at any table, but for notes and captured units."""


def shown(world: World) -> Iterator[Card]:
    """Yield every card of a table for everybody who looks."""
    for person in (0, *range(1, 9)):
        view = world.view(person)
        yield from (offer_card(view, offer) for offer in view.offers.values())
        yield from (prompt_card(view, prompt) for prompt in view.prompts)
        yield from (shared_prompt_card(view, prompt) for prompt in view.prompts)
        yield table_card(view, world.pairs(person))
        yield board_card(view)
        yield from (menu_card(view), undo_card(view), phase_card(view), seats_card(view))
        if view.seat is not None:
            pairs = world.pairs(person)
            yield from (
                my_goods_card(view, view.seat, partners_now(view, pairs)),
                partners_card(view, pairs),
                new_offer_card(view, pairs),
            )


# ---------------------------------------------------------------- cards


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(3)))
def test_cards_of_a_table_that_has_lived(seed: int) -> None:
    world = lived(seed, called=LONG)
    assert problems(*shown(world)) == []
    people = list(world.people)
    told = [(world.view(person), world.entries(person)) for person in people]
    for view in world.entries(audits=True):
        entry = view.entry
        if isinstance(entry, Transaction):
            results = [result_card(mine, entries[view.seq - 1]) for mine, entries in told]
            cards = [public_result_card(world.view(), view, entry), *results]
            assert problems(*filter(None, cards)) == []
        if isinstance(entry, Gained | Spent | Corrected):
            assert text_problems(headline_text(view)) == []


def test_an_offer_with_the_longest_names_goods_and_terms() -> None:
    world = full()
    giver, taker = world.seat(1), world.seat(2)
    units = Goods(
        {f"captured:{unit}:{taker}": 1 for unit in UNITS if unit not in ("fighter", "infantry")}
    )
    note = Goods({f"note:political_secret:{giver}": 1})
    world.do(PostOffer(taker, ALL_FREE + units + note, ALL_FREE, TERMS))
    for person in (0, 1, 2):
        assert problems(offer_card(*world.offer(1, person))) == []


def test_an_altered_offer_with_the_longest_of_everything_and_drawn_icons() -> None:
    """An emoji of the application takes some 40 characters where a symbol takes one."""
    world = full()
    taker = world.seat(2)
    units = Goods(
        {f"captured:{unit}:{taker}": 1 for unit in UNITS if unit not in ("fighter", "infantry")}
    )
    world.do(PostOffer(taker, ALL_FREE + units, ALL_FREE, TERMS, TERMS))
    world.do(
        AlterOffer(
            1,
            give=ALL_FREE,
            want=Goods({"trade_good": 1}),
            terms=TERMS[::-1],
            terms_now=TERMS[::-1],
        )
    )
    for person in (0, 1, 2):
        card = offer_card(*world.offer(1, person), now=True)
        assert "~~" in card.blocks[0]
        drawn = re.sub(r"<icon:[^>]*>", f"<:{'x' * 22}:{10**18}>", "".join(card.blocks))
        assert len(drawn) <= 4000 - len(card.blocks)
        assert problems(card) == []


@pytest.mark.parametrize("goods", [Goods({"trade_good": 3}), ALL_FREE], ids=["short", "long"])
def test_the_table_with_eight_and_as_many_offers_as_it_lists(goods: Goods) -> None:
    world = many_offers(goods)
    assert problems(table_card(world.view(), world.pairs())) == []
    assert problems(board_card(world.view())) == []


def test_what_people_are_shown_privately_with_as_much_waiting_for_them() -> None:
    world = many_offers(ALL_FREE)
    assert problems(*_private(world, 1)) == []


def test_my_goods_take_the_place_of_a_message_that_may_ring() -> None:
    """A count pressed in a DM shows the goods there, under all that waits and beside what could be
    traded.
    """
    world = many_offers(ALL_FREE)
    view = world.view(1)
    now = partners_now(view, world.pairs(1))
    card = my_goods_card(view, world.seat(1), now)
    assert len(card.rows) > ROWS_MAX
    assert refused(message(card, "classical")) == []


def _private(world: World, person: int) -> Iterator[Card]:
    view, pairs = world.view(person), world.pairs(person)
    yield from (
        my_goods_card(view, world.seat(person), partners_now(view, pairs)),
        partners_card(view, pairs),
    )
    yield from (new_offer_card(view, pairs), menu_card(view))
    much = Goods({"trade_good": 35, **{f"fragment:{kind}": 35 for kind in FRAGMENTS}})
    every = OfferDraft(world.seat(person % 8 + 1), 0, much, much)
    yield from (
        proposals_card(view, every, ()),
        build_card(view, every),
        build_card(view, OfferDraft(None)),
    )


def test_the_list_of_offers() -> None:
    world = many_offers(Goods({"trade_good": 3}))
    card = offers_card(world.view(1))
    assert card is not None
    assert problems(card) == []
    lines = card.blocks[-1].splitlines()
    assert len(world.table.offers) == len(lines) or "more" in lines[-1]


def test_what_a_seat_holds_fits() -> None:
    world = full()
    for person in range(1, 9):
        seat = world.seat(person)
        text = holdings_text(world.view(person), seat)
        assert problems(Card("open", (f"### {seat}", text))) == []


def test_what_a_seat_holds_that_has_everybodys_notes() -> None:
    world = full()
    every = chain.from_iterable(map(GAME.seats.start, world.table.seats))
    everything = much(world) + Goods(dict.fromkeys(every, 1))
    world.do(SetHoldings("hacan", everything))
    text = holdings_text(world.view(1), "hacan")
    assert problems(Card("open", text)) == []


# ---------------------------------------------------------------- words


def test_a_form_takes_as_many_terms_as_the_rules() -> None:
    assert TERMS_MAX == deals.TERMS_MAX


@pytest.mark.parametrize(
    "text", ["a **b c** d " * 100, "<@123456789012345678> " * 60, "**" + "x" * 900 + "**"]
)
@pytest.mark.parametrize("most", [50, LINE_MAX, 540])
def test_what_is_cut_is_cut_between_words(text: str, most: int) -> None:
    cut = truncate(text, most)
    assert len(cut) <= most
    assert cut.count("**") % 2 == 0
    assert cut.count("<") == cut.count(">")
