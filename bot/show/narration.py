"""Narration: a sentence for each kind of entry, from what the viewer may see of it.

Seats are named after the people who held them at the time. `headline` is the line that the channel reads when something
happens; `narrate` is the full sentence for histories, audits and files. Both return markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bot.rules.entries import Entry
from bot.rules.features.audits import Looked
from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed, DealVoided
from bot.rules.features.holdings import Corrected, Gained, GoodsMoved, Spent
from bot.rules.features.negotiations import NegotiationClosed, NegotiationOpened
from bot.rules.features.offers.entries import OfferAgreed, OfferPicked, OfferVoided, Signed, Transaction
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import HostChanged, PhaseSet, SettingsChanged, TableClosed, TableOpened
from bot.rules.model.markup import convert, quoted
from bot.rules.views import EntryView
from bot.show.names import Named, format_text, game_of, plain_text
from bot.show.offer_narration import goods_text, moves_text, offer_sentence, who

LOOKED = {
    "ledger": "looked into the ledger",
    "trade": "looked up transaction {}",
    "player": "looked up what <person:{}> did",
    "holdings": "looked at what <person:{}> holds",
    "verify": "had the ledger checked",
    "export": "took a copy of the ledger",
}
"""The name of each kind of audit."""

# ---------------------------------------------------------------- whole sentences


def sentence(entry: EntryView) -> str:
    """Return the full sentence for Discord."""
    return format_text(entry, narrate(entry))


def plain_sentence(entry: EntryView) -> str:
    """Return the full sentence without markdown or mentions, for a file."""
    return plain_text(entry, convert(narrate(entry), lambda ours: ours.replace("**", ""), quoted))


def narrate(entry: EntryView, of_offer: Callable[[EntryView], str] = offer_sentence) -> str:
    """Return the full sentence, with everything the viewer may know. ``of_offer`` writes sentences about offers."""
    text = headline(entry) or _core(entry) or of_offer(entry) or _generic(entry)
    return f"{text}{_hidden_moves(entry)}{_by_another(entry)}"


# ---------------------------------------------------------------- headlines


def headlines_text(entries: Iterable[EntryView]) -> str:
    """Return the headlines of these entries, one per line."""
    return "\n".join(text for entry in entries if (text := headline_text(entry)))


def headline_text(entry: EntryView) -> str:
    """Return an entry's headline for Discord; empty for none."""
    return format_text(entry, headline(entry))


def headline(entry: EntryView) -> str:
    """Return the line that the channel reads when this happens; empty for kinds that cards or replies report."""
    if own := entry.entry.sentence(entry.ruler):
        return own
    hidden = game_of(entry).hidden
    if hidden and hidden.nothing_open and (secret := _unseen(entry)):
        return secret
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


def _unseen(entry: EntryView) -> str:
    """Return what happened to a hand of which nothing lies open; empty for entries of other kinds."""
    match entry.entry:
        case Corrected(seat=seat, reason=reason):
            because = f" Why: “{quoted(reason)}”" if reason else ""
            return f"{entry.ruler.capitalize()} set the hand of <player:{seat}>; only they know what it is.{because}"
        case Gained(seat=seat):
            return f"<player:{seat}> took cards into their hand."
        case Spent(seat=seat):
            return f"<player:{seat}> put cards out of their hand."
        case _:
            return ""


def settings_text(named: Named, settings: Mapping[str, str]) -> str:
    """Return the settings that the table's game honours: the core's, then the game's own."""
    info = game_of(named).info
    own = {option.name: settings.get(option.name, option.values[0]) for option in info.options}
    core = {name: value for name, value in settings.items() if name not in own}
    return ", ".join(f"**{name}: {value}**" for name, value in (core | own).items() if name in info.settings)


def _corrected(entry: EntryView, corrected: Corrected) -> str:
    """Return what a seat's holdings were set to. With a reason, it is a correction, which also shows them before."""
    count, who_has = corrected.hidden_named, f"<player:{corrected.seat}>"
    cards = f" {_hidden_noun(entry)} that came to their hand: {count}." if count else ""
    after = goods_text(entry, corrected.after)
    if not corrected.reason:
        return f"Set by {entry.ruler}: {who_has} has **{after}**.{cards}"
    before, reason = goods_text(entry, corrected.before), quoted(corrected.reason)
    return f"**Correction:** {who_has} had **{before}**, and has **{after}** now.{cards} Why: “{reason}”"


def _hidden_noun(entry: EntryView) -> str:
    hidden = game_of(entry).hidden
    return hidden.noun if hidden else "Hidden cards"


# ---------------------------------------------------------------- other kinds of the core


def _core(entry: EntryView) -> str:
    """Return the sentence for the core's kinds without a headline, except offers."""
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
            return f"Deal {entry.deal}: {_proposed(entry)}"
        case DealAnswered(deal=deal, seat=seat):
            agreed = entry.answer()
            if agreed is None:
                return f"{who(seat)} answered deal {deal} in private."
            return f"{who(seat)} {'agreed to' if agreed else 'declined'} deal {deal}."
        case DealVoided(deal=deal):
            return f"Deal {deal} ended unanswered, because one of the two left."
        case DealMarked(deal=deal, seat=seat, promised_by=person):
            mark = entry.said()
            if mark is None:
                return f"{who(seat)} said in private what became of deal {deal} with <person:{person}>."
            did = "kept" if mark == "kept" else "broke"
            return f"{who(seat)} said that <person:{person}> **{did}** deal {deal}."
        case _:
            return ""


def _proposed(entry: DealProposed) -> str:
    together = f"{who(entry.seat)} and {who(entry.to)} promised each other, with offer {entry.offer}"
    alone = f"{who(entry.seat)} proposed to {who(entry.to)}"
    words = entry.wording()
    text = f"“{quoted(words.terms)}”" if words else "in private."
    return f"{together if entry.offer else alone}: {text}"


def _generic(entry: EntryView) -> str:
    """Return a sentence for any other kind: its name, its seat, and what it moved."""
    kind = entry.kind.removeprefix(f"{entry.names.game}.").replace(".", " ")
    seat = getattr(entry.entry, "seat", None)
    title = f"**{kind}**" + (f" ({who(seat)})" if seat in entry.names.holders else "")
    moves = moves_text(entry, entry.entry.changes) if isinstance(entry.entry, GoodsMoved) else ""
    return f"{title}: {moves}." if moves else f"{title}."


def _hidden_moves(entry: EntryView) -> str:
    """Return the hidden goods that moved, if the viewer may know; empty for transactions, whose sentence has them."""
    moved = entry.entry
    if not isinstance(moved, GoodsMoved) or isinstance(moved, Transaction) or not moved.hidden:
        return ""
    return f" In secret: {moves_text(entry, moved.hidden)}."


FOLLOWS_FROM_ANOTHER = (OfferAgreed, OfferVoided, OfferPicked, Signed, DealProposed, DealVoided, NegotiationClosed)
"""Kinds that may follow from another person's command. Naming that person would explain nothing."""


def _by_another(entry: EntryView) -> str:
    """Return who did it, if that is not the person whom the entry is about."""
    seat = getattr(entry.entry, "seat", None)
    about = getattr(entry.entry, "person", None) or entry.names.holders.get(seat or "")
    if entry.by is None or about is None or entry.by == about:
        return ""
    if isinstance(entry.entry, FOLLOWS_FROM_ANOTHER) or entry.entry.by_itself():
        return ""
    return f" (<person:{entry.by}> did it.)"
