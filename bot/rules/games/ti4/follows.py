"""What may follow from a transaction, said privately to whom it matters. The bot never decides it for them."""

from __future__ import annotations

from bot.rules.entries import Transaction
from bot.rules.game import Follow
from bot.rules.games.ti4 import notes
from bot.rules.games.ti4.components import ACTION_CARD, COMMODITY, TRADE_GOOD
from bot.rules.games.ti4.holdings import commodity_value
from bot.rules.games.ti4.state import are_neighbors
from bot.rules.goods import NOTHING
from bot.rules.table import Table

PILLAGE_FROM = 3
"""Pillage: a neighbour with at least so many trade goods."""


def follows(table: Table, entry: Transaction) -> list[Follow]:
    """Everything that may follow from this transaction, at the table as it is after it."""
    return [*_pillage(table, entry), *_dark_pact(table, entry), *_lie_in_wait(table, entry), *_windows(entry)]


def _pillage(table: Table, entry: Transaction) -> list[Follow]:
    """Mentak's Pillage: after a neighbour with 3 trade goods or more has traded. Promise of Protection wards it off."""
    if "mentak" not in table.seats or table.settings.inventory == "untracked":
        return []
    return [
        Follow(
            seat="mentak",
            text=f"<seat:{party}> is your neighbour, has {table.seats[party].holdings.count(TRADE_GOOD)} trade goods "
            "and has just traded: you may **Pillage** 1 trade good or commodity.",
        )
        for party in (entry.first, entry.second)
        if party != "mentak"
        and are_neighbors(table, "mentak", party)
        and table.seats[party].holdings.count(TRADE_GOOD) >= PILLAGE_FROM
        and "note:promise_of_protection:mentak" not in table.seats[party].in_play
    ]


def _dark_pact(table: Table, entry: Transaction) -> list[Follow]:
    """Empyrean's Dark Pact: its holder gave Empyrean exactly as many commodities as their maximum."""
    for giver, receiver in ((entry.first, entry.second), (entry.second, entry.first)):
        gave = entry.changes[giver].lost.count(COMMODITY)
        in_play = "note:dark_pact:empyrean" in table.seats[giver].in_play
        if receiver == "empyrean" and in_play and gave == commodity_value(table, giver):
            text = (
                "<seat:{0}> gave you all their commodities with **Dark Pact** in play: each of you gains 1 trade good."
            )
            return [
                Follow(seat="empyrean", text=text.format(giver)),
                Follow(
                    seat=giver,
                    text="You gave <seat:empyrean> all your commodities with **Dark Pact** in play: "
                    "each of you gains 1 trade good.",
                ),
            ]
    return []


def _lie_in_wait(table: Table, entry: Transaction) -> list[Follow]:
    """Lie in Wait: two of your neighbours have traded. Said to those who hold any action card at all."""
    return [
        Follow(
            seat=seat.id,
            text=f"Your neighbours <seat:{entry.first}> and <seat:{entry.second}> have traded. "
            "If you hold **Lie in Wait**, this is when to play it.",
        )
        for seat in table.seats.values()
        if seat.id not in (entry.first, entry.second)
        and seat.holdings.count(ACTION_CARD)
        and are_neighbors(table, seat.id, entry.first)
        and are_neighbors(table, seat.id, entry.second)
    ]


def _windows(entry: Transaction) -> list[Follow]:
    """F1: a note that came in its own timing window may be played in it."""
    hidden = entry.hidden or {}
    return [
        Follow(seat=seat, text=f"If now is the time of it, you may play it at once [F1]. {told}.")
        for seat in (entry.first, entry.second)
        for told in notes.may_be_played_now(hidden[seat].gained if seat in hidden else NOTHING)
    ]
