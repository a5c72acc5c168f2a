"""An index of entries by kind, so that a page of some kinds is found without reading all of a table's entries."""

from __future__ import annotations

from alembic import op

revision = "1_3_kinds"
down_revision = "1_2_indexes"


def upgrade() -> None:
    op.create_index("entries_by_kind", "entries", ["table_id", "kind", "seq"])
