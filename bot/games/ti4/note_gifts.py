"""Notes that change hands by an effect, such as Diplomatic Pressure or Mindsieve. This is not a transaction.

It is possible in every phase, with any number of notes, and uses no transaction up. Everybody may know that a note
moved, and why. Only the two players know which note, unless it goes into play on receipt.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bot.api import (
    QUOTE_MAX,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsOfSeat,
    Refused,
    Table,
    one_line,
    own_seat,
    quoted,
    require_tracked,
    taken_seat,
)
from bot.games.ti4.components import describe, describe_token, note_owner, public
from bot.games.ti4.notes import arrives_in_play, gained_with, never_to, note_named, passes_on, purged, took_effect

EFFECTS = (
    "Diplomatic Pressure", "S'ula Mentarion", "Voidwatch", "The Oracle", "Visionaria Select", "Mindsieve",
    "Malevolency",
)  # fmt: skip
"""Suggested effects that make a player give a note away. Players can type others."""


@dataclass(frozen=True, slots=True)
class GiveNote(Command):
    """Give one of the caller's notes to another seat, because an effect says so. ``note`` is its token."""

    note: str
    to: str
    reason: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` without a reason, for the caller's own seat or an empty seat, by 69.5 for a note that the
        caller does not have, by 69.5.1 for a note in play whose text does not pass it on, and by Hubris for an Alliance
        that would go to Mahact.
        """
        require_tracked(table)
        seat, to, token = own_seat(table, caller), taken_seat(table, self.to), self.note
        reason, card, in_play = one_line(self.reason), describe_token(token), token in seat.in_play
        if not reason or len(reason) > QUOTE_MAX:
            raise Refused(
                "", f"Name the effect, in at most {QUOTE_MAX} characters.", "For example: Diplomatic Pressure."
            )
        if to.id == seat.id:
            raise Refused("", "You can't give a note to yourself.", "Name who gets it.")
        if in_play and not passes_on(token):
            raise Refused("69.5.1", f"{card} is in play, and only notes in hand can be given.", "Choose another.")
        if not in_play and token not in seat.holdings:
            raise Refused("69.5", f"You don't have {card} in hand.", "/holdings show lists the notes you hold.")
        if to.id in never_to(token):
            raise Refused("Hubris", f"Nobody can give <seat:{to.id}> {card}.", "Try another note.")
        goods = Goods({token: 1})
        moved = {seat.id: Change(left_play=goods) if in_play else Change(lost=goods)}
        if purged(token, to.id):
            moved[to.id] = Change(gained=gained_with([token], to.id))
        else:
            # A note in play stays open with its receiver, unless that is its owner, who takes it in hand.
            open_there = (in_play or arrives_in_play(token)) and note_owner(token)[1] != to.id
            moved[to.id] = Change(entered_play=goods) if open_there else Change(gained=goods)
        if in_play or public(token):
            return [NoteGiven(seat=seat.id, to=to.id, reason=reason, changes=moved, hidden={})]
        return [NoteGiven(seat=seat.id, to=to.id, reason=reason, hidden=moved)]


class NoteGiven(GoodsOfSeat):
    """An effect made a player give a promissory note to another. Unless the note is public, only the two know which.

    ``reason`` is the effect, as the giver wrote it.
    """

    kind: Literal["ti4.note.given"] = "ti4.note.given"
    to: str
    reason: str

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat, self.to})

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the whole entry: both parties know which note it was."""
        return self

    def sentence(self, ruler: str) -> str:
        change = self.changes.get(self.seat, Change())
        card = describe(change.lost + change.left_play) if change != Change() else "a promissory note"
        into_play = self.changes.get(self.to, Change()).entered_play
        where = ", where it is in play" if into_play else ""
        got = self.changes.get(self.to, Change()).gained.without_kind("note")  # Black Ops
        gains = f" They gain **{describe(got)}**." if got else ""
        return (
            f"<player:{self.seat}> gives <seat:{self.to}> **{card}** because of an effect{where}: "
            f"“{quoted(self.reason)}”{gains}"
        )


def received(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell the receiver which note they got, and when to play it or what it did. Other public notes need no message."""
    if not isinstance(entry, NoteGiven):
        return
    yield from took_effect(table, entry.changes.get(entry.seat, Change()).lost, entry.seat, entry.to)
    for token in (entry.hidden or {}).get(entry.to, Change()).gained:
        note = note_named(token)
        yield FollowUpView(
            seat=entry.to, evident=True,
            text=f"<seat:{entry.seat}> gave you **{describe_token(token)}**. If it can be played right now, you may "
            f"play it at once [F1]. {note.name}: {note.timing}.",
        )  # fmt: skip


FEATURE = Feature(commands=(GiveNote,), entries=(NoteGiven,), follow_ups=received)
