"""The command line: ``bourse`` runs the bot, ``bourse COMMAND`` looks after its ledger or runs
plays.
"""

from bot.cli.program import main

__all__ = ["main"]
