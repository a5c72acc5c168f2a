"""/undo trade: take back a transaction that was made by mistake, if the table allows it."""

from __future__ import annotations

from typing import Annotated

from discord.ext import commands

from bot.api import Command
from bot.api.discord import (
    Choices,
    Request,
    Router,
    carry_out,
    choices,
    in_dms_too,
    names,
    slash,
    up_to_date,
)
from bot.games.ti4.take_back import TakeTradeBack


async def _transactions(request: Request, typed: str) -> Choices:
    view = await request.view()
    found = await request.service.transactions(view.id, request.requester)
    mine = [each for each in found if view.seat in each[1:]]
    return choices(((f"{number}: {_two(view, *two)}", number) for number, *two in mine), typed)


@in_dms_too
class TakeBacks(commands.GroupCog, group_name="undo", group_description="Take back a slip"):
    """The /undo commands."""

    def __init__(self, router: Router) -> None:
        router.on(TakeTradeBack, up_to_date(carry_out))

    @slash("trade", "Take back a trade made by mistake, if you both agree")
    def trade(
        self, transaction: Annotated[int, "Which trade. The other player is asked", _transactions]
    ) -> Command:
        return TakeTradeBack(transaction)


def _two(view: names.Named, first: str, second: str) -> str:
    return f"{names.name(view, first)} and {names.name(view, second)}"
