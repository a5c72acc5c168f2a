"""The buttons of the board and of its **Menu**. Only the presser sees their replies.

A reply to a press on a private message replaces that message: private replies do not pile up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.rules.commands import Command
from bot.rules.features.seats import Leave
from bot.rules.features.tables import BeginClosing
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.show import names
from bot.show.actions import BoardMove, BoardPress, ChoosePlayer, ChooseSeat, ChooseSetting
from bot.show.board import (
    board_button,
    closing_card,
    closing_question,
    look_at,
    said_card,
    table_card,
)
from bot.show.cards import Card
from bot.show.debts import debts_card
from bot.show.menu import (
    change_setting_card,
    free_seat_card,
    host_card,
    leave_card,
    menu_card,
    my_goods_card,
    own_said_card,
    phase_card,
    seats_card,
    settings_card,
    undo_card,
    with_whom_card,
)
from bot.show.notices import pings_card
from bot.show.offer_cards import offers_card
from bot.show.partners import partners_card, partners_now
from bot.show.pictures import ring
from bot.show.results import others_holdings_card, refusal_card
from bot.show.setup import change_card
from cogs import new_offers, rulebook
from cogs.inputs import own_seat, require_seated
from cogs.request import Request
from cogs.router import Router
from cogs.settings import description_of, values_of

NO_OFFERS = Card(
    "waiting", "There are no open offers at this table. **New offer** or **/trade** makes one."
)


def bind(router: Router) -> None:
    """Bind the handlers of the board's buttons, and of the answers to the questions that they
    ask.
    """
    router.on(BoardPress, board_pressed)
    router.on(ChoosePlayer, player_chosen)
    router.on(ChooseSetting, setting_chosen)
    router.on(ChooseSeat, seat_chosen)
    router.on(Leave, leave)
    router.on(BeginClosing, close)


async def board_pressed(request: Request, press: BoardPress) -> None:
    """Show what a button is for. Raises `Refused` for "goods" without a seat."""
    if press.what in ASKS:
        await ASKS[press.what](request)
        return
    view = await request.view()
    match press.what:
        case "partners":
            card = partners_card(view, await request.pairs())
        case "goods":
            card = await my_goods(request, view)
        case "debts":
            card = debts_card(view)
        case "mine":
            card = own_said_card(view, view.seat or own_seat(view))
        case "settings":
            card = settings_card(view, values_of(view))
        case "host" | "close" if not view.hosts:
            raise Refused("That is for the host.", f"Ask <person:{view.host}>.")
        case "close":
            card = closing_question(view)
        case "closed" if view.closing is None:
            raise Refused("That is over.", "The card in the channel says how it is now.")
        case "closed":
            card = closing_card(view)
        case "deal" | "talk" as what:
            own_seat(view)
            card = with_whom_card(view, what)
        case "leave":
            card = leave_card(view, own_seat(view))
        case "offers":
            card = offers_card(view) or NO_OFFERS
        case what:
            cards = {
                "phase": phase_card,
                "undo": undo_card,
                "seats": seats_card,
                "more": menu_card,
                "host": host_card,
            }
            card = cards[what](view)
    await request.answer.update(card)


async def my_goods(request: Request, view: TableView) -> Card:
    """Return the person's own goods, also while the table is paused. Raises `Refused` without a
    seat.
    """
    seat, reached = (
        view.seat or own_seat(view),
        request.delivery.reaches(request.interaction.user.id),
    )
    now = partners_now(view, await request.pairs()) if view.board.trades else []
    return my_goods_card(view, seat, now, reached=reached)


async def change_goods(request: Request, command: Command) -> None:
    """Execute a command about the person's own goods, and show what they have now where they
    pressed.

    A refusal, or a question to answer first, appears there too.

    >>> async def harvest(request: Request, command: Harvest) -> None:
    ...     await change_goods(request, command)
    >>> router.on(Harvest, harvest)
    """
    try:
        await request.execute(command)
    except Refused as refused:
        view = await request.view()
        request.answer.outcome, request.answer.rule = "refused", refused.violation.rule
        if refused.options:
            question = refusal_card(refused, refused.names)
            back = board_button(view, "Back", "goods")
            card = replace(question, rows=(*question.rows, (back,)))
        else:
            card = refusal_card(refused, refused.names, await my_goods(request, view))
    else:
        view = await request.view()
        card = await my_goods(request, view)
    await request.answer.replace(card)


async def say(request: Request) -> None:
    """Answer with the table in plain sentences: what everybody may see, to hear or to read out."""
    view = await request.service.view(await request.table_id(), request.requester, shared=True)
    await request.answer.update(said_card(view))


async def show_table(request: Request) -> None:
    """Show the table, with its picture, to the person who asks."""
    view = await request.view()
    pairs = await request.pairs()
    seats = ring.ring_of(view, pairs)
    # Drawing would block the event loop, and with it everybody's commands.
    picture = await asyncio.to_thread(ring.ring_picture, seats) if seats else None
    await request.answer.update(table_card(view, pairs, picture))
    # People who ask for the table may miss a message that somebody deleted.
    request.delivery.check(view.id)


async def show_pings(request: Request) -> None:
    """Show what notifies the person, with a button for each kind of call."""
    await request.answer.update(pings_card(await request.service.muted(request.requester)))


ASKS: dict[BoardMove, Callable[[Request], Awaitable[None]]] = {
    "rules": rulebook.ask_rule,
    "new": new_offers.ask,
    "table": show_table,
    "say": say,
    "pings": show_pings,
}
"""The handlers of buttons that answer by themselves."""


async def player_chosen(request: Request, select: ChoosePlayer) -> None:
    """Show what a player has, as far as the person may know, in place of the table."""
    view, seat = await request.view(), request.chosen()[0]
    require_seated(view, seat)
    card = await my_goods(request, view) if seat == view.seat else others_holdings_card(view, seat)
    back = board_button(view, "Back", "table")
    await request.answer.update(replace(card, rows=(*card.rows, *look_at(view, seat), (back,))))


async def setting_chosen(request: Request, select: ChooseSetting) -> None:
    """Show what a setting means, with the button that sets it."""
    name, _, value = request.chosen()[0].partition("=")
    view = await request.view()
    if value not in values_of(view).get(name, ()):
        raise Refused(
            "There is no such setting here.",
            "**Settings** under **Menu**, **Host…** lists them.",
        )
    await request.answer.update(change_setting_card(view, name, value, description_of(name)))


async def seat_chosen(request: Request, select: ChooseSeat) -> None:
    """Show whose seat becomes free, with the button that frees it."""
    view, seat = await request.view(), request.chosen()[0]
    require_seated(view, seat)
    await request.answer.update(free_seat_card(view, seat))


async def close(request: Request, command: BeginClosing) -> None:
    """Close the table, and reply with the news of it."""
    await request.respond(
        command, lambda outcome: f"**{names.escape(outcome.view.name)}** is closed."
    )


async def leave(request: Request, command: Leave) -> None:
    """Free the seat of a player, as a host; or in the set-up, the person's own seat.

    Raises `Refused` for others. The person's own seat is not freed during play by a button of the
    set-up, nor by one of 1.0.0, which does not say who sat there: they ask.
    """
    view = await request.view()
    seat = command.seat or own_seat(view)
    own, begun = seat == view.seat, view.setup is None
    if not own and not view.hosts:
        leaves = "To leave your own: **Leave…** under **Menu**."
        raise Refused("Only the host can free another player's seat.", leaves)
    if own and begun and not command.sure and not view.hosts:
        await request.answer.update(leave_card(view, seat))
        return
    if command.person is None:
        require_seated(view, seat)
        card = leave_card(view, seat) if own else free_seat_card(view, seat)
        await request.answer.update(card if begun else change_card(view))
        return
    await request.respond(command)
