"""/holdings: shows what a player has, and records changes outside of trade."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.model.actions import LookAtHand
from bot.rules.registry import game_named
from bot.rules.views import TableView
from bot.show.my_goods import my_goods_card
from bot.show.results import holdings_card, others_holdings_card
from cogs.completion import gained_goods, goods_to_set, spent_goods
from cogs.context import CommandContext, reply, requester
from cogs.inputs import known_person, own_seat, read_goods, require_person, seat_of
from cogs.router import Router


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Holdings(commands.GroupCog, group_name="holdings", group_description="What you have"):
    """The /holdings commands."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(LookAtHand, self.looked_at)

    @app_commands.command(name="show", description="What you have, or what lies open before another player")
    @app_commands.describe(
        player="Whose; you see what lies open before them",
        hidden="For hosts who do not play: the hand too. It is recorded, and whoever looks can't play here",
    )
    async def show(
        self, interaction: discord.Interaction, player: discord.User | None = None, hidden: Literal["yes", "no"] = "no"
    ) -> None:
        """Show the person's own holdings, or what lies open before another player. Only the person sees it.

        A host who does not play can ask for the hidden hand too.
        """
        view = await self._context.view(interaction)
        if player is None or player.id == interaction.user.id:
            await reply(interaction, my_goods_card(view, own_seat(view)))
        elif _asks_for_secrets(view, hidden == "yes"):
            await self._show_to_host(interaction, view.id, known_person(view, player))
        else:
            await reply(interaction, others_holdings_card(view, seat_of(view, player)))

    async def looked_at(self, interaction: discord.Interaction, press: LookAtHand) -> None:
        """Handle the button under the refusal to set a hand."""
        await self._show_to_host(interaction, press.table, press.person)

    async def _show_to_host(self, interaction: discord.Interaction, table: int, person: int) -> None:
        """Show everything a player has to a host who does not play. The look is recorded and bars them from playing."""
        look = Audit("holdings", person)
        outcome = await self._context.execute(interaction, look, table_id=table)
        until_seq = outcome.entries[-1].seq - 1
        seen = await self._context.service.audited_view(table, requester(interaction), look, until_seq=until_seq)
        await reply(interaction, holdings_card(seen, next(id for id in seen.seats if seen.seats[id].person == person)))

    @app_commands.command(name="set", description="Host: what a player has now, for set-up or to mend a mistake")
    @app_commands.rename(written="goods")
    @app_commands.describe(
        player="Whose holdings",
        written="All they have now, for example: 3 tg, 2 c. A note that is named comes to their hand",
    )
    async def set(self, interaction: discord.Interaction, player: discord.User, written: str) -> None:
        view = await self._context.view(interaction)
        require_person(player)
        goods = read_goods(view, written, view.seat_of_user(player.id))
        await self._context.execute_publicly(interaction, SetHoldings(seat_of(view, player), goods), table_id=view.id)

    @app_commands.command(name="gain", description="You gained something at the table")
    @app_commands.rename(written="goods")
    @app_commands.describe(written="What you gained, for example: 2 tg")
    async def gain(self, interaction: discord.Interaction, written: str) -> None:
        """Gain goods outside of trade."""
        view = await self._context.view(interaction)
        command = Gain(read_goods(view, written, view.seat))
        await self._context.execute_publicly(interaction, command, table_id=view.id)

    @app_commands.command(name="spend", description="You spent something at the table")
    @app_commands.rename(written="goods")
    @app_commands.describe(written="What you spent, for example: 2 tg")
    async def spend(self, interaction: discord.Interaction, written: str) -> None:
        """Spend goods outside of trade."""
        view = await self._context.view(interaction)
        command = Spend(read_goods(view, written, view.seat))
        await self._context.execute_publicly(interaction, command, table_id=view.id)

    # ---------------------------------------------------------------- autocomplete

    @set.autocomplete("written")
    async def _of_player(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return await goods_to_set(self._context, interaction, "player", typed)

    @gain.autocomplete("written")
    async def _gained(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return gained_goods(await self._context.view(interaction), typed)

    @spend.autocomplete("written")
    async def _spent(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return spent_goods(await self._context.view(interaction), typed)


def _asks_for_secrets(view: TableView, asked: bool) -> bool:
    """Return whether to show the hidden hand: the host asked for it, or nothing lies open in this game."""
    hands = game_named(view.game).hidden
    return view.tracked and hands is not None and (asked or hands.nothing_open)
