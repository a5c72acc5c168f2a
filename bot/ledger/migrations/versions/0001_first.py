"""The first tables, and the triggers that keep entries as they were written."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NEVER = "ledger entries are never changed or deleted: record a correction instead"

SQLITE_TRIGGERS = (
    f"CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
    f"CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
    # INSERT OR REPLACE deletes without asking the trigger above
    "CREATE TRIGGER entries_no_replace BEFORE INSERT ON entries WHEN EXISTS"
    " (SELECT 1 FROM entries WHERE table_id = NEW.table_id AND seq = NEW.seq)"
    f" BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
)

POSTGRESQL_TRIGGERS = (
    "CREATE FUNCTION entries_are_kept() RETURNS trigger LANGUAGE plpgsql AS"
    f" $$ BEGIN RAISE EXCEPTION '{NEVER}' USING ERRCODE = 'restrict_violation'; END $$",
    "CREATE TRIGGER entries_no_change BEFORE UPDATE OR DELETE ON entries"
    " FOR EACH ROW EXECUTE FUNCTION entries_are_kept()",
    "CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries"
    " FOR EACH STATEMENT EXECUTE FUNCTION entries_are_kept()",
)


def upgrade() -> None:
    own_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")

    def of_table() -> sa.Column[int]:
        return sa.Column("table_id", own_id, sa.ForeignKey("tables.id"), nullable=False)

    op.create_table(
        "tables",
        sa.Column("id", own_id, primary_key=True),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("closed_at", sa.BigInteger),
    )
    still_open = sa.text("closed_at IS NULL")
    op.create_index(
        "one_open_table_per_channel",
        "tables",
        ["channel_id"],
        unique=True,
        sqlite_where=still_open,
        postgresql_where=still_open,
    )
    op.create_table(
        "entries",
        of_table(),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Integer),
        sa.Column("public", sa.Text, nullable=False),
        sa.Column("sealed", sa.Text),
        sa.Column("hash", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "interactions",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        of_table(),
        sa.Column("first_seq", sa.Integer, nullable=False),
        sa.Column("last_seq", sa.Integer, nullable=False),
    )
    op.create_index("ix_interactions_table_id", "interactions", ["table_id"])
    op.create_table(
        "people",
        of_table(),
        sa.Column("person", sa.Integer, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "person"),
        sa.UniqueConstraint("table_id", "user_id", name="one_number_per_user"),
    )
    op.create_index("ix_people_user_id", "people", ["user_id"])
    op.create_table(
        "snapshots",
        of_table(),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id"),
    )
    op.create_table(
        "messages",
        of_table(),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("message_id", sa.BigInteger, nullable=False),
        sa.Column("shown", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "subject"),
    )
    op.create_table(
        "cursors",
        of_table(),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id"),
    )
    op.create_table(
        "marks",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    for statement in SQLITE_TRIGGERS if op.get_bind().dialect.name == "sqlite" else POSTGRESQL_TRIGGERS:
        op.execute(statement)
