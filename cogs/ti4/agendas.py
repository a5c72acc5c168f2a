"""/agenda: the agenda that is being resolved. In the action phase it is asked which kind of agenda it is."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.api import TableView
from bot.api.discord import Button, Card, CommandContext, Router, encode, reply, words
from bot.games.ti4.actions import RevealDuring
from bot.games.ti4.boxes import titles_of
from bot.games.ti4.commands import ResolveAgenda, RevealAgenda

Title = app_commands.Range[str, 1, 80]

DURING: dict[str, Literal["agenda", "turn"]] = {"agenda phase": "agenda", "this turn": "turn"}
"""The values of the option `during`, and what each means."""


@app_commands.guild_only()
class Agendas(commands.GroupCog, group_name="agenda", group_description="The agenda that is being resolved"):
    """The /agenda commands."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(RevealDuring, self.revealed)

    @app_commands.command(name="reveal", description="An agenda is revealed; each pair may trade once")
    @app_commands.describe(
        title="What it is called",
        during="In the action phase: the agenda phase begins, or it is voted on within this turn (Executive Order)",
    )
    async def reveal(
        self,
        interaction: discord.Interaction,
        title: Title | None = None,
        during: Literal["agenda phase", "this turn"] | None = None,
    ) -> None:
        """Reveal an agenda; during a turn, ask the host first which kind it is."""
        view = await self._context.view(interaction)
        if during is None and asks(view):
            await reply(interaction, which_card(view, title or ""))
            return
        command = RevealAgenda(title or "", during=DURING[during or "agenda phase"])
        await self._context.execute_publicly(interaction, command, table_id=view.id)

    async def revealed(self, interaction: discord.Interaction, press: RevealDuring) -> None:
        """Handle the answer to which kind of agenda it is."""
        command = RevealAgenda(_unpacked(press.title), during=press.during)
        await self._context.execute_publicly(interaction, command, table_id=press.table)

    @app_commands.command(name="replace", description="The agenda is replaced; each pair may trade again")
    @app_commands.describe(title="What the new one is called")
    async def replace(self, interaction: discord.Interaction, title: Title | None = None) -> None:
        """Replace the agenda."""
        await self._context.execute_publicly(interaction, RevealAgenda(title or "", replaces=True))

    @app_commands.command(name="resolve", description="The agenda has been dealt with")
    async def resolve(self, interaction: discord.Interaction) -> None:
        """Resolve the agenda."""
        await self._context.execute_publicly(interaction, ResolveAgenda())

    @reveal.autocomplete("title")
    @replace.autocomplete("title")
    async def _titles(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        view = await self._context.view(interaction)
        return words(titles_of(view.settings), typed)


def asks(view: TableView) -> bool:
    """Return whether it is asked which kind of agenda it is: only a host may say so, and only during a turn."""
    return view.hosts and view.window.kind == "turn"


def which_card(view: TableView, title: str) -> Card:
    """Ask which kind of agenda is revealed during a turn. Whether the presser may say so, the rules decide later."""
    text = (
        "This is the action phase. Does the **agenda phase** begin, or do you vote **within this turn**, as with "
        "Executive Order? Only in the agenda phase does an agenda bring transactions [94.6]."
    )
    whole = Button("Agenda phase", RevealDuring(view.id, "agenda", _packed(title)), "primary")
    vote = Button("Votes within this turn", RevealDuring(view.id, "turn", _packed(title)))
    try:
        encode(whole.action)
    except ValueError:  # so long a title has no room in a button
        return Card("waiting", (f"{text}\nSay it with **during:** beside the title.",))
    return Card("waiting", (text,), ((whole, vote),))


def _packed(title: str) -> str:
    """Return a title without a colon, as a button carries it."""
    return title.replace("%", "%25").replace(":", "%3A")


def _unpacked(title: str) -> str:
    return title.replace("%3A", ":").replace("%25", "%")
