"""The stamp of a card: that of the newest entry which its buttons are about.

It never says what the table is like now, so that no entry changes a card that is not about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bot.rules.commands import Press
from bot.rules.model.actions import Action
from bot.rules.model.stamps import Stamp, stamp_in, stamp_text
from bot.rules.views import DealView, EntryView, NegotiationView, OfferView, TableView

FIRST = 1
"""The number of the entry that opened the table, which every button is about."""


def newest(view: TableView) -> Stamp | None:
    """Return the stamp of the table's last entry, for what is drawn once; None if it has none."""
    return _stamp(view, view.seq)


def stamp_of(named: object, about: Iterable[object], actions: Iterable[Action]) -> Stamp | None:
    """Return the stamp of a card that is made of ``named``, ``about`` this, with these actions."""
    if isinstance(named, EntryView):
        return Stamp(named.table, named.seq, stamp_text(named.at))
    if not isinstance(named, TableView):
        return None
    seqs = [FIRST]
    for each in about:
        if isinstance(each, OfferView | DealView | NegotiationView):
            seqs.append(each.made)
        elif isinstance(each, EntryView):
            seqs.append(each.seq)
    for action in actions:
        if action.table == named.id:
            seqs += _named_in(named, action)
    return _stamp(named, max(seq for seq in seqs if seq <= named.seq))


def _stamp(view: TableView, seq: int) -> Stamp | None:
    text = stamp_in(view.stamps, seq)
    return Stamp(view.id, seq, text) if text else None


def _named_in(view: TableView, action: Action) -> Iterator[int]:
    """Yield the numbers of the entries that made what an action names."""
    about: Any = action.command if isinstance(action, Press) else action
    for name, made in (("offer", view.offers), ("answers", view.offers), ("deal", view.deals)):
        thing = made.get(getattr(about, name, None) or 0)
        if thing is not None:
            yield thing.made
    talks = view.negotiations.get(getattr(about, "negotiation", 0))
    if talks is not None:
        yield talks.made
    yield getattr(about, "since", None) or 0
    yield getattr(about, "seq", 0)
