"""Tells the channels of tables where their ledger ends, after it was put back from a copy.

``bourse restore`` leaves a mark. A file that was put back in another way shows in the channel: the
newest head posted there is of an entry that the ledger does not have.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterable, Mapping
from typing import Any

import discord
from discord.utils import DISCORD_EPOCH

from bot.delivery.delivery import Delivery
from bot.delivery.life import NONCE_MAX
from bot.delivery.verdicts import FAILURES
from bot.ledger import PutBack, TableEnd
from bot.service import PostedHead, Service, Shards, read_head
from bot.show.cards import Card
from bot.show.timeline import put_back_card

log = logging.getLogger(__name__)

HEAD = re.compile(r"Ledger `(#\d+ [0-9a-f]+)`")
"""A head as `bot.show.timeline` writes it."""

AGAIN_AFTER = 60.0
"""Seconds until a channel is told again while Discord is down."""


async def tell_put_back(
    delivery: Delivery, service: Service, shards: Shards, mark: PutBack | None
) -> None:
    """Tell each open table of these shards once, if the ledger has the ``mark``. Then look at each
    channel for a head that the ledger does not have, with one request, after all others.

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
        lost = await _newest_head(delivery, end)
        if lost is None or await service.has_head(end.table_id, lost):
            continue
        log.warning(
            "The ledger lacks entry %s, which was posted: it was put back from a copy.",
            lost.seq,
            extra={"table": end.table_id},
        )
        await _tell(delivery, end, put_back_card(end.at, end.seq, end.hash), lost.hash[:NONCE_MAX])


async def _tell(delivery: Delivery, end: TableEnd, card: Card, nonce: str) -> None:
    """Send the card, however long Discord is down; without end, as in all of delivery."""
    while await delivery.announce(end.channel_id, card, nonce) == "not now":  # noqa: ASYNC110  (nobody tells when)
        await asyncio.sleep(AGAIN_AFTER)


async def _newest_head(delivery: Delivery, end: TableEnd) -> PostedHead | None:
    """Return the newest head in a table's channel; None without one since the table was opened, or
    if Discord does not show it.
    """
    try:
        messages = await delivery.newest(end.channel_id)
    except (discord.HTTPException, discord.RateLimited, *FAILURES) as error:
        log.info("channel %d could not be read: %s", end.channel_id, error)
        return None
    return _head_in(messages, end.opened_at)


def _head_in(messages: Iterable[Mapping[str, Any]], since: int) -> PostedHead | None:
    """Return the head in the first of these messages that has one, sent after ``since``
    (milliseconds since 1970).
    """
    for message in messages:
        found = HEAD.findall(json.dumps(message))
        if found and (int(message["id"]) >> 22) + DISCORD_EPOCH > since:
            return read_head(found[-1])
    return None
