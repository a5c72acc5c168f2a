"""The buttons of the next time: **Remind us…**, **Yes, then** and **Coming**, and **Same table
again…**.

/table remind, /table coming and /table again do the same.
"""

from __future__ import annotations

from datetime import UTC, datetime

from discord.ext import commands

from bot.rules.features.next_time import Come, SetNextTime
from bot.rules.views import TableView
from bot.service import Outcome
from bot.show.actions import AskWhen, PlayAgain, WhenForm
from bot.show.board import again_card
from bot.show.cards import Card
from bot.show.next_time import come_card, sure_card, when_form
from cogs.arrival import open_table
from cogs.request import Request
from cogs.router import Router
from cogs.when import read_when


class NextTimes(commands.Cog):
    """Handles the buttons of the next time, and its form."""

    def __init__(self, router: Router) -> None:
        router.on(PlayAgain, again)
        router.on(AskWhen, ask_when)
        router.on(WhenForm, submitted)
        router.on(Come, come)


async def again(request: Request, press: PlayAgain | None = None) -> None:
    """Open a table in this channel that repeats the one that was pressed, or else the channel's
    last one. Ask a host first while that can still be opened again.
    """
    view = await request.last_view() if press is None else await request.view(unread=True)
    sure = press is not None and press.since == view.since
    if view.closing is not None and view.hosts and not sure:
        await request.answer.update(again_card(view))
        return
    await open_table(request, game=view.game, name=view.name, again=view.id)


async def ask_when(request: Request, press: AskWhen | None = None) -> None:
    """Open the form for the next time. Raises `Refused` for those who may not say it."""
    request.accepts_cached = True
    view = await request.last_view() if press is None else await request.view(unread=True)
    _require_part(view)
    await request.answer.open(when_form(view))


async def submitted(request: Request, form: WhenForm) -> None:
    """Ask whether the time that was typed is the one that was meant."""
    when, zone = request.text_submitted("when"), request.text_submitted("zone")
    await ask_sure(request, await request.view(unread=True), when, zone)


async def ask_sure(request: Request, view: TableView, when: str, zone: str) -> None:
    """Show the time that was typed in the reader's own time, with **Yes, then**. Nothing is sent
    before that.

    Raises `Refused` for others, for what can't be read, and for a time that is doubtful or not
    ahead.
    """
    _require_part(view)
    now = request.service.now()
    at, named = read_when(when, zone, datetime.fromtimestamp(now / 1000, UTC), view.zone)
    SetNextTime.require_ahead(at, now)
    await request.answer.update(sure_card(view, at, named))


async def come(request: Request, command: Come) -> None:
    """Say that the person comes, or not after all, and answer them alone."""

    def said(outcome: Outcome) -> Card:
        return come_card(outcome.view, comes=command.comes)

    await request.respond(command, said, beside=lambda outcome, messages: said(outcome))


def _require_part(view: TableView) -> None:
    """Raise `Refused` for those who neither sit nor host. The rules would refuse it too, but only
    at the end.
    """
    if view.seat is None and not view.hosts:
        raise SetNextTime.no_part()
