"""A card's buttons have the stamp of the newest entry that they are about, and of no later one."""

from __future__ import annotations

from dataclasses import replace

from bot.games.ti4.take_back import TakeTradeBack
from bot.games.ti4.turns import StartTurn
from bot.rules.commands import button
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.offers.posting import AlterOffer, PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.model.actions import OfferAction
from bot.rules.model.goods import Goods
from bot.rules.model.stamps import has_stamp, newest_stamp, stamp_in, with_stamps
from bot.rules.views import PromptView, TableView
from bot.show.actions import BoardPress, BrowseOffers, RevealPrompt
from bot.show.custom_ids import decode, encode, placed, stamp_on, without_number
from bot.show.deals import deal_card
from bot.show.menu import waiting
from bot.show.notices import prompt_card
from bot.show.offer_cards import offer_card
from tests.show.playing import World, table_of, traded

ONE, TWO = Goods({"trade_good": 1}), Goods({"trade_good": 2})


def seen(world: World, person: int) -> TableView:
    """The table as it is read from a ledger with an entry a second."""
    view, stamps = world.view(person), ""
    for seq in range(1, view.seq + 1):
        stamps = with_stamps(stamps, seq, seq * 1000)
    return replace(view, stamps=stamps)


def stamped(world: World, offer: int) -> int:
    view = seen(world, 2)
    stamp = offer_card(view, view.offers[offer]).stamp
    assert stamp is not None
    assert stamp.text == stamp_in(view.stamps, stamp.seq)
    return stamp.seq


def last(world: World, kind: str) -> int:
    """The number of the last entry of a kind."""
    return [each.seq for each in world.recorded if each.entry.kind == kind][-1]


def test_an_offers_card_has_that_of_its_revision_and_no_other_entry_changes_it() -> None:
    world = table_of(3)
    world.do(PostOffer("sol", ONE, TWO), 1)
    posted = last(world, "offer.posted")
    assert stamped(world, 1) == posted
    world.do(PostOffer("letnev", ONE, TWO), 1)
    assert stamped(world, 1) == posted
    world.do(AlterOffer(1, 1, give=TWO), 1)
    assert stamped(world, 1) == last(world, "offer.altered") > posted


def test_a_receipt_has_that_of_its_transaction() -> None:
    world = table_of(2)
    world.do(StartTurn("hacan"), 1)
    world.do(PostOffer("sol", ONE, ONE), 1)
    world.do(Sign(1, 1), 2)
    assert stamped(world, 1) == last(world, "offer.transaction")


def test_a_deals_card_has_that_of_its_proposal() -> None:
    world = table_of(3)
    world.do(ProposeDeal("sol", "I stay", later=True), 1)
    proposed = last(world, "deal.proposed")
    world.do(PostOffer("sol", ONE, TWO), 1)
    view = seen(world, 2)
    stamp = deal_card(view, view.deals[1]).stamp
    assert stamp is not None
    assert stamp.seq == proposed


def test_a_question_has_the_same_whether_or_not_its_trade_is_recalled() -> None:
    world = traded(2)
    world.do(TakeTradeBack(1, offer=1), 1)
    recalls = seen(world, 2)
    forgets = replace(recalls, offers={})
    [prompt] = recalls.prompts
    assert 1 in recalls.offers
    assert prompt_card(recalls, prompt) == prompt_card(forgets, prompt)


def test_whether_a_deal_was_kept_is_asked_alike_whether_or_not_it_is_recalled() -> None:
    world = table_of(2)
    world.do(ProposeDeal("sol", "I stay", later=True), 1)
    world.do(AnswerDeal(1, agreed=True), 2)
    mark = button("They kept it", world.table, MarkDeal(1, "kept"))
    prompt = PromptView(world.table.id, "kept-1", "sol", "Did they?", (mark,), deal=1)
    recalls = replace(seen(world, 2), prompts=(prompt,))
    forgets = replace(recalls, deals={})
    assert 1 in recalls.deals
    assert prompt_card(recalls, prompt) == prompt_card(forgets, prompt)
    assert waiting(recalls) == waiting(forgets)


def test_a_custom_id_ends_with_it_where_there_is_room() -> None:
    stamp = newest_stamp(seen(table_of(2), 1))
    assert stamp is not None
    show = OfferAction(1, 12, 3, "show")
    custom_id = encode(show, stamp)
    assert custom_id == f"offer:1:12:3:show%{stamp.text}"
    assert (decode(custom_id), stamp_on(custom_id)) == (show, stamp.text)
    assert encode(replace(show, table=2), stamp) == "offer:2:12:3:show"  # it is another table's
    assert stamp_on(encode(RevealPrompt(1, "x" * 90), stamp)) == ""
    menu = placed(encode(BrowseOffers(1), stamp), 1)
    assert stamp_on(without_number(menu)) == stamp.text


def test_what_a_person_typed_is_never_taken_for_one() -> None:
    for text in ("100%abcd", "%25ab", "a%k3Fd", "%3Aabc"):
        custom_id = encode(RevealPrompt(1, text))
        assert (decode(custom_id), stamp_on(custom_id)) == (RevealPrompt(1, text), "")


def test_only_the_entries_of_this_ledger_have_theirs() -> None:
    stamps = with_stamps(with_stamps("", 2, 1000), 3, 2000)
    assert has_stamp(stamps, stamp_in(stamps, 2))
    assert has_stamp(stamps, stamp_in(stamps, 3))
    assert not has_stamp(stamps, stamp_in(with_stamps("", 1, 3000), 1))
    assert stamp_in(stamps, 4) == stamp_in(stamps, 0) == ""
    assert encode(BoardPress(1, "new"), None) == "board:1:new"
