"""Fixtures: a Discord for bots in the test's own process."""

from __future__ import annotations

from tests.wire.conftest import discord

__all__ = ("discord",)
