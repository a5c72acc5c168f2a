"""Seals: a column for each row that the hash chain does not cover, and for the last entry of each table.

Older rows have no seal, and `bourse verify` reports them: nobody knows whether they were changed meanwhile.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1_1_seals"
down_revision = "1_0"

NEVER = "ledger entries are never changed or deleted: record a correction instead"
GAP = "this entry does not follow the last one of its table"
REMOVED = "this table was removed"

SEALED = ("entries", "people", "removals", "snapshots", "messages", "cursors", "key_values")

ENTRY = 'table_id, seq, kind, subject, version, at, "by", interaction, command_size, public, sealed, hash'

SQLITE_TRIGGERS = (
    "DROP TRIGGER entries_no_update",
    f"CREATE TRIGGER entries_no_update BEFORE UPDATE OF {ENTRY} ON entries BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
    "CREATE TRIGGER entries_no_seal BEFORE UPDATE OF seal ON entries WHEN NEW.seal IS NOT NULL"
    f" BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
    # Only the last entry has a seal, so a chain that was cut ends with an unsealed entry.
    "CREATE TRIGGER entries_one_seal AFTER INSERT ON entries BEGIN"
    " UPDATE entries SET seal = NULL WHERE table_id = NEW.table_id AND seq = NEW.seq - 1 AND seal IS NOT NULL; END",
)

POSTGRESQL_TRIGGERS = (
    "CREATE OR REPLACE FUNCTION entries_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF TG_OP = 'DELETE' THEN"
    " IF EXISTS (SELECT 1 FROM removals WHERE table_id = OLD.table_id) THEN RETURN OLD; END IF;"
    " END IF;"
    " IF TG_OP = 'UPDATE' THEN"
    " OLD.seal := NULL;"
    " IF NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;"
    " END IF;"
    f" RAISE EXCEPTION '{NEVER}' USING ERRCODE = 'restrict_violation'; END $$",
    "CREATE OR REPLACE FUNCTION entries_follow() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$ BEGIN"
    " IF EXISTS (SELECT 1 FROM removals WHERE table_id = NEW.table_id) THEN"
    f" RAISE EXCEPTION '{REMOVED}' USING ERRCODE = 'restrict_violation'; END IF;"
    " IF NEW.seq <> 1 AND NOT EXISTS"
    " (SELECT 1 FROM entries WHERE table_id = NEW.table_id AND seq = NEW.seq - 1) THEN"
    f" RAISE EXCEPTION '{GAP}' USING ERRCODE = 'restrict_violation'; END IF;"
    # Only the last entry has a seal, so a chain that was cut ends with an unsealed entry.
    " UPDATE entries SET seal = NULL WHERE table_id = NEW.table_id AND seq = NEW.seq - 1 AND seal IS NOT NULL;"
    " RETURN NEW; END $$",
)


def upgrade() -> None:
    for table in SEALED:
        op.add_column(table, sa.Column("seal", sa.Text))
    for statement in SQLITE_TRIGGERS if op.get_bind().dialect.name == "sqlite" else POSTGRESQL_TRIGGERS:
        op.execute(statement)
