"""Setting up a table: the steps before play begins, and which of them are done.

All of this is computed from the table. So it does not matter who did a step, or whether by button or command, and a
restart changes nothing.
"""

from __future__ import annotations

from bot.rules.game import Game, Setup
from bot.rules.model.actions import LabelledAction, SetupAction
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from bot.rules.reporting import shows_goods
from bot.rules.views import SetupView, StepView

PLAYERS = 2
"""The least number of players."""


def setup_view(table: Table) -> SetupView | None:
    """Return the steps of the set-up; None once play has begun or the table is closed."""
    game = game_of(table)
    setup = game.setup or _default(game)
    if not table.running or setup.begun(table):
        return None
    steps = [_seats(table), *setup.steps(table)]
    if setup.goods and table.tracked:
        steps.insert(-1 if len(steps) > 1 else len(steps), _goods(table))
    return SetupView(tuple(steps))


def _default(game: Game) -> Setup:
    """Return the set-up for a game without its own. It ends with the first offer."""
    return Setup(
        begun=lambda table: bool(table.offers_posted or table.transactions or table.window.number),
        steps=lambda table: (),
        goods=shows_goods(game),
    )


def _seats(table: Table) -> StepView:
    """Return the step in which everybody takes a seat."""
    seated = table.seated()
    lines = tuple(f"<=player:{seat}>" for seat in seated) or ("Each player takes theirs, in the order you sit.",)
    done = len(seated) >= PLAYERS
    if seated and not done:
        lines = (*lines, "At least one more player.")
    return StepView("Seats", lines, done, (LabelledAction("Take a seat", SetupAction(table.id, "seat")),))


def _goods(table: Table) -> StepView:
    """Return the step for starting goods. The rulebook has defaults, so the step is done once enough players sit."""
    has = [seat for seat in table.seated() if game_of(table).open_goods(table.seats[seat].holdings)]
    describe = game_of(table).goods.describe
    lines = [f"<=seat:{seat}>: {describe(game_of(table).open_goods(table.seats[seat].holdings))}" for seat in has]
    if len(has) < len(table.seated()):
        lines.append("the others as the rulebook says" if has else "as the rulebook says")
    buttons = (LabelledAction("Enter goods", SetupAction(table.id, "goods")),)
    return StepView(
        "Starting goods", tuple(lines) or ("as the rulebook says",), len(table.seated()) >= PLAYERS, buttons
    )
