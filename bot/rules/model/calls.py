"""Calls: what notifies people, which each of them may silence for themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CallKind = Literal["turn", "offer", "confirm", "answer", "opens", "last_minute"]
"""Why somebody is notified: it is their turn, there is an offer to them, something waits for their word, their offer
was accepted or declined, the time for trade begins, it is nearly over.
"""

CALL_KINDS: tuple[CallKind, ...] = ("turn", "offer", "confirm", "answer", "opens", "last_minute")


@dataclass(frozen=True, slots=True)
class Call:
    """Whom an entry calls to the table, for all to see: these seats, or without any everybody who plays."""

    kind: CallKind
    seats: tuple[str, ...] = ()
