"""Tests that every button is carried out or refused, whatever text it carries."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import get_type_hints

import pytest

from bot.rules.commands import Caller
from bot.rules.engine import decide
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.tables import Tick
from bot.rules.model.codec import SEPARATOR
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.show.custom_ids import commands
from tests.forged.payloads import Forger
from tests.games.advciv import machine as advciv
from tests.games.any import machine as any_game
from tests.games.ti4.tables import after, table_of

HELD = Goods({"trade_good": 3, "note:ceasefire:sol": 1, "note:ceasefire:hacan": 1})
TABLES: dict[str, Table] = {
    "ti4": after(table_of(), SetHoldings("hacan", HELD)),
    "any": any_game.opened(Random(1), 3).table,
    "advciv": advciv.opened(3, Random(1), {}, dealt=True).table,
}
ASKED = 100
"""How often each command is asked for."""


@pytest.mark.parametrize("game", TABLES)
def test_a_command_with_any_text_is_carried_out_or_refused(
    game: str, subtests: pytest.Subtests
) -> None:
    chance, reasons = Random(5), set[str]()
    forger = Forger((), {}, chance)
    for name, kind in commands().kinds.items():
        with subtests.test(name):
            hints = get_type_hints(kind)
            for _ in range(ASKED):
                texts = [forger.field_text(hints[field.name]) for field in fields(kind)]
                command = commands().decode(SEPARATOR.join((name, *texts)))
                person = chance.choice((1, 1, 2, 9))
                caller = Caller(person, at=1, chance="0")
                try:
                    decide(TABLES[game], command or Tick(), caller)
                except Refused as refused:
                    reasons.add(refused.violation.reason)
    assert game != "ti4" or "This button is from an older version of me." in reasons
