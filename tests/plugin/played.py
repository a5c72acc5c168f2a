"""Plays the bazaar and the auction from end to end; run in a Python where their packages are
installed.

It uses the doors that the bot uses: the service, presentation, delivery's planner and the exports.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from itertools import chain

import pytest
from bourse_auction.bidding import Bid, NextLot

from bot.exports import FORMATS, export
from bot.ledger import Ledger
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from bot.rules.registry import games
from bot.rules.vocabulary import pressed_commands
from bot.service import Requester, Service
from bot.show.board import board_card, table_card
from bot.show.cards import Card
from bot.show.custom_ids import decode, encode
from bot.show.menu import host_card
from bot.show.narration import sentence
from bot.show.offer_cards import offer_card
from bot.show.setup import seat_form, setup_card

ALICE, BOB = Requester(101, "alice", 1), Requester(102, "bob", 1)
SPICE = Goods({"spice": 1})


def labels(card: Card) -> list[str]:
    """What can be pressed under a card."""
    rows = [row for row in card.rows if isinstance(row, tuple)]
    return [button.label for button in chain.from_iterable(rows)]


async def seated(service: Service, game: str, name: str, channel_id: int) -> int:
    """A table of that game with Alice as Red and Bob as Green."""
    opened = await service.open_table(ALICE, game=game, name=name, channel_id=channel_id)
    await service.execute(opened.table_id, ALICE, Sit("red"))
    await service.execute(opened.table_id, BOB, Sit("Green"))
    return opened.table_id


async def ends(ledger: Ledger, service: Service, table: int) -> None:
    look = await service.execute(table, ALICE, Audit("export"))
    before = look.entries[-1].seq - 1
    for form in FORMATS:
        source = await service.export_source(table, ALICE, until_seq=before)
        assert export(form, source)
    await service.execute(table, ALICE, CloseTable())
    assert await ledger.entries.verify(table) is None


async def play_auction(ledger: Ledger, service: Service) -> None:
    table = await seated(service, "auction", "Friday", 5)
    waiting = await service.view(table, ALICE)
    assert waiting.setup is not None
    assert [step.title for step in waiting.setup.steps] == ["Seats", "First painting"]
    assert "The host puts it up." in repr(setup_card(waiting))
    with pytest.raises(Refused, match=r"(?s)No painting is up.*\[3\]"):
        await service.execute(table, BOB, Bid(1))
    begun = await service.execute(table, ALICE, NextLot())
    up = begun.view.board.heading
    assert begun.view.setup is None
    [told] = [sentence(entry) for entry in begun.public]
    assert told.endswith("is up. Everybody bids in secret.")
    coins = Goods({"coin": 2})
    posted = await service.execute(table, ALICE, PostOffer(to="green", give=coins))
    own = await service.view(table, BOB)
    assert "2 coins" in repr(offer_card(own, own.offers[1]))
    briefing = await service.briefing(table, 0)
    assert briefing is not None
    assert up in repr(board_card(briefing.public))
    assert "(Red)" in repr(table_card(posted.view, await service.pairs(table, ALICE)))
    done = await service.execute(table, BOB, Sign(1))
    assert done.view.seats["green"].known == Goods({"coin": 12})
    assert labels(board_card(done.view)) == ["New offer", "My goods", "Bid", "Offers", "Menu"]
    listed = labels(host_card(await service.view(table, ALICE)))
    assert listed[0] == "End the bidding", listed
    [button] = done.view.board.menu
    assert decode(encode(button.action)) == button.action
    await ends(ledger, service, table)


async def play_bazaar(ledger: Ledger, service: Service) -> None:
    table = await seated(service, "bazaar", "Saturday", 6)
    has = await service.execute(table, ALICE, SetHoldings("red", SPICE))
    assert "Everything is ready" in repr(setup_card(has.view))
    assert "'Blue'" in repr(seat_form(has.view))
    posted = await service.execute(table, ALICE, PostOffer(to="green", give=SPICE))
    assert posted.view.setup is None
    done = await service.execute(table, BOB, Sign(1))
    assert done.view.seats["green"].known == SPICE
    await service.execute(table, ALICE, PostOffer(to="green", give=SPICE))
    with pytest.raises(Refused, match=r"(?s)<seat:red> does not have that.*\[1\]"):
        await service.execute(table, BOB, Sign(2))
    await ends(ledger, service, table)


async def main(url: str) -> None:
    assert set(games()) == {"advciv", "any", "auction", "bazaar", "ti4"}
    assert NextLot in pressed_commands()
    ledger = await Ledger.open(url)
    try:
        service = Service(ledger, lambda: datetime.now(UTC))
        await play_auction(ledger, service)
        await play_bazaar(ledger, service)
        still_open = await seated(service, "auction", "Sunday", 7)
        await service.execute(still_open, ALICE, NextLot())
    finally:
        await ledger.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
