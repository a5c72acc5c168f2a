"""The errors that the ledger raises. The text of each is one sentence that its reader can act on.

LedgerError         the ledger could not be opened, read or written
  +- NotWritten     the request was not written and will not be
  |    +- Tampered  stored data was changed without the key: the operator must investigate
  +- Damaged        a part of the database can't be read, now or later: the operator must act
  +- Unreachable    the database could not be opened now, and may be there later
  +- OutcomeUnknown the request may or may not be written, and the ledger can't find out which
  +- Unread         the request is written, and its result can't be read just now
  +- LostRace       other entries came first: load the table and decide again
  +- Repeated       this interaction is already recorded: answer with its recorded entries
  +- ChannelTaken   the channel already has an open table

Only after `NotWritten` may a person be told that nothing happened.
"""

from __future__ import annotations


class LedgerError(Exception):
    """A request to the ledger failed. ``str(error)`` is one sentence with the reason."""


class NotWritten(LedgerError):
    """The request was not written and will not be. It can be repeated."""


class Tampered(NotWritten):
    """Stored data was changed outside the bot. The bot neither uses it nor writes anything based on
    it.

    ``table_id`` is the affected table, which stops; None if the data belong to no table.
    """

    def __init__(self, table_id: int | None, what: str) -> None:
        where = "" if table_id is None else f"Table {table_id}: "
        super().__init__(f"{where}{what} was changed outside the bot: try bourse verify.")
        self.table_id, self.what = table_id, what


class Damaged(LedgerError):
    """Part of the database can't be read, and waiting does not help. Other tables may be sound.

    ``table_id`` is the affected table; None if it may be any.
    """

    def __init__(self, text: str, table_id: int | None = None) -> None:
        super().__init__(text)
        self.table_id = table_id


class Unreachable(LedgerError):
    """The database could not be opened, because its server is not up yet or another program has
    locked it.
    """


class OutcomeUnknown(LedgerError):
    """A commit failed, and the ledger could not find out whether its request was written."""


class Unread(LedgerError):
    """The request is written, and its result can't be read just now."""


class LostRace(LedgerError):
    """The new entries don't follow the table's last entry, or a person's number or user id is
    taken.
    """

    def __init__(self, table_id: int, after: int, last: int) -> None:
        super().__init__(
            f"Table {table_id} has moved on: decided after entry {after}, its last is {last}."
        )
        self.table_id, self.after, self.last = table_id, after, last


class Repeated(LedgerError):
    """The interaction is already recorded, as entries ``first_seq`` to ``last_seq``."""

    def __init__(self, table_id: int, first_seq: int, last_seq: int) -> None:
        super().__init__(
            f"This was recorded before, at table {table_id} as entries {first_seq} to {last_seq}."
        )
        self.table_id, self.first_seq, self.last_seq = table_id, first_seq, last_seq


class ChannelTaken(LedgerError):
    """The channel already has an open table, ``table_id``. It can have only one at a time."""

    def __init__(self, table_id: int) -> None:
        super().__init__(f"This channel has an open table already, number {table_id}.")
        self.table_id = table_id
