"""/undo trade: take back a transaction that was made by mistake, if the table allows it."""

from __future__ import annotations

from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.api.discord import Request, Router, carry_out, choices, names, up_to_date
from bot.games.ti4.take_back import TakeTradeBack


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class TakeBacks(commands.GroupCog, group_name="undo", group_description="Take back a slip"):
    """The /undo commands."""

    def __init__(self, router: Router) -> None:
        router.on(TakeTradeBack, up_to_date(carry_out))

    @app_commands.command(
        name="trade", description="Take back a trade made by mistake, if you both agree"
    )
    @app_commands.describe(transaction="Which trade. The other player is asked")
    async def trade(self, interaction: Interaction, transaction: int) -> None:
        """Ask to take a transaction back, or agree to that."""
        await Request(interaction).respond(TakeTradeBack(transaction))

    @trade.autocomplete("transaction")
    async def _transactions(self, interaction: Interaction, typed: str) -> list[Choice[int]]:
        request = Request(interaction)
        view = await request.view()
        found = await request.service.transactions(view.id, request.requester)
        mine = [each for each in found if view.seat in each[1:]]
        return choices(((f"{number}: {_two(view, *two)}", number) for number, *two in mine), typed)


def _two(view: names.Named, first: str, second: str) -> str:
    return f"{names.name(view, first)} and {names.name(view, second)}"
