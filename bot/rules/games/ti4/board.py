"""What Twilight Imperium 4 adds to a table's board: phase, turn, combat, agenda, and the buttons that move it on."""

from __future__ import annotations

from bot.rules.game import Answer, Board
from bot.rules.games.ti4.state import active_seat, next_seat, state_of
from bot.rules.table import Table
from bot.rules.words import typed


def board(table: Table) -> Board:
    """The state of play in a few lines; buttons for whoever they concern."""
    state, active = state_of(table), active_seat(table)
    lines = [f"**{table.phase.capitalize()} phase**"]
    turn: tuple[Answer, ...] = ()
    if active is not None:
        following = next_seat(table, active)
        then = f", then <seat:{following}>" if following not in (None, active) else ""
        lines = [f"**Action phase** · <seat:{active}>'s turn{then}"]
        turn = (Answer(label="End turn", action="end"), Answer(label="Pass", action="pass"))
        turn += (Answer(label="Combat", action="combat"),)
    if table.window.kind == "agenda":
        title = f": {typed(state.agenda)}" if state.agenda else ""
        lines = [f"**Agenda phase** · an agenda is being resolved{title}. Each pair may trade once."]
    if state.combat:
        fights = ", ".join(f"<seat:{first}> and <seat:{second}>" for first, second in sorted(state.combat))
        lines.append(f"⚔️ Combat: {fights}")
    if table.window.used:
        traded = ", ".join(f"<seat:{first}> and <seat:{second}>" for first, second in sorted(table.window.used))
        lines.append(f"Have traded: {traded}")
    if state.passed:
        lines.append("Passed: " + ", ".join(f"<seat:{seat}>" for seat in sorted(state.passed)))
    return Board(
        lines=tuple(lines),
        answers=(*turn, Answer(label="Agenda", action="agenda"), Answer(label="Phase", action="phase")),
    )
