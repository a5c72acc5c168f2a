"""Actions of Twilight Imperium 4: what can be pressed or chosen at its tables."""

from __future__ import annotations

from dataclasses import dataclass

from bot.api import Action, Choice


@dataclass(frozen=True, slots=True)
class NeighborsAction(Action):
    """The board's button after a turn: who are whose neighbours now. It asks back."""

    name = "ti4.neighbors"


@dataclass(frozen=True, slots=True)
class ChooseNeighbors(Choice):
    """A select with the seats that may be neighbours of this one; those it has are chosen already."""

    name = "ti4.meets"
    seat: str


@dataclass(frozen=True, slots=True)
class EliminateAction(Action):
    """This seat is out of the game, just as the preview with this stamp said."""

    name = "ti4.eliminate"
    seat: str
    stamp: str


@dataclass(frozen=True, slots=True)
class ChangeAction(Action):
    """This seat becomes the faction that it can become, just as the preview with this stamp said."""

    name = "ti4.change"
    seat: str
    stamp: str


@dataclass(frozen=True, slots=True)
class AgreementAnswer(Action):
    """The presser, in ``seat``, plays the Trade Agreement of ``owner``, who has just replenished, or puts it aside."""

    name = "ti4.agreement"
    owner: str
    seat: str
    plays: bool


@dataclass(frozen=True, slots=True)
class TakeBackTrade(Action):
    """The presser asks to take a transaction of theirs back, or agrees to that; not ``agreed``: leaves it as it is."""

    name = "ti4.takeback"
    transaction: int
    agreed: bool


ACTIONS: tuple[type[Action], ...] = (
    EliminateAction, ChangeAction, AgreementAnswer, TakeBackTrade,
)  # fmt: skip
"""Every action that no feature declares yet."""
