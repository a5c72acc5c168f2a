"""The server with the bot and its people, as the cogs' tests have it."""

from __future__ import annotations

from tests.cogs.conftest import evening, patient, url

__all__ = ("evening", "patient", "url")
