"""/holdings: what somebody has, and how that changes outside of trade."""

from __future__ import annotations

from collections.abc import Callable

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.desk import Here, Look
from bot.rules.commands import Command, Gain, SetHoldings, Spend
from bot.rules.entries import Corrected
from bot.rules.goods import Goods
from bot.rules.ruling import Refused
from bot.show import names
from bot.show.cards import Card
from bot.show.results import change_text, holdings_text
from cogs.complete import complete_goods
from cogs.door import Door, answer, goods, person
from cogs.pages import opened


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Holdings(commands.GroupCog, group_name="holdings", group_description="What you have"):
    """Everything about holdings."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="show", description="What you have. Only you see it")
    @app_commands.describe(player="For hosts who do not sit at the table: whose")
    async def show(self, interaction: discord.Interaction, player: discord.User | None = None) -> None:
        """Show one's own holdings, privately; to a host who does not play, anybody's."""
        look = await self._door.look(interaction)
        if player is not None and player.id != interaction.user.id:
            await self._show_to_host(interaction, look, player)
            return
        seat = look.seat(interaction.user.id)
        if seat is None:
            raise Refused("", "You have no seat at this table.", "Take one with /table sit.")
        await answer(interaction, Card("open", (_title(look, seat), holdings_text(look, seat))))

    async def _show_to_host(self, interaction: discord.Interaction, look: Look, player: discord.User) -> None:
        """What somebody else has. Hands are secret, so a host who plays is a player like any other."""
        who, me = await self._door.asker(interaction, look.table_id), look.person(interaction.user.id)
        hosts = who.moderator or (me is not None and me.number == look.table.host)
        book = await opened(self._door, look.table_id, look.table.seq, interaction.user.id, audits=True)
        if not hosts or not book.viewer.moderates:
            raise Refused("", "What others hold is their secret.", "A host who does not sit at the table may look.")
        seat = look.seat(player.id)
        if seat is None:
            raise Refused("", f"{player.mention} has no seat at this table.", "/table show lists who sits here.")
        await answer(interaction, Card("open", (_title(look, seat), holdings_text(look, seat))))

    @app_commands.command(name="set", description="Host: what a player has now, for set-up or to mend a mistake")
    @app_commands.rename(written="goods")
    @app_commands.describe(
        player="Whose holdings",
        written="All they have now, for example: 3 tg, 2 c. A note that is named comes to their hand",
    )
    async def set(self, interaction: discord.Interaction, player: discord.User, written: str) -> None:
        """Say what a player has now."""

        def make(here: Here) -> SetHoldings:
            who = person(here, player)
            sits = here.table.seat_of(who)
            return SetHoldings(
                by=here.me,
                moderator=here.asker.moderator,
                person=who,
                goods=goods(here.look, written, sits.id if sits else None),
            )

        outcome = await self._door.do(interaction, make)
        corrected = next(one.entry for one in outcome.entries if isinstance(one.entry, Corrected))
        await answer(interaction, change_text(outcome.after, corrected), public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="gain", description="You gained something at the table")
    @app_commands.rename(written="goods")
    @app_commands.describe(written="What you gained, for example: 2 tg")
    async def gain(self, interaction: discord.Interaction, written: str) -> None:
        """Gain goods outside of trade."""
        await self._change(interaction, lambda here: Gain(by=here.me, goods=_mine(here, written)))

    @app_commands.command(name="spend", description="You spent something at the table")
    @app_commands.rename(written="goods")
    @app_commands.describe(written="What you spent, for example: 2 tg")
    async def spend(self, interaction: discord.Interaction, written: str) -> None:
        """Spend goods outside of trade."""
        await self._change(interaction, lambda here: Spend(by=here.me, goods=_mine(here, written)))

    async def _change(self, interaction: discord.Interaction, make: Callable[[Here], Command]) -> None:
        outcome = await self._door.do(interaction, make)
        entry = outcome.entries[-1].entry
        await answer(interaction, change_text(outcome.after, entry), public=True)
        await self._door.tell(interaction, outcome)

    @set.autocomplete("written")
    async def _of_player(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        player = getattr(interaction.namespace, "player", None)
        return complete_goods(look, look.seat(player.id) if player else None, typed, own=False)

    @gain.autocomplete("written")
    @spend.autocomplete("written")
    async def _own(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        return complete_goods(look, look.seat(interaction.user.id), typed, own=True)


def _mine(here: Here, written: str) -> Goods:
    return goods(here.look, written, here.look.seat(here.asker.user_id))


def _title(look: Look, seat: str) -> str:
    return f"### {names.seat_name(look, seat)} · only you see this"
