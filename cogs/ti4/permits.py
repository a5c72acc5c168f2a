"""/permit: the host puts a known card in force, or lifts one rule for a card that the bot does not
know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from discord import User, app_commands
from discord.ext import commands

from bot.api import Command
from bot.api.discord import Choices, Request, choices, seat_of, slash
from bot.games.ti4.permits import GrantCard, GrantPermit, RevokePermit
from data.ti4 import permit_cards

Reason = app_commands.Range[str, 1, 100]


async def _known(request: Request, typed: str) -> Choices:
    cards = permit_cards().values()
    return choices(
        ((card.name, card.name) for card in cards),
        typed,
        {card.name: card.aliases for card in cards},
    )


@app_commands.guild_only()
class Permits(
    commands.GroupCog,
    group_name="permit",
    group_description="Host: allow trades that cards make possible",
):
    """The /permit commands."""

    @slash("card", "Host: a card that changes the rules of trade is in force")
    async def card(
        self,
        request: Request,
        card: Annotated[Reason, "Which card", _known],
        player: Annotated[User | None, "Who it is for, unless it is for everybody"] = None,
        other: Annotated[User | None, "The other player, if the card does not say who"] = None,
    ) -> None:
        view = await request.view()
        seats = tuple(seat_of(view, user) for user in (player, other) if user is not None)
        await request.respond(GrantCard(card, seats))

    @slash("grant", "Host: lift a rule because of a card I don't know")
    async def grant(
        self,
        request: Request,
        lifts: Annotated[
            Literal["neighbors", "limit", "window", "goods", "notes"],
            "Which rule: neighbours, once a turn, whose turn it is, what may be traded, or one "
            "note a side",
        ],
        reason: Annotated[Reason, "The card that allows it"],
        first: Annotated[User | None, "One of the two. Leave both out for everybody"] = None,
        second: Annotated[User | None, "The other. Leave out for anybody"] = None,
        once: Annotated[
            bool | None, "Until it has been used (the default), or until you revoke it"
        ] = None,
        until: Annotated[
            Literal["turn"] | None,
            "It ends with this turn or agenda, and can be used again and again unless you say "
            "once:True",
        ] = None,
    ) -> None:
        view = await request.view()
        once = until is None if once is None else once
        permit = GrantPermit(
            seat_of(view, first), seat_of(view, second), lifts, reason.strip(), once
        )
        await request.respond(replace(permit, until="window") if until else permit)

    @slash("revoke", "Host: end what a card allowed")
    def revoke(
        self, card: Annotated[Reason, "The card, or the reason that you gave for a permit", _known]
    ) -> Command:
        return RevokePermit(card.strip())
