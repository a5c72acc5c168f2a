"""Tests of draws that nobody is asked for [27.1], and of what stays owed when trading is taken back
[31.71].
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cities import SayCities
from bot.games.advciv.drawing import CardsDrawn
from bot.games.advciv.trading import CloseTrading, OpenTrading, UndoTrading
from bot.rules.entries import Entry
from bot.rules.features.holdings import Gain
from bot.rules.features.seats import Leave
from bot.rules.features.tables import SetPhase, Tick, next_deadline
from tests.games.advciv.playing import Evening, cards


def say(cities: int, seat: str | None = None) -> SayCities:
    return SayCities(cities=cities, seat=seat)


def drew(entries: Iterable[Entry]) -> list[tuple[str, int, bool]]:
    draws = [entry for entry in entries if isinstance(entry, CardsDrawn)]
    return [(draw.seat, draw.cities, draw.told) for draw in draws]


def test_when_the_last_to_say_nothing_leaves_all_draw_at_once() -> None:
    evening = Evening()
    evening.do(1, say(5))
    evening.do(2, say(4))
    assert next_deadline(evening.table) is None
    evening.do(3, Leave())
    assert next_deadline(evening.table) == 1
    entries = evening.do(0, Tick())
    assert drew(entries) == [("crete", 4, True), ("egypt", 5, True)]
    assert next_deadline(evening.table) is None


def test_what_was_kept_too_many_of_is_still_owed_after_trading_was_taken_back() -> None:
    evening = Evening(2)
    evening.do(1, Gain(cards("9 salt")))
    evening.do(1, SetPhase("trade"))
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities())
    evening.do(1, SetPhase("acquire"))
    evening.do(1, OpenTrading(0, anyway=True))
    evening.do(1, CloseTrading())
    evening.do(1, UndoTrading())
    assert evening.refused(1, say(3)).rule == "31.71"
