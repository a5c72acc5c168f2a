"""Verifies one table: its chain, and the other rows that its entries commit to.

The rows may contain anything. Every fault is returned as a `BadEntry`; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from bot.ledger import chain
from bot.ledger.chain import PLACE, is_salt, person_digest, person_number, place_digest
from bot.ledger.keys import AnyRow, Key
from bot.ledger.values import BadEntry, Head
from bot.rules import vocabulary
from bot.rules.entries import Entry
from bot.rules.features.seats import SeatTaken
from bot.rules.features.tables import TableClosed, TableMoved, TableNamed, TableOpened
from bot.rules.uninstalled import UnknownEntry

OPENED, NAMED = TableOpened.kind, TableNamed.kind
MOVED, CLOSED = TableMoved.kind, TableClosed.kind


@dataclass(slots=True)
class Verifier:
    """Checks a table's rows, given in order to `add`. The other checks come after the last row."""

    table_id: int
    key: Key
    head: Head = field(default_factory=Head)
    ended: bool = False
    misfit: BadEntry | None = None
    opened: Mapping[str, Any] | None = None
    name: str = ""
    named: int = 1
    closed_at: int | None = None
    placed: int = 1
    claimed: int = 0
    interaction: int | None = None
    committed: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, row: AnyRow) -> BadEntry | None:
        """Check the next row: its hash, seal (if any), commitments, interaction and subject."""
        found = follow(self.table_id, self.head, row)
        if isinstance(found, BadEntry):
            return found
        self.head = found
        self.ended = row.seal is not None
        if self.ended and row.seal != self.key.seal_head(self.table_id, *self.head):
            self.misfit = self.misfit or BadEntry(
                row.seq, "the chain up to here is not what this bot wrote"
            )
        if row.kind == OPENED:
            self.opened = orjson.loads(row.public)
            self.name = self.opened.get("name", "")
        elif row.kind == NAMED:
            self.name = orjson.loads(row.public).get("name", "")
            self.named = row.seq
        elif row.kind == MOVED:
            self.placed = row.seq
        elif row.kind == CLOSED:
            self.closed_at = row.at
        return self._commitments(row) or self._command(row) or self._entry(row)

    def end(self) -> BadEntry | None:
        """Check that the last row is the last one that this bot wrote."""
        if self.misfit or self.ended or not self.head.seq:
            return self.misfit
        return BadEntry(
            self.head.seq + 1,
            "the entry is missing: the one before it is not the last that this bot wrote",
        )

    def directory(self, before: AnyRow | None, after: AnyRow | None) -> BadEntry | None:
        """Check game, name and closing time in the table's row, read ``before`` and ``after`` the
        entries.
        """
        if before is None or after is None:
            return None
        if self.opened is not None and before.game != self.opened["game"]:
            return BadEntry(1, "the table's game is not the one that this entry opened")
        # The table may be named while it is being verified.
        if self.name and self.name not in (before.name, after.name):
            return BadEntry(self.named, "the table's name is not the one that this entry gives")
        # The table may be closed while it is being verified.
        found = before.closed_at if self.closed_at is None else after.closed_at
        if found != self.closed_at:
            return BadEntry(
                self.head.seq,
                f"the table is said to be closed at {found}, but it was at {self.closed_at}",
            )
        return None

    def place(self, before: AnyRow | None, after: AnyRow | None) -> BadEntry | None:
        """Check server and channel in the table's row against the commitment of the first entry, or
        of the last move.

        The row was read ``before`` and ``after`` the entries, since the table may move while it is
        being verified.
        """
        if before is None:
            return BadEntry(1, "its table is not in the list of tables") if self.head.seq else None
        if not self.head.seq:
            return BadEntry(1, "the entry is missing")
        if self.committed.get(PLACE, (0,))[0] != self.placed:
            return BadEntry(
                self.placed, "the entry does not commit to the table's server and channel"
            )
        digest = self.committed[PLACE][1]
        fault = place_fault(before, digest, self.placed)
        return fault and (place_fault(after, digest, self.placed) if after is not None else fault)

    def people(self, before: Iterable[AnyRow], after: Iterable[AnyRow]) -> BadEntry | None:
        """Check the people against their commitments.

        People may join while a table is being verified. The entries must commit to everyone read
        ``before`` them, and the people read ``after`` them must include everyone committed to.
        """
        numbers = {person_number(name) for name in self.committed} - {None}
        for row in before:
            if row.person not in numbers:
                return BadEntry(
                    self.head.seq + 1, f"the entry is missing that brings person {row.person}"
                )
        rows = {row.person: row for row in after}
        for name, (seq, digest) in self.committed.items():
            number = person_number(name)
            if number is not None and (reason := _person(number, rows.get(number), digest)):
                return BadEntry(seq, reason)
        return None

    def claims(self, rows: Iterable[AnyRow]) -> BadEntry | None:
        """Check that the last entry that other rows refer to exists."""
        numbers = [row.seq for row in rows if isinstance(row.seq, int)]
        last = max(self.claimed, *numbers, 0)
        if last > self.head.seq:
            return BadEntry(
                self.head.seq + 1, f"the entry is missing: others refer to entries up to {last}"
            )
        return None

    def _commitments(self, row: AnyRow) -> BadEntry | None:
        for name, digest in chain.commitments_of(row.sealed).items():
            if name in self.committed and (name != PLACE or row.kind != MOVED):
                return BadEntry(
                    row.seq,
                    f"the commitment {name} was made before, by entry {self.committed[name][0]}",
                )
            self.committed[name] = (row.seq, digest)
        return None

    def _command(self, row: AnyRow) -> BadEntry | None:
        if row.interaction is None and row.command_size is None:
            if row.seq > self.claimed:
                self.interaction = None
            return None
        if not _is_id(row.interaction) or not _is_id(row.command_size) or row.command_size < 1:
            return BadEntry(row.seq, "its interaction is not as it was written")
        if row.seq <= self.claimed:
            return BadEntry(row.seq, "an interaction begins among the entries of another")
        self.claimed, self.interaction = row.seq + row.command_size - 1, row.interaction
        return None

    def _entry(self, row: AnyRow) -> BadEntry | None:
        try:
            entry = read_entry(row)
        except DECODING_ERRORS:  # the earlier checks report the fault
            return None
        # only its game, which is not installed, knows its subject
        if isinstance(entry, UnknownEntry):
            return None
        if entry.subject() != row.subject:
            return BadEntry(row.seq, f"its subject is not {row.subject!r} but {entry.subject()!r}")
        if isinstance(entry, SeatTaken) and entry.interaction != self.interaction:
            return BadEntry(row.seq, "the person did not sit down by the command that it names")
        return None


def follow(table_id: int, head: Head, row: AnyRow) -> Head | BadEntry:
    """Check the next row against the chain. Return the new head, or the fault. Never raises."""
    found = chain.StoredRow(
        row.table_id,
        row.seq,
        row.kind,
        row.version,
        row.at,
        row.by,
        row.public,
        row.sealed,
        row.hash,
        row.interaction,
        row.command_size,
    )
    return chain.check_row(table_id, head, found)


def place_fault(row: AnyRow, digest: str, seq: int = 1) -> BadEntry | None:
    """Return why a table's row does not match the commitment of an entry to its server and channel;
    None if it does.
    """
    if (
        not is_salt(row.place_salt)
        or not _is_id(row.channel_id)
        or not (row.guild_id is None or _is_id(row.guild_id))
    ):
        return BadEntry(seq, "the table's server, channel or salt is not as it was written")
    if place_digest(row.place_salt, row.guild_id, row.channel_id) != digest:
        return BadEntry(
            seq, "the table's server or channel is not the one that this entry commits to"
        )
    return None


def read_entry(row: AnyRow) -> Entry:
    """Return the entry of a stored row.

    Raises one of `DECODING_ERRORS` if it was changed by hand, or no installed game knows its kind.
    """
    sealed = orjson.loads(row.sealed) if row.sealed is not None else {}
    return vocabulary.read_entry(
        orjson.loads(row.public),
        {part: cell["data"] for part, cell in chain.without_commitments(sealed).items()},
    )


DECODING_ERRORS = (ValueError, TypeError, KeyError, AttributeError)
"""The errors that `read_entry` raises."""


def _person(number: int, row: AnyRow | None, digest: str) -> str | None:
    """Return why a person's row does not match its commitment; None if it does."""
    if row is None:
        return f"person {number}, who came with this entry, is missing"
    if row.user_id is None and row.salt is None:
        return None  # erased
    if not _is_id(row.user_id) or not is_salt(row.salt):
        return f"person {number} is neither known nor erased"
    if person_digest(row.salt, number, row.user_id) != digest:
        return f"person {number} is not the user that this entry commits to"
    return None


def _is_id(value: object) -> bool:
    return type(value) is int
