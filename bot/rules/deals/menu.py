"""Which buttons a deal has: to answer it, and to say whether the other side kept its part."""

from __future__ import annotations

from bot.rules.deals.dealing import not_binding
from bot.rules.model.actions import DealAction, LabelledAction, MarkAction
from bot.rules.model.deals import MARKS, Deal
from bot.rules.model.table import Table


def buttons(table: Table, deal: Deal, seat: str | None) -> tuple[LabelledAction, ...]:
    """Return what one of the two in this seat can say to a deal; None: what either can, for a card that all read."""
    if not table.open:
        return ()
    if deal.status == "proposed" and seat in (None, deal.to):
        return answers(table, deal)
    unmarked = len(deal.marks) < len(deal.parties.people) if seat is None else seat not in deal.marks
    return _marks(table, deal) if deal.status == "agreed" and unmarked else ()


def answers(table: Table, deal: Deal) -> tuple[LabelledAction, ...]:
    """Return the two answers to a proposed deal; to one that binds nobody one can only agree."""
    yes, no = (DealAction(table.id, deal.number, agreed) for agreed in (True, False))
    return LabelledAction("Agree" if not_binding(table, deal) else "Accept", yes), LabelledAction("Decline", no)


def _marks(table: Table, deal: Deal) -> tuple[LabelledAction, ...]:
    """Return what can be said of the other's part; of a binding deal nobody can say that it was broken [D4]."""
    kept, broken = (MarkAction(table.id, deal.number, mark) for mark in MARKS)
    breakable = (LabelledAction("They broke it", broken),) if not_binding(table, deal) else ()
    return (LabelledAction("They kept it", kept), *breakable)
