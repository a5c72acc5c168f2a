"""A turn: what has to be done before a phase begins, and what a phase brings.

With the first phase the next turn begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.api import Action, Entry, Feature, PhaseSet, Refused, Table, part, replace, with_parts
from bot.games.advciv.stacks import restored
from bot.games.advciv.state import ACQUIRE, TRADE, Calamities, OfTurn, require_not_shown, state_of, trading
from bot.games.advciv.surrendering import CardsKept, kept
from bot.games.advciv.trading import opened_for, require_drawn


def before(table: Table, phase: str) -> Iterable[Entry]:
    """Say how many cards each keeps, and put the others of this turn back, before the next begins.

    Raises `Refused` for the phase that is under way, and by 29.3 before calamities have been shown.
    """
    if phase == table.phase and (phase != TRADE or trading(table)):
        raise Refused("", f"The {phase} phase is under way already.", "Name another.")
    if phase != ACQUIRE or not table.tracked:
        return []
    if part(table, Calamities).shown is None:
        raise Refused(
            "29.3", "Before the next turn, everybody shows their calamities.",
            "When trading is over: /calamities show. To take back that trading opened: /trading undo.",
        )  # fmt: skip
    return [CardsKept(kept=kept(table)), *restored(table)]


def begin(table: Table, phase: str, at: int) -> Iterable[Entry]:
    """Open trading with the trade phase, for as long as the table is set to. ``table`` is from before the phase.

    Raises `Refused` by 28.4 when calamities have been shown this turn, and while somebody still has cards to draw.
    """
    if phase != TRADE:
        return []
    require_not_shown(table)
    require_drawn(table, table.settings.timer)
    # The phase's own entry takes the next window number, so trading opens in the one after it.
    return [opened_for(table.settings.timer, at, window=table.window.number + 2)]


def begun(table: Table, entry: Entry) -> Table:
    """Return the table in its next turn when that begins: what was of the last one is forgotten."""
    if not isinstance(entry, PhaseSet) or entry.phase != ACQUIRE:
        return table
    state = state_of(table)
    table = table.with_state(replace(state, turn=state.turn + 1))
    return with_parts(table, lambda part: part.turn_over() if isinstance(part, OfTurn) else part)


@dataclass(frozen=True, slots=True)
class AskNextTurn(Action):
    """**Next turn** of the board: asks the host once more, since it can't be taken back."""

    name = "advciv.ask_next_turn"


FEATURE = Feature(opens=(AskNextTurn,), after=begun)
