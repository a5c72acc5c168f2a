"""What may follow from what happened, said privately to those it matters to. The bot never decides it for them."""

from __future__ import annotations

from bot.rules.entries import Entry
from bot.rules.games.ti4 import note_gifts, note_returns, notes
from bot.rules.games.ti4.components import ACTION_CARD, COMMODITY, TRADE_GOOD
from bot.rules.games.ti4.entries import NoteGiven
from bot.rules.games.ti4.limits import commodity_value
from bot.rules.games.ti4.state import are_neighbors
from bot.rules.model.goods import NOTHING
from bot.rules.model.table import Table
from bot.rules.offers.entries import Transaction
from bot.rules.tables.entries import PhaseSet
from bot.rules.views import FollowUpView

PILLAGE_FROM = 3
"""Pillage: a neighbour with at least so many trade goods."""


def follow_ups(table: Table, entry: Entry) -> list[FollowUpView]:
    """Return what may follow from this entry, at the table as it is after it."""
    match entry:
        case Transaction():
            return [*_pillage(table, entry), *_dark_pact(table, entry), *_lie_in_wait(table, entry), *_play_now(entry)]
        case NoteGiven():
            return note_gifts.received(entry)
        case PhaseSet(phase="status"):
            return note_returns.reminders(table)
    return []


def _pillage(table: Table, entry: Transaction) -> list[FollowUpView]:
    """Mentak's Pillage: after a neighbour with 3 trade goods or more has traded. Promise of Protection wards it off."""
    if "mentak" not in table.seats or not table.tracked:
        return []
    return [
        FollowUpView(
            seat="mentak",
            text=f"<seat:{party}> is your neighbour, has {table.seats[party].holdings.count(TRADE_GOOD)} trade goods "
            "and has just traded: you may **Pillage** 1 trade good or commodity.",
            evident=True,
        )
        for party in (entry.first, entry.second)
        if _can_pillage(table, party)
    ]


def _can_pillage(table: Table, party: str) -> bool:
    seat = table.seats[party]
    return (
        party != "mentak"
        and are_neighbors(table, "mentak", party)
        and seat.holdings.count(TRADE_GOOD) >= PILLAGE_FROM
        and "note:promise_of_protection:mentak" not in seat.in_play
    )


def _dark_pact(table: Table, entry: Transaction) -> list[FollowUpView]:
    """Empyrean's Dark Pact: its holder gave Empyrean exactly as many commodities as their maximum."""
    if "empyrean" not in (entry.first, entry.second):
        return []
    giver = entry.other("empyrean")
    seat, gave = table.seats[giver], entry.changes[giver].lost.count(COMMODITY)
    if "note:dark_pact:empyrean" not in seat.in_play or gave != commodity_value(seat):
        return []
    both = "commodities with **Dark Pact** in play: each of you gains 1 trade good."
    return [
        FollowUpView(seat="empyrean", text=f"<seat:{giver}> gave you all their {both}", evident=True),
        FollowUpView(seat=giver, text=f"You gave <seat:empyrean> all your {both}", evident=True),
    ]


def _lie_in_wait(table: Table, entry: Transaction) -> list[FollowUpView]:
    """Lie in Wait: two neighbours have traded. It is said to those who hold any action card at all."""
    return [
        FollowUpView(
            seat=seat.id,
            text=f"Your neighbours <seat:{entry.first}> and <seat:{entry.second}> have traded. "
            "If you hold **Lie in Wait**, this is when to play it.",
            evident=True,
        )
        for seat in table.seats.values()
        if seat.id not in (entry.first, entry.second)
        and seat.holdings.count(ACTION_CARD)
        and are_neighbors(table, seat.id, entry.first)
        and are_neighbors(table, seat.id, entry.second)
    ]


def _play_now(entry: Transaction) -> list[FollowUpView]:
    """F1: a note that came in its own timing window may be played in it.

    That a note came is known to all, and so are those that can't be played from the hand [69.6].
    """
    hidden = entry.hidden or {}
    return [
        FollowUpView(seat=seat, text=f"If now is the time of it, you may play it at once [F1]. {note}.", evident=True)
        for seat in (entry.first, entry.second)
        for note in notes.may_be_played_now(hidden[seat].gained if seat in hidden else NOTHING)
    ]
