"""Narration of offers, from posting to the transaction, and of goods that moved."""

from __future__ import annotations

from collections.abc import Mapping

from bot.rules.entries import Entry
from bot.rules.features.offers.entries import (
    HandedOver,
    OfferAgreed,
    OfferAltered,
    OfferDeclined,
    OfferExpired,
    OfferPicked,
    OfferPosted,
    OfferResumed,
    OfferSuspended,
    OfferVoided,
    OfferWithdrawn,
    Period,
    Signed,
    Transaction,
)
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.seats import Change
from bot.rules.views import EntryView
from bot.show.names import game_of
from bot.show.terms import terms_sentence


def offer_sentence(entry: EntryView) -> str:
    """Return the sentence for an entry about an offer; empty for other kinds."""
    match entry.entry:
        case OfferPosted() as posted:
            return _posted(entry, posted)
        case OfferAltered(offer=offer, revision=revision, seat=seat) as altered:
            return f"{who(seat)} altered offer {offer} to revision {revision}: {_sides(entry, altered)}"
        case HandedOver(offer=offer, revision=revision, seat=seat, goods=goods):
            what = f": **{goods_text(entry, goods)}**" if goods else ""
            return f"{who(seat)} handed over their part of offer {offer}, revision {revision}, sealed{what}."
        case Transaction() as transaction:
            return _transaction(entry, transaction)
        case _:
            return _step(entry.entry)


def who(seat: str | None) -> str:
    """Return the markup for the person in a seat."""
    return f"<seat:{seat}>" if seat else "nobody"


def goods_text(entry: EntryView, goods: Goods) -> str:
    """Return goods in words."""
    return game_of(entry).goods.describe(goods)


def moves_text(entry: EntryView, changes: Mapping[str, Change]) -> str:
    """Return what each seat lost and gained."""
    texts = ((seat, _change(entry, change)) for seat, change in changes.items())
    return "; ".join(f"{who(seat)} {text}" for seat, text in texts if text)


def _change(entry: EntryView, change: Change) -> str:
    parts = (("lost", change.lost + change.left_play), ("gained", change.gained + change.entered_play))
    return " and ".join(f"{what} **{goods_text(entry, goods)}**" for what, goods in parts if goods)


# ---------------------------------------------------------------- posted and altered


def _posted(entry: EntryView, posted: OfferPosted) -> str:
    answers = f", in answer to #{posted.parent}," if posted.parent else ""
    until = f" It stood until <t:{posted.until // 1000}:f>." if posted.until else ""
    to = who(posted.to) if posted.to else "everybody"
    return f"{who(posted.seat)} offered {to}{answers} #{posted.offer}: {_sides(entry, posted)}{until}"


def _sides(entry: EntryView, posted: OfferPosted | OfferAltered) -> str:
    """Return both sides as exactly as the viewer may know; nothing of other people's private offers."""
    if posted.exact is None and posted.private:
        return "in private."
    sides = posted.exact or posted
    return (
        f"**{goods_text(entry, sides.give)}** for **{goods_text(entry, sides.want)}**.{terms_sentence(posted.sides())}"
    )


# ---------------------------------------------------------------- steps of an offer


def _step(entry: Entry) -> str:
    match entry:
        case OfferAgreed(offer=offer, revision=revision, seat=seat):
            return f"{who(seat)} agreed to offer {offer}, revision {revision}, to be confirmed later."
        case Signed(offer=offer, revision=revision, seat=seat, during=during, window=window):
            return f"{who(seat)} **signed** offer {offer}, revision {revision}, in {_period(during, window)}."
        case OfferSuspended(offer=offer, seat=seat):
            return f"{who(seat)} suspended offer {offer}."
        case OfferResumed(offer=offer, seat=seat):
            return f"{who(seat)} resumed offer {offer}."
        case OfferPicked(offer=offer, seat=seat, taker=taker):
            return f"{who(seat)} picked {who(taker)} for offer {offer}."
        case OfferDeclined(offer=offer, seat=seat):
            return f"{who(seat)} declined offer {offer}."
        case OfferWithdrawn(offer=offer, seat=seat):
            return f"{who(seat)} withdrew offer {offer}."
        case OfferExpired(offer=offer):
            return f"Offer {offer} ran out."
        case OfferVoided(offer=offer, reasons=reasons):
            return f"Offer {offer} became void. {' '.join((reasons or {}).values())}".strip()
        case _:
            return ""


def _period(during: Period, window: int) -> str:
    """Return when it happened in the game: ``<seat:sol>'s turn (window 3)``."""
    return f"{_window(during)} (window {window})"


def _window(during: Period) -> str:
    match during.kind:
        case "turn":
            return f"{who(during.holder)}'s turn"
        case "none":
            return f"the {during.phase} phase"
        case "trade":
            return "the trade phase"
        case kind:
            return f"the {kind}"


# ---------------------------------------------------------------- the transaction


def _transaction(entry: EntryView, done: Transaction) -> str:
    """Return what each side gave and received, the rules it broke and the permits it used."""
    sides = " ".join(_side(entry, done, seat) for seat in (done.first, done.second))
    against = f" Against {', '.join(f'[{rule}]' for rule in done.overruled)}, which this table only warns of."
    with_permit = f" By permit {', '.join(map(str, done.permits))}."
    return (
        f"**Transaction {done.number}** from offer {done.offer}, revision {done.revision}, "
        f"in {_period(done.during, done.window)}. {sides}"
        f"{against if done.overruled else ''}{with_permit if done.permits else ''}"
    )


def _side(entry: EntryView, done: Transaction, seat: str) -> str:
    gave, got = goods_text(entry, given(done, seat)), goods_text(entry, received(done, seat))
    return f"{who(seat)} gave **{gave}** and received **{got}**."


def given(done: Transaction, seat: str) -> Goods:
    """Return what a seat gave: exactly if the viewer may know, else its public description."""
    if done.hidden is None and seat in done.given:
        return done.given[seat]
    return _of(done.changes, seat).lost + _of(done.hidden, seat).lost


def received(done: Transaction, seat: str) -> Goods:
    """Return what a seat received, as it arrived: a component may turn into another when it moves."""
    shown, secret = _of(done.changes, seat), _of(done.hidden, seat)
    received = shown.gained + shown.entered_play
    if done.hidden is not None:
        return received + secret.gained + secret.entered_play
    # The viewer may not see the hidden part. This seat received the redacted goods that the other seat lost.
    other = done.other(seat)
    return received + _of(done.changes, other).lost.missing(done.given.get(other, NOTHING))


def _of(changes: Mapping[str, Change] | None, seat: str) -> Change:
    return (changes or {}).get(seat, Change())
