"""What must hold at every table of the fair."""

from pathlib import Path

import bourse_fair

from bot.testing import Checks


class TestFair(Checks):
    game = "fair"
    conserved = bourse_fair.GOODS
    plays = Path(__file__).parents[1] / "plays"
