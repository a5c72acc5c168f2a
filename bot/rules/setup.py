"""Setting up a table: which steps there are before play begins, and how far each is.

All of it follows from the table, so that it is the same after a restart, whoever did what, and by button or command.
"""

from __future__ import annotations

from bot.rules.entries import Entry
from bot.rules.game import Game, Setup
from bot.rules.holdings.entries import Corrected, Gained
from bot.rules.model.actions import LabelledAction, SetupAction
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from bot.rules.seats.entries import SeatLeft, SeatTaken
from bot.rules.tables.entries import HostChanged, SettingsChanged
from bot.rules.views import EntryView, SetupView, StepView

PLAYERS = 2
"""How many players it takes to trade."""

TOLD: tuple[type[Entry], ...] = (SeatTaken, SeatLeft, HostChanged, SettingsChanged)
"""Kinds of entry of the core that the set-up shows, so that they need no line of their own."""


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


def told(game: Game, entry: EntryView) -> bool:
    """Return whether the set-up shows what this entry did, so that the channel needs no line about it.

    What came to a hidden hand is not shown there, nor is why something was set, or that it was not the host who did.
    """
    match entry.entry:
        case Corrected(reason="", hidden_named=0):
            return _counts(game) and entry.by_host
        case Gained():
            return _counts(game)
        case each:
            return isinstance(each, (*TOLD, *(game.setup.told if game.setup else ())))


def _counts(game: Game) -> bool:
    """Return whether the set-up shows goods: those that lie open."""
    return (game.setup is None or game.setup.goods) and not (game.hidden and game.hidden.nothing_open)


def _default(game: Game) -> Setup:
    """Return the set-up of a game that has none of its own: it is over with the first offer."""
    return Setup(
        begun=lambda table: bool(table.offers_posted or table.transactions or table.window.number),
        steps=lambda table: (),
        goods=_counts(game),
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
        lines.append("the others as the rules begin" if has else "as the rules begin")
    buttons = (LabelledAction("Enter goods", SetupAction(table.id, "goods")),)
    return StepView("Starting goods", tuple(lines) or ("as the rules begin",), len(table.seated()) >= PLAYERS, buttons)
