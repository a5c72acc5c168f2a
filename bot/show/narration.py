"""Narration: a sentence for each kind of entry, made from what its viewer may see of it.

Seats are called by those who held them at the time. `headline` is the short line that a channel reads when something
happens; `narrate` says everything, for histories, audits and files. Both write markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.rules.audits.entries import Looked
from bot.rules.deals.entries import DealAnswered, DealMarked, DealProposed
from bot.rules.entries import Entry
from bot.rules.holdings.entries import Corrected, Gained, GoodsMoved, Spent
from bot.rules.model.markup import convert, quoted
from bot.rules.negotiations.entries import NegotiationClosed, NegotiationOpened
from bot.rules.offers.entries import OfferAgreed, OfferPicked, OfferVoided, Signed, Transaction
from bot.rules.seats.entries import SeatLeft, SeatTaken
from bot.rules.tables.entries import HostChanged, PhaseSet, SettingsChanged, TableClosed, TableOpened
from bot.rules.views import EntryView
from bot.show.names import Named, format_text, game_of, plain_text
from bot.show.offer_narration import goods_text, moves_text, offer_sentence, who

LOOKED = {
    "ledger": "looked into the ledger",
    "trade": "looked up transaction {}",
    "player": "looked up what <person:{}> did",
    "verify": "had the ledger checked",
    "export": "took a copy of the ledger",
}
"""What each kind of look is called."""

# ---------------------------------------------------------------- whole sentences


def sentence(entry: EntryView) -> str:
    """Return what happened, as Discord shows it."""
    return format_text(entry, narrate(entry))


def plain_sentence(entry: EntryView) -> str:
    """Return what happened without markdown or mentions, for a file."""
    return plain_text(entry, convert(narrate(entry), lambda ours: ours.replace("**", ""), quoted))


def narrate(entry: EntryView) -> str:
    """Return what happened, with all that the viewer may know of it."""
    told = headline(entry) or _core(entry) or offer_sentence(entry) or _any(entry)
    return f"{told}{_in_secret(entry)}{_by_another(entry)}"


# ---------------------------------------------------------------- headlines


def headlines_text(entries: Iterable[EntryView]) -> str:
    """Return what came of a command, a line for each entry that has a headline."""
    return "\n".join(text for entry in entries if (text := headline_text(entry)))


def headline_text(entry: EntryView) -> str:
    """Return the headline of an entry as Discord shows it, or an empty string."""
    return format_text(entry, headline(entry))


def headline(entry: EntryView) -> str:
    """Return the line that the channel reads when this happens; empty for kinds that are told otherwise."""
    if own := game_of(entry).commands.narrate(entry):
        return own
    match entry.entry:
        case Gained(seat=seat) as gained:
            how = "declares" if gained.declared else "gains"
            return f"<player:{seat}> {how} **{goods_text(entry, gained.changes[seat].gained)}**."
        case Spent(seat=seat) as spent:
            return f"<player:{seat}> spends **{goods_text(entry, spent.changes[seat].lost)}**."
        case Corrected() as corrected:
            return _corrected(entry, corrected)
        case SettingsChanged(settings=settings):
            return f"This table plays with {settings_text(entry, settings.items())}."
        case PhaseSet(phase=phase):
            return f"The **{phase} phase** begins."
        case _:
            return ""


def settings_text(named: Named, settings: Mapping[str, str]) -> str:
    """Return the settings that mean something in the game that is played: the core's first, then the game's own."""
    info = game_of(named).info
    own = {option.name: settings.get(option.name, option.values[0]) for option in info.options}
    core = {name: value for name, value in settings.items() if name not in own}
    return ", ".join(f"**{name}: {value}**" for name, value in (core | own).items() if name in info.settings)


def _corrected(entry: EntryView, corrected: Corrected) -> str:
    """Return what a seat has now by the host's word; with a reason, also what it had before."""
    count, who_has = corrected.hidden_moved, f"<player:{corrected.seat}>"
    cards = f" {_hidden_noun(entry)} that came to their hand: {count}." if count else ""
    after = goods_text(entry, corrected.after)
    if not corrected.reason:
        return f"Set by the host: {who_has} has **{after}**.{cards}"
    before, reason = goods_text(entry, corrected.before), quoted(corrected.reason)
    return f"**Correction:** {who_has} had **{before}**, and has **{after}** now.{cards} Why: “{reason}”"


def _hidden_noun(entry: EntryView) -> str:
    hidden = game_of(entry).hidden
    return hidden.noun if hidden else "Hidden cards"


# ---------------------------------------------------------------- other kinds of the core


def _core(entry: EntryView) -> str:
    """Return the sentence for the kinds that all games share, but for offers."""
    match entry.entry:
        case TableOpened(name=name, host=host):
            return f"<person:{host}> opened the table **{quoted(name)}**."
        case TableClosed():
            return "The table was closed."
        case HostChanged(person=person):
            return f"<person:{person}> became the host."
        case SeatTaken(seat=seat, person=person):
            return f"<person:{person}> took the seat **<faction:{seat}>**."
        case SeatLeft(seat=seat, person=person):
            return f"<person:{person}> left the seat **<faction:{seat}>**."
        case Looked(what=what, about=about):
            return f"<person:{entry.by}> {LOOKED[what].format(about)}."
        case NegotiationOpened(seat=seat, other=other, topic=topic):
            of = f" about “{quoted(topic)}”" if topic else ""
            return f"{who(seat)} and {who(other)} began to negotiate in private{of}."
        case NegotiationClosed(seat=seat, other=other):
            return f"{who(seat)} and {who(other)} ended their negotiation."
        case _:
            return _deal(entry.entry)


def _deal(entry: Entry) -> str:
    match entry:
        case DealProposed():
            return f"Deal #{entry.deal}: {_proposed(entry)}"
        case DealAnswered(deal=deal, seat=seat, agreed=agreed):
            return f"{who(seat)} {'agreed to' if agreed else 'declined'} deal #{deal}."
        case DealMarked(deal=deal, seat=seat, other=other, mark=mark):
            return f"{who(seat)} said that {who(other)} **{'kept' if mark == 'kept' else 'broke'}** deal #{deal}."
        case _:
            return ""


def _proposed(entry: DealProposed) -> str:
    together = f"{who(entry.seat)} and {who(entry.to)} promised each other, with offer #{entry.offer}"
    alone = f"{who(entry.seat)} proposed to {who(entry.to)}"
    words = entry.secret or entry.terms
    said = f"“{quoted(words)}”" if words else "in private."
    return f"{together if entry.offer else alone}: {said}"


def _any(entry: EntryView) -> str:
    """Return what any other kind is called, which seat it is about, and what it moved."""
    kind = entry.kind.removeprefix(f"{entry.names.game}.").replace(".", " ")
    seat = getattr(entry.entry, "seat", None)
    title = f"**{kind}**" + (f" ({who(seat)})" if seat in entry.names.holders else "")
    moves = moves_text(entry, entry.entry.changes) if isinstance(entry.entry, GoodsMoved) else ""
    return f"{title}: {moves}." if moves else f"{title}."


def _in_secret(entry: EntryView) -> str:
    """Return what moved unseen, for those who may see it; a transaction says so itself."""
    moved = entry.entry
    if not isinstance(moved, GoodsMoved) or isinstance(moved, Transaction) or not moved.hidden:
        return ""
    return f" In secret: {moves_text(entry, moved.hidden)}."


FOLLOWS_FROM_ANOTHER = (OfferAgreed, OfferVoided, OfferPicked, Signed, DealProposed, NegotiationClosed)
"""Kinds that may follow from what another person did, so that it says nothing who that was."""


def _by_another(entry: EntryView) -> str:
    """Return who did it, where that is not the person it is about."""
    seat = getattr(entry.entry, "seat", None)
    about = getattr(entry.entry, "person", None) or entry.names.holders.get(seat or "")
    if entry.by is None or about is None or entry.by == about or isinstance(entry.entry, FOLLOWS_FROM_ANOTHER):
        return ""
    return f" (<person:{entry.by}> did it.)"
