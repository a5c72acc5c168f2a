"""Indexes for what was found by reading the whole list of tables: a channel's last one, and a server's open ones.

On PostgreSQL the pages of the entries get room for new versions of their rows, since each entry's seal is erased when
another one follows. A version on the same page needs no new keys in the indexes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1_2_indexes"
down_revision = "1_1_seals"


def upgrade() -> None:
    still_open = sa.text("closed_at IS NULL")
    op.create_index(
        "open_tables_by_server", "tables", ["guild_id"], sqlite_where=still_open, postgresql_where=still_open
    )
    op.create_index("tables_by_channel", "tables", ["channel_id"])
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE entries SET (fillfactor = 90)")
