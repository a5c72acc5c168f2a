"""Tests of /rules show: a short status for each rule, and nothing of hands."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from bot.games.ti4 import GAME, STATUS
from bot.games.ti4.agendas import RevealAgenda
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.permits import GrantPermit
from bot.rules.features.tables import SetPhase
from bot.rules.model.table import Table
from bot.rules.model.windows import pair
from tests.games.ti4.tables import after, having, table_of

EIGHT = ("hacan", "sol", "letnev", "xxcha", "mentak", "mahact", "empyrean", "firmament")
FITS = 2500
"""With everybody's names in it, a text of this length still fits into one message of 4000
characters.
"""


def table_of_eight() -> Table:
    """Eight are seated, every pair has traded for this agenda, and each seat has something of each
    kind.
    """
    table = table_of(EIGHT)
    goods = {"trade_good": 9, "commodity": 1, "fragment:cultural": 2, "action_card": 3}
    for seat in EIGHT:
        table = having(table, seat, {**goods, f"station:{seat}": 1})
    for first, second in combinations(EIGHT, 2):
        table = after(table, JoinNeighbors(first, second))
        table = after(table, GrantPermit(first, second, lifts="limit", reason="x" * 100))
    table = after(after(table, SetPhase("agenda")), RevealAgenda(title="y" * 80))
    used = frozenset(pair(*two) for two in combinations(EIGHT, 2))
    return replace(table, window=replace(table.window, used=used))


FULL = table_of_eight()
RULES = GAME.info.rulebook()
rule_status = GAME.commands.rule_status


def test_only_rules_that_there_are_have_a_status() -> None:
    assert set(STATUS) <= set(RULES)


def test_it_fits_on_a_phone_and_an_empty_table_is_no_trouble() -> None:
    assert [number for number in RULES if len(rule_status(FULL, number)) >= FITS] == []
    assert all(isinstance(rule_status(table_of(()), number), str) for number in RULES)


def test_a_rule_of_two_numbers_says_the_same_under_either() -> None:
    assert rule_status(FULL, "28.4") == rule_status(FULL, "D6") == "Deals at this table: none."


def test_goods_that_are_not_counted_are_said_once() -> None:
    uncounted = replace(FULL, settings=replace(FULL.settings, inventory="untracked"))
    assert rule_status(uncounted, "21.5.2") == "This table does not keep count of holdings."


def test_the_game_says_it() -> None:
    assert "Pairs that still can: 0" in rule_status(FULL, "94.6")
