"""The statements that write messages, cursors, snapshots and key-value pairs.

The same statement object is used every time, so a batch can run it once with many values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sqlalchemy import Executable, Table, bindparam, delete
from sqlalchemy.dialects import postgresql, sqlite

from bot.ledger.keys import SEAL
from bot.ledger.schema import cursors, key_values, messages, snapshots


@dataclass(frozen=True, slots=True)
class Statements:
    """One statement for each kind of row."""

    save_message: Executable
    forget_message: Executable
    set_cursor: Executable
    save_snapshot: Executable
    set_key_value: Executable


@cache
def statements(dialect: Literal["sqlite", "postgresql"]) -> Statements:
    """Return the statements in a database's dialect."""
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert

    def put(table: Table, values: Sequence[str], *, growing: str | None = None) -> Executable:
        """Return an upsert. With ``growing``, it updates a row only if that column grows."""
        new = insert(table)
        return new.on_conflict_do_update(
            index_elements=list(table.primary_key.columns),
            set_={name: new.excluded[name] for name in (*values, SEAL)},
            where=new.excluded[growing] > table.c[growing] if growing else None,
        )

    return Statements(
        save_message=put(
            messages,
            ("channel_id", "message_id", "shown", "fate", "entry", "generation", "anchor", "at", "reason"),
        ),
        forget_message=delete(messages).where(
            messages.c.table_id == bindparam("at_table"), messages.c.subject == bindparam("about")
        ),
        set_cursor=put(cursors, ("seq",), growing="seq"),
        save_snapshot=put(snapshots, ("seq", "hash", "guild_id", "channel_id", "people", "state"), growing="seq"),
        set_key_value=put(key_values, ("value",)),
    )
