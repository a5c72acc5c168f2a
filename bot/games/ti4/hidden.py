"""What is secret about goods: which promissory notes a hand holds. That it holds some, and how many, is public."""

from __future__ import annotations

from bot.api import NOTHING, Goods, Seat, Violation
from bot.games.ti4.components import COMMODITY, TRADE_GOOD, note_owner
from data.ti4 import promissory_notes

WHICH_NOTES = Violation(
    "", "Which notes another holds is their secret.", "A host who does not sit at the table may look."
)


def open_goods(goods: Goods) -> Goods:
    """Return what lies open at the table: everything but promissory notes in hand."""
    return goods.without_kind("note")


def in_front_of(seat: Seat) -> Goods:
    """Return everything that lies open before a seat, its play area included."""
    return open_goods(seat.holdings) + seat.in_play


def self_reportable(goods: Goods) -> Goods:
    """Return what a player may declare to have: all that lies open before them, so that the others would object."""
    return open_goods(goods)


def wealth(goods: Goods) -> Goods:
    """Return what the wealth picture counts: trade goods and commodities."""
    return goods.of_kind(TRADE_GOOD, COMMODITY)


def redact(goods: Goods) -> Goods:
    """Return goods as everybody may read them: that a promissory note is among them, but not which."""
    hidden = secret(goods)
    return hidden.missing(goods) + Goods({"note": hidden.total()}) if hidden else goods


def secret(goods: Goods) -> Goods:
    """Return the promissory notes of which only the two who trade them know which they are."""
    found = goods.of_kind("note")
    return Goods({token: 1 for token in found if token != "note" and not public(token)}) if found else NOTHING


def public(token: str) -> bool:
    """Return whether everybody sees which note it is when it changes hands."""
    note = promissory_notes()[note_owner(token)[0]]
    return note.public_on_trade or note.enters_play == "on_receipt"
