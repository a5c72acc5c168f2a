"""Fixtures of the cogs' tests: the server with the bot and its people."""

from __future__ import annotations

from tests.cogs.conftest import evening, patient, playing, url
from tests.delivery.display import display

__all__ = ("display", "evening", "patient", "playing", "url")
