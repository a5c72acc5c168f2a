"""A person's notifications, as a card with a switch for each."""

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
"""The name of each kind of call."""

IN_A_ROW = 3
"""Buttons in a row: a phone has no room for more."""


def pings_card(muted: Collection[CallKind]) -> Card:
    """Return the kinds of notifications, with a button to switch each."""
    lines = "\n".join(f"{'🔕' if kind in muted else '🔔'} {LABELS[kind]}" for kind in CALL_KINDS)
    buttons = [_switch(kind, on=kind not in muted) for kind in CALL_KINDS]
    rows = tuple(tuple(buttons[first : first + IN_A_ROW]) for first in range(0, len(buttons), IN_A_ROW))
    small = "-# A message comes all the same, only silently. This is for you, at all your tables."
    return Card("open", ("### I ping you for", lines, small), rows)


def _switch(kind: CallKind, *, on: bool) -> Button:
    """Return the switch for one kind. Its label gives the present state; a press reverses it."""
    return Button(
        f"{'🔔' if on else '🔕'} {LABELS[kind]}", MutePing(0, kind, muted=on), "success" if on else "secondary"
    )
