"""Stamps: what tells an entry of this ledger from one of the same number in another.

A ledger that was put back from a backup gives the numbers of the lost entries once more. So a
button carries the stamp of the newest entry that it is about, made of the entry's time. A button
whose stamp no entry of its table has is of entries that were lost.
"""

from __future__ import annotations

import string
from typing import NamedTuple, Protocol

LETTERS = string.ascii_letters
DIGITS = f"{string.ascii_letters}{string.digits}-_"
STAMP = 4
"""The length of a stamp, in characters: a letter and three digits, which repeat after 3.7 hours."""


class Stamp(NamedTuple):
    """The stamp of an entry, by the number of its table and its own."""

    table: int
    seq: int
    text: str


class Stamped(Protocol):
    """A table, or a view of one."""

    @property
    def id(self) -> int: ...
    @property
    def seq(self) -> int: ...
    @property
    def stamps(self) -> str: ...


def stamp_text(at: int) -> str:
    """Return the stamp of an entry of this time, in milliseconds since 1970.

    >>> stamp_text(1_767_551_400_123), stamp_text(1_767_551_400_124)
    ('LrVl', 'LrVm')
    """
    digits = []
    for _ in range(STAMP - 1):
        at, digit = divmod(at, len(DIGITS))
        digits.append(DIGITS[digit])
    return LETTERS[at % len(LETTERS)] + "".join(reversed(digits))


def with_stamps(stamps: str, seq: int, at: int) -> str:
    """Return the stamps of a table's entries up to ``seq``; those that are missing are of this
    time.
    """
    missing = seq - len(stamps) // (STAMP + 1)
    return stamps + f"{stamp_text(at)} " * missing


def stamp_in(stamps: str, seq: int) -> str:
    """Return the stamp of this entry; empty if it is not known."""
    first = (seq - 1) * (STAMP + 1)
    return stamps[first : first + STAMP] if seq > 0 else ""


def newest_stamp(table: Stamped) -> Stamp | None:
    """Return the stamp of a table's last entry; None if it is not known."""
    return stamp_at(table, table.seq)


def stamp_at(table: Stamped, seq: int) -> Stamp | None:
    """Return the stamp of this entry of a table; None if it is not known."""
    text = stamp_in(table.stamps, seq)
    return Stamp(table.id, seq, text) if text else None


def has_stamp(stamps: str, text: str) -> bool:
    """Return whether an entry has this stamp."""
    return f"{text} " in stamps
