"""What Twilight Imperium 4 shows on a table's board: phase, turn, combat, agenda, and buttons that move it on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.rules.games.ti4.actions import TurnAction
from bot.rules.games.ti4.state import active_seat, next_seat, state_of, voted_on
from bot.rules.model.actions import LabelledAction
from bot.rules.model.markup import mentions, quoted
from bot.rules.model.table import Table
from bot.rules.model.windows import Pair
from bot.rules.views import BoardView


def board(table: Table) -> BoardView:
    """Return the state of play in a few lines, and its buttons."""
    return BoardView(lines=(_play(table), *_lists(table)), buttons=_buttons(table))


def _play(table: Table) -> str:
    """Return the line that says what is going on now."""
    active = active_seat(table)
    if active is not None:
        following = next_seat(table, active)
        then = f", then <seat:{following}>" if following not in (None, active) else ""
        return f"**Action phase** · <seat:{active}>'s turn{then}{_vote(table)}"
    if table.window.kind == "agenda":
        title = f": {quoted(agenda)}" if (agenda := state_of(table).agenda) else ""
        return f"**Agenda phase** · an agenda is being resolved{title}. Each pair may trade once."
    return f"**{table.phase.capitalize()} phase**"


def _vote(table: Table) -> str:
    """Return that an agenda is voted on within the turn, if one is."""
    title = voted_on(table)
    if title is None:
        return ""
    return f"\n🗳️ An agenda is voted on within this turn{f': {quoted(title)}' if title else ''}."


def _lists(table: Table) -> Iterable[str]:
    state = state_of(table)
    if state.combat:
        yield f"⚔️ Combat: {_pairs(state.combat)}"
    if table.window.used:
        yield f"Have traded: {_pairs(table.window.used)}"
    if state.passed:
        yield f"Passed: {mentions(sorted(state.passed))}"


def _buttons(table: Table) -> tuple[LabelledAction, ...]:
    """Return the buttons: those that move the turn on during one, and those for agendas and phases."""
    combat: Literal["combat", "peace"] = "peace" if state_of(table).combat else "combat"
    agenda: Literal["agenda", "vote"] = "agenda" if voted_on(table) is None else "vote"
    passed = active_seat(table) in state_of(table).passed
    turn = (
        LabelledAction("End turn", TurnAction(table.id, "end")),
        *(() if passed else (LabelledAction("Pass", TurnAction(table.id, "pass")),)),
        LabelledAction("Combat", TurnAction(table.id, combat)),
    )
    always = (
        LabelledAction("Agenda", TurnAction(table.id, agenda)),
        LabelledAction("Phase", TurnAction(table.id, "phase")),
    )
    return (*turn, *always) if active_seat(table) is not None else always


def _pairs(pairs: Iterable[Pair]) -> str:
    return ", ".join(f"<seat:{first}> and <seat:{second}>" for first, second in sorted(pairs))
