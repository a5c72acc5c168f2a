"""The buttons of the set-up: seats, seating order, goods, settings. Each has a slash command too."""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.seats import Leave, Sit
from bot.rules.model.actions import SetupAction, TakeSeat
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.views import TableView
from bot.service import Outcome
from bot.show import names
from bot.show.actions import AskGoods, AskOption, GoodsForm, SeatOrder, SeatPage
from bot.show.narration import headlines_text
from bot.show.seating import goods_form, option_card, order_card, seats_card, seats_of, whose_goods_card
from bot.show.setup import change_card, took_text
from cogs.answers import answer_to
from cogs.context import CommandContext, reply
from cogs.inputs import own_seat, read_goods, submitted
from cogs.router import Router


class SetUps(commands.Cog):
    """Handles the buttons of the set-up, and the answers to the questions that they ask."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(SetupAction, self.pressed)
        router.on(TakeSeat, self.take)
        router.on(SeatPage, self.turned)
        router.on(SeatOrder, self.ordered)
        router.on(AskGoods, self.ask_goods)
        router.on(GoodsForm, self.goods_submitted)
        router.on(AskOption, self.ask_option)

    async def pressed(self, interaction: discord.Interaction, press: SetupAction) -> None:
        """Handle **Leave**, or a button that asks something first."""
        match press.what:
            case "leave":
                await self._leave(interaction, press.table)
            case "goods":
                await self._goods(interaction, press.table)
            case "seat":
                view = await self._context.view(interaction, press.table)
                _require_no_seat(view)
                await answer_to(interaction).update(seats_card(view))
            case "order":
                view = await self._context.view(interaction, press.table)
                _require_host(view, "say in which order all sit")
                await answer_to(interaction).update(order_card(view))
            case "change":
                view = await self._context.view(interaction, press.table)
                if view.setup is None:
                    raise _over()
                await reply(interaction, change_card(view))

    # ---------------------------------------------------------------- seats

    async def take(self, interaction: discord.Interaction, press: TakeSeat) -> None:

        def text(outcome: Outcome) -> str:
            return took_text(outcome.view, press.seat)

        await self._context.execute_in_setup(interaction, Sit(press.seat), table_id=press.table, text=text)

    async def turned(self, interaction: discord.Interaction, press: SeatPage) -> None:
        """Show another page of the free seats."""
        view = await self._context.view(interaction, press.table)
        await answer_to(interaction).update(seats_card(view, press.page))

    async def _leave(self, interaction: discord.Interaction, table_id: int) -> None:
        view = await self._context.view(interaction, table_id)
        if view.setup is None:  # during play, an old button must not free a seat
            raise Refused("", "Play has begun, so this is no set-up any more.", "/table leave frees your seat.")
        left = f"{names.mention_user(view, interaction.user.id)} has left the table."

        def text(outcome: Outcome) -> str:
            return "\n".join(filter(None, (left, headlines_text(outcome.public))))

        await self._context.execute_in_setup(interaction, Leave(), table_id=table_id, text=text)

    async def ordered(self, interaction: discord.Interaction, press: SeatOrder) -> None:
        """Ask who sits next, or set the complete order."""
        view = await self._context.view(interaction, press.table)
        order = game_named(view.game).order
        if order is None:
            raise Refused("", "This game has no order of play.", "/help tells how to trade here.")
        if not press.sure:
            _require_host(view, "say in which order all sit")
            await answer_to(interaction).update(order_card(view, press.picked))
            return
        command = order(tuple(seats_of(view, press.picked)))
        await self._context.execute_in_setup(interaction, command, table_id=press.table, text=_headlines)

    # ---------------------------------------------------------------- goods

    async def _goods(self, interaction: discord.Interaction, table_id: int) -> None:
        """Ask a host whose goods to set, and anybody else for their own goods."""
        view = await self._context.view(interaction, table_id, from_memory=True)
        if view.hosts:
            await answer_to(interaction).update(whose_goods_card(view))
        else:
            await answer_to(interaction).open(goods_form(view, own_seat(view)))

    async def ask_goods(self, interaction: discord.Interaction, press: AskGoods) -> None:
        """Open the form for a seat's goods."""
        view = await self._context.view(interaction, press.table, from_memory=True)
        if press.seat not in view.seated():
            raise Refused("", "Nobody plays that seat any more.", "/table show lists the players.")
        if press.seat != view.seat:
            _require_host(view, "say what somebody has")
        await answer_to(interaction).open(goods_form(view, press.seat))

    async def goods_submitted(self, interaction: discord.Interaction, form: GoodsForm) -> None:
        """Set what a seat has. A player who is not a host can only gain goods."""
        view = await self._context.view(interaction, form.table)
        goods = read_goods(view, submitted(interaction).get("goods", [""])[0], form.seat)
        command: SetHoldings | Gain = SetHoldings(form.seat, goods)
        if not view.hosts and form.seat == view.seat:
            has = view.seats[form.seat].open
            if goods.missing(has):
                raise Refused("", "You can say what came to you, and the host what you have in all.",
                              "Ask the host, or use /holdings spend.")  # fmt: skip
            command = Gain(has.missing(goods))
        await self._context.execute_in_setup(interaction, command, table_id=form.table, text=_headlines)

    # ---------------------------------------------------------------- settings

    async def ask_option(self, interaction: discord.Interaction, press: AskOption) -> None:
        """Show the values of a setting."""
        view = await self._context.view(interaction, press.table)
        card = option_card(view, press.option)
        if card is None:
            raise Refused("", "This game has no such setting.", "/table settings shows those it has.")
        await answer_to(interaction).update(card)


def _headlines(outcome: Outcome) -> str:
    return headlines_text(outcome.public) or "Done."


def _over() -> Refused:
    return Refused("", "Play has begun, so this is no set-up any more.", "/help tells what you can do now.")


def _require_no_seat(view: TableView) -> None:
    """Raise `Refused` if the viewer has a seat."""
    if view.seat is not None:
        raise Refused(
            "", f"You play {names.seat_name(view, view.seat)} already.", "/table leave frees that seat.",
        )  # fmt: skip


def _require_host(view: TableView, what: str) -> None:
    """Raise `Refused` unless the viewer hosts. The rules would refuse it too, but only at the end."""
    if not view.hosts:
        refused = Refused("", f"Only the host may {what}.", f"Ask <person:{view.host}>.")
        refused.names = view.names
        raise refused
