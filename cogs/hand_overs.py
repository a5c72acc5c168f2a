"""**Hand over**: where hands are hidden, each chooses in private what they give for an offer that both agreed to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.desk import Here
from bot.paint import form
from bot.rules.commands import Command, HandOver
from bot.rules.goods import Goods
from bot.rules.offer_state import exchange_of, trade_of
from bot.rules.ruling import Refused
from bot.show.cards import hand_options
from bot.show.forms import HAND_FIELDS, hand_form, picked_goods
from cogs.door import Door, goods, submitted
from cogs.router import Router

Act = Callable[[discord.Interaction, int | None, Callable[[Here], Command]], Awaitable[None]]
"""Does something to an offer, and says what came of it."""


class HandOvers:
    """The choice under an offer, the form behind its button, and /offer hand."""

    def __init__(self, door: Door, router: Router, act: Act) -> None:
        self._door = door
        self._act = act
        router.route(r"hand:(?P<table>\d+):(?P<offer>\d+):(?P<revision>\d+)", self.chosen)
        router.route(r"form:(?P<table>\d+):hand:(?P<offer>\d+):(?P<revision>\d+)", self.sent)

    async def chosen(self, interaction: discord.Interaction, table: str, offer: str, revision: str) -> None:
        """Cards were chosen in an offer's **Hand over**."""
        data: Any = interaction.data
        await self._hand(interaction, int(table), int(offer), int(revision), picked_goods(data["values"]))

    async def sent(self, interaction: discord.Interaction, table: str, offer: str, revision: str) -> None:
        """The form of **Hand over** was sent."""
        values = submitted(interaction)
        given = picked_goods([value for field in HAND_FIELDS for value in values.get(field, [])])
        await self._hand(interaction, int(table), int(offer), int(revision), given)

    async def typed(self, interaction: discord.Interaction, number: int, written: str) -> None:
        """/offer hand: the same, typed."""
        look = await self._door.look(interaction)
        revision = look.table.offers[number].revision if number in look.table.offers else 1
        given = goods(look, written, look.seat(interaction.user.id))
        await self._hand(interaction, look.table_id, number, revision, given)

    async def ask(self, interaction: discord.Interaction, table_id: int, number: int, revision: int) -> None:
        """**Hand over**: at once where there is nothing to choose, else a form."""
        look, offer, seat = await self._door.stands(interaction, table_id, number, revision)
        exchange = exchange_of(look.table)
        if exchange is None or (offer.to is not None and not offer.known_to(seat)):
            raise Refused("", "That is for somebody else.", "/offer list shows what stands for you.")
        promised = trade_of(offer, seat).gives(seat)
        named = exchange.named(promised)
        if not promised or named == promised or not hand_options(look, offer, seat):  # the rules say why not, if not
            await self._hand(interaction, table_id, number, revision, named)
            return
        await interaction.response.send_modal(form(hand_form(look, offer, seat)))

    async def _hand(
        self, interaction: discord.Interaction, table_id: int, number: int, revision: int, given: Goods
    ) -> None:
        await self._act(
            interaction, table_id, lambda here: HandOver(by=here.me, offer=number, revision=revision, goods=given)
        )
