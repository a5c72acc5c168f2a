"""Fixtures of the cogs' tests: the server with the bot and its people."""

from __future__ import annotations

from tests.cogs.conftest import evening, patient, url

__all__ = ("evening", "patient", "url")
