"""Setting up a table: the steps before play begins, and which of them are done.

All of this is computed from the table. So it does not matter who did a step, or whether by button
or command, and a restart changes nothing.
"""

from __future__ import annotations

from bot.rules.game import Setup
from bot.rules.model.actions import LabelledAction, SetupAction, take_a_seat
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from bot.rules.reporting import shows_goods
from bot.rules.views import SetupView, StepView

PLAYERS_NEEDED = 2
"""The least number of players."""


def setup_view(table: Table) -> SetupView | None:
    """Return the steps of the set-up; None once play has begun or the table is closed."""
    game = game_of(table)
    setup = game.setup or Setup(  # it ends with the first offer
        begun=lambda table: bool(table.offers_posted or table.transactions or table.window.number),
        steps=lambda table: (),
        goods=shows_goods(game),
    )
    if not table.running or setup.begun(table):
        return None
    seated = table.seated()
    enough = len(seated) >= PLAYERS_NEEDED
    lines = [f"<=player:{seat}>" for seat in seated] or [
        "Each player takes theirs, in the order you sit."
    ]
    if seated and not enough:
        lines.append("At least one more player.")
    first = setup.first(table)
    seats = StepView("Seats", tuple(lines), enough, take_a_seat(table.id))
    steps = [*first, seats, *setup.steps(table)]
    if setup.goods and table.tracked:
        last = -1 if len(steps) > len(first) + 1 else len(steps)
        steps.insert(last, _goods(table, enough))
    return SetupView(tuple(steps), len(first))


def _goods(table: Table, done: bool) -> StepView:
    """Return the step for starting goods. The rulebook has defaults, so the step is done once
    enough players sit.
    """
    game = game_of(table)
    lies_open = {seat: game.open_goods(table.seats[seat].holdings) for seat in table.seated()}
    lines = [
        f"<=seat:{seat}>: {game.goods.describe(goods)}"
        for seat, goods in lies_open.items()
        if goods
    ]
    if len(lines) < len(lies_open):
        lines.append("the others as the rulebook says" if lines else "as the rulebook says")
    buttons = (LabelledAction("Enter goods", SetupAction(table.id, "goods")),)
    return StepView("Starting goods", tuple(lines) or ("as the rulebook says",), done, buttons)
