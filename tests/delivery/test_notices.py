"""Tests that each notice pings once, and that silencing a kind of notice loses no message."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.delivery import Budget
from bot.delivery.desired import (
    CounterpartNews,
    Declined,
    Desired,
    Headlines,
    PersonalOffer,
    user_of,
)
from bot.delivery.planner import headlines, plan
from bot.delivery.transport import Notice, Transport
from bot.games.ti4.turns import TurnEnded, TurnStarted
from bot.rules.entries import CallKind
from bot.rules.features.offers.entries import OfferDeclined, OfferWithdrawn
from bot.rules.views import EntryView, OfferView
from bot.show.cards import Card
from tests.delivery.briefings import ALICE, BOB, CAROL, briefing, entry, offer
from tests.delivery.display import Store

CARD = Card("open", "something")
USERS = {"bob": BOB, "carol": CAROL}


async def told(step: Desired, *, in_dm: bool, **muted: CallKind) -> Notice:
    """Return how this is told. ``muted`` is what bob and carol do not want to hear."""
    store, nobody = Store(), cast(Any, None)
    for name, call in muted.items():
        store.mutes[USERS[name]] = frozenset({call})
    transport = Transport(nobody, store, nobody, Budget())
    return await transport.notice(step, in_dm=in_dm)


def dm(call: CallKind | None) -> Desired:
    return Desired(PersonalOffer(1, "addressed", BOB), CARD, call=call)


@pytest.mark.parametrize("call", ["offer", "confirm", "answer"])
async def test_a_dm_that_calls_comes_loud_unless_it_is_muted(call: CallKind) -> None:
    loud, silent = Notice(silent=False), Notice(silent=True)
    assert await told(dm(call), in_dm=True) == loud
    assert await told(dm(call), in_dm=True, bob=call) == silent
    assert await told(dm(call), in_dm=True, bob="turn") == loud


async def test_a_dm_that_needs_nothing_comes_silently() -> None:
    assert await told(dm(None), in_dm=True) == Notice(silent=True)


async def test_where_dms_reach_nobody_the_channel_mentions_them_for_the_same() -> None:
    assert await told(dm("offer"), in_dm=False) == Notice(pings=(BOB,))
    assert await told(dm("offer"), in_dm=False, bob="offer") == Notice()
    assert await told(dm(None), in_dm=False) == Notice()


async def test_a_call_to_several_leaves_out_who_does_not_want_it() -> None:
    rings = (ALICE, BOB, CAROL)
    step = Desired(Headlines(1), CARD, call="opens", rings=rings)
    notice = await told(step, in_dm=False, bob="opens", carol="turn")
    assert notice == Notice(pings=(ALICE, CAROL))


# ---------------------------------------------------------------- what calls whom


def test_a_turn_is_told_by_the_board_alone() -> None:
    ended = entry(TurnEnded(seat="sol", window=2))
    started = entry(TurnStarted(seat="hacan", window=3))
    assert not [*headlines(briefing(entries=[ended, started]))]


def test_a_turn_given_back_is_a_line_that_calls_nobody_for_the_board_does() -> None:
    again = entry(TurnStarted(seat="sol", window=2, again=True))
    [step] = headlines(briefing(entries=[again]))
    assert step.call is None
    assert step.rings == ()
    assert step.card.plain


# ---------------------------------------------------------------- who is told what another did


BETWEEN = ("hacan", "sol")
DECLINED = entry(OfferDeclined(offer=1, seat="sol", between=BETWEEN), by=2)
WITHDRAWN = entry(OfferWithdrawn(offer=1, seat="hacan", between=BETWEEN), by=1)


def news(about: OfferView, entry: EntryView) -> list[Desired]:
    steps = plan(briefing(about, entries=[entry]), {})
    desired = [step for step in steps if isinstance(step, Desired)]
    return [step for step in desired if isinstance(step.subject, Declined | CounterpartNews)]


def test_who_had_agreed_backs_out() -> None:
    agreed = offer(status="declined", accepted=("sol",))
    [step] = news(agreed, DECLINED)
    assert " backed out of offer 1 · " in step.card.line


def test_nobody_is_told_what_they_did_themselves() -> None:
    accepted = offer(status="withdrawn", accepted=("sol",))
    assert not news(offer(status="withdrawn"), WITHDRAWN)
    [step] = news(accepted, WITHDRAWN)
    assert (user_of(step), step.call) == (BOB, None), "silently"
    assert step.card.blocks[0] == "You had accepted it."
