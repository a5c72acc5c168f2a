"""The command line: ``bourse``, ``bourse play``, ``bourse verify``, ``bourse export``."""

from bot.cli.program import main

__all__ = ["main"]
