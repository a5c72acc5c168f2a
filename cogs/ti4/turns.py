"""/turn: whose turn it is, what the active player activates, and who fights there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from discord import Interaction, User, app_commands
from discord.ext import commands

from bot.api import Command, Press, Refused, TableView
from bot.api.discord import (
    LABEL_MAX,
    Button,
    Card,
    OrderQuestion,
    Outcome,
    Request,
    Router,
    names,
    order_card,
    rows_of,
    seat_of,
    seats_of,
    sign,
)
from bot.games.ti4.combat import (
    ActivateSystem,
    AskWhomToFight,
    AskWhoseUnits,
    BeginCombat,
    EndCombat,
)
from bot.games.ti4.note_returns import UndoActivation
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

GIFT = "note:gift_of_prescience:naalu"


@app_commands.guild_only()
class Turns(commands.GroupCog, group_name="turn", group_description="Whose turn it is"):
    """The /turn commands."""

    def __init__(self, router: Router) -> None:
        router.on(AskWhoIsNext, self.ask_who_is_next)
        router.on(AskOrder, self.ask_order)
        router.on(StartTurn, self.begin)
        router.on(NextTurn, end)
        router.on(GiveTurn, end)
        router.on(AskWhomToFight, self.ask_whom)
        router.on(AskWhoseUnits, self.ask_whose_units)

    @app_commands.command(name="start", description="Start a turn")
    @app_commands.describe(
        player="Whose turn. Leave out for your own",
        turn="For hosts: the same turn, given back after a slip, or a new one. Leave out and I "
        "tell you which",
    )
    async def start(
        self,
        interaction: Interaction,
        player: User | None = None,
        turn: Literal["same", "new"] | None = None,
    ) -> None:
        """Begin a turn, or give one back."""
        request = Request(interaction)
        await request.respond(StartTurn(seat_of(await request.view(), player), turn), _which)

    @app_commands.command(name="end", description="Your turn is over")
    async def end(self, interaction: Interaction) -> None:
        await end(Request(interaction), EndTurn())

    @app_commands.command(name="next", description="End your turn. The next player's turn begins")
    @app_commands.describe(player=NEXT)
    async def next(self, interaction: Interaction, player: User | None = None) -> None:
        request = Request(interaction)
        seat = seat_of(await request.view(), player)
        await end(request, GiveTurn(seat) if seat else NextTurn())

    @app_commands.command(
        name="pass",
        description="Pass for this round. Your turn ends too, unless an open offer keeps it",
    )
    @app_commands.rename(following="next")
    @app_commands.describe(following=NEXT)
    async def pass_turn(self, interaction: Interaction, following: User | None = None) -> None:
        """Pass for the round and begin the next turn."""
        request = Request(interaction)
        seat = seat_of(await request.view(), following)
        await request.respond(GiveTurn(seat, passing=True) if seat else PassTurn())

    @app_commands.command(name="unpass", description="Host: take back a pass made by mistake")
    @app_commands.describe(player="Whose pass to take back")
    async def unpass(self, interaction: Interaction, player: User) -> None:
        request = Request(interaction)
        await request.respond(UndoPass(seat_of(await request.view(), player)))

    @app_commands.command(name="combat", description="You fight a player in the active system")
    @app_commands.rename(opponent="with")
    @app_commands.describe(
        opponent="Your opponent", player="Who fights them. Leave out for yourself"
    )
    async def combat(
        self, interaction: Interaction, opponent: User, player: User | None = None
    ) -> None:
        request = Request(interaction)
        view = await request.view()
        await request.respond(BeginCombat(seat_of(view, player), seat_of(view, opponent)))

    @app_commands.command(name="peace", description="The combat in the active system is over")
    async def peace(self, interaction: Interaction) -> None:
        await Request(interaction).respond(EndCombat())

    @app_commands.command(
        name="activate", description="You activated a system with another player's units"
    )
    @app_commands.describe(
        units_of="Whose units are there. Their notes that wait for this go back to them"
    )
    async def activate(self, interaction: Interaction, units_of: User) -> None:
        request = Request(interaction)
        await request.respond(ActivateSystem(seat_of(await request.view(), units_of)))

    @app_commands.command(
        name="unactivate", description="Host: that was a mistake. The notes that went home go back"
    )
    @app_commands.describe(
        units_of="Whose notes went home", player="Who had them. Leave out for the last activation"
    )
    async def unactivate(
        self, interaction: Interaction, units_of: User, player: User | None = None
    ) -> None:
        request = Request(interaction)
        view = await request.view()
        await request.respond(UndoActivation(seat_of(view, units_of), seat_of(view, player)))

    async def ask_who_is_next(self, request: Request, press: AskWhoIsNext) -> None:
        """Handle the board's buttons that end a turn: the rules ask who is next, if that is still
        open.
        """
        await end(request, PassTurn() if press.passing else NextTurn())

    async def begin(self, request: Request, command: StartTurn) -> None:
        """Begin a turn. Where that ends the set-up, ask the host who plays after it: the order is
        not said yet.
        """
        step = setup.next if (setup := (await request.view()).setup) is not None else None
        asks = step is not None and any(isinstance(each.action, AskOrder) for each in step.buttons)

        def said(outcome: Outcome) -> Card | None:
            view, first = outcome.view, outcome.view.window.holder
            return (
                order_card(view, sign(view, first), ORDER)
                if asks and first in view.seated()
                else None
            )

        await request.respond(command, said, beside=lambda outcome, messages: said(outcome))

    async def ask_order(self, request: Request, press: AskOrder) -> None:
        """Handle **Order of play** and the answers: ask who is next in it, or set the complete
        order.

        In the set-up, the first turn begins with it.
        """
        view = await request.view()
        if not view.hosts:
            raise Refused(
                "", "Only the host can say the order of play.", f"Ask <person:{view.host}>."
            )
        if press.step == "ask":
            # Naalu has the 0 token, or who has their Gift of Prescience in play.
            gifted = [seat for seat in view.seated() if GIFT in view.seats[seat].in_play]
            first = [*gifted, *(seat for seat in view.seated() if seat == "naalu")][:1]
            await request.reply(
                order_card(view, "".join(sign(view, seat) for seat in first), ORDER)
            )
        elif press.step == "use":
            order = tuple(seats_of(view, press.picked))
            await request.respond(SetOrder(order, begins=view.setup is not None))
        else:
            await request.answer.update(order_card(view, press.picked, ORDER))

    async def ask_whom(self, request: Request, press: AskWhomToFight) -> None:
        """Handle **Combat** on the board: ask whom the presser fights. Raises `Refused` if no turn
        is under way.
        """
        view = await request.view()
        if view.window.kind != "turn":
            raise Refused("", "Combat happens only during a turn.", "/turn start begins one.")
        fights, text = partial(BeginCombat, None), "Who do you fight in the active system?"
        await request.reply(_ask_who(view, text, view.seat, fights, "Fight "))

    async def ask_whose_units(self, request: Request, press: AskWhoseUnits) -> None:
        """Handle **I activated a system of …** on the board: ask whose units are there."""
        view = await request.view()
        text = (
            "Whose units are in the system that you activated? Structures and ground forces "
            "count.\n"
            "-# A command token that an effect places there activates nothing."
        )
        await request.reply(_ask_who(view, text, view.window.holder, ActivateSystem))


def _ask_who(
    view: TableView,
    asked: str,
    apart: str | None,
    command: Callable[[str], Command],
    verb: str = "",
) -> Card:
    """Ask for one of the players, with a button for each but ``apart``."""
    every = [
        Button(f"{verb}{names.plain_player(view, seat)}"[:LABEL_MAX], Press(view.id, command(seat)))
        for seat in view.seated()
        if seat != apart
    ]
    return Card("waiting", (asked,), rows_of(every))


async def end(request: Request, command: Command) -> None:
    """End the turn. Its player, who said nothing of their goods in it, is asked in private whether
    they are as counted.

    Whoever turned that off with **Pings** is not asked.
    """
    asks = "still" not in await request.service.muted(request.requester)

    def still(outcome: Outcome) -> Card | None:
        ended = next(
            (each.entry for each in outcome.entries if isinstance(each.entry, TurnEnded)), None
        )
        mine = ended is not None and ended.still and ended.seat == outcome.view.seat
        return still_card(outcome.view) if asks and mine else None

    await request.respond(command, still, beside=lambda outcome, messages: still(outcome))


def _which(outcome: Outcome) -> Card | None:
    """Return the host's card about a turn that may be the same as before or a new one; None if that
    is clear.
    """
    begun = next(
        (each.entry for each in outcome.entries if isinstance(each.entry, TurnStarted)), None
    )
    if begun is None or not begun.assumed or not outcome.view.hosts:
        return None
    if begun.again:
        text = (
            "I count this as **the same turn**, given back. If it is a new one: **/turn start** "
            "with `turn:new`."
        )
    else:
        text = (
            "I count this as **a new turn**. If the last one ended by mistake: **/turn start** "
            "with `turn:same`."
        )
    return Card("waiting", (text,))
