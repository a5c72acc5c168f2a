"""The story: one sentence for each kind of entry, for whoever looks. Every sentence goes through `view`.

An entry is told at the table as it was then, so that a seat is called by who sat in it at that time.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.desk import Look
from bot.ledger import Person
from bot.rules import entries as core
from bot.rules.books import Step
from bot.rules.entries import Entry, GoodsMoved, Transaction
from bot.rules.goods import NOTHING, Goods
from bot.rules.table import Change, Settings
from bot.rules.views import Viewer, view
from bot.show import happened, names

LOOKED = {
    "ledger": "looked into the ledger",
    "trade": "looked up transaction {}",
    "player": "looked up what <person:{}> did",
    "verify": "had the ledger checked",
    "export": "took a copy of the ledger",
}
"""What each kind of look is called."""


def sentence(table_id: int, people: Mapping[int, Person], step: Step, viewer: Viewer) -> str:
    """What happened, as this viewer may read it on Discord."""
    look = Look(table_id, step.after, people)
    return names.tell(look, _whole(look, step, viewer))


def plain_sentence(table_id: int, people: Mapping[int, Person], step: Step, viewer: Viewer) -> str:
    """The same without markdown or mentions, for a file."""
    look = Look(table_id, step.after, people)
    return names.plain(look, names.parts(_whole(look, step, viewer), lambda ours: ours.replace("**", ""), names.typed))


def window_text(look: Look) -> str:
    """What goes on at a table: ``<seat:sol>'s turn (window 3)``."""
    window = look.table.window
    now = {"turn": f"{_who(window.holder)}'s turn", "none": f"the {look.table.phase} phase", "trade": "the trade phase"}
    return f"{now.get(window.kind, f'the {window.kind}')} (window {window.number})"


def _whole(look: Look, step: Step, viewer: Viewer) -> str:
    entry = view(step.entry, viewer, step.recorded.seq)
    told = happened.line(look, entry) or _core(look, step, entry) or _any(look, entry)
    return f"{told}{_in_secret(look, entry)}{_asked_by(step)}"


def _core(look: Look, step: Step, entry: Entry) -> str:
    """The kinds that all games share, but for offers."""
    by = f"<person:{step.recorded.by}>"
    match entry:
        case core.TableOpened(name=name, host=host):
            return f"<person:{host}> opened the table **{names.typed(name)}**."
        case core.TableClosed():
            return "The table was closed."
        case core.HostChanged(person=person):
            return f"<person:{person}> became the host."
        case core.SettingsChanged(settings=settings):
            return f"The table plays with {_changed(step.before.settings, settings)} from here on."
        case core.SeatTaken(seat=seat, person=person):
            return f"<person:{person}> took the seat **<faction:{seat}>**."
        case core.SeatLeft(seat=seat, person=person):
            return f"<person:{person}> left the seat **<faction:{seat}>**."
        case core.Looked(what=what, about=about):
            return f"{by} {LOOKED[what].format(about)}."
        case core.NegotiationOpened(seat=seat, other=other, topic=topic):
            of = f" about “{names.typed(topic.text)}”" if topic and topic.text else ""
            return f"{_who(seat)} and {_who(other)} began to negotiate in private{of}."
        case core.NegotiationClosed(negotiation=number):
            talks = step.before.negotiations[number]
            return f"{_who(talks.seat)} and {_who(talks.other)} ended their negotiation."
        case core.DealProposed(deal=deal, seat=seat, to=to, terms=terms, secret=secret, offer=offer):
            made = f"{_who(seat)} and {_who(to)} promised each other, with offer #{offer}"
            asked = f"{_who(seat)} proposed to {_who(to)}"
            words = secret.text if secret else terms
            said = f"“{names.typed(words)}”" if words else "in private."
            return f"Deal #{deal}: {made if offer else asked}: {said}"
        case core.DealAnswered(deal=deal, seat=seat, agreed=agreed):
            return f"{_who(seat)} {'agreed to' if agreed else 'declined'} deal #{deal}."
        case core.DealMarked(deal=deal, seat=seat, mark=mark):
            parties = step.after.deals[deal]
            other = parties.to if seat == parties.seat else parties.seat
            return f"{_who(seat)} said that {_who(other)} **{'kept' if mark == 'kept' else 'broke'}** deal #{deal}."
    return _offer(look, step, entry)


def _offer(look: Look, step: Step, entry: Entry) -> str:
    """The life of an offer."""
    match entry:
        case core.OfferPosted(offer=offer, seat=seat, to=to, parent=parent):
            answers = f", in answer to #{parent}," if parent else ""
            until = f" It stood until <t:{entry.until // 1000}:f>." if entry.until else ""
            return f"{_who(seat)} offered {_whom(to)}{answers} #{offer}: {_sides(look, entry)}{until}"
        case core.OfferAltered(offer=offer, revision=revision, seat=seat):
            return f"{_who(seat)} altered offer #{offer} to revision {revision}: {_sides(look, entry)}"
        case core.OfferAgreed(offer=offer, revision=revision, seat=seat):
            return f"{_who(seat)} agreed to offer #{offer}, revision {revision}, to be confirmed later."
        case core.Signed(offer=offer, revision=revision, seat=seat):
            return f"{_who(seat)} **signed** offer #{offer}, revision {revision}, in {window_text(look)}."
        case core.OfferSuspended(offer=offer, seat=seat):
            return f"{_who(seat)} suspended offer #{offer}."
        case core.OfferResumed(offer=offer, seat=seat):
            return f"{_who(seat)} resumed offer #{offer}."
        case core.OfferPicked(offer=offer, seat=seat, taker=taker):
            return f"{_who(seat)} picked {_who(taker)} for offer #{offer}."
        case core.OfferDeclined(offer=offer, seat=seat):
            return f"{_who(seat)} declined offer #{offer}."
        case core.OfferWithdrawn(offer=offer, seat=seat):
            return f"{_who(seat)} withdrew offer #{offer}."
        case core.OfferExpired(offer=offer):
            return f"Offer #{offer} ran out."
        case core.OfferVoided(offer=offer, why=why):
            reasons = " ".join(topic.text for topic in (why or {}).values())
            return f"Offer #{offer} became void. {reasons}".strip()
        case core.HandedOver(offer=offer, revision=revision, seat=seat, goods=goods):
            what = f": **{_goods(look, goods)}**" if goods else ""
            return f"{_who(seat)} handed over their part of offer #{offer}, revision {revision}, sealed{what}."
        case Transaction():
            return _transaction(look, entry)
    return ""


def _transaction(look: Look, entry: Transaction) -> str:
    """The exchange: what each gave and received, and what the rules had to say."""
    sides = " ".join(
        f"{_who(seat)} gave **{_goods(look, _gave(entry, seat))}** and received **{_goods(look, _got(entry, seat))}**."
        for seat in (entry.first, entry.second)
    )
    against = f" Against {', '.join(f'[{rule}]' for rule in entry.overruled)}, which this table only warns of."
    with_permit = f" By permit {', '.join(map(str, entry.permits))}."
    return (
        f"**Transaction {entry.number}** from offer #{entry.offer}, revision {entry.revision}, in {window_text(look)}. "
        f"{sides}{against if entry.overruled else ''}{with_permit if entry.permits else ''}"
    )


def _gave(entry: Transaction, seat: str) -> Goods:
    """What a seat gave: exactly, where the viewer may know, else as everybody may read it."""
    if entry.hidden is None and seat in entry.given:
        return entry.given[seat]
    return entry.changes.get(seat, Change()).lost + (entry.hidden or {}).get(seat, Change()).lost


def _got(entry: Transaction, seat: str) -> Goods:
    """What a seat received, after it became what it becomes."""
    other = entry.second if seat == entry.first else entry.first
    open_change = entry.changes.get(seat, Change())
    received = open_change.gained + open_change.entered_play
    if entry.hidden is not None:
        secret = entry.hidden.get(seat, Change())
        return received + secret.gained + secret.entered_play
    # What is masked in what the other gave is what came unseen.
    seen = entry.changes.get(other, Change()).lost
    return received + seen.missing(entry.given.get(other, NOTHING))


def _any(look: Look, entry: Entry) -> str:
    """Any other kind: what it is called, whose it is, and what it moved."""
    seat = getattr(entry, "seat", None)
    told = [f"**{entry.kind.replace('.', ' ')}**" + (f" ({_who(seat)})" if seat in look.table.seats else "")]
    if isinstance(entry, GoodsMoved):
        told += _told(look, entry.changes)
    return ": ".join((told[0], "; ".join(told[1:]))) + "." if told[1:] else f"{told[0]}."


def _in_secret(look: Look, entry: Entry) -> str:
    """What moved unseen, for those who may see it; a transaction tells it by itself."""
    if not isinstance(entry, GoodsMoved) or isinstance(entry, Transaction) or not entry.hidden:
        return ""
    return f" In secret: {'; '.join(_told(look, entry.hidden))}."


def _told(look: Look, changes: Mapping[str, Change]) -> list[str]:
    told = []
    for seat, change in changes.items():
        lost, gained = change.lost + change.left_play, change.gained + change.entered_play
        parts = [f"{what} **{_goods(look, goods)}**" for what, goods in (("lost", lost), ("gained", gained)) if goods]
        if parts:
            told.append(f"{_who(seat)} {' and '.join(parts)}")
    return told


def _sides(look: Look, entry: core.OfferPosted | core.OfferAltered) -> str:
    """What is given and wanted: exactly for who may know, nothing of what was said in private."""
    if entry.exact is None and look.table.offers[entry.offer].private:
        return "in private."
    sides = entry.exact or entry
    terms = f" Terms: “{names.typed(sides.terms)}”" if sides.terms else ""
    return f"**{_goods(look, sides.give)}** for **{_goods(look, sides.want)}**.{terms}"


def _changed(before: Settings, after: Settings) -> str:
    """The settings that are other than they were."""
    was = dict(before)
    return ", ".join(f"**{name}: {value}**" for name, value in after if was[name] != value) or "the same settings"


def _asked_by(step: Step) -> str:
    """Who did it, where it was not the one it is about."""
    by, entry = step.recorded.by, step.entry
    seat = step.after.seats.get(getattr(entry, "seat", None) or "")
    whose = getattr(entry, "person", None) or (seat.person if seat else None)
    if by is None or whose is None or by == whose:
        return ""
    if isinstance(entry, core.OfferAgreed | core.OfferVoided | core.OfferPicked | core.Signed | core.DealProposed):
        return ""  # these follow from what another did
    return f" (<person:{by}> did it.)"


def _who(seat: str | None) -> str:
    return f"<seat:{seat}>" if seat else "nobody"


def _whom(seat: str | None) -> str:
    return _who(seat) if seat else "everybody"


def _goods(look: Look, goods: Goods) -> str:
    return names.game_of(look).tell_goods(goods)
