"""/holdings: shows what a player has, and records changes outside of trade."""

from __future__ import annotations

from typing import Literal

import discord
from discord import Interaction, User, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.show.names import game_of
from bot.show.results import holdings_card, look_question, others_holdings_card
from bot.show.stock import everything
from cogs.boards import my_goods
from cogs.completion import goods_of_stock, goods_to_set, spent_goods
from cogs.inputs import known_person, read_goods, require_person, seat_of
from cogs.request import Request
from cogs.router import Router

EVERYTHING = "Everything they have now, for example: 3 tg, 2 c. Notes you name go into their hand"


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class HoldingsCommands(commands.GroupCog, group_name="holdings", group_description="What you have"):
    """The /holdings commands."""

    def __init__(self, router: Router) -> None:
        router.on(Audit, look_at_hand)

    @app_commands.command(
        name="show", description="What you have, or what everybody sees of another player"
    )
    @app_commands.describe(
        player="Whose. You see what everybody sees",
        hidden="For hosts who don't play: the hand too. It is recorded, and after it you can't "
        "play here",
    )
    async def show(
        self,
        interaction: Interaction,
        player: User | None = None,
        hidden: Literal["yes", "no"] = "no",
    ) -> None:
        """Show the person's own holdings, or what lies open before another player. Only the person
        sees it.

        A host who does not play can ask for the hidden hand too.
        """
        await show(Request(interaction), player, hidden=hidden == "yes")

    @app_commands.command(
        name="set", description="Host: set what a player has now, for set-up or to fix a slip"
    )
    @app_commands.rename(written="goods")
    @app_commands.describe(player="Whose holdings", written=EVERYTHING)
    async def set(self, interaction: Interaction, player: User, written: str) -> None:
        request = Request(interaction)
        view = await request.view()
        require_person(player)
        goods = read_goods(view, written, view.seat_of_user(player.id))
        await request.respond(SetHoldings(seat_of(view, player), goods))

    @app_commands.command(name="gain", description="You gained something at the table")
    @app_commands.rename(written="goods")
    @app_commands.describe(written="What you gained, for example: 2 tg")
    async def gain(self, interaction: Interaction, written: str) -> None:
        """Gain goods outside of trade."""
        request = Request(interaction)
        view = await request.view()
        await request.respond(Gain(read_goods(view, written, view.seat)))

    @app_commands.command(name="spend", description="You spent something at the table")
    @app_commands.rename(written="goods")
    @app_commands.describe(written="What you spent, for example: 2 tg")
    async def spend(self, interaction: Interaction, written: str) -> None:
        """Spend goods outside of trade."""
        request = Request(interaction)
        view = await request.view()
        await request.respond(Spend(read_goods(view, written, view.seat)))

    # ---------------------------------------------------------------- autocomplete

    @set.autocomplete("written")
    async def _of_player(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return await goods_to_set(Request(interaction), "player", typed)

    @gain.autocomplete("written")
    async def _gained(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        view = await Request(interaction).view()
        gains = game_of(view).holdings.gains
        return goods_of_stock(
            view, everything(view, view.seat).only(lambda each: gains(each.token)), typed
        )

    @spend.autocomplete("written")
    async def _spent(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return spent_goods(await Request(interaction).view(), typed)


async def show(
    request: Request,
    player: discord.abc.User | None,
    *,
    hidden: bool = False,
    asks_first: bool = False,
) -> None:
    """Show what a player has, as far as the person may know; without a player, their own.

    ``hidden``: the host asks for the hidden hand too. ``asks_first``: ask before a look is
    recorded.
    """
    view = await request.view()
    hands = game_named(view.game).hidden
    if player is None or player.id == request.interaction.user.id:
        await request.reply(await my_goods(request, view))
    elif view.tracked and hands is not None and (hidden or hands.nothing_open):
        look = Audit("holdings", known_person(view, player))
        if asks_first and view.hosts and view.seat is None:
            await request.reply(look_question(view, seat_of(view, player), look))
        else:
            await look_at_hand(request, look)
    else:
        await request.reply(others_holdings_card(view, seat_of(view, player)))


async def look_at_hand(request: Request, look: Audit) -> None:
    """Show everything a player has to a host who does not play. The look is recorded and bars them
    from playing.
    """
    if look.what != "holdings":
        raise Refused("", "No button looks at that.", "Type the command: /audit.")
    outcome = await request.execute(look)
    until_seq = outcome.entries[-1].seq - 1
    seen = await request.service.audited_view(
        outcome.table_id, request.requester, look, until_seq=until_seq
    )
    await request.reply(
        holdings_card(seen, next(id for id in seen.seats if seen.seats[id].person == look.about))
    )
