"""Plays the bazaar and the fair from end to end; run in a Python where their packages are
installed.

It uses the doors that the bot uses: the service, presentation, delivery's planner and the exports.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from itertools import chain

import bourse_fair
import pytest

from bot.exports import FORMATS, export
from bot.ledger import Ledger
from bot.rules.commands import Press
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable, SetPhase
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from bot.rules.registry import games
from bot.rules.vocabulary import pressed_commands
from bot.service import Requester, Service
from bot.show.board import board_card, table_card
from bot.show.cards import Card
from bot.show.custom_ids import decode, encode
from bot.show.menu import host_card, menu_card
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


async def play_fair(ledger: Ledger, service: Service) -> None:
    table = await seated(service, "fair", "Friday", 5)
    waiting = await service.view(table, ALICE)
    assert waiting.setup is not None
    assert [step.title for step in waiting.setup.steps] == ["Seats", "Starting goods", "First day"]
    assert "Open the fair" in repr(setup_card(waiting))
    with pytest.raises(Refused, match="Only the game begins the day phase"):
        await service.execute(table, ALICE, SetPhase("day"))
    begun = await service.execute(table, ALICE, bourse_fair.BeginDay())
    assert (waiting.phase, waiting.public.day) == ("night", 0)
    assert (begun.view.phase, begun.view.public.day) == ("day", 1)
    assert begun.view.setup is None
    assert [sentence(entry) for entry in begun.public] == ["Day 1 began."]
    offer = PostOffer(to="green", give=Goods({"silk": 2}), want=SPICE)
    posted = await service.execute(table, ALICE, offer)
    briefing = await service.briefing(table, 0)
    assert briefing is not None
    assert "2 silk" in repr(offer_card(briefing.public, briefing.public.offers[1]))
    assert "Day 1" in repr(board_card(briefing.public))
    assert "(Red)" in repr(table_card(posted.view, await service.pairs(table, ALICE)))
    done = await service.execute(table, BOB, Sign(1))
    hand = Goods({"silk": 5, "spice": 2, "coins": 5, "voucher:green": 1})
    assert done.view.seats["green"].known == hand
    with pytest.raises(Refused, match=r"(?s)Nobody gives anything here.*\[2\]"):
        await service.execute(table, BOB, PostOffer(to="red"))
    assert labels(board_card(done.view)) == ["New offer", "My goods", "Offers", "More…"]
    assert labels(menu_card(done.view)) == [
        "See the offers",
        "Who has what",
        "History",
        "Look at the rules",
        "Say it",
        "Deal…",
        "Negotiate…",
        "Leave…",
        "Pings",
    ]
    host = await service.view(table, ALICE)
    listed = ["Next day", "Settings", "Seats", "Pause", "Close…", "Back"]
    assert labels(host_card(host)) == listed, labels(host_card(host))
    [button] = done.view.board.menu
    assert button.action == Press(table, bourse_fair.BeginDay())
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
    assert set(games()) == {"advciv", "any", "bazaar", "fair", "ti4"}
    assert bourse_fair.BeginDay in pressed_commands()
    ledger = await Ledger.open(url)
    try:
        service = Service(ledger, lambda: datetime.now(UTC))
        await play_fair(ledger, service)
        await play_bazaar(ledger, service)
        still_open = await seated(service, "fair", "Sunday", 7)
        await service.execute(still_open, ALICE, bourse_fair.BeginDay())
    finally:
        await ledger.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
