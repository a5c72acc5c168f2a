"""The command line: ``bourse``, ``bourse play``, ``bourse verify``, ``bourse export``, ``bourse backup``."""

from bot.cli.program import main

__all__ = ["main"]
