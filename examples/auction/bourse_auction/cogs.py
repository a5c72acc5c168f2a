"""The slash commands of the auction, and the form of a bid."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.api import Refused
from bot.api.discord import Form, Request, Router, Text, own_seat
from bourse_auction.bidding import AskBid, Bid, BidForm, Hammer, NextLot


class Auction(commands.GroupCog, group_name="auction", group_description="Paintings, and bids for them"):
    """The /auction commands."""

    def __init__(self, router: Router) -> None:
        router.on(AskBid, self.asked)
        router.on(BidForm, self.submitted)

    @app_commands.command(name="next", description="Put the next painting up")
    async def next(self, interaction: discord.Interaction) -> None:
        await Request(interaction).execute_publicly(NextLot())

    @app_commands.command(name="hammer", description="End the bidding before everybody has bid")
    async def hammer(self, interaction: discord.Interaction) -> None:
        await Request(interaction).execute_publicly(Hammer())

    @app_commands.command(name="bid", description="Bid in secret for the painting that is up")
    @app_commands.describe(coins="How many coins; 0 is no bid")
    async def bid(self, interaction: discord.Interaction, coins: int) -> None:
        await bid(Request(interaction), coins)

    async def asked(self, request: Request, press: AskBid) -> None:
        """Handle **Bid** on the board: open the form."""
        own_seat(await request.view())
        field = Text("coins", "How many coins", description="0 is no bid. The others see it when all have bid")
        await request.answer.open(Form("Your bid", BidForm(press.table), (field,)))

    async def submitted(self, request: Request, form: BidForm) -> None:
        """Handle the submitted form."""
        [typed] = request.submitted().get("coins", ["0"])
        if not typed.strip().isdecimal():
            raise Refused("", f"“{typed}” is no number of coins.", "Try 3.")
        await bid(request, int(typed))


async def bid(request: Request, coins: int) -> None:
    """Bid, and tell only the one who bids how much it was."""
    command = Bid(coins)
    await request.execute_privately(command, lambda outcome: command.reply([each.entry for each in outcome.entries]))


def cogs(router: Router) -> list[commands.Cog]:
    """Return the game's cogs; the entry point in pyproject.toml names this function."""
    return [Auction(router)]
