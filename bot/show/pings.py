"""What notifies a person, as a card with a switch for each."""

from __future__ import annotations

from collections.abc import Collection

from bot.rules.model.calls import CALL_KINDS, CallKind
from bot.show.actions import MutePing
from bot.show.cards import Button, Card

LABELS: dict[CallKind, str] = {
    "turn": "Your turn",
    "offer": "An offer to you",
    "confirm": "Something to confirm",
    "answer": "Your offer accepted or declined",
    "opens": "Trading opens",
    "last_minute": "One minute left",
}
"""What each kind of call is called."""

IN_A_ROW = 3
"""Buttons in a row: more of them don't fit beside each other on a phone."""


def pings_card(muted: Collection[CallKind]) -> Card:
    """Return what notifies a person, with a button for each to change that."""
    lines = "\n".join(f"{'🔕' if kind in muted else '🔔'} {LABELS[kind]}" for kind in CALL_KINDS)
    buttons = [_switch(kind, on=kind not in muted) for kind in CALL_KINDS]
    rows = tuple(tuple(buttons[first : first + IN_A_ROW]) for first in range(0, len(buttons), IN_A_ROW))
    small = "-# A message comes all the same, only silently. This is for you, at all your tables."
    return Card("open", ("### I ping you for", lines, small), rows)


def _switch(kind: CallKind, *, on: bool) -> Button:
    """Return the button that changes one of them. Its label says what is so, and so what a press changes."""
    return Button(
        f"{'🔔' if on else '🔕'} {LABELS[kind]}", MutePing(0, kind, muted=on), "success" if on else "secondary"
    )
