"""The database's tables in SQLAlchemy Core, as of the newest migration.

Discord's ids are 64 bits wide. Times are milliseconds since 1970, UTC. JSON is stored as text,
exactly the bytes that the chain's hashes cover. `bot.ledger.verification` checks every column, by
the chain or by a seal.
"""

from __future__ import annotations

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
    Column("channel_id", BigInteger, nullable=False),
    Column("place_salt", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
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
    Column("table_id", _own_id, ForeignKey(_of_table), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text),
    Column("version", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", Integer),
    # Only on the first row of a command that came from an interaction: its id, and the command's
    # number of rows.
    Column("interaction", BigInteger),
    Column("command_size", SmallInteger),
    Column("public", Text, nullable=False),
    Column("sealed", Text),
    Column("hash", Text, nullable=False),
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
    Column("table_id", _own_id, ForeignKey(_of_table), nullable=False),
    Column("person", Integer, nullable=False),
    Column("user_id", BigInteger, index=True),
    Column("name", Text, nullable=False),
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
    Column("table_id", _own_id, ForeignKey(_of_table), nullable=False, unique=True),
    Column("at", BigInteger, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("head", Text, nullable=False),
    Column("hash", Text, nullable=False),
    _seal(),
)

# A cache: the newest saved state of each table, with the hash of its entry, the table's place and
# the highest number of its people.
snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("hash", Text, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("people", Integer, nullable=False),
    Column("state", Text, nullable=False),
    _seal(),
)

# Delivery's state: what is posted where, and up to which entry each table's messages are planned.
messages = Table(
    "messages",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), nullable=False),
    Column("subject", Text, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("shown", Text, nullable=False),
    Column("fate", Text, nullable=False),
    Column("entry", Integer, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    _seal(),
    PrimaryKeyConstraint("table_id", "subject"),
    _index("messages_owed", "table_id", where="fate NOT IN ('shown', 'given_up')"),
)

cursors = Table(
    "cursors",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    _seal(),
)

key_values = Table(
    "key_values",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
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
