"""The ledger's tables, as SQLAlchemy Core sees them: what the newest of the migrations leaves.

Discord's ids are 64 bits wide. Times are milliseconds since 1970, UTC. JSON is kept as text, byte for byte
what the chain's hashes cover.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()

_own_id = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up only in what is declared INTEGER
_of_table = "tables.id"

# the directory: which game is played where
tables = Table(
    "tables",
    metadata,
    Column("id", _own_id, primary_key=True),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("closed_at", BigInteger),
    Index(
        "one_open_table_per_channel",
        "channel_id",
        unique=True,
        sqlite_where=text("closed_at IS NULL"),
        postgresql_where=text("closed_at IS NULL"),
    ),
)

# what happened; rows are only ever inserted, which triggers see to
entries = Table(
    "entries",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", Integer),
    Column("public", Text, nullable=False),
    Column("sealed", Text),
    Column("hash", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "seq"),
    sqlite_with_rowid=False,
)

# which of Discord's interactions made which entries
interactions = Table(
    "interactions",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("table_id", _own_id, ForeignKey(_of_table), nullable=False, index=True),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
)

# who a table's numbers are on Discord; may be erased without breaking a chain
people = Table(
    "people",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), nullable=False),
    Column("person", Integer, nullable=False),
    Column("user_id", BigInteger, index=True),
    Column("name", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "person"),
    UniqueConstraint("table_id", "user_id", name="one_number_per_user"),
)

# what is left of a table that its host had removed: when, and where its chain ended
removals = Table(
    "removals",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("hash", Text, nullable=False),
)

# a cache: the newest saved state of each table
snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("state", Text, nullable=False),
)

# the herald's memory: what it posted where, and how far it has told each table's story
messages = Table(
    "messages",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), nullable=False),
    Column("subject", Text, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("shown", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "subject"),
)

cursors = Table(
    "cursors",
    metadata,
    Column("table_id", _own_id, ForeignKey(_of_table), primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
)

marks = Table(
    "marks",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
