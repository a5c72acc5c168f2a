"""Seats: a faction or nation at the table, its player and its goods."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.model.goods import NOTHING, Goods


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of the table. ``person`` is the number of its holder, None if it is empty; ``last`` is the last holder."""

    id: str
    person: int | None
    last: int | None = None
    holdings: Goods = NOTHING
    in_play: Goods = NOTHING


@dataclass(frozen=True, slots=True)
class Change:
    """The goods that one seat lost and gained in one step, and those that entered or left its play area."""

    lost: Goods = NOTHING
    gained: Goods = NOTHING
    entered_play: Goods = NOTHING
    left_play: Goods = NOTHING
