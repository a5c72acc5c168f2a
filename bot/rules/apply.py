"""Apply: the new table after an entry. Never fails on an entry that was decided, never asks the clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bot.rules.entries import (
    DealAnswered,
    DealMarked,
    DealProposed,
    Entry,
    GoodsMoved,
    HandedOver,
    HostChanged,
    NegotiationClosed,
    NegotiationOpened,
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
    PhaseSet,
    SeatLeft,
    SeatTaken,
    SettingsChanged,
    Sides,
    Signed,
    TableClosed,
    TableOpened,
    Transaction,
)
from bot.rules.game import game_named
from bot.rules.goods import NOTHING
from bot.rules.offer_state import for_two
from bot.rules.table import Change, Deal, Negotiation, Offer, Seat, Signature, Table, Window, pair


def apply(table: Table, entry: Entry) -> Table:
    """The table after this entry; ``seq`` counts it."""
    after = _applied(table, entry)
    after = game_named(after.game).apply(after, entry)
    return after.model_copy(update={"seq": table.seq + 1})


def replay(entries: Iterable[Entry], table: Table | None = None) -> Table:
    """The table that these entries lead to, from an empty one or from a snapshot."""
    table = table or Table()
    for entry in entries:
        table = apply(table, entry)
    return table


def _applied(table: Table, entry: Entry) -> Table:
    match entry:
        case TableOpened(game=game, name=name, host=host, settings=settings):
            the_game = game_named(game)
            return Table(
                game=game, name=name, host=host, open=True, settings=settings,
                phase=the_game.phases[0], state=the_game.state(),
            )  # fmt: skip
        case TableClosed():
            return with_(table, open=False)
        case HostChanged(person=person):
            return with_(table, host=person)
        case SettingsChanged(settings=settings):
            return with_(table, settings=settings)
        case PhaseSet(phase=phase, window=number):
            return with_(table, phase=phase, window=Window(number=number))
        case SeatTaken(seat=id, person=person, start=start):
            seat = table.seats.get(id)
            if seat is None:
                return with_seat(table, Seat(id=id, person=person, last=person, holdings=start))
            if seat.last == person:
                return with_seat(table, seat.model_copy(update={"person": person}))
            taken = seat.model_copy(update={"person": person, "last": person, "since": table.seq + 1})
            return with_seat(_passed_on(table, id), taken)
        case SeatLeft(seat=id):
            for offer in table.live_offers():  # a word ends with the person who gave it
                table = _without_word(table, offer, id)
            return with_seat(table, table.seats[id].model_copy(update={"person": None}))
        case Transaction():
            return _transacted(moved(table, entry), entry)
        case GoodsMoved():
            return moved(table, entry)
        case OfferPosted():
            exact = entry.exact or Sides(give=entry.give, want=entry.want, terms=entry.terms)
            offer = Offer(
                number=entry.offer, seat=entry.seat, to=entry.to, give=exact.give, want=exact.want, terms=exact.terms,
                parent=entry.parent, until=entry.until, negotiation=entry.negotiation,
                private=for_two(table, entry.to, entry.negotiation),
            )  # fmt: skip
            return with_offer(table, offer)
        case OfferAltered(offer=number, to=to):
            exact = entry.exact or Sides(give=entry.give, want=entry.want, terms=entry.terms)
            return changed(
                table, number, give=exact.give, want=exact.want, terms=exact.terms, revision=entry.revision,
                signatures={}, agreed={}, handed={}, private=for_two(table, to, table.offers[number].negotiation),
            )  # fmt: skip
        case NegotiationOpened(negotiation=number, seat=id, other=other, topic=topic):
            talks = Negotiation(number=number, seat=id, other=other, topic=topic.text if topic else "")
            return with_(table, negotiations=table.negotiations | {number: talks})
        case NegotiationClosed(negotiation=number):
            talks = table.negotiations[number].model_copy(update={"open": False})
            return with_(table, negotiations=table.negotiations | {number: talks})
        case OfferAgreed(offer=number, revision=revision, seat=id):
            return changed(table, number, agreed=table.offers[number].agreed | {id: revision})
        case OfferSuspended(offer=number):
            return changed(table, number, status="suspended")
        case OfferResumed(offer=number):
            return changed(table, number, status="open")
        case OfferPicked(offer=number, taker=taker):
            return changed(table, number, to=taker, picked=True)
        case Signed():
            return _signed(table, entry)
        case OfferDeclined(offer=number, seat=id):
            offer = table.offers[number]
            if offer.to is None or (offer.picked and not offer.private):  # of an offer to all, one takes it back
                return changed(_without_word(table, offer, id), number, to=None, picked=False)
            return changed(table, number, status="declined", handed={})
        case OfferWithdrawn(offer=number):
            return changed(table, number, status="withdrawn", handed={})
        case OfferVoided(offer=number, why=why):
            reasons = {seat: topic.text for seat, topic in (why or {}).items()}
            return changed(table, number, status="void", handed={}, reasons=reasons)
        case HandedOver(offer=number, seat=id, goods=goods):
            return changed(table, number, handed=table.offers[number].handed | {id: goods or NOTHING})
        case OfferExpired(offer=number):
            return changed(table, number, status="expired", handed={})
        case DealProposed(secret=secret):
            deal = Deal(
                number=entry.deal, seat=entry.seat, to=entry.to, later=entry.later, card=entry.card, offer=entry.offer,
                terms=secret.text if secret else entry.terms, private=secret is not None,
                status="agreed" if entry.offer else "proposed",
            )  # fmt: skip
            return with_deal(table, deal)
        case DealAnswered(deal=number, agreed=agreed):
            return with_deal(table, table.deals[number], status="agreed" if agreed else "declined")
        case DealMarked(deal=number, seat=id, mark=mark):
            return with_deal(table, table.deals[number], marks=table.deals[number].marks | {id: mark})
        case _:
            return table


def _passed_on(table: Table, seat: str) -> Table:
    """Somebody else takes over a chair: what was said to it before stays with who sat there."""
    offers = {
        number: offer.model_copy(update={"passed_on": offer.passed_on | {seat}}) if offer.party(seat) else offer
        for number, offer in table.offers.items()
    }
    deals = {
        number: deal.model_copy(update={"passed_on": deal.passed_on | {seat}}) if seat in (deal.seat, deal.to) else deal
        for number, deal in table.deals.items()
    }
    return with_(table, offers=offers, deals=deals)


def _transacted(table: Table, entry: Transaction) -> Table:
    window = table.window.model_copy(update={"used": table.window.used | {pair(entry.first, entry.second)}})
    done = changed(table, entry.offer, status="resolved", transaction=entry.number, handed={})
    return with_(done, transactions=entry.number, window=window)


def _signed(table: Table, entry: Signed) -> Table:
    signature = Signature(revision=entry.revision, window=entry.window)
    return changed(table, entry.offer, signatures=table.offers[entry.offer].signatures | {entry.seat: signature})


def _without_word(table: Table, offer: Offer, seat: str) -> Table:
    """The table with nothing that this seat has said to an offer, or handed over for it."""
    signatures = {id: signature for id, signature in offer.signatures.items() if id != seat}
    agreed = {id: revision for id, revision in offer.agreed.items() if id != seat}
    handed = {id: goods for id, goods in offer.handed.items() if id != seat}
    return changed(table, offer.number, signatures=signatures, agreed=agreed, handed=handed)


def moved(table: Table, entry: GoodsMoved) -> Table:
    """The table after goods have moved. Where holdings are not tracked there is nothing to change."""
    if table.settings.inventory == "untracked":
        return table
    for changes in (entry.changes, entry.hidden or {}):
        table = _changed(table, changes)
    return table


def _changed(table: Table, changes: Mapping[str, Change]) -> Table:
    for id, change in changes.items():
        seat = table.seats[id]
        holdings = seat.holdings - change.lost + change.gained
        in_play = seat.in_play - change.left_play + change.entered_play
        table = with_seat(table, seat.model_copy(update={"holdings": holdings, "in_play": in_play}))
    return table


def changed(table: Table, number: int, **changes: Any) -> Table:
    """The table with some fields of this offer changed."""
    return with_offer(table, table.offers[number].model_copy(update=changes))


def with_offer(table: Table, offer: Offer) -> Table:
    """The table with this offer in place of the one of its number."""
    return with_(table, offers=table.offers | {offer.number: offer})


def with_deal(table: Table, deal: Deal, **changes: Any) -> Table:
    """The table with this deal, changed so, in place of the one of its number."""
    return with_(table, deals=table.deals | {deal.number: deal.model_copy(update=changes)})


def with_seat(table: Table, seat: Seat) -> Table:
    """The table with this seat in place of the one of its id."""
    return with_(table, seats=table.seats | {seat.id: seat})


def with_(table: Table, **changes: Any) -> Table:
    """The table with some fields changed."""
    return table.model_copy(update=changes)
