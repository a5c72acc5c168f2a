"""Calls: notifications of people at a table. Each person can silence each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CallKind = Literal["turn", "offer", "confirm", "answer", "opens", "last_minute"]
"""The reason for a notification.

``turn``: it is their turn. ``offer``: there is an offer to them. ``confirm``: something waits for them. ``answer``:
their offer was accepted or declined. ``opens``: the time for trade begins. ``last_minute``: it is nearly over.
"""

CALL_KINDS: tuple[CallKind, ...] = ("turn", "offer", "confirm", "answer", "opens", "last_minute")


@dataclass(frozen=True, slots=True)
class Call:
    """A public notification of these seats, or of all players if ``seats`` is empty."""

    kind: CallKind
    seats: tuple[str, ...] = ()
