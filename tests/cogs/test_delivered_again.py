"""Tests of interactions that Discord delivers again: the answer shows what the person may see
now.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.games.advciv.trading import OpenTrading
from bot.games.ti4.turns import StartTurn
from bot.ledger import Ledger
from bot.rules.commands import Command
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import PauseOffer, PostOffer
from bot.rules.features.offers.signing import Agree, EndOffer, HandOver, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.model.goods import Goods
from bot.service import Outcome
from bot.show.cards import Card
from cogs.deals import _deal_card
from cogs.offer_replies import DONE_BEFORE, posted_card, result_of
from tests.games.advciv.playing import cards
from tests.scale import variants
from tests.service.club import ALICE, BOB, CAROL, Club, tg

NOTE = Goods({"note:ceasefire:hacan": 1})
IN_PRIVATE = 1
"""The negotiation of Alice (Hacan) and Bob (Sol)."""

Reply = Callable[[Outcome], str | Card]


def receipt(outcome: Outcome) -> str | Card:
    return result_of(outcome, in_dm=False)


PRESSES: dict[str, tuple[Command, Reply]] = {
    "accepts a note": (Sign(2, 1), receipt),
    "accepts in private": (Sign(3, 1), receipt),
    "declines in private": (EndOffer(3, how="decline"), receipt),
    "posts in private": (
        PostOffer(to="hacan", want=tg(1), terms="SECRET", negotiation=IN_PRIVATE),
        posted_card,
    ),
    "agrees in private": (AnswerDeal(1, agreed=True), _deal_card),
    "declines a deal in private": (AnswerDeal(1, agreed=False), _deal_card),
}


@pytest.fixture
async def nobodys(tmp_path: Path) -> AsyncIterator[Club]:
    """A club without a table."""
    ledger = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
    yield Club(ledger)
    await ledger.close()


@pytest.fixture
async def club(nobodys: Club) -> Club:
    club = nobodys
    await club.set_up()
    await club.does(ALICE, PostOffer(to="sol", give=NOTE))
    await club.does(ALICE, OpenNegotiation("sol"))
    await club.does(ALICE, PostOffer(to="sol", give=tg(1), terms="SECRET", negotiation=IN_PRIVATE))
    await club.does(ALICE, ProposeDeal("sol", "SECRET", later=True, private=True))
    return club


def words(reply: str | Card) -> str:
    return reply if isinstance(reply, str) else repr(reply)


async def _leaves(club: Club) -> None:
    await club.does(BOB, Leave())


async def _takes_another_seat(club: Club) -> None:
    await club.does(BOB, Leave())
    await club.does(BOB, Sit("letnev"))


async def _is_succeeded(club: Club) -> None:
    await club.does(BOB, Leave())
    await club.does(CAROL, Sit("sol"))
    await club.does(CAROL, Gain(tg(77)))


@pytest.mark.parametrize(("press", "reply"), PRESSES.values(), ids=PRESSES)
@pytest.mark.parametrize("then", variants(_is_succeeded, _leaves, _takes_another_seat))
async def test_who_left_is_told_that_it_is_done(
    club: Club, press: Command, reply: Reply, then: Callable[[Club], object]
) -> None:
    """Not what was said or moved in private, and nothing of whoever has their seat now."""
    await club.does(BOB, press, 1001)
    await then(club)  # type: ignore[misc]
    before = await club.seq()
    again = words(reply(await club.does(BOB, press, 1001)))
    assert again == DONE_BEFORE or "is done" in again or "declined" in again
    assert not any(
        secret in again for secret in ("SECRET", "Ceasefire", "77", "carol", f"<@{CAROL}>")
    )
    assert await club.seq() == before


@pytest.mark.parametrize(("press", "reply"), PRESSES.values(), ids=PRESSES)
async def test_a_successor_who_sends_it_again_is_told_no_more(
    club: Club, press: Command, reply: Reply
) -> None:
    """As nobody can with Discord, but we do not rest on that."""
    await club.does(BOB, press, 1001)
    await _is_succeeded(club)
    again = words(reply(await club.does(CAROL, press, 1001)))
    assert not any(secret in again for secret in ("SECRET", "Ceasefire"))


async def test_what_was_promised_names_the_person_who_promised(club: Club) -> None:
    """Not who has the seat when the card is drawn."""
    await club.does(ALICE, ProposeDeal("sol", "open words", later=True))
    await club.does(BOB, AnswerDeal(2, agreed=True))
    await _is_succeeded(club)
    told = words(_deal_card(await club.does(ALICE, MarkDeal(2, "broken"))))
    assert "bob" in told
    assert "carol" not in told


# ---------------------------------------------------------------- what is over since

WITHDRAWN = EndOffer(1, how="withdraw")


def again(outcome: Outcome) -> str:
    return words(result_of(outcome, in_dm=False))


@pytest.mark.parametrize("in_dm", [False, True])
async def test_who_agreed_to_an_offer_that_is_over_now_sees_that(club: Club, in_dm: bool) -> None:
    await club.does(CAROL, Sit("letnev"))
    await club.does(ALICE, StartTurn("letnev"))
    first = words(result_of(await club.does(BOB, Agree(1, 1), 1001), in_dm=in_dm))
    assert "you agree to offer 1 for later" in first
    await club.does(ALICE, WITHDRAWN)
    then = words(result_of(await club.does(BOB, Agree(1, 1), 1001), in_dm=in_dm))
    assert "alice backed out" in then
    assert "you agree" not in then


async def test_an_offer_that_was_posted_and_is_over_is_not_said_to_stand(club: Club) -> None:
    post = PostOffer(to="sol", give=tg(2))
    first = words(posted_card(await club.does(ALICE, post, 1001)))
    assert "Offer 4 to bob is posted" in first
    assert "Offer 4 to bob is posted" in words(posted_card(await club.does(ALICE, post, 1001)))
    await club.does(ALICE, EndOffer(4, how="withdraw"))
    then = words(posted_card(await club.does(ALICE, post, 1001)))
    assert "is posted" not in then
    assert "Withdraw" not in then


async def test_an_offer_that_was_suspended_and_is_open_again_is_not_said_to_be(
    club: Club,
) -> None:
    pause = PauseOffer(1, paused=True)
    assert "is suspended" in again(await club.does(ALICE, pause, 1001))
    await club.does(ALICE, PauseOffer(1, paused=False))
    assert "suspended" not in again(await club.does(ALICE, pause, 1001))


async def test_who_agreed_to_an_offer_to_all_that_is_over_hands_nothing_over(
    nobodys: Club,
) -> None:
    club = nobodys
    await club.opens(game="advciv")
    for user, seat, hand in ((ALICE, "egypt", "2 salt, hides"), (BOB, "crete", "2 grain, ochre")):
        await club.does(user, Sit(seat))
        await club.does(ALICE, SetHoldings(seat, cards(hand)))
    await club.does(ALICE, OpenTrading())
    await club.does(ALICE, PostOffer(give=cards("2 salt, ?"), want=cards("2 grain, ?")))
    assert "Hand over" in again(await club.does(BOB, Agree(1, 1), 1001))
    handed = HandOver(1, cards("2 grain, ochre"), 1)
    assert "sealed" in again(await club.does(BOB, handed, 1002))
    assert "You have handed over" in again(await club.does(BOB, handed, 1002))
    await club.does(ALICE, WITHDRAWN)
    for press, interaction in ((Agree(1, 1), 1001), (handed, 1002)):
        then = again(await club.does(BOB, press, interaction))
        assert "Withdrawn" in then
        assert "Hand over" not in then
        assert "sealed" not in then
        assert "handed over" not in then
