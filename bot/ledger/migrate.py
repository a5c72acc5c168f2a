"""Upgrades a database's tables to this program's version, with Alembic and the steps in ``migrations/``."""

from __future__ import annotations

import logging
from functools import cache

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from bot.ledger.errors import LedgerError
from bot.ledger.schema import metadata

FOLDER = "bot.ledger:migrations"  # in the installed package, wherever that is
VERSIONS = "alembic_version"
_BEFORE_1_0 = {"0001", "0002"}
_LOCK = 0x626F75727365  # "bourse": an arbitrary number that no other program uses for a lock in this database


def is_current(connection: Connection) -> bool:
    """Return whether a database's tables are those of this version.

    Raises `LedgerError` when a newer program wrote the database, or its format is older than 1.0.
    """
    steps = _steps()
    found = set(MigrationContext.configure(connection).get_current_heads())
    if found & _BEFORE_1_0:
        raise LedgerError(
            "The database has a format from before 1.0, which this version can't read. "
            "Keep it for the Bourse that wrote it, and start with an empty one."
        )
    if unknown := found - {step.revision for step in steps.walk_revisions()}:
        version = ", ".join(sorted(unknown))
        raise LedgerError(f"The database is newer than this program (its version is {version}): update Bourse.")
    return found == set(steps.get_heads())


def migrate(connection: Connection) -> None:
    """Run the missing steps in the current transaction of ``connection``. Concurrent processes take turns.

    Raises `LedgerError` when a newer program wrote the database, its format is older than 1.0, or it is not Bourse's.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    if is_current(connection):
        return
    there = set(inspect(connection).get_table_names())
    if VERSIONS not in there and (foreign := sorted(there & set(metadata.tables))):
        raise LedgerError(f"The database is another program's: it has a table {foreign[0]!r} of its own.")
    config = Config()
    config.set_main_option("script_location", FOLDER)
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@cache
def _steps() -> ScriptDirectory:
    # Alembic logs every step at INFO, which is of no use to an operator.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", FOLDER)
    return ScriptDirectory.from_config(config)
