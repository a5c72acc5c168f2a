"""Tests that the board and every card show the table as it is, in whatever order people act."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pytest

from bot.delivery.desired import Board, OfferCard, Way, encode
from bot.rules.views import TableView
from bot.show.board import board_card
from bot.show.cards import Card
from bot.show.offer_cards import offer_card
from tests.cogs.evening import TABLE, Evening
from tests.drawn import message
from tests.scale import at_scale, variants

ACTIONS = at_scale(40, 60)

Drawing = list[tuple[str, ...]]
"""The texts of a message, and the labels and custom ids of its buttons."""


async def _act(playing: Evening, random: Random, offers: int) -> None:
    """Have a person do something; much of it is refused, which is intended."""
    who = random.choice(("alice", "bob"))
    other = "bob" if who == "alice" else "alice"
    number = str(random.randint(1, max(1, offers)))
    match random.choice(
        (
            "post",
            "post",
            "accept",
            "accept",
            "accept",
            "accept",
            "alter",
            "pause",
            "end",
            "turn",
            "counter",
        )
    ):
        case "post":
            options = {"to": f"@{other}"} if random.random() < 0.8 else {}
            options["give"] = f"{random.randint(1, 3)} tg"
            options["terms"] = f"{offers}"  # the same twice within a minute would be asked about
            await playing.types(who, "offer post", in_dm=False, **options)
        case "alter":
            await playing.types(who, "offer alter", offer=number, give=f"{random.randint(1, 4)} tg")
        case "counter":
            await playing.types(who, "offer counter", offer=number, want="1 tg")
        case "pause":
            await playing.types(who, f"offer {random.choice(('suspend', 'resume'))}", offer=number)
        case "end":
            how = random.choice(("withdraw", "decline"))
            await playing.types(who, f"offer {how}", offer=number)
        case "accept":
            await playing.types(who, "offer accept", offer=number)
        case "turn":
            await playing.types("alice", "turn start", player=f"@{other}")


@pytest.mark.parametrize("seed", variants(*range(3)))
async def test_the_board_and_the_cards_are_as_the_table_is(playing: Evening, seed: int) -> None:
    """Whether a response showed them, a request of delivery, or one after the other."""
    random = Random(seed)
    cards: dict[int, int] = {}
    offers = 0
    for _ in range(ACTIONS):
        await _act(playing, random, offers)
        now, all_offers = (
            await _public_view(playing, after=(await playing.table()).seq),
            await _public_view(playing),
        )
        ids = {
            message.subject: message.message_id
            for message in await playing.bot.ledger.messages.of_table(TABLE)
        }
        board = _drawn(board_card(now), Board.drawn)
        assert _shown(playing, ids[encode(Board())]) == board
        offers = now.offers_posted
        assert sorted(all_offers.offers) == list(range(1, offers + 1))
        for offer in all_offers.offers.values():
            # What is over is not remembered, so that its message is the one that it was when it was
            # open.
            if card := ids.get(encode(OfferCard(offer.number))):
                cards[offer.number] = card
            assert _shown(playing, cards[offer.number]) == _drawn(
                offer_card(all_offers, offer), OfferCard.drawn
            )
    assert now.offers_posted > 5
    assert now.transactions
    assert len(set(cards.values())) == len(cards) == _many_cards(playing)


def _shown(playing: Evening, id: int) -> Drawing:
    """Return the texts and the buttons of a message as Discord has it."""
    sent = playing.env.backend.get_message(playing.stage.channel.id, id)
    return _parts([{"content": sent.content}, *sent.embeds, *sent.components])


def _drawn(card: Card, way: Way) -> Drawing:
    sent = message(card, way)
    text = {"content": sent.get("content")}
    return _parts([text, *sent.get("embeds", ()), *sent["components"]])


def _parts(components: Iterable[Mapping[str, Any]]) -> Drawing:
    """Return the texts without links, and the labels and custom ids of the buttons, of embeds and
    components.
    """
    found: list[tuple[str, ...]] = []
    for each in components:
        text, label, custom_id = (
            each.get("content", each.get("description")),
            each.get("label"),
            each.get("custom_id"),
        )
        text = re.sub(r"\[(#[0-9]+)\]\([^)]*\)", r"\1", text or "")
        if text:
            found.append((text,))
        elif custom_id:
            found.append((str(label), custom_id))
        found += _parts(each.get("components", ()))
    return found


def _many_cards(playing: Evening) -> int:
    """Return how many messages in the channel are cards of offers: none is there twice."""
    return sum(text.startswith("Offer ") for text in playing.channel())


async def _public_view(playing: Evening, after: int = 0) -> TableView:
    """Return the table as everybody may see it; with the offers that the entries after a number are
    about.
    """
    briefing = await playing.bot.service.briefing(TABLE, after)
    assert briefing is not None
    return briefing.public
