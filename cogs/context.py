"""What every command and button does: find the table, call the service, reply, and deliver to the others.

    place        which table an interaction is about
    view         that table as the person who acts may see it; commands are built from it, with seats by their ids
    execute      the only way to change a table; raises `Refused`
    reply        the response to the person who acted, or to everybody
    deliver      after the reply: the messages to the others

Cogs decide nothing: the rules say what may be done, and views hold what a person may know.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import discord

from bot.delivery import Delivery, render_card, render_files
from bot.ledger import LedgerError
from bot.rules.commands import Command
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.service import CommandFactory, Outcome, Requester, Service, TableRow
from bot.show.cards import Card
from bot.show.narration import headlines_text

log = logging.getLogger(__name__)

ALREADY_ANSWERED, EXPIRED = 40060, 10062
"""Discord's codes for an interaction that has a response already, and for one older than three seconds."""


@dataclass(frozen=True)
class Place:
    """Where an interaction comes from: the table, and in a negotiation's thread that negotiation."""

    table_id: int
    negotiation: int | None = None


class SeveralTables(Refused):
    """In a DM of a person at several tables it is not clear which one is meant. `cogs.errors` asks them."""

    def __init__(self, rows: Sequence[TableRow]) -> None:
        super().__init__("", "You sit at several tables.", "Choose which one your DMs are about.")
        self.rows = rows


class CommandContext:
    """The service and delivery, as every cog uses them for an interaction."""

    def __init__(self, service: Service, delivery: Delivery) -> None:
        self.service = service
        self.delivery = delivery

    # ---------------------------------------------------------------- which table

    async def place(self, interaction: discord.Interaction) -> Place:
        """Return the table of the channel, of the negotiation's thread, or in a DM of the person.

        Raises `Refused` when there is none, `SeveralTables` in a DM when there are several.
        """
        if interaction.guild_id is None:
            return Place(await self._dm_table(interaction.user.id))
        row = await self.service.table_at(interaction.channel_id or 0)
        if row is not None:
            return Place(row.id)
        return await self._thread(interaction.channel)

    async def table_id(self, interaction: discord.Interaction) -> int:
        """Return the id of the table of an interaction; see `place`."""
        return (await self.place(interaction)).table_id

    async def last_table_id(self, interaction: discord.Interaction) -> int:
        """Return the same for looking back: if no table is open in the channel, the last one that was."""
        channel = interaction.channel
        parent = channel.parent_id if isinstance(channel, discord.Thread) else None
        for channel_id in (interaction.channel_id, parent) if interaction.guild_id is not None else ():
            if channel_id and (row := await self.service.last_table_at(channel_id)):
                return row.id
        return await self.table_id(interaction)

    async def _thread(self, channel: object) -> Place:
        parent = await self.service.table_at(channel.parent_id) if isinstance(channel, discord.Thread) else None
        if parent is None or not isinstance(channel, discord.Thread):
            raise Refused("", "There is no table in this channel.", "Open one in a channel with /table open.")
        return Place(parent.id, await self.delivery.negotiation_in(parent.id, channel.id))

    async def _dm_table(self, user_id: int) -> int:
        rows = await self.service.tables_of(user_id)
        if not rows:
            raise Refused("", "You sit at no table.", "Open one in a channel with /table open.")
        if len(rows) == 1:
            return rows[0].id
        chosen = await self.service.dm_choice(user_id)
        if chosen is None or all(row.id != chosen for row in rows):
            raise SeveralTables(rows)
        return chosen

    # ---------------------------------------------------------------- looking and acting

    async def view(
        self,
        interaction: discord.Interaction,
        table_id: int | None = None,
        *,
        offers: Iterable[int] = (),
        deals: Iterable[int] = (),
    ) -> TableView:
        """Return the table as the person who acts may see it, with these offers and deals even if they are over."""
        at = await self.table_id(interaction) if table_id is None else table_id
        return await self.service.view(at, requester(interaction), offers=offers, deals=deals)

    async def last_view(self, interaction: discord.Interaction) -> TableView:
        """Return the view of the last open table of the channel; see `last_table_id`."""
        return await self.view(interaction, await self.last_table_id(interaction))

    async def execute(
        self,
        interaction: discord.Interaction,
        command: Command | CommandFactory,
        *,
        table_id: int | None = None,
    ) -> Outcome:
        """Execute a command at a table, by default that of `place`. Raises `Refused`."""
        at = await self.table_id(interaction) if table_id is None else table_id
        return await self.service.execute(at, requester(interaction), command)

    async def execute_publicly(
        self,
        interaction: discord.Interaction,
        command: Command | CommandFactory,
        *,
        table_id: int | None = None,
        privately: Callable[[Outcome], Card | None] = lambda outcome: None,
    ) -> None:
        """Execute a command, reply with its headlines for everybody, and deliver. Raises `Refused`.

        ``privately`` returns a card for the person who acted alone, or None.
        """
        outcome = await self.execute(interaction, command, table_id=table_id)
        await reply(interaction, headlines_text(outcome.public), public=True)
        if (card := privately(outcome)) is not None:
            await reply(interaction, card)
        await self.deliver(interaction, outcome)

    async def execute_privately(
        self,
        interaction: discord.Interaction,
        command: Command | CommandFactory,
        message: Callable[[Outcome], str | Card],
        *,
        table_id: int | None = None,
    ) -> None:
        """Execute a command, reply to the person who acted with ``message``, and deliver. Raises `Refused`."""
        outcome = await self.execute(interaction, command, table_id=table_id)
        await self.reply_and_deliver(interaction, outcome, message(outcome))

    async def reply_and_deliver(
        self, interaction: discord.Interaction, outcome: Outcome, message: str | Card, *, public: bool = False
    ) -> None:
        """Reply, then deliver: Discord waits three seconds for a reply, and delivery may take longer."""
        await reply(interaction, message, public=public)
        await self.deliver(interaction, outcome)

    async def deliver(self, interaction: discord.Interaction, outcome: Outcome) -> None:
        """Deliver the outcome to the others, and tell the person who acted whom DMs did not reach.

        If they did not act in the table's channel, the headlines are announced there.
        """
        try:
            await self.delivery.deliver(outcome.table_id)
            if text := await self._elsewhere(interaction, outcome):
                await self.delivery.announce(outcome.table_id, text)
        except LedgerError as error:  # the command itself is recorded, and the next delivery catches up
            log.error("table %d: delivery failed: %s", outcome.table_id, error)
            return
        unreached = [user for user in await self.delivery.unreached(outcome) if user != interaction.user.id]
        if unreached:
            await reply(interaction, _pinged(unreached))

    async def _elsewhere(self, interaction: discord.Interaction, outcome: Outcome) -> str:
        """Return the headlines, unless the reply in the table's own channel had them already."""
        row = await self.service.table(outcome.table_id)
        there = row is not None and row.channel_id == interaction.channel_id
        return "" if there else headlines_text(outcome.public)


def requester(interaction: discord.Interaction) -> Requester:
    """Return the requester of an interaction. A name is stored only from a server, where it may be a nickname."""
    on_server = interaction.guild_id is not None
    return Requester(
        user_id=interaction.user.id,
        name=interaction.user.display_name if on_server else "",
        guild_id=interaction.guild_id,
        manages_guild=on_server and interaction.permissions.manage_guild,
        interaction=interaction.id,
    )


@contextmanager
def suppress_answered() -> Iterator[None]:
    """Ignore that an interaction has been answered already or has expired: Discord may deliver one twice."""
    try:
        yield
    except discord.HTTPException as error:
        if error.code not in (ALREADY_ANSWERED, EXPIRED):
            raise


async def reply(interaction: discord.Interaction, message: str | Card, *, public: bool = False) -> None:
    """Respond to the person who acted, as a follow-up if there is a response. Only they see it, unless ``public``."""
    send = interaction.followup.send if interaction.response.is_done() else interaction.response.send_message
    nobody = discord.AllowedMentions.none()
    with suppress_answered():
        if isinstance(message, Card):
            uploads = render_files(message) or discord.utils.MISSING
            await send(view=render_card(message), files=uploads, ephemeral=not public, allowed_mentions=nobody)
        else:
            await send(message, ephemeral=not public, allowed_mentions=nobody)


def _pinged(unreached: Sequence[int]) -> str:
    users = " and ".join(f"<@{user}>" for user in unreached)
    return f"{users} can't be reached by DM, so I pinged them in the channel."
