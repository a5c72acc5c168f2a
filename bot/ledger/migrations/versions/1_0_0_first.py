"""The tables of Bourse 1.0.0, and the triggers that protect entries from changes."""

from __future__ import annotations

from functools import partial
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "1_0_0"
down_revision = None

NEVER = "ledger entries are never changed or deleted: record a correction instead"
GAP = "this entry does not follow the last one of its table"
REMOVED = "this table was removed"

ENTRY = (
    'table_id, seq, kind, subject, version, at, "by", interaction, command_size, public, sealed, '
    "hash"
)

SQLITE_TRIGGERS = (
    f"CREATE TRIGGER entries_no_update BEFORE UPDATE OF {ENTRY} ON entries BEGIN SELECT "
    f"RAISE(ABORT, '{NEVER}'); END",
    "CREATE TRIGGER entries_no_seal BEFORE UPDATE OF seal ON entries WHEN NEW.seal IS NOT NULL"
    f" BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
    # A removal is recorded before its entries are deleted.
    "CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries"
    " WHEN NOT EXISTS (SELECT 1 FROM removals WHERE table_id = OLD.table_id)"
    f" BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
    # INSERT OR REPLACE deletes without firing the trigger above.
    "CREATE TRIGGER entries_no_replace BEFORE INSERT ON entries WHEN EXISTS"
    " (SELECT 1 FROM entries WHERE table_id = NEW.table_id AND seq = NEW.seq)"
    " OR EXISTS (SELECT 1 FROM entries WHERE interaction = NEW.interaction)"
    f" BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
    # A writer with outdated knowledge must not leave a gap before its entries.
    "CREATE TRIGGER entries_no_gap BEFORE INSERT ON entries WHEN NEW.seq <> 1 AND NOT EXISTS"
    " (SELECT 1 FROM entries WHERE table_id = NEW.table_id AND seq = NEW.seq - 1)"
    f" BEGIN SELECT RAISE(ABORT, '{GAP}'); END",
    "CREATE TRIGGER entries_no_return BEFORE INSERT ON entries"
    " WHEN EXISTS (SELECT 1 FROM removals WHERE table_id = NEW.table_id)"
    f" BEGIN SELECT RAISE(ABORT, '{REMOVED}'); END",
    # Only the last entry has a seal, so a chain that was cut ends with an unsealed entry.
    "CREATE TRIGGER entries_one_seal AFTER INSERT ON entries BEGIN"
    " UPDATE entries SET seal = NULL WHERE table_id = NEW.table_id AND seq = NEW.seq - 1 AND seal "
    "IS NOT NULL; END",
)

POSTGRESQL_TRIGGERS = (
    "CREATE FUNCTION entries_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF TG_OP = 'DELETE' THEN"
    " IF EXISTS (SELECT 1 FROM removals WHERE table_id = OLD.table_id) THEN RETURN OLD; END IF;"
    " END IF;"
    " IF TG_OP = 'UPDATE' THEN"
    " OLD.seal := NULL;"
    " IF NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;"
    " END IF;"
    f" RAISE EXCEPTION '{NEVER}' USING ERRCODE = 'restrict_violation'; END $$",
    "CREATE TRIGGER entries_no_change BEFORE UPDATE OR DELETE ON entries"
    " FOR EACH ROW EXECUTE FUNCTION entries_are_kept()",
    "CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries"
    " FOR EACH STATEMENT EXECUTE FUNCTION entries_are_kept()",
    # Volatile, so that the function sees the rows that the same statement has already inserted.
    "CREATE FUNCTION entries_follow() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$ BEGIN"
    " IF EXISTS (SELECT 1 FROM removals WHERE table_id = NEW.table_id) THEN"
    f" RAISE EXCEPTION '{REMOVED}' USING ERRCODE = 'restrict_violation'; END IF;"
    " IF NEW.seq <> 1 AND NOT EXISTS"
    " (SELECT 1 FROM entries WHERE table_id = NEW.table_id AND seq = NEW.seq - 1) THEN"
    f" RAISE EXCEPTION '{GAP}' USING ERRCODE = 'restrict_violation'; END IF;"
    # Only the last entry has a seal, so a chain that was cut ends with an unsealed entry.
    " UPDATE entries SET seal = NULL WHERE table_id = NEW.table_id AND seq = NEW.seq - 1 AND seal "
    "IS NOT NULL;"
    " RETURN NEW; END $$",
    "CREATE TRIGGER entries_in_order BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION "
    "entries_follow()",
)

FREE_SPACE = "ALTER TABLE entries SET (fillfactor = 90)"
"""For updated rows, since each entry's seal is erased when another entry follows. An updated row on
the same page needs no new index keys.
"""


def upgrade() -> None:
    required = partial(sa.Column[Any], nullable=False)
    own_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")

    def of_table() -> sa.Column[int]:
        return required("table_id", own_id, sa.ForeignKey("tables.id"))

    def seal() -> sa.Column[str]:
        return sa.Column("seal", sa.Text)

    def index(
        name: str, table: str, columns: list[str], where: str, *, unique: bool = False
    ) -> None:
        condition = sa.text(where)
        op.create_index(
            name, table, columns, unique=unique, sqlite_where=condition, postgresql_where=condition
        )

    op.create_table(
        "tables",
        sa.Column("id", own_id, primary_key=True),
        sa.Column("guild_id", sa.BigInteger),
        required("channel_id", sa.BigInteger),
        required("place_salt", sa.Text),
        required("game", sa.Text),
        required("name", sa.Text),
        sa.Column("closed_at", sa.BigInteger),
        sa.Column("deadline", sa.BigInteger),
    )
    index("one_open_table_per_channel", "tables", ["channel_id"], "closed_at IS NULL", unique=True)
    index("tables_by_deadline", "tables", ["deadline"], "deadline IS NOT NULL")
    index("open_tables_by_server", "tables", ["guild_id"], "closed_at IS NULL")
    op.create_index("tables_by_channel", "tables", ["channel_id"])
    op.create_table(
        "entries",
        of_table(),
        required("seq", sa.Integer),
        required("kind", sa.Text),
        sa.Column("subject", sa.Text),
        required("version", sa.Integer),
        required("at", sa.BigInteger),
        sa.Column("by", sa.Integer),
        sa.Column("interaction", sa.BigInteger),
        sa.Column("command_size", sa.SmallInteger),
        required("public", sa.Text),
        sa.Column("sealed", sa.Text),
        required("hash", sa.Text),
        seal(),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    index(
        "one_command_per_interaction",
        "entries",
        ["interaction"],
        "interaction IS NOT NULL",
        unique=True,
    )
    index("entries_by_subject", "entries", ["table_id", "subject", "seq"], "subject IS NOT NULL")
    op.create_index("entries_by_kind", "entries", ["table_id", "kind", "seq"])
    op.create_table(
        "people",
        of_table(),
        required("person", sa.Integer),
        sa.Column("user_id", sa.BigInteger),
        required("name", sa.Text),
        sa.Column("salt", sa.Text),
        seal(),
        sa.PrimaryKeyConstraint("table_id", "person"),
        sa.UniqueConstraint("table_id", "user_id", name="one_number_per_user"),
    )
    op.create_index("ix_people_user_id", "people", ["user_id"])
    op.create_table(
        "removals",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        required("table_id", own_id, sa.ForeignKey("tables.id"), unique=True),
        required("at", sa.BigInteger),
        required("last_seq", sa.Integer),
        required("head", sa.Text),
        required("hash", sa.Text),
        seal(),
    )
    op.create_table(
        "snapshots",
        of_table(),
        required("seq", sa.Integer),
        required("hash", sa.Text),
        sa.Column("guild_id", sa.BigInteger),
        required("channel_id", sa.BigInteger),
        required("people", sa.Integer),
        required("state", sa.Text),
        seal(),
        sa.PrimaryKeyConstraint("table_id"),
    )
    op.create_table(
        "messages",
        of_table(),
        required("subject", sa.Text),
        required("channel_id", sa.BigInteger),
        required("message_id", sa.BigInteger),
        required("shown", sa.Text),
        required("fate", sa.Text),
        required("entry", sa.Integer),
        required("generation", sa.Integer),
        required("anchor", sa.Text),
        required("at", sa.BigInteger),
        required("reason", sa.Text),
        seal(),
        sa.PrimaryKeyConstraint("table_id", "subject"),
    )
    index("messages_owed", "messages", ["table_id"], "fate NOT IN ('shown', 'given_up')")
    op.create_table(
        "cursors",
        of_table(),
        required("seq", sa.Integer),
        seal(),
        sa.PrimaryKeyConstraint("table_id"),
    )
    op.create_table(
        "key_values",
        sa.Column("key", sa.Text, primary_key=True),
        required("value", sa.Text),
        seal(),
    )
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in SQLITE_TRIGGERS if on_sqlite else (*POSTGRESQL_TRIGGERS, FREE_SPACE):
        op.execute(statement)
