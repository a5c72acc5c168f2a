"""What happened, in a sentence for each of the game's own kinds of entry."""

from __future__ import annotations

from bot.rules.entries import Entry
from bot.rules.games.ti4 import entries
from bot.rules.games.ti4.components import commodities, describe, describe_token
from bot.rules.games.ti4.state import Permit
from bot.rules.model.markup import quoted
from bot.rules.views import EntryView

LIFTED = {
    "neighbors": "they need not be neighbours",
    "limit": "they may trade once more",
    "window": "it need not be their turn",
    "goods": "they may give anything",
}
"""What each kind of permit means."""


def narrate(view: EntryView) -> str:
    """Return the sentence for an entry, with the markup of `bot.rules.model.markup`; empty for another's kinds."""
    told = (_play, _agenda, _neighbors, _requests, _goods)
    return _ruled(view) or next((text for each in told if (text := each(view.entry))), "")


def _ruled(view: EntryView) -> str:
    """Return what a host or moderator said for others."""
    match view.entry:
        case entries.PermitGranted(permit=permit):
            return _permit(view, permit)
        case entries.Replenished(by_host=True) as entry:
            return _replenished(entry, f", as {view.ruler} says")
        case entries.NoteReturned(said_by="", seat=seat, note=note):
            who = view.ruler.capitalize()
            return f"{who} has **{describe_token(note)}** go back from <seat:{seat}> to its owner."
    return ""


def _play(entry: Entry) -> str:
    match entry:
        case entries.TurnStarted(seat=seat):
            return f"It is <player:{seat}>'s turn."
        case entries.TurnEnded(seat=seat):
            return f"<player:{seat}>'s turn is over."
        case entries.TurnPassed(seat=seat):
            return f"<player:{seat}> passes."
        case entries.OrderSet(order=order):
            return "They play in this order: " + ", ".join(f"<player:{seat}>" for seat in order) + "."
        case entries.CombatBegun(first=first, second=second):
            return f"⚔️ <seat:{first}> and <seat:{second}> fight in the active system; meanwhile they can trade."
        case entries.CombatEnded():
            return "The combat is over."
    return ""


def _agenda(entry: Entry) -> str:
    match entry:
        case entries.AgendaRevealed(title=title, replaces=replaces):
            how = "The agenda is replaced" if replaces else "An agenda is revealed"
            return f"{how}{_titled(title)}. Each pair may trade once, neighbours or not [94.6]."
        case entries.AgendaResolved(title=title):
            return f"The agenda is resolved{_titled(title)}."
    return ""


def _neighbors(entry: Entry) -> str:
    match entry:
        case entries.NeighborsClaimed(seat=seat, other=other):
            return f"<seat:{seat}> said to be <seat:{other}>'s neighbour."
        case entries.NeighborsDenied(seat=seat, other=other):
            return f"<seat:{seat}> said not to be <seat:{other}>'s neighbour."
        case entries.NeighborsJoined(first=first, second=second):
            return f"<seat:{first}> and <seat:{second}> are neighbours now."
        case entries.NeighborsParted(first=first, second=second):
            return f"<seat:{first}> and <seat:{second}> are no longer neighbours."
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
        case entries.Replenished():
            return _replenished(entry)
        case entries.Converted(seat=seat, amount=amount):
            return f"<player:{seat}> turns **{amount}** of their commodities into trade goods."
        case entries.CommoditiesGained(seat=seat, amount=amount):
            return f"<player:{seat}> gains **{describe(commodities(amount))}**."
        case entries.NotePlayed():
            return _played(entry)
        case entries.NoteReturned(seat=seat, note=note):
            return f"<player:{seat}> gives **{describe_token(note)}** back to its owner."
    return ""


def _replenished(entry: entries.Replenished, said: str = "") -> str:
    return f"<player:{entry.seat}> replenishes **{describe(commodities(entry.amount))}**{said}."


def _played(entry: entries.NotePlayed) -> str:
    where = "and it stays in play" if entry.stays else "and it goes back to its owner"
    got = entry.changes[entry.seat].gained  # Trade Agreement hands over commodities
    paid = f" They receive **{describe(got)}**." if got else ""
    return f"<player:{entry.seat}> plays **{describe_token(entry.note)}**, {where}.{paid}"


def _permit(view: EntryView, permit: Permit) -> str:
    first, second = permit.pair
    until = "for one trade" if permit.once else "from now on"
    allowed = f"{view.ruler.capitalize()} allows <seat:{first}> and <seat:{second}> {until}: {LIFTED[permit.lifts]}."
    return f"{allowed} {quoted(permit.reason)}"


def _titled(title: str) -> str:
    return f": **{quoted(title)}**" if title else ""
