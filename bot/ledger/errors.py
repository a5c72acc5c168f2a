"""What the ledger refuses, each with a sentence that its reader can act on.

LedgerError         the ledger could not be opened, read or written
  +- LostRace       somebody else's entries came first: load the table again and decide again
  +- Repeated       this interaction was recorded before: answer with what was recorded then
  +- ChannelTaken   the channel has an open table already
"""

from __future__ import annotations


class LedgerError(Exception):
    """The ledger could not do what it was asked; ``str(error)`` is one sentence that says why."""


class LostRace(LedgerError):
    """The table's last entry is not the one the new ones were decided upon, or a person's place is taken."""

    def __init__(self, table_id: int, after: int, last: int) -> None:
        super().__init__(f"Table {table_id} has moved on: decided after entry {after}, its last is {last}.")
        self.table_id, self.after, self.last = table_id, after, last


class Repeated(LedgerError):
    """An interaction's id is known: its entries ``first_seq`` to ``last_seq`` stand in the ledger already."""

    def __init__(self, table_id: int, first_seq: int, last_seq: int) -> None:
        super().__init__(f"This was recorded before, at table {table_id} as entries {first_seq} to {last_seq}.")
        self.table_id, self.first_seq, self.last_seq = table_id, first_seq, last_seq


class ChannelTaken(LedgerError):
    """A channel holds one open table at a time; ``table_id`` is the one it has."""

    def __init__(self, table_id: int) -> None:
        super().__init__(f"This channel has an open table already, number {table_id}.")
        self.table_id = table_id
