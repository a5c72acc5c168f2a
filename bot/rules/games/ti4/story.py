"""What happened, in a sentence for each of the game's own kinds of entry, as everybody may read it."""

from __future__ import annotations

from bot.rules.entries import Entry
from bot.rules.games.ti4 import entries
from bot.rules.games.ti4.components import COMMODITY, tell
from bot.rules.goods import Goods
from bot.rules.words import typed

LIFTED = {
    "neighbors": "they need not be neighbours",
    "limit": "they may trade once more",
    "window": "it need not be their turn",
    "goods": "they may give anything",
}
"""What each kind of permit means."""


def tells(entry: Entry) -> str:
    """The sentence for an entry seen through `view`, with the marks of `bot.rules.words`; ``""`` for other kinds."""
    match entry:
        case entries.TurnStarted(seat=seat):
            return f"It is <player:{seat}>'s turn."
        case entries.TurnEnded(seat=seat):
            return f"<player:{seat}>'s turn is over."
        case entries.TurnPassed(seat=seat):
            return f"<player:{seat}> passes."
        case entries.OrderSet(seats=seats):
            return "They play in this order: " + ", ".join(f"<player:{seat}>" for seat in seats) + "."
        case entries.CombatBegun(first=first, second=second):
            return f"⚔️ <seat:{first}> and <seat:{second}> fight in the active system; meanwhile they can trade."
        case entries.CombatEnded():
            return "The combat is over."
        case entries.AgendaRevealed(title=title, replaces=replaces):
            how = "The agenda is replaced" if replaces else "An agenda is revealed"
            return f"{how}{_titled(title)}. Each pair may trade once, neighbours or not [94.6]."
        case entries.AgendaResolved(title=title):
            return f"The agenda is resolved{_titled(title)}."
        case entries.NeighborsClaimed(seat=seat, other=other):
            return f"<seat:{seat}> said to be <seat:{other}>'s neighbour."
        case entries.NeighborsDenied(seat=seat, other=other):
            return f"<seat:{seat}> said not to be <seat:{other}>'s neighbour."
        case entries.NeighborsJoined(first=first, second=second):
            return f"<seat:{first}> and <seat:{second}> are neighbours now."
        case entries.NeighborsParted(first=first, second=second):
            return f"<seat:{first}> and <seat:{second}> are no longer neighbours."
    return _goods(entry)


def _goods(entry: Entry) -> str:
    match entry:
        case entries.Replenished(seat=seat, amount=amount):
            return f"<player:{seat}> replenishes **{_commodities(amount)}**."
        case entries.Converted(seat=seat, amount=amount):
            return f"<player:{seat}> turns **{amount}** of their commodities into trade goods."
        case entries.CommoditiesGained(seat=seat, amount=amount):
            return f"<player:{seat}> gains **{_commodities(amount)}**."
        case entries.NotePlayed(seat=seat, note=note, stays=stays):
            where = "and it stays in play" if stays else "and it goes back to its owner"
            got = entry.changes[seat].gained  # Trade Agreement hands over commodities
            paid = f" They receive **{tell(got)}**." if got else ""
            return f"<player:{seat}> plays **{tell(Goods({note: 1}))}**, {where}.{paid}"
        case entries.NoteReturned(seat=seat, note=note, said_by=by) if by != seat:
            who = f"<player:{by}> takes" if by else "The host has"
            back = f"back from <seat:{seat}>" if by else f"go back from <seat:{seat}> to its owner"
            return f"{who} **{tell(Goods({note: 1}))}** {back}."
        case entries.NoteReturned(seat=seat, note=note):
            return f"<player:{seat}> gives **{tell(Goods({note: 1}))}** back to its owner."
        case entries.PermitGranted(permit=permit):
            first, second = permit.pair
            until = "for one trade" if permit.once else "from now on"
            allowed = f"The host allows <seat:{first}> and <seat:{second}> {until}: {LIFTED[permit.lifts]}."
            return f"{allowed} {typed(permit.reason)}"
    return ""


def _commodities(amount: int) -> str:
    return tell(Goods({COMMODITY: amount} if amount else {}))


def _titled(title: str) -> str:
    return f": **{typed(title)}**" if title else ""
