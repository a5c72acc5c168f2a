"""The end of an evening: what the channel reads once its table is closed for good, and a picture.

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
from bot.show.board import afterwards
from bot.show.cards import Card, drawn, plural
from bot.show.names import escape, plain_text
from bot.show.narration import gifts
from bot.show.pictures.evening import EveningSummary, evening_picture
from bot.show.pictures.wealth import chart_of

HOUR = 60
"""Minutes."""


@drawn
def evening_card(view: TableView, entries: Sequence[EntryView], head: str) -> Card:
    """Return the card of an evening from its entries, as everybody may read them.

    It ends with the ``head`` of the ledger. Where nothing was traded, there is no picture. A trade
    that was taken back does not count.
    """
    taken_back = {entry.entry.takes_back() for entry in entries}
    stands, trades, marks = [], [], []
    for entry in entries:
        match entry.entry:
            case Transaction(number=number):
                if number in taken_back:
                    continue
                trades.append(entry)
            case DealMarked(mark=mark):
                marks.append(mark)
        if entry.entry.takes_back() is None:
            stands.append(entry)
    chart = chart_of(view, stands)
    rows = (afterwards(view),)
    if chart is None or not trades:
        return Card("done", (f"**{escape(view.name)}** is closed.", head), rows)
    facts = f"{_length(minutes(stands))} · {plural(len(trades), 'trade')}"
    biggest: tuple[str, ...] = ()
    if any(map(_size, trades)):
        trade = max(trades, key=_size)
        biggest = tuple(plain_text(trade, line) for line in gifts(trade))
    kept, broken = marks.count("kept"), marks.count("broken")
    summary = EveningSummary(view.name, facts, replace(chart, over=True), kept, broken, biggest)
    title = f"### {escape(view.name)} is over · {facts}"
    return Card("done", (title, head), rows, evening_picture(summary), picture_after=1)


def minutes(entries: Sequence[EntryView]) -> int:
    """Return how long an evening was, from its first entry to the last before its end, without
    pauses.
    """
    pauses, begun, last = 0, entries[0].at, entries[0].at
    for entry in entries:
        match entry.entry:
            case TableOpened():
                begun = entry.at
            case TableResumed(lasted=lasted):
                pauses += lasted
            case TableClosing() | TablePaused():
                continue
        last = entry.at
    return max(0, last - begun - pauses) // 60_000


def _length(long: int) -> str:
    return f"{long // HOUR} h {long % HOUR} min" if long >= HOUR else f"{long} min"


def _size(trade: EntryView) -> int:
    """Return how much went over the table, as everybody may read it."""
    done = trade.entry
    assert isinstance(done, Transaction)
    if done.private:
        return 0
    return sum(goods.total() for goods in done.given.values())
