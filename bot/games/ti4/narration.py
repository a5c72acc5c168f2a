"""What happened, in a sentence for each of the game's own kinds of entry."""

from __future__ import annotations

from collections.abc import Mapping

from bot.api import Change, Entry, EntryView, Goods, quoted
from bot.games.ti4 import entries, previews
from bot.games.ti4.components import ACTION_CARD, commodities, describe, describe_kind, describe_token
from bot.games.ti4.permits import permitted
from bot.games.ti4.state import Permit
from bot.games.ti4.take_back.narration import said
from data.ti4 import Lift

LIFTED: dict[Lift, str] = {
    "neighbors": "they need not be neighbours",
    "limit": "they may trade once more",
    "window": "it need not be their turn",
    "goods": "they may give anything",
    "notes": "a side may give several promissory notes",
    "commodities": "commodities have no upper limit",
}
"""What each kind of permit means."""

ENDED: Mapping[entries.Moment, str] = {
    "combat": "combat", "turn": "turn", "agenda": "agenda", "status": "status phase",
}  # fmt: skip
"""What has ended when a note goes back by itself."""


def narrate(view: EntryView) -> str:
    """Return the sentence for an entry, with the markup of `bot.rules.model.markup`; empty for another's kinds."""
    told = (_requests, _goods, _seats, said)
    own = view.entry.sentence(view.ruler)
    return own or _ruled(view) or _effects(view) or next((text for each in told if (text := each(view.entry))), "")


def _ruled(view: EntryView) -> str:
    """Return what a host or moderator said for others."""
    match view.entry:
        case entries.PermitGranted(permit=permit):
            return _permit(view, permit)
        case entries.PermitRevoked(permit=permit):
            return f"{view.ruler.capitalize()} ends what {quoted(permit.reason)} allowed {_for(permit)}."
        case entries.Replenished(by_host=True) as entry:
            return _replenished(entry, f", as {view.ruler} says")
        case entries.NoteReturned(said_by="", after=None, seat=seat, note=note):
            who = view.ruler.capitalize()
            return f"{who} has **{describe_token(note)}** go back from <seat:{seat}> to its owner."
    return ""


def _requests(entry: Entry) -> str:
    match entry:
        case entries.ReplenishAsked(seat=seat, other=other):
            return f"<seat:{seat}> lets <seat:{other}> replenish, who is asked."
        case entries.NoteAsked(seat=seat, other=other, note=note):
            return f"<seat:{seat}> asks <seat:{other}> for **{describe_token(f'note:{note}:{seat}')}** back."
        case entries.RequestDenied(seat=seat, note=note):
            return f"<seat:{seat}> keeps it." if note else f"<seat:{seat}> does not replenish now."
    return ""


def _goods(entry: Entry) -> str:
    match entry:
        case entries.Replenished(let_by=let_by):
            return _replenished(entry, f", as <seat:{let_by}> lets them" if let_by else "")
        case entries.Converted(seat=seat, amount=amount):
            return f"<player:{seat}> turns **{amount}** of their commodities into trade goods."
        case entries.CommoditiesGained(seat=seat, amount=amount):
            return f"<player:{seat}> gains **{describe(commodities(amount))}**."
        case entries.CardsDiscarded(seat=seat, amount=amount):
            discarded = describe(Goods({ACTION_CARD: amount}))
            return f"<player:{seat}> discards **{discarded}**, down to what a hand may hold [2.4]."
        case entries.NotePlayed():
            return _played(entry)
        case entries.NoteReturned():
            return _returned(entry)
        case entries.NoteGiven():
            return _given(entry)
    return ""


def _seats(entry: Entry) -> str:
    match entry:
        case entries.NotesReprinted():
            return "The promissory notes are those of the boxes that this table plays with now."
        case entries.Eliminated():
            return previews.told_of_elimination(entry)
        case entries.FactionChanged(seat=seat, becomes=becomes):
            return f"<person:{entry.person}> plays **<faction:{becomes}>** now, with all that was <faction:{seat}>'s."
    return ""


def _effects(view: EntryView) -> str:
    said = f", as {view.ruler} says"
    match view.entry:
        case entries.CommoditiesLost(seat=seat, amount=amount, effect=effect, by_host=by_host):
            return f"<player:{seat}> loses **{describe(commodities(amount))}** {_by(effect)}{said if by_host else ''}."
        case entries.GivenByEffect(seat=seat, to=to, goods=goods, effect=effect, by_host=by_host) as entry:
            how, got = f"{_by(effect)}{said if by_host else ''}", describe(entry.changes[to].gained)
            gets = f"<player:{to}> gets **{got}**. It is no transaction."
            return f"<player:{seat}> loses **{describe(goods)}** {how}; {gets}"
        case entries.GainedByEffect(seat=seat, goods=goods, effect=effect):
            return f"<player:{seat}> gains **{describe(goods)}** {_by(effect)}."
        case entries.PillageAsked(seat=seat, other=other, take=take):
            return f"<seat:{seat}> pillages **{describe_token(take)}** from <seat:{other}>, who is asked for it."
        case entries.PillageDenied(seat=seat, other=other):
            return f"<seat:{seat}> says that <seat:{other}> can't pillage them here."
    return ""


def _by(effect: str) -> str:
    return f"by **{quoted(effect)}**" if effect else "by an effect"


def _replenished(entry: entries.Replenished, said: str = "") -> str:
    return f"<player:{entry.seat}> replenishes **{describe(commodities(entry.amount))}**{said}."


def _played(entry: entries.NotePlayed) -> str:
    where = "and it stays in play" if entry.stays else "and it goes back to its owner"
    got = entry.changes[entry.seat].gained  # Trade Agreement hands over commodities
    paid = f" They receive **{describe(got)}**." if got else ""
    return f"<player:{entry.seat}> plays **{describe_token(entry.note)}**, {where}.{paid}"


def _given(entry: entries.NoteGiven) -> str:
    """Return that a note was given for an effect; which one, where that is public."""
    change = entry.changes.get(entry.seat, Change())
    card = describe(change.lost + change.left_play) if change != Change() else "a promissory note"
    into_play = entry.changes.get(entry.to, Change()).entered_play
    where = ", and it lies in play there" if into_play else ""
    return f"<player:{entry.seat}> gives <seat:{entry.to}> **{card}** for an effect{where}: “{quoted(entry.reason)}”"


def _returned(entry: entries.NoteReturned) -> str:
    """Return why a note goes back: by itself, or since its holder says so."""
    card = f"**{describe_token(entry.note)}**"
    if entry.after:
        return f"{card} goes back from <seat:{entry.seat}> to its owner, since the {ENDED[entry.after]} is over."
    return f"<player:{entry.seat}> gives {card} back to its owner."


def _permit(view: EntryView, permit: Permit) -> str:
    until = "for one trade" if permit.once else "from now on"
    what = "; ".join(_lifted(permit, lift) for lift in permit.lifts)
    allowed = f"{view.ruler.capitalize()} allows {_for(permit)} {until}: {what}."
    ends = " It ends with this turn or agenda." if permit.until == "window" else ""
    return f"{allowed}{ends} {quoted(permit.reason)}"


def _lifted(permit: Permit, lift: Lift) -> str:
    """Return what a permit allows; for one that is about some components, which they are."""
    if lift == "goods" and permit.components:
        return f"they may give {_joined([describe_kind(each) for each in permit.components])} too"
    return LIFTED[lift]


def _for(permit: Permit) -> str:
    return permitted(permit) if permit.seats else "everybody"


def _joined(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _titled(title: str) -> str:
    return f": **{quoted(title)}**" if title else ""
