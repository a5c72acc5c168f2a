"""Whatever people do, in whatever order: the board and every card show the table as it is."""

from __future__ import annotations

from random import Random

import pytest

from bot.messenger import digest_of
from bot.show.cards import offer_card
from bot.show.tables import board_card
from tests.discord.evening import TABLE, Evening

ACTIONS = 60


async def _act(playing: Evening, random: Random, offers: int) -> None:
    """Something that somebody might do now; much of it is refused, and that is part of it."""
    who = random.choice(("alice", "bob"))
    other = "bob" if who == "alice" else "alice"
    number = str(random.randint(1, max(1, offers)))
    match random.choice(
        ("post", "post", "accept", "accept", "accept", "accept", "alter", "pause", "end", "turn", "counter")
    ):
        case "post":
            to = {"to": f"@{other}"} if random.random() < 0.8 else {}
            await playing.types(who, "offer post", give=f"{random.randint(1, 3)} tg", **to)
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
    desk = playing.bot.desk
    for _ in range(ACTIONS):
        await _act(playing, random, len((await desk.look(TABLE)).table.offers))
        look = await desk.look(TABLE)
        shown = {message.subject: message.shown for message in await desk.ledger.messages(TABLE)}
        assert shown["board"] == digest_of(board_card(look))
        for offer in look.table.offers.values():
            assert shown[f"offer:{offer.number}"] == digest_of(offer_card(look, offer))
    assert len(look.table.offers) > 5
    assert look.table.transactions
