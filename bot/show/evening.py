"""The end of an evening: a picture of it for the channel, once its table is closed for good.

It is made from what everybody could read while the table was open, so nothing that is still secret
is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.features.deals import DealMarked
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.tables import TableClosing, TableOpened, TablePaused, TableResumed
from bot.rules.views import EntryView, TableView
from bot.show.cards import Card
from bot.show.names import escape, plain_text
from bot.show.narration import gifts
from bot.show.pictures.evening import EveningSummary, evening_picture
from bot.show.pictures.wealth import chart_of

HOUR = 60
"""Minutes."""


def evening_card(view: TableView, entries: Sequence[EntryView]) -> Card | None:
    """Return the card of an evening from its entries, as everybody may read them; None if nothing
    was traded.

    A trade that was taken back does not count.
    """
    back = {number for each in entries if (number := each.entry.takes_back()) is not None}
    undone = {
        each.seq
        for each in entries
        if isinstance(each.entry, Transaction) and each.entry.number in back
    }
    entries = [
        each for each in entries if each.entry.takes_back() is None and each.seq not in undone
    ]
    trades = [each for each in entries if isinstance(each.entry, Transaction)]
    chart = chart_of(view, entries)
    if chart is None or not trades:
        return None
    count = f"{len(trades)} trade{'s' if len(trades) > 1 else ''}"
    length = _length(minutes(entries))
    marks = [
        mark for each in entries if isinstance(each.entry, DealMarked) and (mark := each.entry.mark)
    ]
    kept, broken = marks.count("kept"), marks.count("broken")
    biggest = max((each for each in trades if _size(each)), key=_size, default=None)
    told = tuple(plain_text(biggest, line) for line in gifts(biggest)) if biggest else ()
    drawn = EveningSummary(
        view.name, f"{length} · {count}", replace(chart, over=True), kept, broken, told
    )
    title = f"### {escape(view.name)} is over · {length} · {count}"
    return Card("done", (title,), picture=evening_picture(drawn))


def minutes(entries: Sequence[EntryView]) -> int:
    """Return how long an evening was, from its first entry to the last before its end, without
    pauses.
    """
    pauses, begun, last = 0, entries[0].at, entries[0].at
    for each in entries:
        match each.entry:
            case TableOpened():
                begun = each.at
            case TableResumed(lasted=lasted):
                pauses += lasted
            case TableClosing() | TablePaused():
                continue
        last = each.at
    return max(0, last - begun - pauses) // 60_000


def _length(long: int) -> str:
    return f"{long // HOUR} h {long % HOUR} min" if long >= HOUR else f"{long} min"


def _size(trade: EntryView) -> int:
    """Return how much went over the table, as everybody may read it."""
    done = trade.entry
    assert isinstance(done, Transaction)
    return 0 if done.private else sum(goods.total() for goods in done.given.values())
