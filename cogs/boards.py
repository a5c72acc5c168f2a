"""The buttons of the board and of its menu **More…**. Only the presser sees their replies.

A reply to a press on a private message replaces that message, so that private replies do not pile up.
"""

from __future__ import annotations

import asyncio

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
from bot.show.board import table_card
from bot.show.cards import Card
from bot.show.forms import Form, Text
from bot.show.guide import find_rule, rule_card
from bot.show.menu import (
    change_setting_card,
    free_seat_card,
    menu_card,
    my_goods_card,
    phase_card,
    seats_card,
    settings_card,
    undo_card,
)
from bot.show.offers import offers_card
from bot.show.partners import partners_card
from bot.show.pictures import ring
from bot.show.results import others_holdings_card
from cogs.inputs import own_seat
from cogs.new_offers import NewOffers
from cogs.request import Request
from cogs.router import Router
from cogs.settings import description_of, values_of

NO_OFFERS = Card("waiting", ("There are no open offers at this table. **New offer** or **/trade** makes one.",))


class Boards:
    """Handles the buttons of the board and its menu, and the answers to the questions that they ask."""

    def __init__(self, router: Router, offers: NewOffers) -> None:
        self._offers = offers
        router.on(BoardPress, self.pressed)
        router.on(ChoosePlayer, self.player_chosen)
        router.on(BeginPhase, self.phase_chosen)
        router.on(RuleForm, self.rule_asked)
        router.on(ChooseSetting, self.setting_chosen)
        router.on(ChangeSetting, self.setting_changed)
        router.on(ChooseSeat, self.seat_chosen)
        router.on(FreeSeat, self.seat_freed)

    async def pressed(self, request: Request, press: BoardPress) -> None:
        match press.what:
            case "rules":
                await self._ask_rule(request)
            case "new":
                await self._offers.ask(request)
            case "partners" | "table":
                await self._with_pairs(request, press)
            case _:
                view = await request.view()
                await request.answer.update(_shown(view, press))

    async def _with_pairs(self, request: Request, press: BoardPress) -> None:
        """Show the cards that need to know who can trade with whom."""
        if press.what == "table":
            await show_table(request)
            return
        view = await request.view()
        pairs = await request.pairs()
        await request.answer.update(partners_card(view, pairs))

    async def player_chosen(self, request: Request, select: ChoosePlayer) -> None:
        """Show what a player has, as far as the person may know."""
        view, seat = await request.view(), request.chosen()[0]
        if seat not in view.seated():
            raise _gone()
        card = my_goods_card(view, seat) if seat == view.seat else others_holdings_card(view, seat)
        await request.reply(card)

    # ---------------------------------------------------------------- answers to what was asked back

    async def phase_chosen(self, request: Request, press: BeginPhase) -> None:
        await self._execute(request, SetPhase(press.phase))

    async def _ask_rule(self, request: Request) -> None:
        """Open the form that asks which rule. Raises `Refused` for a person who may not see the table."""
        request.hurried = True
        view = await request.view()
        described = "Its number, as refusals show it, or what it is about"
        field = Text("number", "Which rule?", max_length=80, description=described)
        await request.answer.open(Form("Rules", RuleForm(view.id), (field,)))

    async def rule_asked(self, request: Request, form: RuleForm) -> None:
        text = request.submitted().get("number", [""])[0]
        view = await request.view()
        rule = find_rule(view, text)
        status = await request.service.rule_status(view.id, request.requester, rule.number)
        await request.reply(rule_card(view, rule, status))

    async def setting_chosen(self, request: Request, select: ChooseSetting) -> None:
        """Show what a setting means, with the button that sets it."""
        name, _, value = request.chosen()[0].partition("=")
        view = await request.view()
        if value not in values_of(view).get(name, ()):
            raise Refused("", "There is no such setting here.", "/table settings lists them.")
        await request.answer.update(change_setting_card(view, name, value, description_of(name)))

    async def setting_changed(self, request: Request, press: ChangeSetting) -> None:
        """Change a setting. During the set-up only the set-up's message shows the change."""
        view, command = await request.view(), ChangeSettings({press.setting: press.value})
        text = f"From now on this table plays with **{press.setting}: {press.value}**."
        if view.setup is None:
            await self._execute(request, command, text)
        else:
            await request.execute_in_setup(command, text=lambda outcome: text)

    async def seat_chosen(self, request: Request, select: ChooseSeat) -> None:
        """Show whose seat becomes free, with the button that frees it."""
        view, seat = await request.view(), request.chosen()[0]
        if seat not in view.seated():
            raise _gone()
        await request.answer.update(free_seat_card(view, seat))

    async def seat_freed(self, request: Request, press: FreeSeat) -> None:
        """Free a seat. Raises `Refused` for a person who is not a host; /table leave frees their own seat."""
        view = await request.view()
        if not view.hosts:
            raise Refused("", "Only the host can free another player's seat.", "To leave your own: /table leave.")
        text = names.format_text(view, f"<seat:{press.seat}> has left the table.")
        await self._execute(request, Leave(press.seat), text)

    async def _execute(self, request: Request, command: Command, text: str | None = None) -> None:
        said = None if text is None else (lambda outcome: text)
        await request.execute_publicly(command, text=said)


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


async def show_table(request: Request) -> None:
    """Show the table, with its picture, to the person who asks."""
    view = await request.view()
    pairs = await request.pairs()
    seats = ring.ring_of(view, pairs)
    # Drawing would block the event loop, and with it everybody's commands.
    picture = await asyncio.to_thread(ring.picture, seats) if seats else None
    await request.answer.update(table_card(view, pairs, picture))
    # People who ask for the table may miss a message that somebody deleted.
    request.delivery.check(view.id)
