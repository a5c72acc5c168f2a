"""Plays the game of `bourse_swap` from end to end; run in a Python where that package is installed.

It uses the doors that the bot uses: the service, presentation, delivery's planner and the exports.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

import bourse_swap
import pytest

from bot.exports import FORMATS, export
from bot.ledger import Ledger
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from bot.rules.offers.commands import PostOffer, Sign
from bot.rules.registry import actions, games
from bot.rules.seats.commands import Sit
from bot.rules.tables.commands import CloseTable
from bot.service import Requester, Service
from bot.show.custom_ids import decode, encode
from bot.show.narration import sentence
from bot.show.offers import offer_card
from bot.show.tables import board_card, table_card

ALICE, BOB = Requester(101, "alice", 1), Requester(102, "bob", 1)


async def play(ledger: Ledger) -> None:
    service = Service(ledger, lambda: datetime.now(UTC))
    table = (await service.open_table(ALICE, game="swap", name="Friday", channel_id=5)).table_id
    await service.execute(table, ALICE, Sit("north"))
    await service.execute(table, BOB, Sit("South"))
    begun = await service.execute(table, ALICE, bourse_swap.BeginRound())
    assert [sentence(entry) for entry in begun.public] == ["Round 1 began."]
    posted = await service.execute(table, ALICE, PostOffer(to="south", give=Goods({"red": 2}), want=Goods({"blue": 1})))
    briefing = await service.briefing(table, 0)
    assert briefing is not None
    assert "2 red" in repr(offer_card(briefing.public, briefing.public.offers[1]))
    assert "Round 1" in repr(board_card(briefing.public))
    assert "North" in repr(table_card(posted.view, await service.pairs(table, ALICE)))
    done = await service.execute(table, BOB, Sign(1))
    assert done.view.seats["south"].known == Goods({"red": 5, "blue": 2})
    with pytest.raises(Refused, match=r"\[2\] Nobody gives anything here"):
        await service.execute(table, BOB, PostOffer(to="north"))
    [button] = done.view.board.buttons
    assert decode(encode(button.action)) == button.action == bourse_swap.RoundAction(table)
    for form in FORMATS:
        assert export(form, await service.export_source(table, ALICE, until_seq=99))
    await service.execute(table, ALICE, CloseTable())
    assert await ledger.verify(table) is None


async def main(url: str) -> None:
    assert set(games()) == {"advciv", "swap", "ti4"}
    assert bourse_swap.RoundAction in actions()
    ledger = await Ledger.open(url)
    try:
        await play(ledger)
    finally:
        await ledger.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
