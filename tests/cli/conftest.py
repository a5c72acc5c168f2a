"""An empty ledger in a file, as the ledger's tests have it."""

from __future__ import annotations

from tests.ledger.conftest import file, ledger

__all__ = ("file", "ledger")
