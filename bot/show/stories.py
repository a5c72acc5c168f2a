"""Stories: what happened to offers and goods, as friends would tell it, without revisions and windows.

`bot.show.offer_narration` says the same in the ledger's exact words, for audits and files.
"""

from __future__ import annotations

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
    Signed,
    Transaction,
)
from bot.rules.model.goods import Goods
from bot.rules.views import EntryView
from bot.show.names import format_text, game_of
from bot.show.narration import narrate
from bot.show.offer_narration import given, received, who
from bot.show.terms import terms_sentence


def story(entry: EntryView) -> str:
    """Return the sentence for an entry, for Discord."""
    return format_text(entry, narrate(entry, offer_story))


def is_told(entry: EntryView, newer: EntryView | None) -> bool:
    """Return whether an entry gets a line of its own. ``newer`` is the entry that followed it, if known.

    False for the poster's signature on their own offer, and for an acceptance that completed the trade.
    """
    signed = entry.entry
    if not isinstance(signed, Signed):
        return True
    completed = newer is not None and isinstance(newer.entry, Transaction) and newer.entry.offer == signed.offer
    return not completed and signed.seat != next(iter(signed.between), "")


def offer_story(entry: EntryView) -> str:
    """Return the sentence for an entry about an offer, as markup; empty for other kinds."""
    match entry.entry:
        case OfferPosted() as posted:
            return _posted(entry, posted)
        case OfferAltered() as altered:
            return _altered(entry, altered)
        case HandedOver(offer=offer, seat=seat, goods=goods):
            what = _goods(entry, goods) if goods else "their part"
            return f"{who(seat)} handed over {what} for offer {offer}, sealed."
        case Transaction() as done:
            return _trade(entry, done)
        case _:
            return _step(entry.entry)


def _step(entry: Entry) -> str:
    match entry:
        case OfferAgreed(offer=offer, seat=seat):
            return f"{who(seat)} agreed to offer {offer}, to be confirmed later."
        case Signed(offer=offer, seat=seat):
            return f"{who(seat)} accepted offer {offer}."
        case OfferSuspended(offer=offer, seat=seat):
            return f"{who(seat)} held offer {offer} back."
        case OfferResumed(offer=offer, seat=seat):
            return f"{who(seat)} put offer {offer} up again."
        case OfferPicked(offer=offer, seat=seat, taker=taker):
            return f"{who(seat)} picked {who(taker)} for offer {offer}."
        case OfferDeclined(offer=offer, seat=seat):
            return f"{who(seat)} declined offer {offer}."
        case OfferWithdrawn(offer=offer, seat=seat):
            return f"{who(seat)} withdrew offer {offer}."
        case OfferExpired(offer=offer):
            return f"The time of offer {offer} was up."
        case OfferVoided(offer=offer, reasons=reasons):
            return f"Offer {offer} was no longer possible. {' '.join((reasons or {}).values())}".strip()
        case _:
            return ""


def _goods(entry: EntryView, goods: Goods) -> str:
    """Return goods with their icons, as markup."""
    language = game_of(entry).goods
    parts = []
    for token in language.listed(goods):
        icon = language.icon(token)
        drawn = f"<icon:{icon.name}:{icon.symbol}> " if icon else ""
        parts.append(f"{drawn}**{language.describe(Goods({token: goods[token]}))}**")
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "nothing"


# ---------------------------------------------------------------- offered


def _posted(entry: EntryView, posted: OfferPosted) -> str:
    to = who(posted.to) if posted.to else "everybody"
    number = f"(offer {posted.offer}{f', answering offer {posted.parent}' if posted.parent else ''})"
    if posted.exact is None and posted.private:
        return f"{who(posted.seat)} made {to} an offer in private {number}."
    sides = posted.exact or posted
    want = _goods(entry, sides.want)
    if not sides.give:
        told = f"{who(posted.seat)} asked {to} for {want}"
    else:
        told = f"{who(posted.seat)} offered {to} {_goods(entry, sides.give)}{f' for {want}' if sides.want else ''}"
    return f"{told} {number}.{terms_sentence(posted.sides())}"


def _altered(entry: EntryView, altered: OfferAltered) -> str:
    if altered.exact is None and altered.private:
        return f"{who(altered.seat)} changed offer {altered.offer} in private."
    sides = altered.exact or altered
    now = f"{_goods(entry, sides.give)} for {_goods(entry, sides.want)}"
    return f"{who(altered.seat)} changed offer {altered.offer}: now {now}.{terms_sentence(altered.sides())}"


# ---------------------------------------------------------------- traded


def _trade(entry: EntryView, done: Transaction) -> str:
    """Return what was exchanged, and what turned into other goods on the way."""
    parts = [_went(entry, done, seat) for seat in (done.first, done.second) if given(done, seat)]
    against = f" Against {', '.join(f'[{rule}]' for rule in done.overruled)}, which this table only warns of."
    permitted = " A permit allowed it."
    return (
        f"{'; '.join(parts) or f'{who(done.first)} and {who(done.second)} traded nothing'} "
        f"(transaction {done.number}).{against if done.overruled else ''}{permitted if done.permits else ''}"
    )


def _went(entry: EntryView, done: Transaction, seat: str) -> str:
    """Return what one side gave, and what the other side received of it."""
    other = done.other(seat)
    gave, got = given(done, seat), received(done, other)
    same, turned, became = gave.common(got), got.missing(gave), gave.missing(got)
    if not became:  # nothing turned into other goods, though some may have left the game
        return f"{who(seat)} gave {who(other)} {_goods(entry, gave)}"
    change = f"{who(seat)}'s {_goods(entry, turned)} became {who(other)}'s {_goods(entry, became)}"
    return f"{who(seat)} gave {who(other)} {_goods(entry, same)}, and {change}" if same else change
