"""What happened, in a sentence for each of the game's own kinds of entry."""

from __future__ import annotations

from bot.api import Change, Entry, EntryView, quoted
from bot.games.ti4 import entries, previews
from bot.games.ti4.components import describe, describe_kind, describe_token
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


def narrate(view: EntryView) -> str:
    """Return the sentence for an entry, with the markup of `bot.rules.model.markup`; empty for another's kinds."""
    told = (_goods, _seats, said)
    own = view.entry.sentence(view.ruler)
    return own or _ruled(view) or next((text for each in told if (text := each(view.entry))), "")


def _ruled(view: EntryView) -> str:
    """Return what a host or moderator said for others."""
    match view.entry:
        case entries.PermitGranted(permit=permit):
            return _permit(view, permit)
        case entries.PermitRevoked(permit=permit):
            return f"{view.ruler.capitalize()} ends what {quoted(permit.reason)} allowed {_for(permit)}."
    return ""


def _goods(entry: Entry) -> str:
    match entry:
        case entries.NotePlayed():
            return _played(entry)
        case entries.NoteGiven():
            return _given(entry)
    return ""


def _seats(entry: Entry) -> str:
    match entry:
        case entries.Eliminated():
            return previews.told_of_elimination(entry)
        case entries.FactionChanged(seat=seat, becomes=becomes):
            return f"<person:{entry.person}> plays **<faction:{becomes}>** now, with all that was <faction:{seat}>'s."
    return ""


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
