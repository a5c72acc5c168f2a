"""Details: the life of an offer in sentences, oldest first, as far as its reader may know it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.deals.entries import DealProposed
from bot.rules.entries import Entry
from bot.rules.model.goods import Goods
from bot.rules.model.seats import Change
from bot.rules.offers.entries import (
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
from bot.rules.views import EntryView, OfferView, TableView
from bot.show.cards import Card
from bot.show.names import game_of, name_text
from bot.show.offer_buttons import more_rows
from bot.show.offer_sides import title
from bot.show.terms import irrevocable_text, terms_sentence
from bot.show.truncation import truncate

LINES, LINE_MAX = 12, 270
"""Steps that are shown, and characters of each: together well under what a message holds."""


def details_card(view: TableView, offer: OfferView, entries: Sequence[EntryView]) -> Card:
    """Return what became of an offer; ``entries`` are those about it, oldest first."""
    told = [line for entry in entries if (line := _line(entry, offer))]
    first, rest = told[:1], told[1:]
    left_out = [f"-# {len(rest) - LINES + 1} steps between"] if len(rest) >= LINES else []
    lines = [*first, *left_out, *rest[-LINES + 1 :]]
    undone = irrevocable_text(view) if offer.status == "resolved" else ""
    lines += [f"-# {undone}"] if undone else []
    rows = tuple(
        tuple(button for button in row if button.label != "Details") for row in more_rows(offer) if len(row) > 1
    )
    return Card("done" if offer.status == "resolved" else "open", (f"-# {title(view, offer)}", "\n".join(lines)), rows)


def _line(entry: EntryView, offer: OfferView) -> str:
    sentence = _sentence(entry, offer)
    return f"<t:{entry.at // 1000}:R> {truncate(name_text(entry, sentence), LINE_MAX)}" if sentence else ""


def _sentence(entry: EntryView, offer: OfferView) -> str:
    """Return what an entry did, as markup; empty for what another one says already."""
    match entry.entry:
        case OfferPosted(seat=seat, to=to) as posted:
            return f"<seat:{seat}> offered {f'<seat:{to}>' if to else 'everyone'} {_sides(entry, posted)}"
        case OfferAltered(seat=seat) as altered:
            return f"<seat:{seat}> changed it to {_sides(entry, altered)}"
        case Signed(seat=seat) | OfferAgreed(seat=seat) if seat == offer.poster:
            return ""  # posting and altering say so
        case Transaction() as done:
            return f"Done: transaction {done.number}. {_given(entry, done)}"
        case DealProposed(deal=deal):
            return f"What was said became deal {deal}."
        case step:
            return _step(step)


def _step(entry: Entry) -> str:
    match entry:
        case Signed(seat=seat):
            return f"<seat:{seat}> accepted it."
        case OfferAgreed(seat=seat):
            return f"<seat:{seat}> agreed to it for later."
        case HandedOver(seat=seat):
            return f"<seat:{seat}> handed over."
        case OfferSuspended(seat=seat):
            return f"<seat:{seat}> suspended it."
        case OfferResumed(seat=seat):
            return f"<seat:{seat}> put it up again."
        case OfferPicked(seat=seat, taker=taker):
            return f"<seat:{seat}> picked <seat:{taker}>."
        case OfferDeclined(seat=seat):
            return f"<seat:{seat}> declined it."
        case OfferWithdrawn(seat=seat):
            return f"<seat:{seat}> withdrew it."
        case OfferExpired():
            return "Its time was up."
        case OfferVoided(reasons=reasons):
            return f"It became impossible. {' '.join((reasons or {}).values())}".strip()
        case _:
            return ""


def _sides(entry: EntryView, posted: OfferPosted | OfferAltered) -> str:
    """Return what is given and wanted as exactly as the viewer may know; nothing of another's private offer."""
    if posted.exact is None and posted.private:
        return "something in private."
    sides = posted.exact or posted.sides()
    return f"**{_words(entry, sides.give)}** for **{_words(entry, sides.want)}**.{terms_sentence(posted.sides())}"


def _given(entry: EntryView, done: Transaction) -> str:
    """Return what each of the two gave, exactly where the viewer may know."""
    parts = []
    for seat in (done.first, done.second):
        hidden = None if done.hidden is None else done.hidden.get(seat, Change()).lost
        goods = done.given[seat] if hidden is None else done.changes.get(seat, Change()).lost + hidden
        parts.append(f"<seat:{seat}> gave **{_words(entry, goods)}**")
    return f"{', '.join(parts)}."


def _words(entry: EntryView, goods: Goods) -> str:
    return game_of(entry).goods.describe(goods)
