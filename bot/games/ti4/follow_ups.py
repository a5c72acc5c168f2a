"""What may follow from what happened, said privately to those it matters to. The bot never decides it for them."""

from __future__ import annotations

from bot.api import NOTHING, Entry, FollowUpView, PhaseSet, Table, Transaction
from bot.games.ti4 import note_gifts, note_returns, notes
from bot.games.ti4.chances import arising
from bot.games.ti4.components import ACTION_CARD, TRADE_GOOD, describe, trade_goods
from bot.games.ti4.effects import gain_button, pillage_buttons
from bot.games.ti4.entries import Eliminated, NoteGiven
from bot.games.ti4.state import Chance, are_neighbors


def follow_ups(table: Table, entry: Entry) -> list[FollowUpView]:
    """Return what may follow from this entry, at the table as it is after it."""
    after = [_of_chance(table, entry, chance) for chance in arising(table, entry, table.seq)]
    match entry:
        case Transaction():
            return [*after, *_lie_in_wait(table, entry), *_play_now(entry)]
        case NoteGiven():
            return [*after, *note_gifts.received(entry)]
        case PhaseSet(phase="status"):
            return [*after, *note_returns.reminders(table)]
        case Eliminated():
            return [*after, *_notes_moved(entry)]
    return after


def _notes_moved(entry: Eliminated) -> list[FollowUpView]:
    """33.4, 33.4.1: which notes left a hand, or came back to one, is for that hand alone."""
    return [
        FollowUpView(seat=seat, text=f"<faction:{entry.seat}> are out of the game. {moved}")
        for seat, change in (entry.hidden or {}).items()
        for moved in (
            f"Out of your hand: **{describe(change.lost)}**." if change.lost else "",
            f"Back to you: **{describe(change.gained)}**." if change.gained else "",
        )
        if moved and seat != entry.seat
    ]


def _of_chance(table: Table, entry: Entry, chance: Chance) -> FollowUpView:
    """Return what somebody may take now, with the button that does it."""
    if chance.effect == "dark_pact":
        return _dark_pact(table, chance)
    did = "traded" if isinstance(entry, Transaction) else "gained trade goods"
    has = describe(trade_goods(table.seats[chance.of].holdings.count(TRADE_GOOD)))
    return FollowUpView(
        seat=chance.seat,
        text=f"<seat:{chance.of}> is your neighbour, has {has} and has just {did}: "
        "you may **Pillage** 1 trade good or commodity.",
        evident=True, buttons=pillage_buttons(table, chance),
    )  # fmt: skip


def _dark_pact(table: Table, chance: Chance) -> FollowUpView:
    both = "commodities with **Dark Pact** in play: each of you gains 1 trade good."
    to_empyrean = f"<seat:{chance.of}> gave you all their {both}"
    text = to_empyrean if chance.seat == "empyrean" else f"You gave <seat:empyrean> all your {both}"
    return FollowUpView(seat=chance.seat, text=text, evident=True, buttons=(gain_button(table, chance),))


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
