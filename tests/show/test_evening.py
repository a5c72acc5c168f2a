"""Tests of the picture of an evening: made from public entries, and its length is without
pauses.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.features.tables import TableClosing, TableOpened, TablePaused, TableResumed
from bot.rules.model.table import TableSettings
from bot.rules.views import EntryView
from bot.show.evening import _length, minutes
from bot.show.pictures.evening import EveningSummary, evening_picture
from bot.show.pictures.wealth import Chart, WealthLine

MINUTE = 60_000
OPENED = TableOpened(game="ti4", name="x", host=1, settings=TableSettings())


@dataclass
class At:
    """As much of an entry's view as its time needs."""

    at: int
    entry: object


def long(*entries: tuple[int, object]) -> int:
    views = [At(minute * MINUTE, entry) for minute, entry in entries]
    return minutes(views)  # type: ignore[arg-type]


def test_an_evening_ends_with_the_last_deed_and_not_with_the_closing() -> None:
    closing = TableClosing(until=0)
    assert long((10, OPENED), (100, "trade"), (900, closing)) == 90


def test_pauses_are_no_part_of_it() -> None:
    paused, resumed = TablePaused(at=60 * MINUTE), TableResumed(lasted=1000 * MINUTE)
    later = (1100, "trade")
    assert long((0, OPENED), (50, "trade"), (60, paused), (1060, resumed), later) == 100
    closing = (900, TableClosing(until=0))
    assert long((0, OPENED), (50, "trade"), (60, paused), closing) == 50


def test_lengths_in_words() -> None:
    assert [_length(long) for long in (0, 59, 60, 192)] == [
        "0 min",
        "59 min",
        "1 h 0 min",
        "3 h 12 min",
    ]


def evening(count: int, *, counted: str = "Goods", **others: object) -> EveningSummary:
    lines = tuple(
        WealthLine(str(seat), f"Player {seat}", f"S{seat}", (0, seat, 3)) for seat in range(count)
    )
    trades = {("0", "1"): 3} if count > 1 else {}
    return EveningSummary(
        "Friday", "5 min · 3 trades", Chart(counted, lines, (), trades, over=True), 7, 1, **others
    )  # type: ignore[arg-type]


def test_all_that_is_drawn_is_in_words_too() -> None:
    words = evening_picture(
        evening(3, biggest=("bob gave 6 trade goods", "carol gave 1 commodity"))
    ).alt
    for each in (
        "Biggest trade: bob gave 6 trade goods; carol",
        "7 kept, 1 broken",
        "Player 0 with Player 1 3",
        "Goods",
    ):
        assert each in words


def test_it_can_be_drawn_for_every_number_of_players() -> None:
    for count in (1, 2, 8):
        assert evening_picture(evening(count, counted="Goods" if count > 1 else "")).png.startswith(
            b"\x89PNG"
        )


def test_views_have_what_the_test_stands_in_for() -> None:
    assert {"at", "entry"} <= set(EntryView.__dataclass_fields__)
