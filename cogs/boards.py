"""The buttons of the board and of its menu **More…**. Only the presser sees their replies.

A reply to a press on a private message replaces that message, so that private replies do not pile up.
"""

from __future__ import annotations

import asyncio

import discord

from bot.rules.commands import Command
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSettings, SetPhase
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.show import names
from bot.show.actions import (
    BeginPhase,
    BoardPress,
    ChangeSetting,
    ChoosePlayer,
    ChooseSeat,
    ChooseSetting,
    FreeSeat,
    RuleForm,
)
from bot.show.cards import Card
from bot.show.forms import Form, Text
from bot.show.menu import (
    change_setting_card,
    free_seat_card,
    menu_card,
    phase_card,
    seats_card,
    settings_card,
    undo_card,
)
from bot.show.my_goods import my_goods_card
from bot.show.offers import offers_card
from bot.show.partners import partners_card
from bot.show.pictures import ring
from bot.show.results import others_holdings_card
from bot.show.rulebook import find_rule, rule_card
from bot.show.tables import table_card
from cogs.answers import answer_to
from cogs.context import CommandContext, reply, requester
from cogs.inputs import chosen, own_seat, submitted
from cogs.new_offers import NewOffers
from cogs.router import Router
from cogs.settings import description_of, values_of

NO_OFFERS = Card("waiting", ("No offer stands at this table. **New offer** makes one, as **/trade** does.",))


class Boards:
    """Handles the buttons of the board and its menu, and the answers to the questions that they ask."""

    def __init__(self, context: CommandContext, router: Router, offers: NewOffers) -> None:
        self._context = context
        self._offers = offers
        router.on(BoardPress, self.pressed)
        router.on(ChoosePlayer, self.player_chosen)
        router.on(BeginPhase, self.phase_chosen)
        router.on(RuleForm, self.rule_asked)
        router.on(ChooseSetting, self.setting_chosen)
        router.on(ChangeSetting, self.setting_changed)
        router.on(ChooseSeat, self.seat_chosen)
        router.on(FreeSeat, self.seat_freed)

    async def pressed(self, interaction: discord.Interaction, press: BoardPress) -> None:
        match press.what:
            case "rules":
                await self._ask_rule(interaction, press.table)
            case "new":
                await self._offers.ask(interaction, press.table)
            case "partners" | "table":
                await self._with_pairs(interaction, press)
            case _:
                view = await self._context.view(interaction, press.table)
                await answer_to(interaction).update(_shown(view, press))

    async def _with_pairs(self, interaction: discord.Interaction, press: BoardPress) -> None:
        """Show the cards that need to know who can trade with whom."""
        if press.what == "table":
            await show_table(self._context, interaction, press.table)
            return
        view = await self._context.view(interaction, press.table)
        pairs = await self._context.service.pairs(view.id, requester(interaction))
        await answer_to(interaction).update(partners_card(view, pairs))

    async def player_chosen(self, interaction: discord.Interaction, select: ChoosePlayer) -> None:
        """Show what a player has, as far as the person may know."""
        view, seat = await self._context.view(interaction, select.table), chosen(interaction)[0]
        if seat not in view.seated():
            raise _gone()
        card = my_goods_card(view, seat) if seat == view.seat else others_holdings_card(view, seat)
        await reply(interaction, card)

    # ---------------------------------------------------------------- answers to what was asked back

    async def phase_chosen(self, interaction: discord.Interaction, press: BeginPhase) -> None:
        await self._execute(interaction, SetPhase(press.phase), press.table)

    async def _ask_rule(self, interaction: discord.Interaction, table_id: int) -> None:
        """Open the form that asks which rule. Raises `Refused` for a person who may not see the table."""
        view = await self._context.view(interaction, table_id, from_memory=True)
        described = "Its number as a refusal cites it, or what it is about"
        field = Text("number", "Which rule?", max_length=80, description=described)
        await answer_to(interaction).open(Form("Rules", RuleForm(view.id), (field,)))

    async def rule_asked(self, interaction: discord.Interaction, form: RuleForm) -> None:
        text = submitted(interaction).get("number", [""])[0]
        view = await self._context.view(interaction, form.table)
        rule = find_rule(view, text)
        status = await self._context.service.rule_status(view.id, requester(interaction), rule.number)
        await reply(interaction, rule_card(view, rule, status))

    async def setting_chosen(self, interaction: discord.Interaction, select: ChooseSetting) -> None:
        """Show what a setting means, with the button that sets it."""
        name, _, value = chosen(interaction)[0].partition("=")
        view = await self._context.view(interaction, select.table)
        if value not in values_of(view).get(name, ()):
            raise Refused("", "There is no such setting here.", "/table settings lists them.")
        await answer_to(interaction).update(change_setting_card(view, name, value, description_of(name)))

    async def setting_changed(self, interaction: discord.Interaction, press: ChangeSetting) -> None:
        """Change a setting. During the set-up only the set-up's message shows the change."""
        view, command = await self._context.view(interaction, press.table), ChangeSettings({press.setting: press.value})
        text = f"From now on this table plays with **{press.setting}: {press.value}**."
        if view.setup is None:
            await self._execute(interaction, command, press.table, text)
        else:
            await self._context.execute_in_setup(interaction, command, table_id=view.id, text=lambda outcome: text)

    async def seat_chosen(self, interaction: discord.Interaction, select: ChooseSeat) -> None:
        """Show whose seat becomes free, with the button that frees it."""
        view, seat = await self._context.view(interaction, select.table), chosen(interaction)[0]
        if seat not in view.seated():
            raise _gone()
        await answer_to(interaction).update(free_seat_card(view, seat))

    async def seat_freed(self, interaction: discord.Interaction, press: FreeSeat) -> None:
        """Free a seat. Raises `Refused` for a person who is not a host; /table leave frees their own seat."""
        view = await self._context.view(interaction, press.table)
        if not view.hosts:
            raise Refused("", "Only the host frees a seat here.", "You leave your own with /table leave.")
        text = names.format_text(view, f"<seat:{press.seat}> has left the table.")
        await self._execute(interaction, Leave(press.seat), press.table, text)

    async def _execute(
        self, interaction: discord.Interaction, command: Command, table_id: int, text: str | None = None
    ) -> None:
        said = None if text is None else (lambda outcome: text)
        await self._context.execute_publicly(interaction, command, table_id=table_id, text=said)


def _shown(view: TableView, press: BoardPress) -> Card:
    """Return the card that a button shows. Raises `Refused` for "goods" without a seat."""
    match press.what:
        case "goods":
            return my_goods_card(view, own_seat(view))
        case "offers":
            return offers_card(view) or NO_OFFERS
        case "phase":
            return phase_card(view)
        case "undo":
            return undo_card(view)
        case "settings":
            return settings_card(view, values_of(view))
        case "seats":
            return seats_card(view)
        case _:
            return menu_card(view)


def _gone() -> Refused:
    return Refused("", "Nobody plays that seat any more.", "/table show lists the players.")


async def show_table(context: CommandContext, interaction: discord.Interaction, table_id: int | None = None) -> None:
    """Show the table, with its picture, to the person who asks."""
    view = await context.view(interaction, table_id)
    pairs = await context.service.pairs(view.id, requester(interaction))
    seats = ring.ring_of(view, pairs)
    # Drawing would block the event loop, and with it everybody's commands.
    picture = await asyncio.to_thread(ring.picture, seats) if seats else None
    await answer_to(interaction).update(table_card(view, pairs, picture))
    # People who ask for the table may miss a message that somebody deleted.
    context.delivery.check(view.id)
