"""Setting up a table: which steps there are before play begins, and how far each is.

All of it follows from the table, so that it is the same after a restart, whoever did what, and by button or command.
"""

from __future__ import annotations

from bot.rules.game import Game, Setup
from bot.rules.model.actions import LabelledAction, SetupAction
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from bot.rules.reporting import shows_goods
from bot.rules.views import SetupView, StepView

PLAYERS = 2
"""How many players it takes to trade."""


def setup_view(table: Table) -> SetupView | None:
    """Return how far the table is set up; None once play has begun, or the table is closed."""
    game = game_of(table)
    setup = game.setup or _default(game)
    if not table.open or setup.begun(table):
        return None
    steps = [_seats(table), *setup.steps(table)]
    if setup.goods and table.tracked:
        steps.insert(-1 if len(steps) > 1 else len(steps), _goods(table))
    return SetupView(tuple(steps))


def _default(game: Game) -> Setup:
    """Return the set-up of a game that has none of its own: it is over with the first offer."""
    return Setup(
        begun=lambda table: bool(table.offers_posted or table.transactions or table.window.number),
        steps=lambda table: (),
        goods=shows_goods(game),
    )


def _seats(table: Table) -> StepView:
    """Return the step in which everybody takes a seat."""
    seated = table.seated()
    lines = tuple(f"<player:{seat}>" for seat in seated) or ("Everybody takes theirs, in the order you sit.",)
    done = len(seated) >= PLAYERS
    if seated and not done:
        lines = (*lines, "One more at least.")
    return StepView("Seats", lines, done, (LabelledAction("Take a seat", SetupAction(table.id, "seat")),))


def _goods(table: Table) -> StepView:
    """Return the step about what everybody begins with, which the game's rules say. It is done when they sit."""
    has = [seat for seat in table.seated() if game_of(table).open_goods(table.seats[seat].holdings)]
    describe = game_of(table).goods.describe
    lines = [f"<seat:{seat}>: {describe(game_of(table).open_goods(table.seats[seat].holdings))}" for seat in has]
    if len(has) < len(table.seated()):
        lines.append("the others as the rulebook says" if has else "as the rulebook says")
    buttons = (LabelledAction("Enter goods", SetupAction(table.id, "goods")),)
    return StepView(
        "Starting goods", tuple(lines) or ("as the rulebook says",), len(table.seated()) >= PLAYERS, buttons
    )
