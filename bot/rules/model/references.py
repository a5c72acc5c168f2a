"""References: what an entry or a command is about, such as ``offer:12``. The ledger indexes entries by them."""

from __future__ import annotations

from typing import NewType

Reference = NewType("Reference", str)
"""A kind, a colon, and a number or id. Write it with `reference` and read it with `number_in` only."""


def reference(kind: str, which: int | str) -> Reference:
    """Return the reference to the offer, deal or seat (or other kind) with this number or id."""
    return Reference(f"{kind}:{which}")


def number_in(subject: Reference, kind: str) -> int | None:
    """Return the number in the reference; None if it is of another kind."""
    found, _, which = subject.partition(":")
    return int(which) if found == kind and which.isdecimal() else None
