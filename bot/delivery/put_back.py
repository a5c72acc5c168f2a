"""Tells the channels of tables where their ledger ends, after it was put back from a copy.

``bourse restore`` leaves a mark. A file that was put back in another way shows in the channel: the
newest head posted there, or a button of the newest card, is of an entry that the ledger does not
have.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re

import discord
from discord.utils import DISCORD_EPOCH

from bot.delivery.delivery import Delivery
from bot.delivery.verdicts import FAILURES
from bot.ledger import PutBack, TableEnd
from bot.service import Service, Shards, read_head
from bot.show.cards import Card
from bot.show.custom_ids import stamp_on, table_in
from bot.show.timeline import put_back_card

log = logging.getLogger(__name__)

HEAD = re.compile(r"Ledger `(#\d+ [0-9a-f]+)`")
"""A head as `bot.show.timeline` writes it."""

CUSTOM_ID = re.compile(r'"custom_id": "([^"]+)"')

AGAIN_AFTER = 60.0
"""Seconds until a channel is told again while Discord is down."""


async def tell_put_back(
    delivery: Delivery, service: Service, shards: Shards, mark: PutBack | None
) -> None:
    """Tell each open table of these shards once, if the ledger has the ``mark``. Then look at each
    channel for an entry that the ledger does not have, with one request, after all others.

    Raises `bot.ledger.LedgerError`, and ``OSError`` for the mark.
    """
    ends = await service.ends(shards)
    if mark is not None:
        for end in ends:
            if end.table_id not in mark.told:
                card = put_back_card(mark.until, end.seq, end.hash)
                await _tell(delivery, end, card, f"{mark.nonce}-{end.table_id}")
                mark.note_told(end.table_id)
        mark.forget()
    for end in ends:
        lost = await _lost(delivery, service, end)
        if lost:
            log.warning(
                "The ledger lacks what message %s shows: it was put back from a copy.",
                lost,
                extra={"table": end.table_id},
            )
            card = put_back_card(end.at, end.seq, end.hash)
            await _tell(delivery, end, card, f"lost-{lost}")


async def _tell(delivery: Delivery, end: TableEnd, card: Card, nonce: str) -> None:
    """Send the card, however long Discord is down; without end, as in all of delivery."""
    while await delivery.announce(end.channel_id, card, nonce) == "not now":  # noqa: ASYNC110  (nobody tells when)
        await asyncio.sleep(AGAIN_AFTER)


async def _lost(delivery: Delivery, service: Service, end: TableEnd) -> str:
    """Return the id of the newest of the bot's messages in a table's channel if it shows an entry
    that the ledger lacks; else empty, as where Discord does not show it.

    Only messages since the table was opened count that have a head, or buttons of the table.
    """
    try:
        messages = await delivery.newest(end.channel_id)
    except (discord.HTTPException, discord.RateLimited, *FAILURES) as error:
        log.info("channel %d could not be read: %s", end.channel_id, error)
        return ""
    for message in messages:
        shown = json.dumps(message)
        if (int(message["id"]) >> 22) + DISCORD_EPOCH <= end.opened_at:
            continue
        if heads := HEAD.findall(shown):
            head = read_head(heads[-1])
            known = head is None or await service.has_head(end.table_id, head)
            return "" if known else str(message["id"])
        if stamps := _stamps(shown, end.table_id):
            known = await service.has_stamps(end.table_id, stamps)
            return "" if known else str(message["id"])
    return ""


def _stamps(shown: str, table_id: int) -> set[str]:
    """Return the stamps of a message's buttons that are of this table."""
    found = set()
    for custom_id in CUSTOM_ID.findall(shown):
        stamp = stamp_on(custom_id)
        if stamp and table_in(custom_id) == table_id:
            found.add(stamp)
    return found
