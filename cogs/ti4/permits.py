"""/permit: the host puts a known card in force, or lifts one rule for a card that the bot does not
know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from discord import User, app_commands
from discord.ext import commands

from bot.api import Command, Refused, TableView
from bot.api.discord import (
    Choices,
    Form,
    Menu,
    Request,
    Router,
    Text,
    choices,
    names,
    seat_of,
    slash,
)
from bot.games.ti4.permits import AskPermit, GrantCard, GrantPermit, PermitForm, RevokePermit
from data.ti4 import TradeLift, permit_cards

Reason = app_commands.Range[str, 1, 200]


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
    """The /permit commands, and the host's form."""

    def __init__(self, router: Router) -> None:
        router.on(AskPermit, self.ask)
        router.on(PermitForm, self.submitted)

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

    async def ask(self, request: Request, press: AskPermit) -> None:
        """Handle **Permit…** of the host: open the form."""
        request.accepts_cached = True
        await request.answer.open(permit_form(await request.view()))

    async def submitted(self, request: Request, form: PermitForm) -> None:
        """Put the card in force that the form names, or lift the rule for another."""
        card = request.text_submitted("card")
        seats = [request.text_submitted(field) or None for field in ("first", "second")]
        if card:
            await request.respond(GrantCard(card, tuple(filter(None, seats))))
            return
        lifted = [lift for lift in LIFTS if lift == request.text_submitted("lifts")]
        if not lifted:
            pick = "Choose a card that I know, or a rule and the name of the card."
            raise Refused("Which card is it?", pick)
        first, second = seats
        reason = request.text_submitted("reason").strip()
        await request.respond(GrantPermit(first, second, lifted[0], reason))


LIFTS: dict[TradeLift, str] = {
    "neighbors": "They need not be neighbours",
    "limit": "One more transaction",
    "window": "On anybody's turn",
    "goods": "Anything can be given",
    "notes": "Several notes a side",
}
"""The rules that a permit lifts, as the form names them."""


def permit_form(view: TableView) -> Form:
    """Return the form of a card that lifts rules: one that the bot knows, or another."""
    cards = tuple((card.name, card.id, "") for card in permit_cards().values())
    seats = tuple((names.plain_player(view, seat), seat, "") for seat in view.seated())
    rules = tuple((label, lift, "") for lift, label in LIFTS.items())
    fields: list[Menu | Text] = [Menu("card", "A card that I know", cards)]
    if seats:  # Discord takes no empty list
        fields.append(Menu("first", "Who it is for", seats, "Nobody: it is for everybody"))
        fields.append(Menu("second", "The other player", seats, "If the card does not say who"))
    fields.append(Text("reason", "Or another card: its name", max_length=200))
    fields.append(Menu("lifts", "What that card allows, for one trade", rules))
    return Form("A card allows a trade", PermitForm(view.id), tuple(fields))
