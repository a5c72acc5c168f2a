"""Entries of Twilight Imperium 4: turns and neighbours."""

from __future__ import annotations

from typing import Literal

from bot.rules.entries import Entry


class TurnStarted(Entry):
    """A turn begins, and with it a window in which the active player may trade. It begins the action phase."""

    kind: Literal["turn.started"] = "turn.started"
    seat: str
    window: int


class TurnEnded(Entry):
    """The active player's turn is over, and its window with it."""

    kind: Literal["turn.ended"] = "turn.ended"
    seat: str
    window: int


class NeighborsJoined(Entry):
    kind: Literal["neighbors.joined"] = "neighbors.joined"
    first: str
    second: str


class NeighborsParted(Entry):
    kind: Literal["neighbors.parted"] = "neighbors.parted"
    first: str
    second: str


TI4: tuple[type[Entry], ...] = (TurnStarted, TurnEnded, NeighborsJoined, NeighborsParted)
