"""Tests of whom a player can trade with, as cards show it."""

from __future__ import annotations

from bot.show.partners import partners_now
from tests.show.playing import traded


def test_whoever_has_left_between_two_looks_is_no_partner() -> None:
    """The pairs are read after the view."""
    world = traded(3)
    view, pairs = world.view(1), world.pairs(1)
    left = world.seat(3)
    before = [two for two in pairs if left not in two.seats]
    assert partners_now(view, pairs) == [left]
    assert partners_now(view, before) == []
