"""Alembic's entry point. The steps run in the connection and transaction of
`bot.ledger.migrate`.
"""

from __future__ import annotations

from alembic import context

from bot.ledger.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
