"""/turn: whose turn it is, what the active player activates, and who fights there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

from discord import app_commands
from discord.ext import commands

from bot.api import Command, Press, Refused, TableView
from bot.api.discord import (
    Button,
    Card,
    OrderQuestion,
    Outcome,
    Request,
    Router,
    Seat,
    names,
    order_card,
    rows_of,
    says_when,
    seats_of,
    sign,
    slash,
)
from bot.games.ti4.combat import (
    ActivateSystem,
    ActOutOfTurn,
    AskWhomToFight,
    AskWhoseUnits,
    BeginCombat,
    EndCombat,
)
from bot.games.ti4.initiative import has_zero
from bot.games.ti4.note_returns import UndoActivation
from bot.games.ti4.state import require_now
from bot.games.ti4.turns import (
    AskOrder,
    AskWhoIsNext,
    EndTurn,
    GiveTurn,
    NextTurn,
    PassTurn,
    SetOrder,
    StartTurn,
    TurnEnded,
    TurnStarted,
    UndoPass,
)
from cogs.ti4.commodities import still_card

ORDER = OrderQuestion(
    lambda table, picked, sure: AskOrder(table, picked, "use" if sure else "pick"),
    "**Who is first?** Lowest initiative first.",
    "**You play in this order:**",
)

NEXT = "Who is next, where nobody has said this round's order of play"
"""The description of the option for the next player."""


async def end_turn(request: Request, command: Command) -> None:
    """End the turn, and ask its player in private whether their goods are as counted.

    A player who said something of their goods, or turned that off with **Pings**, is not asked.
    """
    asks = "still" not in await request.service.muted(request.requester)

    def still(outcome: Outcome) -> Card | None:
        for entry in (each.entry for each in outcome.entries):
            if isinstance(entry, TurnEnded):
                mine = entry.still and entry.seat == outcome.view.seat
                return still_card(outcome.view) if asks and mine else None
        return None

    await request.respond(command, still, beside=lambda outcome, messages: still(outcome))


def _which(outcome: Outcome) -> Card | None:
    """Return the host's card about a turn that may be the same as before; None if that is clear."""
    begun = [each.entry for each in outcome.entries if isinstance(each.entry, TurnStarted)]
    if not begun or not begun[0].assumed or not outcome.view.hosts:
        return None
    if begun[0].again:
        text = (
            "I count this as **the same turn**, given back. If it is a new one: **/turn start** "
            "with `turn:new`."
        )
    else:
        text = (
            "I count this as **a new turn**. If the last one ended by mistake: **/turn start** "
            "with `turn:same`."
        )
    return Card("waiting", text)


@app_commands.guild_only()
class Turns(commands.GroupCog, group_name="turn", group_description="Whose turn it is"):
    """The /turn commands."""

    def __init__(self, router: Router) -> None:
        router.on(AskWhoIsNext, self.ask_who_is_next)
        router.on(AskOrder, self.ask_order)
        router.on(StartTurn, self.begin)
        router.on(NextTurn, end_turn)
        router.on(GiveTurn, end_turn)
        router.on(AskWhomToFight, self.ask_whom)
        router.on(AskWhoseUnits, self.ask_whose_units)

    @slash("start", "Start a turn", partial(Request.respond, said=_which))
    def start(
        self,
        player: Annotated[Seat | None, "Whose turn. Leave out for your own"] = None,
        turn: Annotated[
            Literal["same", "new"] | None,
            "For hosts: the same turn, given back after a slip, or a new one. Leave out and I "
            "tell you which",
        ] = None,
    ) -> Command:
        return StartTurn(player, turn)

    end = slash("end", "Your turn is over", end_turn)(EndTurn)

    @slash("next", "End your turn. The next player's turn begins", end_turn)
    def next(self, player: Annotated[Seat | None, NEXT] = None) -> Command:
        return GiveTurn(player) if player else NextTurn()

    @slash("pass", "Pass for this round. Your turn ends too, unless an open offer keeps it")
    def pass_turn(self, next_: Annotated[Seat | None, NEXT] = None) -> Command:
        return GiveTurn(next_, passing=True) if next_ else PassTurn()

    @slash("unpass", "Host: take back a pass made by mistake")
    def unpass(self, player: Annotated[Seat, "Whose pass to take back"]) -> Command:
        return UndoPass(player)

    @slash("combat", "You fight a player in the active system")
    def combat(
        self,
        with_: Annotated[Seat, "Your opponent"],
        player: Annotated[Seat | None, "Who fights them. Leave out for yourself"] = None,
    ) -> Command:
        return BeginCombat(player, with_)

    @slash("act", "Host: a player acts out of turn (Z'eu, Puppets on a String). Again: it is over")
    def act(
        self,
        player: Annotated[Seat, "Who acts"],
        effect: Annotated[
            app_commands.Range[str, 1, 60] | None, "What lets them, for example: Z'eu"
        ] = None,
        trades: Annotated[Literal["yes", "no"], "yes: others may trade with them meanwhile"] = "no",
    ) -> Command:
        return ActOutOfTurn(player, (effect or "Z'eu").strip(), trades == "yes")

    peace = slash("peace", "The combat in the active system is over")(EndCombat)

    @slash("activate", "You activated a system with another player's units")
    def activate(
        self,
        units_of: Annotated[
            Seat, "Whose units are there. Their notes that wait for this go back to them"
        ],
    ) -> Command:
        return ActivateSystem(units_of)

    @slash("unactivate", "Host: that was a mistake. The notes that went home go back")
    def unactivate(
        self,
        units_of: Annotated[Seat, "Whose notes went home"],
        player: Annotated[Seat | None, "Who had them. Leave out for the last activation"] = None,
    ) -> Command:
        return UndoActivation(units_of, player)

    async def ask_who_is_next(self, request: Request, press: AskWhoIsNext) -> None:
        """Handle the board's buttons that end a turn: the rules ask who is next, if need be."""
        command = PassTurn if press.passing else NextTurn
        await end_turn(request, command(press.seat, press.since))

    async def begin(self, request: Request, command: StartTurn) -> None:
        """Begin a turn. Where that ends the set-up, ask the host for the rest of the order."""
        setup = (await request.view()).setup
        step = setup.next if setup is not None else None
        asks = step is not None and any(isinstance(each.action, AskOrder) for each in step.buttons)

        def said(outcome: Outcome) -> Card | None:
            view, first = outcome.view, outcome.view.window.holder
            if not asks or first not in view.seated():
                return None
            return order_card(view, sign(view, first), ORDER)

        await request.respond(command, said, beside=lambda outcome, messages: said(outcome))

    async def ask_order(self, request: Request, press: AskOrder) -> None:
        """Handle **Order of play** and the answers: ask who is next, or set the complete order.

        In the set-up, the first turn begins with it.
        """
        view = await request.view()
        if not view.hosts:
            raise Refused("Only the host can say the order of play.", f"Ask <person:{view.host}>.")
        if press.step == "ask":
            zero = has_zero(view)
            first = sign(view, zero) if zero in view.seated() else ""
            await request.reply(order_card(view, first, ORDER))
        elif press.step == "use" and says_when(press.picked):
            order = tuple(seats_of(view, press.picked))
            await request.respond(SetOrder(order, begins=view.setup is not None))
        else:
            await request.answer.update(order_card(view, press.picked, ORDER))

    async def ask_whom(self, request: Request, press: AskWhomToFight) -> None:
        """Handle **Combat** on the board: ask whom the presser fights."""
        view = await request.view()
        require_now(view, press.since or None)
        if view.window.kind != "turn":
            raise Refused(
                "Combat happens only during a turn.",
                "**Start my turn** on the board begins one.",
            )
        fights = partial(BeginCombat, None, since=view.window.since)
        text = "Who do you fight in the active system?"
        await request.reply(_ask_who(view, text, view.seat, fights, "Fight "))

    async def ask_whose_units(self, request: Request, press: AskWhoseUnits) -> None:
        """Handle **I activated a system of …** on the board: ask whose units are there."""
        view = await request.view()
        require_now(view, press.since or None)
        activates = partial(ActivateSystem, since=view.window.since, seat=press.seat)
        text = (
            "Whose units are in the system that you activated? Structures and ground forces "
            "count.\n"
            "-# A command token that an effect places there activates nothing."
        )
        await request.reply(_ask_who(view, text, view.window.holder, activates))


def _ask_who(
    view: TableView,
    asked: str,
    apart: str | None,
    command: Callable[[str], Command],
    verb: str = "",
) -> Card:
    """Ask for one of the players, with a button for each but ``apart``."""
    buttons = []
    for seat in view.others(apart):
        label = f"{verb}{names.plain_player(view, seat)}"
        buttons.append(Button(label, Press(view.id, command(seat))))
    return Card("waiting", asked, rows_of(buttons))
