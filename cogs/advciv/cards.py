"""/cards and /calamities: drawing, one's own hand, turning in, and what everybody shows after trading."""

from __future__ import annotations

import secrets

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.desk import Here, Look, Outcome
from bot.paint import form
from bot.rules.games.advciv.cards import card_of
from bot.rules.games.advciv.commands import BuyCard, DrawCards, ShowCalamities, SurrenderCards
from bot.rules.games.advciv.entries import CardBought, CardsDrawn
from bot.rules.games.advciv.sets import mined, told_sets, worth
from bot.rules.games.advciv.state import AdvCivState
from bot.rules.games.advciv.story import told_calamities
from bot.rules.goods import NOTHING, Goods
from bot.rules.ruling import Refused
from bot.rules.seats import require_tracked
from bot.show import names
from bot.show.cards import Card, card_options
from bot.show.forms import Form, Pick, Text, picked_goods, picks
from bot.show.results import holdings_text
from cogs.complete import choices, complete_goods
from cogs.door import Door, answer, goods, person, submitted
from cogs.router import Router
from data import commodities

CHANCE_BYTES = 32
"""How much randomness a shuffle gets: nobody guesses 256 bits."""

MINEABLE = [Choice(name=card.name, value=card.id) for card in commodities().values() if card.mineable]


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Cards(commands.GroupCog, group_name="cards", group_description="Trade cards: draw, buy, look, turn in"):
    """/cards."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"ask:(?P<table>\d+):surrender:choose", self.asked)
        router.route(r"form:(?P<table>\d+):surrender", self.sent)

    @app_commands.command(name="draw", description="You draw a trade card for each of your cities")
    @app_commands.describe(cities="How many cities you have", player="For hosts: who draws")
    async def draw(
        self,
        interaction: discord.Interaction,
        cities: app_commands.Range[int, 0, 9],
        player: discord.User | None = None,
    ) -> None:
        """Draw, and see what came."""
        chance = secrets.token_hex(CHANCE_BYTES)

        def make(here: Here) -> DrawCards:
            who = person(here, player) if player else here.me
            return DrawCards(by=here.me, moderator=here.asker.moderator, person=who, cities=cities, chance=chance)

        await self._door.openly(interaction, make, besides=lambda outcome: _came(outcome, interaction.user.id))

    @app_commands.command(name="buy", description="You buy a card from the ninth stack for 18 tokens of your treasury")
    async def buy(self, interaction: discord.Interaction) -> None:
        """Buy, and see what came."""
        await self._door.openly(
            interaction,
            lambda here: BuyCard(by=here.me),
            besides=lambda outcome: _came(outcome, interaction.user.id),
        )

    @app_commands.command(name="hand", description="The trade cards you hold. Only you see them")
    async def hand(self, interaction: discord.Interaction) -> None:
        """Show one's own hand."""
        look, seat = await self._mine(interaction)
        title = f"### {names.seat_name(look, seat)} · only you see this"
        await answer(interaction, Card("open", (title, holdings_text(look, seat))))

    @app_commands.command(name="sets", description="What your sets are worth. Only you see it")
    @app_commands.describe(mining="If you have Mining: the set it is to count for")
    async def sets(self, interaction: discord.Interaction, mining: str | None = None) -> None:
        """Tell what one's sets are worth, with Mining or without."""
        look, seat = await self._mine(interaction)
        require_tracked(look.table)
        held = look.table.seats[seat].holdings
        token = mined(held, mining) if mining else None
        lines = [f"**{line}**" for line in told_sets(held, token)] or ["You hold no commodities."]
        more = f" With Mining on {card_of(token).name}; without it {worth(held)}." if token else ""
        await answer(interaction, Card("open", ("\n".join(lines), f"Together **{worth(held, token)}**.{more}")))

    @app_commands.command(name="surrender", description="After trading: turn in cards you spend, or have too many of")
    @app_commands.rename(written="cards")
    @app_commands.describe(
        written="Which, for example: 3 salt, grain. Leave out to pick them",
        mining="If you have Mining: the set it counts for, once a turn",
    )
    async def surrender(
        self, interaction: discord.Interaction, written: str | None = None, mining: str | None = None
    ) -> None:
        """Turn in cards; without any, open a form to pick them."""
        if written is None:
            look, seat = await self._mine(interaction)
            await self._ask(interaction, look, seat)
            return
        await self._turned_in(interaction, written, None, mining)

    async def asked(self, interaction: discord.Interaction, table: str) -> None:
        """**Turn in cards**, under the question which go."""
        look = await self._door.desk.look(int(table))
        seat = look.seat(interaction.user.id)
        if seat is None:
            raise Refused("", "You have no seat at this table.", "Take one with /table sit.")
        await self._ask(interaction, look, seat)

    async def sent(self, interaction: discord.Interaction, table: str) -> None:
        """The form was sent."""
        values = submitted(interaction)
        given = picked_goods([value for field in ("cards", "more") for value in values.get(field, [])])
        await self._turned_in(interaction, None, given, values.get("mining", [""])[0], int(table))

    async def _ask(self, interaction: discord.Interaction, look: Look, seat: str) -> None:
        held = look.table.seats[seat].holdings.of_kind("commodity")
        if not held:
            raise Refused("", "You have no commodity cards.", "/cards hand tells what you have.")
        options = card_options(look, held, NOTHING)
        mining = Text("mining", "Mining counts for", "", "If you have it")
        fields: tuple[Text | Pick, ...] = (*picks(("cards", "more"), "Which cards go", options), mining)
        await interaction.response.send_modal(form(Form("Turn in cards", f"form:{look.table_id}:surrender", fields)))

    async def _turned_in(
        self, interaction: discord.Interaction, written: str | None, picked: Goods | None, mining: str | None,
        table: int | None = None,
    ) -> None:  # fmt: skip
        def make(here: Here) -> SurrenderCards:
            given = goods(here.look, written, None) if picked is None else picked
            return SurrenderCards(by=here.me, cards=given, mining=mining or "")

        await self._door.openly(interaction, make, table_id=table)

    async def _mine(self, interaction: discord.Interaction) -> tuple[Look, str]:
        """The table and one's own seat at it. Raises `Refused`."""
        look = await self._door.look(interaction)
        seat = look.seat(interaction.user.id)
        if not isinstance(look.table.state, AdvCivState):
            raise Refused("", "There are no trade cards in this game.", "/holdings show tells what you have.")
        if seat is None:
            raise Refused("", "You have no seat at this table.", "Take one with /table sit.")
        return look, seat

    @sets.autocomplete("mining")
    @surrender.autocomplete("mining")
    async def _minable(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return choices(((choice.name, str(choice.value)) for choice in MINEABLE), typed)

    @surrender.autocomplete("written")
    async def _own(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        return complete_goods(look, look.seat(interaction.user.id), typed, own=True)


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Calamities(commands.GroupCog, group_name="calamities", group_description="Calamities, after trading"):
    """/calamities."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"board:(?P<table>\d+):calamities", self.board)

    @app_commands.command(name="show", description="After trading: who has which calamity, and who traded it to them")
    async def show(self, interaction: discord.Interaction) -> None:
        """Have everybody show their calamities; later, tell it again."""
        await self._show(interaction, await self._door.table_id(interaction))

    async def board(self, interaction: discord.Interaction, table: str) -> None:
        """**Show calamities** on the board."""
        await self._show(interaction, int(table))

    async def _show(self, interaction: discord.Interaction, table: int) -> None:
        look = await self._door.desk.look(table)
        state = look.table.state
        if isinstance(state, AdvCivState) and state.shown is not None:
            lines = told_calamities(state.shown, state.spared)
            await answer(interaction, names.tell(look, "\n".join(lines)))
            return
        chance = secrets.token_hex(CHANCE_BYTES)
        await self._door.openly(
            interaction,
            lambda here: ShowCalamities(by=here.me, moderator=here.asker.moderator, chance=chance),
            table_id=table,
        )


def _came(outcome: Outcome, user: int) -> Card | None:
    """What came to who drew or bought, and what they have now; None where it came to somebody else."""
    look, entry = outcome.after, outcome.entries[-1].entry
    seat = look.seat(user)
    if seat is None or not isinstance(entry, CardsDrawn | CardBought) or entry.seat != seat:
        return None
    came = names.game_of(look).tell_goods((entry.hidden or {})[seat].gained)
    how = "bought" if isinstance(entry, CardBought) else "drew"
    return Card("open", (f"### You {how} {came}\n-# Only you see this.", holdings_text(look, seat)))
