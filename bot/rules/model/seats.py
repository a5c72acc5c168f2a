"""Seats: a faction or nation at the table, who sits there and what lies before it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.model.goods import NOTHING, Goods


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of the table. ``person`` is the number of its holder, None while it is empty; ``last`` the last holder."""

    id: str
    person: int | None
    last: int | None = None
    holdings: Goods = NOTHING
    in_play: Goods = NOTHING


@dataclass(frozen=True, slots=True)
class Change:
    """What one seat lost and gained at once, and what entered or left its play area."""

    lost: Goods = NOTHING
    gained: Goods = NOTHING
    entered_play: Goods = NOTHING
    left_play: Goods = NOTHING
