"""The buttons of the set-up: seats, seating order, goods, settings. Each has a slash command
too.
"""

from __future__ import annotations

from itertools import chain

from discord.ext import commands

from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.seats import SeatTaken, Sit
from bot.rules.model.actions import SetupAction
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.service import CommandFactory, Outcome
from bot.show import names
from bot.show.actions import AskGoods, AskOption, GoodsForm, SeatForm, SeatOrder
from bot.show.names import game_of
from bot.show.setup import (
    change_card,
    earlier_seats,
    goods_form,
    option_card,
    order_card,
    says_when,
    seat_form,
    seats_of,
    took_text,
    whose_goods_card,
)
from cogs.inputs import own_seat, read_goods, require_seated
from cogs.request import Request
from cogs.router import Router


class SetUps(commands.Cog):
    """Handles the buttons of the set-up, and the answers to the questions that they ask."""

    def __init__(self, router: Router) -> None:
        router.on(SetupAction, self.pressed)
        router.on(Sit, take_seat)
        router.on(SeatForm, self.seat_submitted)
        router.on(SeatOrder, self.ordered)
        router.on(AskGoods, self.ask_goods)
        router.on(GoodsForm, self.goods_submitted)
        router.on(AskOption, self.ask_option)

    async def pressed(self, request: Request, press: SetupAction) -> None:
        """Handle a button that asks something first."""
        request.accepts_cached = press.what in ("goods", "seat")  # a form may open
        view = await request.view()
        match press.what:
            case "goods" if view.hosts:
                await request.answer.update(whose_goods_card(view))
            case "goods":
                await request.answer.open(goods_form(view, own_seat(view)))
            case "seat":
                if view.seat is not None:
                    reason = f"You already play {names.seat_name(view, view.seat)}."
                    raise Refused(reason, "**Leave…** under **Menu** frees that seat.")
                await request.answer.open(
                    seat_form(view, earlier_seats(view, request.interaction.user.id))
                )
            case "order":
                _require_host(view, "set the seating order")
                await request.answer.update(order_card(view))
            case "change":
                if view.setup is None:
                    raise Refused(
                        "The game has begun, so set-up is over.",
                        "/help shows what you can do now.",
                    )
                await request.reply(change_card(view))

    # ---------------------------------------------------------------- seats

    async def seat_submitted(self, request: Request, form: SeatForm) -> None:
        """Take the seat picked in the form. Raises `Refused` for none, and for several."""
        picked = list(chain.from_iterable(request.submitted().values()))
        if len(picked) != 1:
            raise Refused(
                "Who do you play?" if not picked else "You picked more than one.",
                "Pick one seat.",
            )
        await take_seat(request, Sit(picked[0]))

    async def ordered(self, request: Request, press: SeatOrder) -> None:
        """Ask who sits next, or set the complete order."""
        view = await request.view()
        setup = game_of(view).setup
        if setup is None or setup.around is None:
            raise Refused(
                "In this game it does not matter how you sit.",
                "/help explains how to trade here.",
            )
        if not press.sure or not says_when(press.picked):
            _require_host(view, "set the seating order")
            await request.answer.update(order_card(view, press.picked))
            return
        await request.respond(setup.around(tuple(seats_of(view, press.picked))))

    # ---------------------------------------------------------------- goods

    async def ask_goods(self, request: Request, press: AskGoods) -> None:
        """Open the form for a seat's goods."""
        request.accepts_cached = True
        view = await request.view()
        require_seated(view, press.seat)
        if press.seat != view.seat:
            _require_host(view, "say what a player has")
        await request.answer.open(goods_form(view, press.seat))

    async def goods_submitted(self, request: Request, form: GoodsForm) -> None:
        """Set what a seat has. A player who is not a host can only gain goods."""
        view = await request.view()
        require_seated(view, form.seat)
        goods = read_goods(view, request.text_submitted("goods"), form.seat)
        command: SetHoldings | Gain = SetHoldings(form.seat, goods)
        if not view.hosts and form.seat == view.seat:
            has = view.seats[form.seat].open
            if goods.missing(has):
                raise Refused(
                    "You can add what you gained; only the host can set everything you have.",
                    "Ask the host, or use /holdings spend.",
                )
            command = Gain(has.missing(goods))
        await request.respond(command)

    # ---------------------------------------------------------------- settings

    async def ask_option(self, request: Request, press: AskOption) -> None:
        """Show the values of a setting."""
        view = await request.view()
        card = option_card(view, press.option)
        if card is None:
            raise Refused(
                "This game has no such setting.",
                "**Settings** under **Menu**, **Host…** lists its settings.",
            )
        await request.answer.update(card)


async def take_seat(request: Request, command: Sit | CommandFactory) -> None:
    """Take a seat. Raises `Refused`."""

    def text(outcome: Outcome) -> str:
        taken = next(each.entry for each in outcome.entries if isinstance(each.entry, SeatTaken))
        return took_text(outcome.view, taken.seat)

    await request.respond(command, text)


def _require_host(view: TableView, what: str) -> None:
    """Raise `Refused` unless the viewer hosts. The rules would refuse it too, but only at the
    end.
    """
    if not view.hosts:
        raise Refused(f"Only the host may {what}.", f"Ask <person:{view.host}>.")
