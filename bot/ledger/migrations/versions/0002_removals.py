"""Tables that were removed: what is left of them, and triggers that let their entries go and no others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

NEVER = "ledger entries are never changed or deleted: record a correction instead"

SQLITE_TRIGGERS = (
    "DROP TRIGGER entries_no_delete",
    "CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries"
    " WHEN NOT EXISTS (SELECT 1 FROM removals WHERE table_id = OLD.table_id)"
    f" BEGIN SELECT RAISE(ABORT, '{NEVER}'); END",
    "CREATE TRIGGER entries_no_return BEFORE INSERT ON entries"
    " WHEN EXISTS (SELECT 1 FROM removals WHERE table_id = NEW.table_id)"
    " BEGIN SELECT RAISE(ABORT, 'this table was removed'); END",
)

POSTGRESQL_TRIGGERS = (
    "CREATE OR REPLACE FUNCTION entries_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF TG_OP = 'DELETE' THEN"
    " IF EXISTS (SELECT 1 FROM removals WHERE table_id = OLD.table_id) THEN RETURN OLD; END IF;"
    " END IF;"
    f" RAISE EXCEPTION '{NEVER}' USING ERRCODE = 'restrict_violation'; END $$",
    "CREATE FUNCTION removed_tables_stay_so() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF EXISTS (SELECT 1 FROM removals WHERE table_id = NEW.table_id) THEN"
    " RAISE EXCEPTION 'this table was removed' USING ERRCODE = 'restrict_violation'; END IF;"
    " RETURN NEW; END $$",
    "CREATE TRIGGER entries_no_return BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION removed_tables_stay_so()",
)


def upgrade() -> None:
    own_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "removals",
        sa.Column("table_id", own_id, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    for statement in SQLITE_TRIGGERS if op.get_bind().dialect.name == "sqlite" else POSTGRESQL_TRIGGERS:
        op.execute(statement)
