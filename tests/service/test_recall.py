"""Tests that deals and offers that ended can be recalled in views, outcomes and briefings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.offers.entries import OfferEntry
from bot.rules.features.offers.posting import PostOffer, RepeatOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.tables import CloseTable
from bot.rules.model.violation import Refused
from tests.service.club import (
    ACCEPT,
    ALICE,
    BOB,
    CAROL,
    DAVE,
    TABLE,
    Club,
    moderator,
    requester,
    tg,
)
from tests.service.evening import ENDS, MINUTE, OPEN_DEALS, PRIVATE, PRIVATE_DEALS, TOPIC

EVERY = range(-1, 20)
PUBLIC = set(ENDS) - set(PRIVATE)
LIVE = {number for number, status in ENDS.items() if status in ("open", "suspended")}


async def test_a_table_keeps_what_is_not_over_only(evening: Club) -> None:
    table = await evening.remembered()
    assert set(table.offers) == LIVE
    assert (table.deals, table.negotiations) == ({}, {})
    assert (await evening.sees(BOB)).offers.keys() == LIVE


@pytest.mark.parametrize(
    ("user", "offers", "deals"),
    [
        (ALICE, PUBLIC, set(OPEN_DEALS)),
        (BOB, set(ENDS), {*OPEN_DEALS, *PRIVATE_DEALS}),
        (CAROL, set(ENDS), {*OPEN_DEALS, *PRIVATE_DEALS}),
        (DAVE, PUBLIC, set(OPEN_DEALS)),
    ],
    ids=["the host", "a party", "the other party", "a passer-by"],
)
async def test_what_is_over_is_recalled_for_those_who_may_know(
    evening: Club, user: int, offers: set[int], deals: set[int]
) -> None:
    """Numbers that there are none of, and those of others, are absent alike."""
    view = await evening.sees(user, offers=EVERY, deals=EVERY)
    assert {number: offer.status for number, offer in view.offers.items()} == {
        each: ENDS[each] for each in offers
    }
    assert view.deals.keys() == deals
    listed = await evening.service.deals(TABLE, requester(user))
    assert [deal.number for deal in listed] == sorted(deals, reverse=True)


async def test_a_moderator_recalls_what_everybody_may_know(evening: Club) -> None:
    """What was said in private they find by an audit only, in the entries."""
    view = await evening.service.view(TABLE, moderator(), offers=EVERY, deals=EVERY)
    assert view.offers.keys() == set(ENDS) - set(PRIVATE)
    assert view.deals.keys() == set(OPEN_DEALS)


async def test_a_recalled_deal_has_its_answer_and_its_marks(evening: Club) -> None:
    view = await evening.sees(BOB, deals=EVERY)
    marks = {number: (deal.status, dict(deal.marks)) for number, deal in view.deals.items()}
    assert marks == {
        1: ("agreed", {"hacan": "broken"}),
        2: ("agreed", {}),
        3: ("agreed", {}),
        4: ("declined", {}),
        5: ("agreed", {"letnev": "kept"}),
    }
    assert view.deals[1].not_binding == view.deals[5].not_binding == "later"


async def test_an_outcome_has_what_ended_with_it(club: Club) -> None:
    """As the person who did it may see it, and as everybody may; later it looks the same to
    them.
    """
    before = await club.seq()
    outcome = await club.does(BOB, ACCEPT)
    public = await club.public_view(before)
    assert outcome.view.offers[1].status == public.offers[1].status == "resolved"
    assert outcome.view.offers[1].links.transaction == 1
    assert (await club.sees(BOB)).offers == {}
    later = await club.sees(BOB, offers=[1])
    assert later.offers[1] == outcome.view.offers[1]


async def test_closing_shows_how_every_offer_ended(evening: Club) -> None:
    before = await evening.seq()
    await evening.does(ALICE, CloseTable())
    public = await evening.public_view(before)
    statuses = {number: offer.status for number, offer in public.offers.items()}
    assert statuses == dict.fromkeys(LIVE, "void")


async def test_a_deal_that_is_answered_is_in_the_outcome(club: Club) -> None:
    await club.does(ALICE, ProposeDeal("sol", "no war", later=True))
    outcome = await club.does(BOB, AnswerDeal(1, agreed=True))
    assert outcome.view.deals[1].status == "agreed"
    outcome = await club.does(ALICE, MarkDeal(1, mark="kept"))
    assert outcome.view.deals[1].marks == {"hacan": "kept"}
    assert outcome.view.deals == (await club.sees(ALICE, deals=[1])).deals


async def test_a_command_about_what_is_over_is_refused_with_how_it_ended(evening: Club) -> None:
    words = {
        1: "has been resolved",
        2: "was declined",
        3: "was withdrawn",
        4: "has run out",
        5: "ended with offer 6",
        7: "is void",
    }
    for number, how in words.items():
        for command in (Sign(number), EndOffer(number, how="decline")):
            with pytest.raises(Refused, match=how):
                await evening.does(BOB, command)
    with pytest.raises(Refused, match="There is no offer 99"):
        await evening.does(BOB, Sign(99))
    with pytest.raises(Refused, match="is already declined"):
        await evening.does(CAROL, AnswerDeal(4, agreed=True))
    with pytest.raises(Refused, match="have already marked deal 5"):
        await evening.does(CAROL, MarkDeal(5, mark="broken"))


async def test_a_resolved_offer_is_repeated_from_the_ledger(evening: Club) -> None:
    outcome = await evening.does(BOB, RepeatOffer(1))
    again = outcome.view.offers[max(ENDS) + 1]
    assert (again.poster, again.to) == ("sol", "hacan")
    assert (again.sides.want.total(), again.sides.terms) == (1, "you vote for me")


# ---------------------------------------------------------------- briefings


async def test_a_briefing_has_what_its_entries_are_about(evening: Club) -> None:
    seq = await evening.seq()
    briefing = await evening.service.briefing(TABLE, 0)
    assert briefing is not None
    assert [entry.seq for entry in briefing.entries] == list(range(1, seq + 1))
    assert {n: offer.status for n, offer in briefing.public.offers.items()} == {
        n: ENDS[n] for n in PUBLIC
    }
    assert briefing.public.deals.keys() == set(OPEN_DEALS)
    assert briefing.seats["sol"].view.offers.keys() == set(ENDS)
    assert briefing.seats["hacan"].view.offers.keys() == PUBLIC
    assert briefing.rooms[1].offers.keys() == set(ENDS)
    for shared, seen in (
        (False, briefing.seats["sol"].view),
        (True, briefing.seats["sol"].shared_view),
    ):
        asked = await evening.service.view(
            TABLE, requester(BOB), offers=EVERY, deals=EVERY, shared=shared
        )
        assert replace(seen, negotiations={}) == asked


async def test_a_briefing_has_the_negotiations_that_its_entries_close(evening: Club) -> None:
    """Its thread and its two are told that it is over; nobody else learns what it was about."""
    briefing = await evening.service.briefing(TABLE, 0)
    assert briefing is not None
    hacan, sol, letnev = (briefing.seats[seat] for seat in ("hacan", "sol", "letnev"))
    for view in (briefing.rooms[1], sol.view, letnev.view):
        [negotiation] = view.negotiations.values()
        assert not negotiation.open
        assert negotiation.resolved == (8,)
        assert negotiation.topic == TOPIC
    for view in (briefing.public, hacan.view, sol.shared_view):
        assert view.negotiations == {}


async def test_a_briefing_without_news_has_what_is_not_over(evening: Club) -> None:
    seq = await evening.seq()
    briefing = await evening.service.briefing(TABLE, seq)
    assert briefing is not None
    assert briefing.entries == ()
    assert (set(briefing.public.offers), briefing.public.deals) == (LIVE, {})


@pytest.mark.slow
async def test_a_briefing_of_some_news_has_only_what_that_is_about(evening: Club) -> None:
    for after in range(await evening.seq()):
        briefing = await evening.service.briefing(TABLE, after)
        assert briefing is not None
        news = [entry.entry for entry in briefing.entries]
        about = {entry.offer for entry in news if isinstance(entry, OfferEntry)}
        assert briefing.seats["sol"].view.offers.keys() == about | LIVE


async def test_each_seat_of_a_briefing_reads_its_own(evening: Club) -> None:
    briefing = await evening.service.briefing(TABLE, 0)
    assert briefing is not None
    players = {"hacan": ALICE, "sol": BOB, "letnev": CAROL}
    for seat, user in players.items():
        mine = briefing.seats[seat]
        assert (mine.seat, mine.user_id, mine.view.seat) == (seat, user, seat)
        read = await evening.service.entries(TABLE, requester(user))
        assert [entry.entry for entry in mine.entries] == [entry.entry for entry in read]
    assert briefing.guild_id == 1


async def test_an_expired_offer_is_briefed_after_a_restart(club: Club) -> None:
    """The bot was down when its time was up: a fresh service brings the end and the card that shows
    it.
    """
    offer = PostOffer(to="sol", give=tg(1), lasts=MINUTE)
    await club.does(ALICE, offer)
    seq = await club.seq()
    club.clock.moves(minutes=2)
    fresh = club.started()
    await fresh.tick(TABLE)
    briefing = await fresh.briefing(TABLE, seq)
    assert briefing is not None
    assert briefing.public.offers[2].status == "expired"
