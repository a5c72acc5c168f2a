"""/permit: the host puts a known card in force, or lifts one rule for a card that the bot does not
know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from discord import Interaction, User, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.api.discord import Request, choices, seat_of
from bot.games.ti4.permits import GrantCard, GrantPermit, RevokePermit
from data.ti4 import permit_cards

Reason = app_commands.Range[str, 1, 100]


@app_commands.guild_only()
class Permits(
    commands.GroupCog,
    group_name="permit",
    group_description="Host: allow trades that cards make possible",
):
    """The /permit commands."""

    @app_commands.command(
        name="card", description="Host: a card that changes the rules of trade is in force"
    )
    @app_commands.describe(
        card="Which card",
        player="Who it is for, unless it is for everybody",
        other="The other player, if the card does not say who",
    )
    async def card(
        self,
        interaction: Interaction,
        card: Reason,
        player: User | None = None,
        other: User | None = None,
    ) -> None:
        request = Request(interaction)
        view = await request.view()
        seats = tuple(seat_of(view, user) for user in (player, other) if user is not None)
        await request.respond(GrantCard(card, seats))

    @app_commands.command(
        name="grant", description="Host: lift a rule because of a card I don't know"
    )
    @app_commands.describe(
        lifts="Which rule: neighbours, once a turn, whose turn it is, what may be traded, or one "
        "note a side",
        reason="The card that allows it",
        first="One of the two. Leave both out for everybody",
        second="The other. Leave out for anybody",
        once="Until it has been used (the default), or until you revoke it",
        until="It ends with this turn or agenda, and can be used again and again unless you say "
        "once:True",
    )
    async def grant(
        self,
        interaction: Interaction,
        lifts: Literal["neighbors", "limit", "window", "goods", "notes"],
        reason: Reason,
        first: User | None = None,
        second: User | None = None,
        once: bool | None = None,
        until: Literal["turn"] | None = None,
    ) -> None:
        request = Request(interaction)
        view = await request.view()
        once = until is None if once is None else once
        permit = GrantPermit(
            seat_of(view, first), seat_of(view, second), lifts, reason.strip(), once
        )
        await request.respond(replace(permit, until="window") if until else permit)

    @app_commands.command(name="revoke", description="Host: end what a card allowed")
    @app_commands.describe(card="The card, or the reason that you gave for a permit")
    async def revoke(self, interaction: Interaction, card: Reason) -> None:
        await Request(interaction).respond(RevokePermit(card.strip()))

    @card.autocomplete("card")
    @revoke.autocomplete("card")
    async def _known(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        cards = permit_cards().values()
        return choices(
            ((card.name, card.name) for card in cards),
            typed,
            {card.name: card.aliases for card in cards},
        )
