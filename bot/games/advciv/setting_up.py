"""How a table of Advanced Civilization is set up: all say how many cities they have, and the cards are dealt."""

from __future__ import annotations

from collections.abc import Sequence

from bot.api import LabelledAction, Setup, StepView, Table
from bot.games.advciv.actions import BoardAction, CitiesPrompt
from bot.games.advciv.state import ACQUIRE, state_of


def _begun(table: Table) -> bool:
    """Return whether anybody has said how many cities they have, or has cards, or a later phase has begun."""
    state = state_of(table)
    cards = state.said or state.drawn or state.typed
    return bool(cards or state.turn > 1 or table.phase != ACQUIRE or table.window.number or table.transactions)


def _steps(table: Table) -> Sequence[StepView]:
    if not table.tracked:
        begin = (LabelledAction("Open trading", BoardAction(table.id, "open_trading")),)
        return (StepView("Trading", ("When all have drawn, the host opens it.",), False, begin, hosts=True),)
    lines = ("Each says how many cities they have; after the last one I deal. Real cards? **/holdings gain**.",)
    return (StepView("Cities", lines, False, (LabelledAction("My cities", CitiesPrompt(table.id)),)),)


SETUP = Setup(begun=_begun, steps=_steps, goods=False)
"""Seats, then cities. Hands are secret, so no goods are asked for."""
