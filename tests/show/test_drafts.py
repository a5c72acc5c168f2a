"""Tests of drafts of offers: their goods fit into buttons and are decoded from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain

import pytest

from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave
from bot.rules.model.codec import CODE, CUSTOM_ID_MAX, read_goods, write_goods
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.registry import games
from bot.rules.views import TableView
from bot.show import custom_ids
from bot.show.actions import DraftPick, DraftPress
from bot.show.drafts import (
    COUNTED_MAX,
    KINDS_MAX,
    PARTS,
    OfferDraft,
    answer_draft,
    build_card,
    draft_of,
    picked,
    press_of,
    proposals_card,
)
from data.advciv import nations
from data.ti4 import factions
from tests.show.playing import buttons_of, labels_of, selects_of, table_of
from tests.show.test_market import market

VIEWS: Mapping[str, tuple[Callable[[], TableView], Callable[[], Iterable[str]]]] = {
    "ti4": (lambda: table_of(2).view(1), factions),
    "advciv": (lambda: market(0).view(1), nations),
}
"""For each game, a table and the seats that it could have."""

GIVE = Goods({"trade_good": 2, "note:ceasefire:hacan": 1})


def test_a_draft_comes_back_from_its_buttons() -> None:
    view = table_of(3).view(1)
    draft = OfferDraft("sol", 0, GIVE, Goods({"commodity": 1, "fragment:cultural": 3}))
    action = custom_ids.decode(custom_ids.encode(press_of(view, draft, "build")))
    assert isinstance(action, DraftPress)
    assert draft_of(view, action) == draft


def test_every_draft_that_fits_is_a_custom_id() -> None:
    """Also at a table with a large number, with the longest name of an action."""
    text = write_goods(Goods({f"fragment:{kind}": 35 for kind in range(KINDS_MAX)}))
    for action in (
        DraftPress(10**8, "build", 99, 9999, text, "", 2 * 2 * COUNTED_MAX),
        DraftPick(10**8, "give", PARTS, 99, 9999, text, ""),
        DraftPress(10**8, "build", 99, 0, text, "", 2 * 2 * COUNTED_MAX, "", 9999, 99),
        DraftPick(10**8, "give", PARTS, 99, 0, text, "", "", 9999, 99),
    ):
        assert len(custom_ids.encode(action)) <= CUSTOM_ID_MAX
    view = table_of(2).view(1)
    assert not OfferDraft(
        "sol", 0, Goods({f"fragment:{kind}": 1 for kind in range(KINDS_MAX + 1)})
    ).fits
    assert not OfferDraft("sol", 0, Goods({"trade_good": 36})).fits
    assert draft_of(view, DraftPress(view.id, "build", 2, 0, "abcd1", "")) is None


def test_a_counter_has_what_the_other_gives_and_wants_even_if_nobody_holds_it() -> None:
    world = table_of(3)
    captured = Goods({"captured:cruiser:hacan": 1, "trade_good": 9})
    world.do(PostOffer("sol", GIVE, captured), 1)
    view, offer = world.offer(1, 2)
    draft = answer_draft(offer)
    assert draft.to == world.seat(1)
    assert (draft.give, draft.want) == (captured, GIVE)
    action = custom_ids.decode(custom_ids.encode(press_of(view, draft, "post")))
    assert isinstance(action, DraftPress)
    assert draft_of(view, action) == draft
    offer_it = buttons_of(build_card(view, draft))[-1][0]
    assert (offer_it.label, offer_it.disabled) == ("Offer it", True), "it says nothing new yet"
    gift = build_card(view, replace(draft, want=NOTHING))
    assert not buttons_of(gift)[-1][0].disabled


@pytest.mark.parametrize("game", sorted(VIEWS))
def test_no_two_components_of_a_game_have_one_code(game: str) -> None:
    """At a table with every seat: else a draft that names one of them could not be read."""
    view, seats = VIEWS[game]
    own = view().seats[view().seat or ""]
    every = replace(view(), seats=dict.fromkeys(seats(), own))
    tokens = {each.token for each in games()[game].goods.every(every)}
    codes = {write_goods(Goods({token: 1})) for token in tokens}
    assert len(codes) == len(tokens) > 0


def test_a_code_that_several_components_have_or_none_is_not_read() -> None:
    one = write_goods(Goods({"salt": 2}))
    assert read_goods(one, {"salt", "grain"}) == Goods({"salt": 2})
    assert read_goods(one, {"grain"}) is None
    assert read_goods(one + one, {"salt"}) is None
    assert read_goods(one[:CODE], {"salt"}) is None
    assert read_goods(one[:CODE] + "0", {"salt"}) is None
    assert read_goods("", set()) == NOTHING


def test_a_draft_is_for_a_person_and_not_for_who_takes_the_seat_later() -> None:
    world = table_of(3)
    pressed = press_of(world.view(1), OfferDraft("sol"), "build")
    world.do(Leave(), 2)
    assert draft_of(world.view(1), pressed) is None


def test_buttons_keep_their_place_and_stop_at_what_each_side_has() -> None:
    view = table_of(2).view(1)  # each has 4 trade goods and 1 commodity
    empty, full = (
        build_card(view, OfferDraft("sol", 0, goods))
        for goods in (NOTHING, Goods({"trade_good": 4}))
    )
    assert labels_of(empty) == labels_of(full)
    # the last: later
    disabled = [button.disabled for button in buttons_of(empty)[0]]
    assert disabled == [True, False, True, False, False]
    disabled = [button.disabled for button in buttons_of(full)[0]]
    assert disabled == [False, True, True, False, False]
    ids = [custom_ids.encode(each.action) for each in chain.from_iterable(buttons_of(full))]
    assert len(set(ids)) == len(ids)


def test_picking_changes_only_the_cards_of_its_menu() -> None:
    view = table_of(2).view(1)
    draft = OfferDraft("sol", 0, NOTHING, Goods({"commodity": 1}))
    once = picked(view, draft, "want", 0, ["note:ceasefire:sol#1", "note:nonsense:sol#1"])
    assert once.want == Goods({"commodity": 1, "note:ceasefire:sol": 1})
    assert picked(view, once, "want", 0, []) == draft
    assert picked(view, once, "want", 7, []) == once


def test_what_they_ask_others_for_can_be_offered_with_one_tap() -> None:
    world = table_of(3)
    commodity = Goods({"commodity": 1})
    world.do(PostOffer("sol", Goods({"trade_good": 1}), commodity), 3)
    world.do(PostOffer(None, Goods({"trade_good": 2}), commodity), 3)
    third = world.seat(3)
    proposals = proposals_card(world.view(1), OfferDraft(third), ())
    labels = list(chain.from_iterable(labels_of(proposals)))
    assert "As they asked p2 (Sol): 1 c for 1 tg" in labels
    assert "Look at offer 2: 1 c for 2 tg" in labels
    to_all = labels_of(proposals_card(world.view(1), OfferDraft(None), ()))
    assert not any("offer" in label for label in chain.from_iterable(to_all))


def test_in_the_market_named_cards_are_picked_and_unnamed_ones_counted() -> None:
    card = build_card(market(0).view(1), OfferDraft(None))
    assert labels_of(card)[:2] == [
        ["Give −1 unnamed card", "Give +1 unnamed card"],
        ["Get −1 unnamed card", "Get +1 unnamed card"],
    ]
    numbers, give, _, want, _ = selects_of(card)
    assert numbers.options[:2] == (
        ("0 unnamed cards", "unnamed#0"),
        ("1 unnamed card", "unnamed#1"),
    )
    assert [value for _, value in give.options][:2] == ["commodity:grain#1", "commodity:grain#2"]
    assert ("2 Bronze", "commodity:bronze#2") in want.options
