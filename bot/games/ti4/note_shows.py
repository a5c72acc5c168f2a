"""Hands of promissory notes that somebody sees: shown (69.6), or looked at with M'aban.

Everybody may know who saw whose notes. Only the two know which notes they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from bot.api import (
    Caller,
    Command,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    Refused,
    Sealed,
    Table,
    ToAnother,
    own_seat,
    part,
    require_tracked,
    taken_seat,
)
from bot.games.ti4.components import describe, require_in_hand, require_note
from bot.games.ti4.state import InForce, meet

MABAN = "M'aban"


class ShowNotes(Command):
    """Show another player a promissory note of the caller's hand, or (None) all. By its token."""

    kind = "ti4.show"
    private_reply = True
    note: str | None
    to: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """69.6: a hand is hidden, but its player may show it, at any time."""
        require_tracked(table)
        seat, to = own_seat(table, caller), taken_seat(table, self.to)
        if to.id == seat.id:
            raise Refused("You see your own notes anyway.", "Name who sees them.")
        hand = seat.holdings.of_kind("note")
        if self.note is not None:
            require_note(self.note)
            require_in_hand(seat, self.note)
        if not hand:
            raise Refused(
                "You have no promissory notes in hand.", "**My goods** lists what you have."
            )
        notes = hand if self.note is None else Goods({self.note: 1})
        return [_shown(seat.id, to.id, notes, every=self.note is None)]

    def reply(self, entries: Sequence[Entry]) -> str:
        return "\n".join(entry.sentence("") for entry in entries)


class LookAtNotes(Command):
    """Look at the promissory notes in a neighbour's hand, with M'aban."""

    seat: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Naalu may look while M'aban is in force, and who has Naalu's Alliance in play."""
        require_tracked(table)
        own, seat = own_seat(table, caller), taken_seat(table, self.seat)
        if own.id == seat.id:
            raise Refused("You see your own notes anyway.", "Name a neighbour.")
        able = set[str]()
        for permit in part(table, InForce).permits:
            if "hands" in permit.lifts:
                able.update(permit.seats)
        alliances = [f"note:alliance:{seat}" for seat in able]
        if own.id not in able and not any(note in own.in_play for note in alliances):
            raise Refused(
                "Only Naalu with M'aban may look at a neighbour's notes, and whoever may use "
                "M'aban.",
                "When M'aban is unlocked, the host says so: **Permit…** under **Menu**, **Host…**.",
                rule=MABAN,
            )
        if not meet(table, own.id, seat.id):
            raise Refused(
                f"<seat:{seat.id}> isn't your neighbour.",
                "Are you neighbours on the board? **Neighbours changed** under **Menu** says so.",
                rule=MABAN,
            )
        hand = seat.holdings.of_kind("note")
        return [_shown(seat.id, own.id, hand, every=True, ability=MABAN)]


def _shown(seat: str, other: str, notes: Goods, *, every: bool, ability: str = "") -> NotesShown:
    count = notes.total()
    return NotesShown(
        seat=seat, other=other, count=count, every=every, ability=ability, notes=notes
    )


class NotesShown(ToAnother):
    """``other`` saw promissory notes in the hand of ``seat``, all of it if ``every``.

    ``ability``: ``other`` looked by this ability; empty if they were shown.
    """

    kind = "ti4.note.shown"
    count: int
    every: bool
    ability: str = ""
    notes: Annotated[Goods | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        return self.seats()

    def sentence(self, ruler: str) -> str:
        which = f": **{describe(self.notes)}**" if self.notes is not None else ""
        if self.ability:
            return (
                f"<player:{self.other}> looks at <seat:{self.seat}>'s promissory notes "
                f"[{self.ability}]{which}."
            )
        what = describe(Goods({"note": self.count}))
        if self.every:
            what = f"all <their:{self.seat}> promissory notes"
        return f"<player:{self.seat}> shows <seat:{self.other}> {what}{which}."


def looked_at(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a player that another looked at their notes by an ability."""
    if isinstance(entry, NotesShown) and entry.ability:
        text = (
            f"<seat:{entry.other}> looked at the promissory notes in your hand [{entry.ability}]."
        )
        yield FollowUpView(seat=entry.seat, evident=True, text=text)


def hand_shown(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a player which notes another showed them."""
    if isinstance(entry, NotesShown) and not entry.ability and entry.notes is not None:
        text = f"<seat:{entry.seat}> shows you: **{describe(entry.notes)}**."
        yield FollowUpView(seat=entry.other, evident=True, text=text)


FEATURE = Feature(
    commands=(ShowNotes, LookAtNotes),
    entries=(NotesShown,),
    hears=(NotesShown,),
    follow_ups=(looked_at, hand_shown),
)
