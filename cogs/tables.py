"""/table and /phase: opening a table, sitting down, the host and what the host may set."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.desk import Here
from bot.rules.commands import ChangeSettings, CloseTable, Leave, SetHost, SetPhase, Sit
from bot.rules.entries import SeatTaken
from bot.rules.game import games
from bot.rules.games.ti4.commands import SetOrder
from bot.show import names
from bot.show.happened import settings_text
from bot.show.happened import told as happened
from bot.show.pictures import ring
from bot.show.tables import table_card
from cogs.complete import choices
from cogs.door import Door, answer, asker, person

GAMES = [Choice(name=game.name, value=game.id) for game in games().values()]


@app_commands.guild_only()
class Tables(commands.GroupCog, group_name="table", group_description="The game table of this channel"):
    """Everything about a table itself."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="open", description="Open a table in this channel; you are its host")
    @app_commands.describe(
        game="Which game you play",
        name="What to call the table",
        open_on_close="Whether what was secret opens to all when the table closes (yes without this option)",
    )
    @app_commands.choices(game=GAMES)
    async def open(
        self,
        interaction: discord.Interaction,
        game: str,
        name: app_commands.Range[str, 1, 60] = "",
        open_on_close: Literal["yes", "no"] = "yes",
    ) -> None:
        """Open a table."""
        outcome = await self._door.desk.open_table(
            asker(interaction), game=game, name=name,
            guild_id=interaction.guild_id, channel_id=interaction.channel_id or 0, open_on_close=open_on_close,
        )  # fmt: skip
        await answer(
            interaction,
            f"### {names.escape(outcome.after.table.name)}\n{interaction.user.mention} has opened a table and is its "
            "host. Everybody who plays: **/table sit**.",
            public=True,
        )
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="sit", description="Take a seat at the table")
    @app_commands.describe(seat="Your faction or nation", player="For hosts: who takes the seat")
    async def sit(self, interaction: discord.Interaction, seat: str, player: discord.User | None = None) -> None:
        """Take a seat, or give somebody one."""

        def make(here: Here) -> Sit:
            return Sit(
                by=here.me,
                moderator=here.asker.moderator,
                seat=seat,
                person=person(here, player) if player else here.me,
            )

        outcome = await self._door.do(interaction, make)
        taken = next(one.entry for one in outcome.entries if isinstance(one.entry, SeatTaken))
        who = f"<@{(player or interaction.user).id}>"
        told = names.tell(outcome.after, f"{who} plays **<faction:{taken.seat}>**.")
        await answer(interaction, told, public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="leave", description="Leave your seat")
    @app_commands.describe(player="For hosts: whose seat becomes free")
    async def leave(self, interaction: discord.Interaction, player: discord.User | None = None) -> None:
        """Free a seat."""

        def make(here: Here) -> Leave:
            return Leave(by=here.me, moderator=here.asker.moderator, person=person(here, player) if player else here.me)

        outcome = await self._door.do(interaction, make)
        await answer(interaction, f"<@{(player or interaction.user).id}> has left the table.", public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="show", description="The table as it stands, and whom you can trade with now")
    async def show(self, interaction: discord.Interaction) -> None:
        """Show the table to who asks."""
        look = await self._door.look(interaction)
        seat = look.seat(interaction.user.id)
        picture = await asyncio.to_thread(ring.picture, seen) if (seen := ring.ring_of(look, seat)) else None
        await answer(interaction, replace(table_card(look, seat), picture=picture))
        await self._door.herald.deliver(look.table_id, check=True)

    @app_commands.command(name="close", description="Host: end this table. Its ledger stays")
    async def close(self, interaction: discord.Interaction) -> None:
        """Close the table."""
        outcome = await self._door.do(interaction, lambda here: CloseTable(by=here.me, moderator=here.asker.moderator))
        await answer(interaction, f"**{names.escape(outcome.after.table.name)}** is closed.", public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="host", description="Host: hand the table over to somebody else")
    @app_commands.describe(player="The new host")
    async def host(self, interaction: discord.Interaction, player: discord.User) -> None:
        """Hand the table over."""
        outcome = await self._door.do(
            interaction,
            lambda here: SetHost(by=here.me, moderator=here.asker.moderator, person=person(here, player)),
        )
        await answer(interaction, f"{player.mention} is the host of this table now.", public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="settings", description="Host: how this table plays. Without options, shows it")
    @app_commands.describe(
        rulings="refuse: what the rules forbid can't be done. warn: it is done and recorded as against the rules",
        inventory="tracked: I count what everybody has. untracked: you do",
        declare_neighbors="Who says who are neighbours: the players themselves, or the host only",
        declare_holdings="Who says that goods lie open before somebody: the players themselves, or the host only",
        confirm="once: accepting is enough. twice: both are asked once more, by DM, before every exchange",
        name_calamities="Whether a calamity may be one of the cards that an offer names",
        timer="How many minutes an offer stands, or a trade phase lasts, unless you say otherwise; 0 for no limit",
    )
    async def settings(
        self,
        interaction: discord.Interaction,
        rulings: Literal["refuse", "warn"] | None = None,
        inventory: Literal["tracked", "untracked"] | None = None,
        declare_neighbors: Literal["players", "host"] | None = None,
        declare_holdings: Literal["players", "host"] | None = None,
        confirm: Literal["once", "twice"] | None = None,
        name_calamities: Literal["yes", "no"] | None = None,
        timer: app_commands.Range[int, 0, 1440] | None = None,
    ) -> None:
        """Show or change the table's settings."""
        given = {
            "rulings": rulings,
            "inventory": inventory,
            "declare_neighbors": declare_neighbors,
            "declare_holdings": declare_holdings,
            "confirm": confirm,
            "name_calamities": name_calamities,
            "timer": timer,
        }
        chosen = {name: value for name, value in given.items() if value is not None}
        if not chosen:
            look = await self._door.look(interaction)
            await answer(interaction, f"This table's settings: {settings_text(look, look.table.settings)}.")
            return
        outcome = await self._door.do(
            interaction,
            lambda here: ChangeSettings(
                by=here.me,
                moderator=here.asker.moderator,
                settings=type(here.table.settings).model_validate({**dict(here.table.settings), **chosen}),
            ),
        )
        told = ", ".join(f"**{name}: {value}**" for name, value in chosen.items())
        await answer(interaction, f"From now on this table plays with {told}.", public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="order", description="Host: the order in which the players take turns")
    @app_commands.describe(players="Everybody, the first to play first: @alice @bob @carol")
    async def order(self, interaction: discord.Interaction, players: str) -> None:
        """Set the order of play."""

        def make(here: Here) -> SetOrder:
            found = [here.look.person(int(user)) for user in re.findall(r"<@!?(\d+)>", players)]
            people = tuple(one.number if one else 0 for one in found)
            return SetOrder(by=here.me, moderator=here.asker.moderator, people=people)

        outcome = await self._door.do(interaction, make)
        await answer(interaction, happened(outcome), public=True)
        await self._door.tell(interaction, outcome)

    @sit.autocomplete("seat")
    async def _seats(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        free = [
            chair
            for chair in names.game_of(look).chairs()
            if chair.id not in look.table.seats or look.table.seats[chair.id].person is None
        ]
        return choices(((chair.name, chair.id) for chair in free), typed)


@app_commands.guild_only()
class Phases(commands.GroupCog, group_name="phase", group_description="The phase of the game"):
    """/phase set."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="set", description="Host: a phase of the game begins")
    @app_commands.describe(phase="Which phase begins")
    async def set(self, interaction: discord.Interaction, phase: str) -> None:
        """Begin a phase."""
        await self._door.openly(
            interaction,
            lambda here: SetPhase(by=here.me, moderator=here.asker.moderator, phase=phase.strip().casefold()),
        )

    @set.autocomplete("phase")
    async def _phases(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        return choices(((phase, phase) for phase in names.game_of(look).phases), typed)
