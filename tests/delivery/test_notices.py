"""Tests that each notice pings once, and that silencing a kind of notice loses no message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import pytest

from bot.delivery import Budget
from bot.delivery.desired import (
    CounterpartNews,
    Declined,
    Desired,
    DirectMessages,
    Headlines,
    PersonalOffer,
    TableChannel,
)
from bot.delivery.planner import headlines, plan
from bot.delivery.transport import Notice, Transport
from bot.games.ti4.turns import TurnEnded, TurnStarted
from bot.rules.entries import CallKind, Entry
from bot.rules.features.offers.entries import OfferDeclined, OfferWithdrawn
from bot.service import MessageStore
from bot.show.cards import Card
from tests.delivery.briefings import ALICE, BOB, CAROL, briefing, entry, offer
from tests.show.playing import labels_of

CARD = Card("open", ("something",))


class Muted:
    """As much of a message store as a notice needs."""

    def __init__(self, **muted: Iterable[CallKind]) -> None:
        self._muted = {int(user[1:]): frozenset(kinds) for user, kinds in muted.items()}

    async def muted(self, user: int) -> frozenset[CallKind]:
        return self._muted.get(user, frozenset())


async def told(store: Muted, step: Desired, *, in_dm: bool) -> Notice:
    transport = Transport(cast(Any, None), cast(MessageStore, store), cast(Any, None), Budget())
    return await transport.notice(step, in_dm=in_dm)


def dm(call: CallKind | None) -> Desired:
    return Desired(PersonalOffer(1, "addressed", BOB), DirectMessages(BOB), CARD, call=call)


@pytest.mark.parametrize("call", ["offer", "confirm", "answer"])
async def test_a_dm_that_calls_comes_loud_unless_it_is_muted(call: CallKind) -> None:
    assert await told(Muted(), dm(call), in_dm=True) == Notice(silent=False)
    assert await told(Muted(u12=[call]), dm(call), in_dm=True) == Notice(silent=True)
    assert await told(Muted(u12=["turn"]), dm(call), in_dm=True) == Notice(silent=False)


async def test_a_dm_that_needs_nothing_comes_silently() -> None:
    assert await told(Muted(), dm(None), in_dm=True) == Notice(silent=True)


async def test_where_dms_reach_nobody_the_channel_mentions_them_for_the_same() -> None:
    assert await told(Muted(), dm("offer"), in_dm=False) == Notice(pings=(BOB,))
    assert await told(Muted(u12=["offer"]), dm("offer"), in_dm=False) == Notice()
    assert await told(Muted(), dm(None), in_dm=False) == Notice()


async def test_a_call_to_several_leaves_out_who_does_not_want_it() -> None:
    step = Desired(Headlines(1), TableChannel(), CARD, call="opens", rings=(ALICE, BOB, CAROL))
    assert await told(Muted(u12=["opens"], u13=["turn"]), step, in_dm=False) == Notice(
        pings=(ALICE, CAROL)
    )


# ---------------------------------------------------------------- what calls whom


def headline(*made: Entry, by: int | None = 1) -> Desired:
    entries = [entry(each, seq=number, by=by) for number, each in enumerate(made, start=9)]
    (found,) = headlines(briefing(offer(2, poster="letnev", to="sol"), entries=entries))
    return found


def test_a_turn_is_told_by_the_board_alone() -> None:
    turn = (TurnEnded(seat="sol", window=2), TurnStarted(seat="hacan", window=3))
    assert not [*headlines(briefing(entries=[entry(each) for each in turn]))]


def test_a_turn_given_back_is_a_line_that_calls_nobody_for_the_board_does() -> None:
    step = headline(TurnStarted(seat="sol", window=2, again=True))
    assert step.call is None
    assert step.rings == ()
    assert step.card.plain


# ---------------------------------------------------------------- who is told what another did


def news(*offers: object, made: Entry, by: int) -> list[Desired]:
    told = briefing(*offers, entries=[entry(made, by=by)])  # type: ignore[arg-type]
    return [
        step
        for step in plan(told, {})
        if isinstance(step, Desired) and isinstance(step.subject, Declined | CounterpartNews)
    ]


def test_a_poster_is_told_of_a_decline_and_can_offer_again() -> None:
    declined = OfferDeclined(offer=1, seat="sol", between=("hacan", "sol"))
    (step,) = news(offer(status="declined"), made=declined, by=2)
    assert (step.place, step.call) == (DirectMessages(ALICE), "answer")
    assert step.card.blocks[0].endswith(" declined offer 1.")
    assert labels_of(step.card) == [["Offer again"]]
    assert step.fallback
    assert step.fallback.card == step.card, "everybody may read how a public offer ended"


def test_of_a_private_one_the_channel_says_no_more_than_that_there_is_something() -> None:
    declined = OfferDeclined(offer=1, seat="sol", between=("hacan", "sol"))
    (step,) = news(offer(status="declined", private=True), made=declined, by=2)
    assert step.fallback
    assert step.fallback.card.blocks[0] == "I have something private for you."


def test_who_had_agreed_backs_out() -> None:
    declined = OfferDeclined(offer=1, seat="sol", between=("hacan", "sol"))
    (step,) = news(offer(status="declined", accepted=("sol",)), made=declined, by=2)
    assert step.card.blocks[0].endswith(" backed out of offer 1.")


def test_nobody_is_told_what_they_did_themselves() -> None:
    withdrawn = OfferWithdrawn(offer=1, seat="hacan", between=("hacan", "sol"))
    assert not news(offer(status="withdrawn"), made=withdrawn, by=1)
    (step,) = news(offer(status="withdrawn", accepted=("sol",)), made=withdrawn, by=1)
    assert (step.place, step.call) == (DirectMessages(BOB), None), "silently"
    assert "which you had accepted" in step.card.blocks[0]
