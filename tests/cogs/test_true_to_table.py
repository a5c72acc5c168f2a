"""The board and every card show the table as it is, in whatever order people act."""

from __future__ import annotations

from random import Random

import pytest

from bot.delivery.reconciler import digest_of
from bot.delivery.subjects import Board, OfferCard, encode
from bot.rules.views import TableView
from bot.show.offers import offer_card
from bot.show.tables import board_card
from tests.cogs.evening import TABLE, Evening

ACTIONS = 60


async def _act(playing: Evening, random: Random, offers: int) -> None:
    """Have a person do something; much of it is refused, which is intended."""
    who = random.choice(("alice", "bob"))
    other = "bob" if who == "alice" else "alice"
    number = str(random.randint(1, max(1, offers)))
    match random.choice(
        ("post", "post", "accept", "accept", "accept", "accept", "alter", "pause", "end", "turn", "counter")
    ):
        case "post":
            options = {"to": f"@{other}"} if random.random() < 0.8 else {}
            options["give"] = f"{random.randint(1, 3)} tg"
            await playing.types(who, "offer post", in_dm=False, **options)
        case "alter":
            await playing.types(who, "offer alter", offer=number, give=f"{random.randint(1, 4)} tg")
        case "counter":
            await playing.types(who, "offer counter", offer=number, want="1 tg")
        case "pause":
            await playing.types(who, f"offer {random.choice(('suspend', 'resume'))}", offer=number)
        case "end":
            await playing.types(who, f"offer {random.choice(('withdraw', 'decline'))}", offer=number)
        case "accept":
            await playing.types(who, "offer accept", offer=number)
        case "turn":
            await playing.types("alice", "turn start", player=f"@{other}")


@pytest.mark.parametrize("seed", range(3))
async def test_the_board_and_the_cards_are_as_the_table_is(playing: Evening, seed: int) -> None:
    random = Random(seed)
    ledger = playing.bot.ledger
    for _ in range(ACTIONS):
        await _act(playing, random, (await playing.table()).offers_posted)
        now, all_offers = await _public_view(playing, after=(await playing.table()).seq), await _public_view(playing)
        shown = {message.subject: message.shown for message in await ledger.messages(TABLE)}
        assert shown[encode(Board())] == digest_of(board_card(now))
        assert sorted(all_offers.offers) == list(range(1, now.offers_posted + 1))
        for offer in all_offers.offers.values():
            assert shown[encode(OfferCard(offer.number))] == digest_of(offer_card(all_offers, offer))
    assert now.offers_posted > 5
    assert now.transactions


async def _public_view(playing: Evening, after: int = 0) -> TableView:
    """Return the table as everybody may see it; with the offers that the entries after a number are about."""
    briefing = await playing.bot.service.briefing(TABLE, after)
    assert briefing is not None
    return briefing.public
