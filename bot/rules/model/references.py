"""References: what an entry or a command is about, such as ``offer:12``. The ledger indexes entries by them."""

from __future__ import annotations

from typing import NewType

Reference = NewType("Reference", str)
"""A kind and a number or id. Only `reference` writes one, and only `number_in` reads one."""


def reference(kind: str, which: int | str) -> Reference:
    """Return the reference to the offer, deal, seat or the like with this number or id."""
    return Reference(f"{kind}:{which}")


def number_in(subject: Reference, kind: str) -> int | None:
    """Return the number of the reference if it is one of this kind, otherwise None."""
    found, _, which = subject.partition(":")
    return int(which) if found == kind and which.isdecimal() else None
