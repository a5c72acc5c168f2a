"""Phases: the step to the next round, and that a phase began by a slip."""

from __future__ import annotations

from typing import ClassVar

from bot.api import Entry, Feature, Press, Reads, SetPhase, Table


def next_round(table: Table) -> Press:
    """Return the press that begins the next round."""
    return Press(table.id, SetPhase("strategy", table.phase_since))


class PhaseUndone(Entry):
    """A phase had begun by a slip, and in it maybe this ``turn``. ``phase`` goes on; see
    `bot.games.ti4.slips`.
    """

    kind = "ti4.phase.undone"
    v: int = 2  # 2: turn
    reads: ClassVar[Reads] = {("ti4.phase.undone", 1): None}
    phase: str
    window: int
    turn: str = ""

    def undoes(self) -> bool:
        return True

    def heading(self) -> str:
        return f"{self.phase.capitalize()} phase"

    def sentence(self, ruler: str) -> str:
        goes_on = f"{ruler.capitalize()} takes it back: the **{self.phase} phase** goes on."
        return f"{goes_on} <player:{self.turn}>'s turn has not begun." if self.turn else goes_on


FEATURE = Feature(entries=(PhaseUndone,))
