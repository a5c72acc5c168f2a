"""Fixtures of the ledger's tests: an empty ledger in a file."""

from __future__ import annotations

from tests.ledger.conftest import file, ledger

__all__ = ("file", "ledger")
