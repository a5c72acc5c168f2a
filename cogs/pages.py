"""Pages: a message of one's own that is turned by its buttons, also after a restart."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import discord

from bot.desk import Look
from bot.paint import files, paint
from bot.rules.audits import auditor
from bot.rules.books import Step, steps
from bot.rules.ruling import Refused
from bot.rules.views import Viewer
from bot.show.cards import Card
from bot.show.pictures import wealth
from cogs.door import ALREADY_ANSWERED, EXPIRED, Door


@dataclass(frozen=True)
class Opened:
    """A table, its entries up to one of them, and who reads."""

    look: Look
    life: list[Step]
    viewer: Viewer


async def opened(door: Door, table_id: int, upto: int, reader: int, *, audits: bool) -> Opened:
    """A table's entries for the Discord user ``reader``: a player's view, or where one ``audits``, a moderator's."""
    look = await door.desk.look(table_id)
    entries = await door.desk.ledger.read(table_id, upto=look.table.seq)
    viewer = look.viewer(reader)
    if audits:
        person = look.person(reader)
        erased = [known.number for known in look.people.values() if known.user_id is None]
        every = (recorded.entry for recorded in entries)
        viewer = auditor(look.table, person.number if person else 0, every, erased)
    try:
        life = steps(entries[:upto])
    except (LookupError, ValueError, TypeError):  # applying never fails on what was decided
        raise Refused(
            "", "Somebody has changed this table's ledger by hand.", "/audit verify names the entry."
        ) from None
    return Opened(look, life, viewer)


async def pictured(card: Card, book: Opened, seat: str | None) -> Card:
    """The card with the game's story drawn under it, as it is told for this seat; in a thread, for it takes a while."""
    story = wealth.story_of(book.look, (step.recorded for step in book.life), seat)
    return replace(card, picture=await asyncio.to_thread(wealth.picture, story) if story else None)


async def turned(interaction: discord.Interaction, card: Card) -> None:
    """Show this page in place of the one whose button was pressed."""
    try:
        await interaction.response.edit_message(
            view=paint(card), attachments=files(card), allowed_mentions=discord.AllowedMentions.none()
        )
    except discord.HTTPException as error:
        if error.code not in (ALREADY_ANSWERED, EXPIRED):
            raise
