"""Phases: the step to the next round, and that a phase began by a slip."""

from __future__ import annotations

from bot.api import Entry, Feature, Press, SetPhase, Table


def next_round(table: Table) -> Press:
    """Return the press that begins the next round."""
    return Press(table.id, SetPhase("strategy", table.phase_since))


class PhaseUndone(Entry):
    """A phase had begun by a slip. ``phase`` goes on; see `bot.games.ti4.slips`."""

    kind = "ti4.phase.undone"
    phase: str
    window: int

    def undoes(self) -> bool:
        return True

    def heading(self) -> str:
        return f"{self.phase.capitalize()} phase"

    def sentence(self, ruler: str) -> str:
        return f"{ruler.capitalize()} takes it back: the **{self.phase} phase** goes on."


FEATURE = Feature(entries=(PhaseUndone,))
