"""The stamp of a card: that of the newest entry which its buttons are about.

It never says what the table is like now, so that no entry changes a card that is not about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.rules.commands import Command, Press
from bot.rules.model.actions import Action
from bot.rules.model.stamps import Stamp, stamp_at, stamp_text
from bot.rules.views import (
    DealView,
    EntryView,
    NegotiationView,
    OfferView,
    PromptView,
    TableView,
)

FIRST = 1
"""The number of the entry that opened the table, which every button is about."""

NAMED = {
    "offer": "offers",
    "answers": "offers",
    "deal": "deals",
    "negotiation": "negotiations",
    "since": "",
    "seq": "",
}
"""The fields that name what an entry made, and where a view has it; empty for those that name an
entry.
"""


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
        elif isinstance(each, PromptView):
            seqs += _named_in(named, each)
    for action in actions:
        if action.table == named.id:
            seqs += _named_in(named, action.command if isinstance(action, Press) else action)
    return stamp_at(named, max(seq for seq in seqs if seq <= named.seq))


def _named_in(view: TableView, about: Action | Command | PromptView) -> Iterator[int]:
    """Yield the numbers of the entries that made what an action, command or question names. A
    game's field may be called the same, and hold anything.
    """
    for name in about.__dataclass_fields__:
        if name not in NAMED:
            continue
        number = getattr(about, name)
        if not isinstance(number, int):
            continue
        if not NAMED[name]:
            yield number
            continue
        named = getattr(view, NAMED[name]).get(number)
        if named is not None and _waits(named):
            yield named.made


def _waits(named: OfferView | DealView | NegotiationView) -> bool:
    """Return whether every view has this. What is over is only in a view that recalls it, and the
    stamp of a question must not depend on that.
    """
    if isinstance(named, OfferView):
        return named.live
    return isinstance(named, NegotiationView) or named.status == "proposed"
