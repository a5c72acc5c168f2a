"""/commodities and /note: what moves goods besides trade."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.desk import Here, Look
from bot.rules.commands import Command
from bot.rules.games.ti4 import notes
from bot.rules.games.ti4.commands import Convert, GainCommodities, PlayNote, Replenish, ReturnNote
from bot.rules.goods import Goods
from bot.rules.seats import own_seat
from bot.show import names
from cogs.complete import choices
from cogs.door import Door, person

Amount = app_commands.Range[int, 1, 99]


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Commodities(
    commands.GroupCog, group_name="commodities", group_description="Commodities: replenish, convert, gain"
):
    """/commodities."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="replenish", description="You take commodities up to your commodity value")
    @app_commands.describe(player="For the active player and hosts: who replenishes")
    async def replenish(self, interaction: discord.Interaction, player: discord.User | None = None) -> None:
        """Replenish commodities."""

        def make(here: Here) -> Replenish:
            who = person(here, player) if player else here.me
            return Replenish(by=here.me, moderator=here.asker.moderator, person=who)

        await self._door.openly(interaction, make)

    @app_commands.command(name="convert", description="An effect lets you turn own commodities into trade goods")
    @app_commands.describe(amount="How many")
    async def convert(self, interaction: discord.Interaction, amount: Amount) -> None:
        """Convert own commodities."""
        await self._door.openly(interaction, lambda here: Convert(by=here.me, amount=amount))

    @app_commands.command(name="gain", description="You gained commodities, other than by replenishing")
    @app_commands.describe(amount="How many")
    async def gain(self, interaction: discord.Interaction, amount: Amount) -> None:
        """Gain commodities."""
        await self._door.openly(interaction, lambda here: GainCommodities(by=here.me, amount=amount))


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Notes(commands.GroupCog, group_name="note", group_description="Promissory notes: play and return"):
    """/note."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="play", description="You play a promissory note of somebody else")
    @app_commands.describe(note="Which note, for example: ceasefire")
    async def play(self, interaction: discord.Interaction, note: str) -> None:
        """Play a note."""
        await self._door.openly(interaction, lambda here: PlayNote(by=here.me, note=_named(here, note)))

    @app_commands.command(name="return", description="A promissory note goes back to its owner")
    @app_commands.describe(note="Which note, for example: bob's trade convoys")
    async def give_back(self, interaction: discord.Interaction, note: str) -> None:
        """Return a note."""
        await self._door.openly(
            interaction,
            lambda here: ReturnNote(by=here.me, moderator=here.asker.moderator, note=_named(here, note)),
        )

    @play.autocomplete("note")
    async def _in_hand(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        seat = look.seat(interaction.user.id)
        return _choices(look, look.table.seats[seat].holdings if seat else Goods(), typed, seat)

    @give_back.autocomplete("note")
    async def _anywhere(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        seat = look.seat(interaction.user.id)
        mine = look.table.seats[seat] if seat else None
        return _choices(look, mine.holdings + mine.in_play if mine else Goods(), typed, seat)


def _named(here: Here, note: str) -> str:
    return notes.named(here.table, own_seat_id(here), note, names.spoken(here.look))


def own_seat_id(here: Here) -> str:
    """The seat of who asks. Raises `Refused` when they have none."""
    return own_seat(here.table, Command(by=here.me)).id


def _choices(look: Look, goods: Goods, typed: str, seat: str | None) -> list[Choice[str]]:
    """Notes of others among these, as one would write them."""
    others = [token for token in goods.of_kind("note") if token.rpartition(":")[2] != seat]
    game = names.game_of(look)
    told_notes = [(names.plain(look, game.tell_goods(Goods({token: 1}))), token) for token in others]
    return choices(((label, names.plain(look, notes.written(token))) for label, token in told_notes), typed)
