"""Run by Alembic: the steps go through the connection and transaction that `bot.ledger.migrate` opened."""

from __future__ import annotations

from alembic import context

from bot.ledger.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
