"""Phases that begin, and those that began by a slip: the host takes that back while nothing has
happened in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.api import (
    Caller,
    Command,
    Entry,
    Feature,
    Press,
    Refused,
    SetPhase,
    Since,
    Table,
    Window,
    open_window,
    part,
    replace,
    require_host,
    require_since,
    with_part,
    with_window,
)
from bot.games.ti4.state import Combat, GameRound, Round, TradeCard


def next_round(table: Table) -> Press:
    """Return the press that begins the next round."""
    return Press(table.id, SetPhase("strategy", table.phase_since))


def phase_before(table: Table) -> str | None:
    """Return the phase that still goes on if this one began by a slip; None if that is too late."""
    now, turns = part(table, GameRound), part(table, Round)
    if table.phase == "strategy":
        began_early = now.before is not None and now.before.phase in ("status", "agenda")
        return now.before.phase if now.before and began_early and not now.taken else None
    over = turns.last or turns.passed or turns.interrupted
    played = part(table, TradeCard).current or part(table, Combat) != Combat()
    if table.phase == "action" and not (over or played or table.window.used):
        return "strategy"
    return None


class UndoPhase(Command):
    """Say that this phase has not begun yet. Needs the host. ``since``: the entry that began it."""

    kind = "ti4.phase.undo"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "take a phase back")
        over = f"The {table.phase} phase has begun since."
        require_since(self.since, table.phase_since, over)
        phase = phase_before(table)
        if phase is None:
            late = f"The {table.phase} phase can't be taken back any more."
            raise Refused("", late, "/phase set begins any phase.")
        yield from with_window(table)
        yield PhaseUndone(phase=phase, window=table.window.number + 1)


class PhaseUndone(Entry):
    """A phase had begun by a slip. ``phase`` goes on, with the strategy cards of before, and no
    trade goods were laid on cards.
    """

    kind: Literal["ti4.phase.undone"] = "ti4.phase.undone"
    phase: str
    window: int

    def heading(self) -> str:
        return f"{self.phase.capitalize()} phase"

    def sentence(self, ruler: str) -> str:
        return f"{ruler.capitalize()} takes it back: the **{self.phase} phase** goes on."

    def apply(self, table: Table) -> Table:
        now, turns = part(table, GameRound), part(table, Round)
        if table.phase == "strategy":
            now = now.before or now
        else:
            began = now.began if now.before is not None else 0
            now = replace(now, laid=frozenset(), known=False, began=began)
        table = with_part(table, replace(now, phase=self.phase))
        table = with_part(table, Round(order=turns.order))
        return open_window(table, Window(number=self.window), self.phase)


FEATURE = Feature(commands=(UndoPhase,), entries=(PhaseUndone,))
