"""The form to pick cards to turn in, and the message with the button that turns them in."""

from __future__ import annotations

from itertools import chain

from bot.api import NOTHING, Goods, Press, Refused, TableView, game_named
from bot.api.discord import (
    LABEL_MAX,
    Button,
    Card,
    Form,
    Request,
    Router,
    Text,
    card_options,
    goods_text,
    own_seat,
    picks,
    selected_goods,
)
from bot.games.advciv.cards import card_of, count_cards
from bot.games.advciv.sets import mined, worth
from bot.games.advciv.surrendering import SurrenderForm, SurrenderPicked, SurrenderPrompt

FIELDS = ("cards", "more")
"""The ids of the fields for cards to turn in. No hand needs more."""


class TurnIn:
    """Handles **Turn in cards** and its form. It is not a cog, because it has no slash commands."""

    def __init__(self, router: Router) -> None:
        router.on(SurrenderPrompt, self.asked)
        router.on(SurrenderForm, self.sent)

    async def asked(self, request: Request, press: SurrenderPrompt) -> None:
        """Handle **Turn in cards** under the prompt, and **Spend cards** of the board."""
        view = await request.view()
        await ask(request, view, own_seat(view))

    async def sent(self, request: Request, form: SurrenderForm) -> None:
        """Show what the submitted form turns in and its effect on the sets, with the button that
        turns it in.
        """
        values = request.submitted()
        view = await request.view()
        cards = chain.from_iterable(values.get(field, ()) for field in FIELDS)
        given = selected_goods(view, cards)
        held, describe = _commodities(view, own_seat(view)), game_named(view.game).goods.describe
        if not given:
            raise Refused("You chose no cards.", "Press Turn in cards again.")
        if missing := held.missing(given):
            raise Refused(
                f"You don't have {describe(missing)}.", "**My hand** shows what you have."
            )
        mining = values.get("mining", [""])[0]
        token = mined(given, mining) if mining else None
        with_mining = f", with Mining on {card_of(token).name}" if token else ""
        lines = (
            f"### Turn in {count_cards(given.total())}",
            f"{goods_text(view, given)} go back to the stacks, worth "
            f"**{worth(given, token)}**{with_mining}. "
            f"Your sets: **{worth(held)}** now, **{worth(held - given)}** after.",
            "-# Everybody sees it. You can take it back until the next turn begins.",
        )
        press = Press(view.id, SurrenderPicked.picking(held, given, token or ""))
        label = f"Turn in {describe(given)}"
        button = Button(
            label if len(label) <= LABEL_MAX else f"Turn in {given.total()} cards", press, "danger"
        )
        await request.reply(Card("waiting", lines, ((button,),)))


async def ask(request: Request, view: TableView, seat: str) -> None:
    """Open the form with the commodities that can be turned in. Raises `Refused` if there are
    none.
    """
    held = _commodities(view, seat)
    if not held:
        raise Refused("You have no commodity cards.", "**My hand** shows what you have.")
    cards = picks(FIELDS, "Which cards go", card_options(view, held, NOTHING))
    mining = Text("mining", "Mining counts for", "", "If you have it")
    form = Form("Turn in cards", SurrenderForm(view.id), (*cards, mining))
    await request.answer.open(form)


def _commodities(view: TableView, seat: str) -> Goods:
    return view.seats[seat].known.of_kind("commodity")
