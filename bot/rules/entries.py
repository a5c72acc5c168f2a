"""Entries: what happened at a table. The base of the ledger's vocabulary.

Each feature of the core and of a game defines its own kinds. An entry carries everything that applying and
describing it needs: goods as they really moved, numbers as they were given. Fields marked `Sealed` are not public;
`split` separates them from the public part before anything is stored.

A kind keeps its meaning for ever. When its fields change, ``v`` grows and the old shape is still read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from bot.rules.model.calls import Call
from bot.rules.model.references import Reference
from bot.rules.model.table import Table

Part = Literal["parties", "keeper"]


class Sealed:
    """Marks a field that only the entry's ``parties()`` may see, or nobody until the table closes (``keeper``)."""

    def __init__(self, part: Part) -> None:
        self.part: Part = part


class Entry(BaseModel):
    """Something that happened. Frozen; applying it never fails and never reads the clock."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    kind: str
    v: int = 1

    def parties(self) -> frozenset[str]:
        """Return the seats that may see what is sealed for the parties."""
        return frozenset()

    def subject(self) -> Reference | None:
        """Return what the entry is about, as the ledger indexes it: ``offer:12``; None for the table itself."""
        return None

    def seats(self) -> frozenset[str]:
        """Return the seats that the entry is about, as far as its public part tells."""
        return frozenset()

    def calls(self) -> Call | None:
        """Return whom it calls to the table; None for nobody."""
        return None

    def begins_phase(self) -> str:
        """Return the phase that begins with it, and so ends another; empty for none."""
        return ""

    def heading(self) -> str:
        """Return what begins with it, as a heading over what happened then; empty for none."""
        phase = self.begins_phase()
        return f"{phase.capitalize()} phase" if phase else ""

    def grants(self) -> int | None:
        """Return the number of the permit that it grants, if it does."""
        return None

    def by_itself(self) -> bool:
        """Return whether it follows from what a command ended, so that naming who gave it would explain nothing."""
        return False

    def apply(self, table: Table) -> Table:
        """Return the table after this entry, as far as the core's part of it is concerned."""
        return table

    def sentence(self, ruler: str) -> str:
        """Return what happened in a sentence with markup, such as ``It is <player:sol>'s turn.``

        ``ruler`` is who spoke for others: ``the host``, or a moderator. Empty for kinds that the core describes.
        """
        return ""

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the entry for a viewer who holds these of its ``parties()`` and may see the part sealed for them."""
        return self


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry in its place in the ledger. ``at`` is in milliseconds since 1970, UTC; ``by`` a person's number.

    ``command_size`` is the number of entries of its command, if it is the first one of a command that came from an
    interaction.
    """

    table_id: int
    seq: int
    at: int
    by: int | None
    entry: Entry
    hash: str
    command_size: int | None = None


@cache
def sealed_fields(kind: type[Entry]) -> Mapping[str, Part]:
    """Return which fields of this kind are sealed, and for whom."""
    return {
        name: mark.part
        for name, field in kind.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, Sealed)
    }


def kind_name(kind: type[Entry]) -> str:
    """Return the name of a kind of entry, such as ``offer.posted``."""
    return str(kind.model_fields["kind"].default)


def split(entry: Entry) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Separate an entry into what is public and what is sealed: ``{"parties": {...}, "keeper": {...}}``.

    A sealed field that this entry leaves empty is sealed all the same, so that its presence tells nothing.
    """
    public = entry.model_dump(mode="json")
    sealed: dict[str, dict[str, Any]] = {}
    for name, part in sealed_fields(type(entry)).items():
        sealed.setdefault(part, {})[name] = public.pop(name)
    return public, sealed
