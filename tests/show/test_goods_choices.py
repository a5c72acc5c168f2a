"""Tests of suggestions for goods: each is read as what it says, and nobody is offered what they
lack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from bot.games.advciv.cards import TRADE_CARDS, box, tradable
from bot.games.ti4.boxes import start
from bot.games.ti4.components import FRAGMENTS
from bot.games.ti4.turns import StartTurn
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.state import violations
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSettings, OpenTable
from bot.rules.game import Trade
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.views import TableView
from bot.show import stock
from bot.show.goods_choices import CHOICES, LENGTH_MAX, GoodsChoice, goods_choices, without_remarks
from cogs.inputs import read_goods
from tests.show.playing import World, table_of
from tests.work import calls

NOTES = tuple(start("hacan"))

BEGUN = (
    "",
    " ",
    "t",
    "tg",
    "2",
    "2 t",
    "2 tarde",
    "9 c",
    "0 tg",
    "c",
    "ceas",
    "trade",
    "hacan's",
    "a ",
    "an",
    "act",
    "cap",
    "2 frag",
    "x",
    "nothing",
    "3 x tg",
    "two salt",
    "salt",
    "sa",
    "?",
    "? (",
    "? (sal",
    "epi",
    "3 cards: ",
    "unn",
    "99999999 tg",
    "1 ceasefire",
    "irn",
    "all you have",
)
"""What people have typed so far of the last part."""

KEPT = (
    "",
    "1 tg, ",
    "3 tg and ",
    "2 c + ",
    "ceasefire, ",
    "1 tg; 1 c; ",
    "salt, ",
    "2 salt, ? , ",
    "3 cards: salt, salt, ",
    "nonsense, ",
    "999 tg, ",
    "tg & ",
)
"""What people have typed before."""

TYPED = st.builds("{}{}".format, st.sampled_from(KEPT), st.sampled_from(BEGUN))

TI4_HAND = st.builds(
    lambda counted, notes: Goods(counted) + Goods.of(notes),
    st.dictionaries(
        st.sampled_from(
            (
                "trade_good",
                "commodity",
                "action_card",
                "captured:cruiser:sol",
                *(f"fragment:{k}" for k in FRAGMENTS),
            )
        ),
        st.integers(1, 6),
    ),
    st.lists(st.sampled_from((*NOTES, "note:ceasefire:sol")), unique=True, max_size=4),
)

ADVCIV_HAND = st.dictionaries(st.sampled_from(list(box())), st.integers(1, 8), max_size=9).map(
    lambda drawn: box().common(Goods(drawn))
)


def ti4(hand: Goods) -> World:
    """Hacan's turn, with this hand and no note beyond it."""
    world = table_of(3)
    world.do(StartTurn("hacan"))
    hacan = replace(world.table.seats["hacan"], holdings=hand)
    world.table = world.table.with_seat(hacan)
    return world


def advciv(hand: Goods) -> World:
    world = World()
    world.do(OpenTable("advciv", "Friday"))
    for person, seat in enumerate(("egypt", "crete", "italy"), start=1):
        world.do(Sit(seat, person))
    world.do(SetHoldings("egypt", hand))
    return world


def offered(view: TableView, typed: str) -> list[GoodsChoice]:
    return goods_choices(view, stock.own(view), typed, read_goods)


def check_form(found: Sequence[GoodsChoice]) -> None:
    assert len(found) <= CHOICES
    assert len({each.text for each in found}) == len(found)
    for choice in found:
        assert 1 <= len(choice.text) <= len(choice.label) <= LENGTH_MAX
    assert all(without_remarks(each.label) == each.text for each in found), (
        "what is shown can be sent as it is"
    )


@given(TI4_HAND, TYPED)
def test_what_is_suggested_to_give_can_be_given(hand: Goods, typed: str) -> None:
    world = ti4(hand)
    view = world.view(1)
    found = offered(view, typed)
    check_form(found)
    for each in found:
        goods = read_goods(view, each.text, "hacan")
        assert goods, each
        assert not hand.missing(goods.without_kind("any")), each
        if not goods.of_kind("action_card", "captured"):
            trade = Trade("hacan", "sol", goods, NOTHING)
            of_goods = [why for why in violations(world.table, trade) if why.of_goods]
            assert of_goods == [], each


@given(ADVCIV_HAND, TYPED)
def test_so_can_cards(hand: Goods, typed: str) -> None:
    world = advciv(hand)
    view = world.view(1)
    for found, held in (
        (offered(view, typed), False),
        (goods_choices(view, stock.in_hand(view), typed, read_goods), True),
    ):
        check_form(found)
        for each in found:
            goods = read_goods(view, each.text, "egypt")
            assert goods, each
            assert not tradable(hand).missing(goods.of_kind(*TRADE_CARDS)), each
            assert goods.total() <= tradable(hand).total(), each
            assert not (goods.of_kind("calamity") and not held), "calamities are not named here"
            assert not (held and goods.without_kind(*TRADE_CARDS)), "what is handed over is named"


@given(TYPED)
def test_what_others_may_give_is_what_lies_open_and_their_own_notes(typed: str) -> None:
    view = table_of(3).view(1)
    lies_open = view.seats["sol"].open
    found = goods_choices(view, stock.of_others(view, "sol"), typed, read_goods)
    check_form(found)
    for each in found:
        goods = read_goods(view, each.text, "sol")
        assert not (lies_open + start("sol")).missing(goods.without_kind("any")), each


@given(TYPED)
def test_of_everybody_it_is_what_anybody_else_has(typed: str) -> None:
    view = table_of(3).view(1)
    for each in goods_choices(view, stock.of_others(view, None), typed, read_goods):
        goods = read_goods(view, each.text, None)
        assert goods.count("trade_good") <= max(
            seat.open.count("trade_good") for seat in view.seats.values()
        )
        assert all(not token.endswith(":hacan") for token in goods), "nobody wants their own"


def test_what_is_not_counted_can_be_anything() -> None:
    world = table_of(2)
    world.do(ChangeSettings({"inventory": "untracked"}))
    assert [each.text for each in offered(world.view(1), "7 c")] == [
        "7 commodities",
        "7 cultural fragments",
    ]
    view = world.view(1)
    wanted = goods_choices(view, stock.of_others(view, "sol"), "cea", read_goods)
    assert [each.text for each in wanted] == ["Sol's Ceasefire (p2)", "Hacan's Ceasefire (p1)"]


def test_whoever_has_no_seat_is_offered_nothing() -> None:
    assert offered(table_of(2).view(9), "") == []


def test_what_stands_asked_of_me_is_suggested_in_the_empty_field() -> None:
    world = table_of(2)
    wish = Goods({"trade_good": 2, "commodity": 1})
    world.do(PostOffer("hacan", NOTHING, wish), 2)
    too_much = Goods({"trade_good": 7, "commodity": 1})
    world.do(PostOffer("hacan", NOTHING, too_much), 2)
    texts = [each.text for each in offered(world.view(1), "")]
    assert texts[:3] == ["4 trade goods", "1 commodity", "1 unknown fragment"]
    assert texts[-1] == "2 trade goods, 1 commodity"
    assert not any(text.startswith("7") for text in texts), "I don't have that"


def test_amounts_are_listed_for_whoever_has_typed_no_number() -> None:
    world = ti4(Goods({"trade_good": 3, NOTES[-1]: 1}))
    texts = [choice.text for choice in offered(world.view(1), "t")]
    assert texts[0] == "1 trade good"
    assert {"2 trade goods", "3 trade goods"} < set(texts)


def test_a_full_hand_is_little_work() -> None:
    four = Goods(dict.fromkeys(box(), 4))
    world = advciv(box().common(four))
    view = world.view(1)
    for typed in ("", "sal", "2 salt, 1 iron, ?, o"):
        offered(view, typed)
        assert calls(partial(offered, view, typed)) < 100_000


def test_where_nobody_counts_cards_may_stay_unnamed() -> None:
    world = advciv(NOTHING)
    world.do(ChangeSettings({"inventory": "untracked"}))
    assert next(each.text for each in offered(world.view(1), "3 ?")) == "3 ?"
    assert not any("famine" in each.text for each in offered(world.view(1), "fam")), (
        "calamities are not named here"
    )
