"""/trading: opens and closes trading, and asks the host before trading or the turn ends."""

from __future__ import annotations

from typing import Annotated, Literal

from discord import app_commands
from discord.ext import commands

from bot.api import Command, Press, Refused, SetPhase
from bot.api.discord import Button, Card, Outcome, Request, Router, in_dms_too, slash
from bot.games.advciv.state import ACQUIRE, require_now
from bot.games.advciv.trading import (
    AskClose,
    AskOpen,
    CloseTrading,
    DoneTrading,
    OpenTrading,
    TradingDone,
    UndoTrading,
    go_on_trading,
)
from bot.games.advciv.turns import AskNextTurn

Minutes = app_commands.Range[int, 0, 1440]


@in_dms_too
class Trading(
    commands.GroupCog, group_name="trading", group_description="The time for trading cards"
):
    """The /trading commands."""

    def __init__(self, router: Router) -> None:
        router.on(AskOpen, self.ask_open)
        router.on(AskClose, self.ask_close)
        router.on(AskNextTurn, self.ask_next_turn)
        router.on(DoneTrading, say_done)

    @slash("open", "Host: open trading, or change when it ends")
    def open(
        self,
        minutes: Annotated[
            Minutes | None, "For how long. 0 for no limit; five are recommended"
        ] = None,
        anyway: Annotated[
            Literal["yes", "no"], "Even if somebody still has cards to draw. They can draw later"
        ] = "no",
    ) -> Command:
        return OpenTrading(minutes, anyway == "yes")

    undo = slash("undo", "Host: undo the opening of trading, as long as no card has moved")(
        UndoTrading
    )

    @slash("done", "You are done trading. Use it again to go on")
    async def done(
        self,
        request: Request,
        anyway: Annotated[
            Literal["yes", "no"], "Even if that ends trading while a deal is agreed"
        ] = "no",
    ) -> None:
        """Toggle whether the person is done. The board shows it; the channel is told only if this
        ends trading.
        """
        command = DoneTrading(done=True, anyway=True) if anyway == "yes" else DoneTrading()
        await say_done(request, command)

    close = slash("close", "Host: close trading")(CloseTrading)

    async def ask_open(self, request: Request, press: AskOpen) -> None:
        """Ask the host for how long trading is open."""
        await request.respond(OpenTrading(ask=True, since=press.since))

    async def ask_close(self, request: Request, press: AskClose) -> None:
        """Ask the host to confirm that trading is over, because offers end with it for good."""
        close = Press(press.table, CloseTrading(press.since))
        button = Button("Close trading", close, "danger")
        await _ask_host(request, "Is trading over? Open offers end with it.", button)

    async def ask_next_turn(self, request: Request, press: AskNextTurn) -> None:
        """Ask the host to confirm that the next turn begins."""
        view = await request.view()
        require_now(view, press.since or None)
        begin = Press(press.table, SetPhase(ACQUIRE, view.phase_since))
        button = Button("Begin the next turn", begin, "primary")
        await _ask_host(
            request, "Has everybody turned in their cards? Then begin the next turn.", button
        )


async def say_done(request: Request, command: DoneTrading) -> None:
    """Say whether the person is done, and answer with the button that goes on trading."""

    def said(outcome: Outcome) -> str | Card:
        entries = [each.entry for each in outcome.entries]
        text, last = command.reply(entries), entries[-1]
        if not isinstance(last, TradingDone) or not last.done:
            return text
        button = go_on_trading(outcome.view.id, outcome.view.window.since)
        return Card("open", text, ((Button(button.label, button.action),),))

    await request.respond(command, said, beside=lambda outcome, messages: said(outcome))


async def _ask_host(request: Request, text: str, *buttons: Button) -> None:
    """Ask the host. Raises `Refused` for anybody else, since the rules would refuse their
    answer.
    """
    view = await request.view()
    if not view.hosts:
        raise Refused("Only the host can do that.", f"Ask <person:{view.host}>.")
    await request.reply(Card("waiting", text, (buttons,)))
