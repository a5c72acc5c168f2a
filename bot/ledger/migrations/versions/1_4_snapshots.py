"""Snapshots get the hash of their entry, the table's place and the highest number of its people.

Old snapshots are dropped, since they are only a cache: tables are read from their entries until the next snapshot.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1_4_snapshots"
down_revision = "1_3_kinds"


def upgrade() -> None:
    op.drop_table("snapshots")
    own_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "snapshots",
        sa.Column("table_id", own_id, sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("seal", sa.Text),
        sa.PrimaryKeyConstraint("table_id"),
    )
