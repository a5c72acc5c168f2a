"""What can be pressed to cure a violation of an offer."""

from __future__ import annotations

from bot.rules.features.offers.state import declarable, exchange_of
from bot.rules.model.actions import DeclareHoldings, LabelledAction, OfferAction
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Violation
from bot.rules.registry import game_of


def remedies(table: Table, violation: Violation, offer: Offer, seat: str) -> tuple[LabelledAction, ...]:
    """Return what this seat can press to cure the violation, where the host lets players declare such things."""
    if violation.action == "holdings":
        may = table.settings.declare_holdings == "players" and seat == violation.about
        declare = LabelledAction("I do have them", DeclareHoldings(table.id, offer.number))
        return (declare,) if may and declarable(table, offer, seat) else ()
    if not violation.action:
        return ()
    found = game_of(table).commands.remedy(table, violation, offer.number, seat)
    return (found,) if found else ()


def after_refusal(table: Table, violation: Violation, offer: Offer, seat: str) -> tuple[LabelledAction, ...]:
    """Return what can be done when accepting was refused: cure it with one press, or agree for later."""
    ahead = exchange_of(table) is None and offer.to is not None
    later = ahead and violation.rule and not violation.short and not violation.permanent
    agree = LabelledAction("Agree for later", OfferAction(table.id, offer.number, offer.revision, "agree"))
    return (*remedies(table, violation, offer, seat), *((agree,) if later else ()))
