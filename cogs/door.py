"""What every command and button does: find the table, ask the desk, answer, have the herald tell the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.desk import Asker, Desk, Here, Look, Outcome
from bot.herald import Herald
from bot.ledger import LedgerError, TableRow
from bot.paint import files, paint
from bot.rules.commands import Command
from bot.rules.game import Game
from bot.rules.goods import NOTHING, Goods
from bot.rules.offer_state import standing
from bot.rules.ruling import Refused
from bot.rules.table import Offer
from bot.show import names
from bot.show.cards import Card
from bot.show.happened import told

log = logging.getLogger(__name__)

ALREADY_ANSWERED, EXPIRED = 40060, 10062


def asker(interaction: discord.Interaction) -> Asker:
    """Who pressed or typed, and whether they may manage the server this came from."""
    return Asker(
        user_id=interaction.user.id,
        name=interaction.user.display_name if interaction.guild_id is not None else "",
        moderator=interaction.guild_id is not None and interaction.permissions.manage_guild,
        interaction=interaction.id,
    )


@dataclass(frozen=True)
class Place:
    """A table, and the negotiation whose thread this is, if it is one."""

    table_id: int
    negotiation: int | None = None


class WhichTable(Refused):
    """In a DM it is not clear which table somebody means; they are asked."""

    def __init__(self, rows: Sequence[TableRow]) -> None:
        super().__init__("", "You sit at several tables.", "Choose which one your DMs are about.")
        self.rows = rows


class Door:
    """Between Discord's interactions and the desk. Every cog has it."""

    def __init__(self, desk: Desk, herald: Herald) -> None:
        self.desk = desk
        self.herald = herald

    async def place(self, interaction: discord.Interaction) -> Place:
        """What this is about: the channel's table, a negotiation's thread, or in a DM the table this person sits at.

        Raises `Refused` when there is none, `WhichTable` in a DM when there are several.
        """
        if interaction.guild_id is None:
            return Place(await self._dm_table(interaction.user.id))
        channel = interaction.channel
        row = await self.desk.place(interaction.channel_id or 0)
        if row is None and isinstance(channel, discord.Thread):
            row = await self.desk.place(channel.parent_id)
            if row is not None:
                return Place(row.id, await self.herald.negotiation_in(row.id, channel.id))
        if row is None:
            raise Refused("", "There is no table in this channel.", "Open one in a channel with /table open.")
        return Place(row.id)

    async def table_id(self, interaction: discord.Interaction) -> int:
        """The table this is about; see `place`."""
        return (await self.place(interaction)).table_id

    async def last_table_id(self, interaction: discord.Interaction) -> int:
        """The same for who looks back: where no table is open any more, the one that was open last in this channel."""
        if interaction.guild_id is not None:
            channel = interaction.channel
            parent = channel.parent_id if isinstance(channel, discord.Thread) else None
            for channel_id in (interaction.channel_id, parent):
                if channel_id and (row := await self.desk.last_place(channel_id)):
                    return row.id
        return await self.table_id(interaction)

    async def _dm_table(self, user_id: int) -> int:
        rows = await self.desk.tables_of(user_id)
        if not rows:
            raise Refused("", "You sit at no table.", "Open one in a channel with /table open.")
        if len(rows) == 1:
            return rows[0].id
        chosen = await self.desk.ledger.mark(f"dm:{user_id}")
        if chosen is not None and any(str(row.id) == chosen for row in rows):
            return int(chosen)
        raise WhichTable(rows)

    async def look(self, interaction: discord.Interaction) -> Look:
        """The table this is about, as it is now. Raises `Refused`."""
        return await self.desk.look(await self.table_id(interaction))

    async def do(
        self, interaction: discord.Interaction, make: Callable[[Here], Command], *, table_id: int | None = None
    ) -> Outcome:
        """Have the desk do it. Raises `Refused`, with everybody's name in it."""
        stood: list[Here] = []

        def made(here: Here) -> Command:
            stood.append(here)
            return make(here)

        try:
            at = table_id or await self.table_id(interaction)
            return await self.desk.do(at, await self.asker(interaction, at), made)
        except Refused as refused:
            raise _named(refused, stood[-1]) if stood else refused from None

    async def asker(self, interaction: discord.Interaction, table_id: int) -> Asker:
        """Who asks; a moderator only at the tables of the server where they are one."""
        who = asker(interaction)
        if who.moderator:
            row = await self.desk.ledger.table(table_id)
            who = replace(who, moderator=row is not None and row.guild_id == interaction.guild_id)
        return who

    async def openly(
        self,
        interaction: discord.Interaction,
        make: Callable[[Here], Command],
        *,
        table_id: int | None = None,
        besides: Callable[[Outcome], Card | None] = lambda outcome: None,
    ) -> None:
        """Have the desk do it, and say to all what happened; ``besides`` is for who acted alone. Raises `Refused`."""
        outcome = await self.do(interaction, make, table_id=table_id)
        await answer(interaction, told(outcome), public=True)
        if (card := besides(outcome)) is not None:
            await answer(interaction, card)
        await self.tell(interaction, outcome)

    async def stands(
        self, interaction: discord.Interaction, table_id: int, number: int, revision: int | None
    ) -> tuple[Look, Offer, str]:
        """The offer a form is to be about. Raises `Refused`, also for a button of an older revision."""
        look = await self.desk.look(table_id)
        try:
            offer = standing(look.table, number)
        except Refused as refused:
            told = {"remedy": names.tell(look, refused.ruling.remedy)}
            raise Refused.by(refused.ruling.model_copy(update=told)) from None
        if revision is not None and revision != offer.revision:
            raise Refused("", f"Offer #{number} has been altered since.", "Look at it as it stands now.")
        return look, offer, require_seat(look, interaction.user.id)

    async def tell(self, interaction: discord.Interaction, outcome: Outcome) -> None:
        """After the answer: tell the others, and say who could not be reached.

        What everybody is to know, and was said where not everybody reads, is said in the table's channel too.
        """
        table_id = outcome.after.table_id
        try:
            await self.herald.deliver(table_id)
            if interaction.channel_id != await self.herald.channel_of(table_id) and (news := told(outcome)):
                await self.herald.say(table_id, news)
        except LedgerError as error:  # what happened stands; the herald tells it next time
            log.error("table %d: could not be told: %s", table_id, error)
            return
        unreached = [user for user in await self.herald.unreached(outcome) if user != interaction.user.id]
        if unreached:
            await answer(interaction, _about(unreached))


def person(here: Here, user: discord.abc.User) -> int:
    """The number of a Discord user at this table. Raises `Refused` for a bot."""
    if user.bot:
        raise Refused("", f"{user.mention} is a bot, and bots don't play.", "Name a person.")
    return here.person(user.id, user.display_name)


def require_seat(look: Look, user_id: int) -> str:
    """The seat of this Discord user. Raises `Refused` when they have none."""
    seat = look.seat(user_id)
    if seat is None:
        raise Refused("", "You have no seat at this table.", "Take one with /table sit.")
    return seat


def goods(look: Look, text: str | None, giver: str | None) -> Goods:
    """Goods as somebody wrote them. Raises `Refused`."""
    return game(look).read_goods(text, look.table, giver, names.spoken(look)) if text else NOTHING


def game(look: Look) -> Game:
    """The game of this table."""
    return names.game_of(look)


def submitted(interaction: discord.Interaction) -> dict[str, list[str]]:
    """What a form was sent with: each field's values by its id; a text is a list of one."""
    data: Any = interaction.data
    fields = [row.get("component") or row["components"][0] for row in data["components"]]
    return {field["custom_id"]: field.get("values") or [field.get("value") or ""] for field in fields if _given(field)}


def _given(field: dict[str, Any]) -> bool:
    return bool(field.get("values") or field.get("value"))


async def answer(interaction: discord.Interaction, told: str | Card, *, public: bool = False) -> None:
    """Answer whoever acted; only they see it, unless it is ``public``.

    An interaction that was delivered twice has been answered already: that is no error.
    """
    say = interaction.followup.send if interaction.response.is_done() else interaction.response.send_message
    nobody = discord.AllowedMentions.none()
    try:
        if isinstance(told, Card):
            uploads = files(told) or discord.utils.MISSING
            await say(view=paint(told), files=uploads, ephemeral=not public, allowed_mentions=nobody)
        else:
            await say(told, ephemeral=not public, allowed_mentions=nobody)
    except discord.HTTPException as error:
        if error.code not in (ALREADY_ANSWERED, EXPIRED):
            raise


def _named(refused: Refused, here: Here) -> Refused:
    """The refusal with names in place of seats and numbers, newcomers included."""
    people = {**here.look.people, **{person.number: person for person in here.newcomers}}
    look = Look(here.look.table_id, here.look.table, people)
    ruling = refused.ruling
    told = {"why": names.tell(look, ruling.why), "remedy": names.tell(look, ruling.remedy)}
    return Refused.by(ruling.model_copy(update=told))


def _about(unreached: Sequence[int]) -> str:
    who = " and ".join(f"<@{user}>" for user in unreached)
    return f"{who} can't be reached by DM, so I pinged them in the channel."
