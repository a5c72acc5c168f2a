"""Indexes for a channel's last table and a server's open tables, which needed a scan of all tables before.

On PostgreSQL the pages of `entries` get free space for updated rows, since each entry's seal is erased when another
entry follows. An updated row on the same page needs no new index keys.
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
