"""The errors that the ledger raises. Each is one sentence that its reader can act on.

LedgerError         the ledger could not be opened, read or written
  +- NotWritten     nothing of what was to be written is in the ledger, and none of it will be
  |    +- Tampered  somebody without the key changed what this rests on: the operator must look into it
  +- FateUnknown    what was to be written may be in the ledger or not, and that can't be found out now
  +- LostRace       other entries came first: load the table again and decide again
  +- Repeated       this interaction is recorded already: answer with what was recorded then
  +- ChannelTaken   the channel has an open table already

Only `NotWritten` allows to tell a person that nothing has happened.
"""

from __future__ import annotations


class LedgerError(Exception):
    """The ledger could not do what it was asked to; ``str(error)`` is one sentence with the reason."""


class NotWritten(LedgerError):
    """The request was not written, and it is not going to be: it can be made again."""


class Tampered(NotWritten):
    """Something was changed outside the bot, so the bot neither uses it nor writes anything that rests on it.

    ``table_id`` is the table that stops because of it; None where it belongs to no table.
    """

    def __init__(self, table_id: int | None, what: str) -> None:
        where = "" if table_id is None else f"Table {table_id}: "
        super().__init__(f"{where}{what} was changed outside the bot: try bourse verify.")
        self.table_id, self.what = table_id, what


class FateUnknown(LedgerError):
    """A commit failed so that its request may be written or not, and the ledger could not find out which."""


class LostRace(LedgerError):
    """The new entries do not follow the table's last entry, or a person's number or user id is taken."""

    def __init__(self, table_id: int, after: int, last: int) -> None:
        super().__init__(f"Table {table_id} has moved on: decided after entry {after}, its last is {last}.")
        self.table_id, self.after, self.last = table_id, after, last


class Repeated(LedgerError):
    """The interaction is in the ledger already, with the entries ``first_seq`` to ``last_seq``."""

    def __init__(self, table_id: int, first_seq: int, last_seq: int) -> None:
        super().__init__(f"This was recorded before, at table {table_id} as entries {first_seq} to {last_seq}.")
        self.table_id, self.first_seq, self.last_seq = table_id, first_seq, last_seq


class ChannelTaken(LedgerError):
    """A channel holds one open table at a time; ``table_id`` is the one it has."""

    def __init__(self, table_id: int) -> None:
        super().__init__(f"This channel has an open table already, number {table_id}.")
        self.table_id = table_id
