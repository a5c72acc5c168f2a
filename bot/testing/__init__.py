"""Checks for games, which the games that ship with Bourse keep too.

An author subclasses `Checks` in a test file and names the game. The pytest plugin runs each
``.play`` file as a test.
"""

from bot.testing.checks import Checks
from bot.testing.generated import opened
from bot.testing.makers import Makers, asker, likely, ruler, seated, sits_in
from bot.testing.world import Ask, World

__all__ = [
    "Ask",
    "Checks",
    "Makers",
    "World",
    "asker",
    "likely",
    "opened",
    "ruler",
    "seated",
    "sits_in",
]
