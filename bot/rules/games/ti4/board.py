"""What Twilight Imperium 4 shows on a table's board: phase, turn, combat, agenda, and buttons that move it on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.rules.games.ti4.actions import NeighborsAction, TurnAction
from bot.rules.games.ti4.components import describe_token
from bot.rules.games.ti4.note_returns import waiting_for_status
from bot.rules.games.ti4.state import active_seat, next_seat, state_of, voted_on
from bot.rules.model.actions import LabelledAction
from bot.rules.model.markup import mentions, quoted
from bot.rules.model.table import Table
from bot.rules.model.windows import Pair
from bot.rules.views import BoardView


def board(table: Table) -> BoardView:
    """Return the state of play in a few lines, and its buttons."""
    about = state_of(table).moved if _reminds(table) else None
    return BoardView(lines=(_play(table), *_lists(table)), buttons=_buttons(table), about=about)


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
    if lasting := [permit.reason for permit in state.permits if not permit.once]:
        yield f"In force: {', '.join(map(quoted, dict.fromkeys(lasting)))}"
    if table.window.used:
        yield f"Have traded: {_pairs(table.window.used)}"
    if state.passed:
        yield f"Passed: {mentions(sorted(state.passed))}"
    if table.phase == "status" and (waiting := waiting_for_status(table)):
        yield f"Go back when this phase ends: {', '.join(describe_token(token) for _, token in waiting)}"
    if state.eliminated:
        yield f"Out of the game: {', '.join(f'<faction:{seat}>' for seat in sorted(state.eliminated))}"
    if _reminds(table):
        yield f"Did ships move in <seat:{state.moved}>'s turn? **Neighbours** says who meets whom now."


def _reminds(table: Table) -> bool:
    """Return whether a turn is over in which ships may have moved, so that others may be neighbours now."""
    return state_of(table).moved in table.seated() and len(table.seated()) > 1


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
    after = (LabelledAction("Neighbours", NeighborsAction(table.id)),) if _reminds(table) else ()
    return (*turn, *always, *after) if active_seat(table) is not None else (*always, *after)


def _pairs(pairs: Iterable[Pair]) -> str:
    return ", ".join(f"<seat:{first}> and <seat:{second}>" for first, second in sorted(pairs))
