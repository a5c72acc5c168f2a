"""The database's tables in SQLAlchemy Core, as of the newest migration.

Discord's ids are 64 bits wide. Times are milliseconds since 1970, UTC. JSON is stored as text,
exactly the bytes that the chain's hashes cover. `bot.ledger.verification` checks every column, by
the chain or by a seal.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Select,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    select,
    text,
)

from bot.ledger.keys import SEAL

Query = Select[Any]
Condition = ColumnElement[bool]

metadata = MetaData()

_own_id = BigInteger().with_variant(Integer, "sqlite")  # SQLite autoincrements only INTEGER columns
_of_table = "tables.id"
_required = partial(Column[Any], nullable=False)


def _seal() -> Column[str]:
    """Return the column for a row's seal; see `bot.ledger.keys`."""
    return Column(SEAL, Text)


def _index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    # On PostgreSQL the migrations say where. Saying it here would load SQLAlchemy's PostgreSQL with
    # every start.
    return Index(name, *columns, unique=unique, sqlite_where=text(where))


# The directory: which game is played where, and when the table needs the clock next.
tables = Table(
    "tables",
    metadata,
    Column("id", _own_id, primary_key=True),
    Column("guild_id", BigInteger),
    _required("channel_id", BigInteger),
    _required("place_salt", Text),
    _required("game", Text),
    _required("name", Text),
    Column("closed_at", BigInteger),
    Column("deadline", BigInteger),
    _index("one_open_table_per_channel", "channel_id", unique=True, where="closed_at IS NULL"),
    _index("tables_by_deadline", "deadline", where="deadline IS NOT NULL"),
    _index("open_tables_by_server", "guild_id", where="closed_at IS NULL"),
    Index("tables_by_channel", "channel_id"),
)

# What happened. Triggers allow only inserts, each directly after the previous entry.
entries = Table(
    "entries",
    metadata,
    _required("table_id", _own_id, ForeignKey(_of_table)),
    _required("seq", Integer),
    _required("kind", Text),
    Column("subject", Text),
    _required("version", Integer),
    _required("at", BigInteger),
    Column("by", Integer),
    # Only on the first row of a command that came from an interaction: its id, and the command's
    # number of rows.
    Column("interaction", BigInteger),
    Column("command_size", SmallInteger),
    _required("public", Text),
    Column("sealed", Text),
    _required("hash", Text),
    _seal(),
    PrimaryKeyConstraint("table_id", "seq"),
    _index(
        "one_command_per_interaction", "interaction", unique=True, where="interaction IS NOT NULL"
    ),
    _index("entries_by_subject", "table_id", "subject", "seq", where="subject IS NOT NULL"),
    Index("entries_by_kind", "table_id", "kind", "seq"),
    sqlite_with_rowid=False,
)

# The Discord users behind a table's numbers. Erasing user and salt breaks no chain.
people = Table(
    "people",
    metadata,
    _required("table_id", _own_id, ForeignKey(_of_table)),
    _required("person", Integer),
    Column("user_id", BigInteger, index=True),
    _required("name", Text),
    Column("salt", Text),
    _seal(),
    PrimaryKeyConstraint("table_id", "person"),
    UniqueConstraint("table_id", "user_id", name="one_number_per_user"),
)

# The tables that hosts removed: when, and each chain's last entry and hash.
removals = Table(
    "removals",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    _required("table_id", _own_id, ForeignKey(_of_table), unique=True),
    _required("at", BigInteger),
    _required("last_seq", Integer),
    _required("head", Text),
    _required("hash", Text),
    _seal(),
)

# A cache: the newest saved state of each table, with the hash of its entry, the table's place and
# the highest number of its people.
snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), primary_key=True, autoincrement=False),
    _required("seq", Integer),
    _required("hash", Text),
    Column("guild_id", BigInteger),
    _required("channel_id", BigInteger),
    _required("people", Integer),
    _required("state", Text),
    _seal(),
)

# Delivery's state: what is posted where, and up to which entry each table's messages are planned.
messages = Table(
    "messages",
    metadata,
    _required("table_id", _own_id, ForeignKey(_of_table)),
    _required("subject", Text),
    _required("channel_id", BigInteger),
    _required("message_id", BigInteger),
    _required("shown", Text),
    _required("fate", Text),
    _required("entry", Integer),
    _required("generation", Integer),
    _required("anchor", Text),
    _required("at", BigInteger),
    _required("reason", Text),
    _seal(),
    PrimaryKeyConstraint("table_id", "subject"),
    _index("messages_owed", "table_id", where="fate NOT IN ('shown', 'given_up')"),
)

cursors = Table(
    "cursors",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), primary_key=True, autoincrement=False),
    _required("seq", Integer),
    _seal(),
)

key_values = Table(
    "key_values",
    metadata,
    Column("key", Text, primary_key=True),
    _required("value", Text),
    _seal(),
)

SEALED: tuple[Table, ...] = (people, removals, snapshots, messages, cursors, key_values)
"""The tables in which every row has a seal over all its columns. In `entries`, only each table's
last row has one.
"""

OPEN = tables.c.closed_at.is_(None)
_removed = select(removals.c.seq).where(removals.c.table_id == tables.c.id)
NOT_REMOVED = ~_removed.exists()
"""The table was not removed. ``NOT EXISTS`` uses an index on PostgreSQL; ``NOT IN`` would read all
removals.
"""

OWED = text("messages.fate NOT IN ('shown', 'given_up')")
"""Literally as in the index `messages_owed`: with bound parameters, not every database would use
it.
"""

HEAD: Query = (
    select(entries.c.seq, entries.c.hash, entries.c.seal)
    .where(entries.c.table_id == bindparam("of_table"))
    .order_by(entries.c.seq.desc())
    .limit(1)
)
"""The last entry of the table ``of_table``. Used before almost every read of a table, so it is
built once.
"""
