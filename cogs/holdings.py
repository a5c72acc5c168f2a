"""/holdings: shows what a player has, and records changes outside of trade."""

from __future__ import annotations

from typing import Annotated, Literal

import discord
from discord import User
from discord.ext import commands

from bot.rules.commands import Command
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Gain, Gained, SetHoldings, Spend, Spent
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.service import Outcome
from bot.show.cards import Card
from bot.show.names import game_of
from bot.show.results import (
    hand_changed_card,
    holdings_card,
    look_question,
    others_holdings_card,
)
from bot.show.stock import everything
from cogs.boards import my_goods
from cogs.completion import EVERYTHING, Choices, goods_of_stock, goods_to_set, spent_goods
from cogs.inputs import known_person, read_goods, require_person, seat_of
from cogs.request import Request
from cogs.router import Router
from cogs.slash import OwnGoods, in_dms_too, slash


def _gained(view: TableView, typed: str) -> Choices:
    gains = game_of(view).holdings.gains
    return goods_of_stock(
        view, everything(view, view.seat).only(lambda each: gains(each.token)), typed
    )


def _changed(outcome: Outcome) -> Card | None:
    """Return what the person gained or spent; None where others see all of it."""
    for each in outcome.entries:
        if isinstance(each.entry, Gained | Spent) and each.entry.hidden:
            return hand_changed_card(outcome.view, each.entry)
    return None


async def _respond(request: Request, command: Command) -> None:
    await request.respond(command, _changed)


@in_dms_too
class HoldingsCommands(commands.GroupCog, group_name="holdings", group_description="What you have"):
    """The /holdings commands."""

    def __init__(self, router: Router) -> None:
        router.on(Audit, look_at_hand)

    @slash("show", "What you have, or what everybody sees of another player")
    async def show(
        self,
        request: Request,
        player: Annotated[User | None, "Whose. You see what everybody sees"] = None,
        hidden: Annotated[
            Literal["yes", "no"],
            "For hosts who don't play: the hand too. It is recorded, and after it you can't "
            "play here",
        ] = "no",
    ) -> None:
        """Show the person's own holdings, or what lies open before another player. Only the person
        sees it.

        A host who does not play can ask for the hidden hand too.
        """
        await show(request, player, hidden=hidden == "yes")

    @slash("set", "Host: set what a player has now, for set-up or to fix a slip")
    async def set(
        self,
        request: Request,
        player: Annotated[User, "Whose holdings"],
        goods_: Annotated[str, EVERYTHING, goods_to_set],
    ) -> None:
        view = await request.view()
        require_person(player)
        goods = read_goods(view, goods_, view.seat_of_user(player.id))
        await request.respond(SetHoldings(seat_of(view, player), goods))

    @slash("gain", "You gained something at the table", _respond)
    def gain(self, goods: Annotated[OwnGoods, "What you gained, and how many", _gained]) -> Command:
        return Gain(goods)

    @slash("spend", "You spent something at the table", _respond)
    def spend(
        self, goods: Annotated[OwnGoods, "What you spent, and how many", spent_goods]
    ) -> Command:
        return Spend(goods)


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
    own = player is None or player.id == request.interaction.user.id
    view = await request.view(acts=own)
    hands = game_of(view).hidden
    if player is None or own:
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
        raise Refused("No button looks at that.", "Type the command: /audit.")
    outcome = await request.execute(look)
    until_seq = outcome.entries[-1].seq - 1
    seen = await request.service.audited_view(
        outcome.table_id, request.requester, look, until_seq=until_seq
    )
    await request.reply(
        holdings_card(seen, next(id for id in seen.seats if seen.seats[id].person == look.about))
    )
