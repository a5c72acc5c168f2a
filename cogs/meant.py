"""Offers as they are typed: what was probably meant has a button, and two sides in one field are
shown before they are posted.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.rules.features.offers.posting import AlterOffer
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from bot.rules.shorthand import Misread
from bot.rules.views import TableView
from bot.show.actions import OfferMeant
from bot.show.meant import (
    Posting,
    Typed,
    both_sides,
    meant_button,
    meant_card,
    meant_command,
    with_sides,
)
from cogs.inputs import own_seat, read_goods
from cogs.offer_replies import execute_posting
from cogs.request import Request
from cogs.router import Router

__all__ = ["Read", "Typed", "bind", "post_typed"]

Read = Callable[[TableView, str | None, str | None], Goods]
"""Reads one side of an offer."""


def bind(router: Router) -> None:
    """Bind the handlers of this module."""
    router.on(OfferMeant, meant_pressed)


async def post_typed(
    request: Request,
    view: TableView,
    typed: Typed,
    other: str | None,
    command: Callable[[Read], Posting],
) -> None:
    """Post an offer as it was typed. ``command`` makes it with what reads a side. Raises
    `Refused`, with a button for what was probably meant.
    """
    said = both_sides(view, typed, other)
    if said is not None:
        posting = with_sides(command(_nothing), said)
        await request.answer.update(meant_card(view, posting, other))
        return
    try:
        posting = command(read_goods)
    except Misread as misread:
        raise _with_button(view, misread, command) from None
    await execute_posting(request, posting)


def _with_button(view: TableView, misread: Misread, command: Callable[[Read], Posting]) -> Refused:
    """Return the refusal with a button that posts what was probably meant, if one can hold it."""
    try:
        own_seat(view)
        button = meant_button(view, command(_as_meant))
    except Refused:
        return misread
    return Refused.because(misread.violation, (button,)) if button else misread


def _nothing(view: TableView, text: str | None, giver: str | None) -> Goods:
    return Goods()


def _as_meant(view: TableView, text: str | None, giver: str | None) -> Goods:
    """Read a side as `read_goods`, or as it was probably meant. Raises `Refused`."""
    try:
        return read_goods(view, text, giver)
    except Misread as misread:
        return read_goods(view, misread.meant, giver)


async def meant_pressed(request: Request, press: OfferMeant) -> None:
    """Handle **Offer it** and **Alter it** under what was probably meant: post just that."""
    view = await request.view()
    own_seat(view)
    command = meant_command(view, press)
    over = "It is changed." if isinstance(command, AlterOffer) else "It is posted."
    await execute_posting(request, command, over=over)
