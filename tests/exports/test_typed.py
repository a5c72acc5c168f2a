"""An exported play has a line for every kind of entry of our games, or the entry needs none."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest

from bot.games import advciv, ti4
from bot.games.advciv import typed as advciv_typed
from bot.games.ti4 import typed as ti4_typed
from bot.rules.game import Game

FOLLOWING = {
    *("GainedByEffect", "NotesReprinted"),
    *("TableSeedCommitted", "StacksShuffled", "StacksRestored", "HandsPutAway"),
    *("CardsKept", "DealRenewed", "TradingWarned"),
}
"""Kinds that follow from other entries or the clock by themselves."""

PRESSED = {
    "CardsDiscarded",
    "NeighborsClaimed",
    "NeighborsDenied",
    "RequestDenied",
    "TakeBackDenied",
}
"""Kinds for which there is a button and no command: the play says that it leaves them out."""


@pytest.mark.parametrize(("game", "module"), [(ti4.GAME, ti4_typed), (advciv.GAME, advciv_typed)])
def test_every_kind_of_entry_is_typed_again_or_needs_no_line(
    game: Game, module: ModuleType
) -> None:
    patterns = ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")))
    typed = {
        each.cls.id
        for each in patterns
        if isinstance(each, ast.MatchClass) and isinstance(each.cls, ast.Name)
    }
    typed |= {kind.__name__ for kind in module.ALWAYS}
    kinds = {
        kind.__name__ for kind in game.features.entries if kind.__module__.startswith("bot.games.")
    }
    assert kinds - typed <= FOLLOWING | PRESSED
    assert not typed & (FOLLOWING | PRESSED)
