"""The board's menu for cards that leave a hand by chance: /cards take and /cards lose by button."""

from __future__ import annotations

import re

import discord

from bot.api import Refused, TableView
from bot.api.discord import (
    LABEL_MAX,
    Button,
    Card,
    CommandContext,
    Form,
    Router,
    Text,
    answer_to,
    names,
    own_seat,
    reply,
    rows_of,
    submitted,
)
from bot.games.advciv.actions import LoseForm, LosePrompt, TakeAction, TakePrompt
from bot.games.advciv.commands import LoseCards, TakeCard
from cogs.advciv.cards import lost_card
from cogs.advciv.chance import new_chance


class LostCards:
    """Handles **Take a card** and **Lose cards**."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(TakePrompt, self.asked_whose)
        router.on(TakeAction, self.taken)
        router.on(LosePrompt, self.asked_how_many)
        router.on(LoseForm, self.lost)

    async def asked_whose(self, interaction: discord.Interaction, press: TakePrompt) -> None:
        """Ask whose city was eliminated."""
        view = await self._context.view(interaction, press.table)
        own_seat(view)
        await reply(interaction, _whose_card(view))

    async def taken(self, interaction: discord.Interaction, press: TakeAction) -> None:
        """Ask the owner of the city for a card."""
        await self._context.execute_publicly(interaction, TakeCard(press.other, new_chance()), table_id=press.table)

    async def asked_how_many(self, interaction: discord.Interaction, press: LosePrompt) -> None:
        """Open the form that asks how many cards go."""
        own_seat(await self._context.view(interaction, press.table, from_memory=True))
        fields = (
            Text("cards", "How many cards go", description="They go back to the stacks, picked by chance"),
            Text("cities", "Or how many cities are left", description="All but one card for each goes [15.62]"),
        )  # fmt: skip
        await answer_to(interaction).open(Form("Lose cards", LoseForm(press.table), fields))

    async def lost(self, interaction: discord.Interaction, form: LoseForm) -> None:
        """Lose as many cards as the form says, and show the person which."""
        values = submitted(interaction)
        cards, cities = (_number(values.get(field, [""])[0]) for field in ("cards", "cities"))
        command = LoseCards(new_chance(), cards, cities)
        await self._context.execute_publicly(interaction, command, table_id=form.table, privately=lost_card)


def _whose_card(view: TableView) -> Card:
    others = [seat for seat in view.seated() if seat != view.seat]
    every = [
        Button(f"Take a card of {names.plain_player(view, seat)}"[:LABEL_MAX], TakeAction(view.id, seat))
        for seat in others
    ]
    text = "### Whose city did you eliminate?\nThey are asked; then you take a card from their hand by chance [24.51]."
    return Card("waiting", (text,), rows_of(every))


def _number(text: str) -> int | None:
    """Return a number as a person wrote it, None for none. Raises `Refused` for anything else."""
    if not text.strip():
        return None
    if not re.fullmatch(r"\s*[0-9]{1,2}\s*", text):
        raise Refused("", "That is no number of cards or cities.", "Fill in one of the two, such as 2.")
    return int(text)
