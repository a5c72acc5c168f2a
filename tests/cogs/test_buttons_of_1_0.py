"""Buttons of 1.0.0: each is still understood; what depends on the turn asks with one of now."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.show.custom_ids import decode
from tests.cogs.evening import Evening, text_of

RECORDED = Path(__file__).with_name("buttons_1.0.0.txt").read_text(encoding="utf-8").split()
"""An example of each kind of custom_id that 1.0.0 made, from its plays."""


@pytest.mark.parametrize("custom_id", RECORDED)
def test_it_is_understood(custom_id: str) -> None:
    assert decode(custom_id) is not None


@pytest.mark.parametrize(
    ("custom_id", "says"),
    [
        ("do:1:ti4.turn.next", "It is alice's turn."),
        ("do:1:ti4.turn.pass", "It is alice's turn."),
        ("ti4.ask.next:1:0", "It is alice's turn."),
        ("do:1:table.phase:status", "from a while ago"),
        ("do:1:table.pause", "from a while ago"),
        ("do:1:ti4.nobody", "from a while ago"),
        ("do:1:ti4.turn.start:hacan:same", "from a while ago"),
    ],
)
async def test_what_depends_on_the_turn_records_nothing(
    playing: Evening, custom_id: str, says: str
) -> None:
    before = (await playing.table()).seq
    assert says in text_of(await playing.forge("alice", custom_id))
    assert (await playing.table()).seq == before


async def test_we_are_neighbours_on_an_offers_card_still_claims_it(playing: Evening) -> None:
    await playing.types("alice", "neighbors set", first="@alice", others="nobody")
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    said = text_of(await playing.forge("bob", "do:1:ti4.claim.offer:1"))
    assert "I have asked the other player" in said
