"""Notes that change hands by an effect, such as Diplomatic Pressure or Mindsieve. This is not a
transaction.

It is possible in every phase, with any number of notes, and uses no transaction up. Everybody may
know that a note moved, and why. Only the two players know which note, unless it goes into play on
receipt.

Malevolency's own text passes it to a neighbour, at its own moment. Whoever uses it shows it, so
this is public.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    QUOTE_MAX,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
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
from bot.games.ti4.components import (
    arrives_in_play,
    describe,
    describe_token,
    note_named,
    note_owner,
    public,
    require_in_hand,
)
from bot.games.ti4.note_moments import rules_out
from bot.games.ti4.notes import gained_with, purged
from bot.games.ti4.state import meet
from data.ti4 import find_note

EFFECTS = (
    "Diplomatic Pressure",
    "S'ula Mentarion",
    "Voidwatch",
    "The Oracle",
    "Visionaria Select",
    "Mindsieve",
    "Malevolency",
)
"""Suggested effects that make a player give a note away. Players can type others."""


class GiveNote(Command):
    """Give one of the caller's notes to another seat, because an effect says so.

    ``note`` is its token, ``reason`` the effect. Malevolency's own text needs none.
    """

    words = ("reason",)
    note: str
    to: str
    reason: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        seat, to = own_seat(table, caller), taken_seat(table, self.to)
        token, reason = self.note, one_line(self.reason)
        note, card, in_play = note_named(token), describe_token(token), token in seat.in_play
        own_text = note.passes_on and (not reason or find_note(reason) == note)
        reason = note.name if own_text else reason
        if not reason or len(reason) > QUOTE_MAX:
            name_it = f"Name the effect, in at most {QUOTE_MAX} characters."
            raise Refused(name_it, "For example: Diplomatic Pressure.")
        if to.id == seat.id:
            raise Refused("You can't give a note to yourself.", "Name who gets it.")
        if not in_play:
            require_in_hand(seat, token)
        elif not note.passes_on:
            lies = f"{card} is in play, and only notes in hand can be given."
            raise Refused(lies, "Choose another.", rule="69.5.1")
        if to.id in note.never_to:
            raise Refused(
                f"Nobody can give <seat:{to.id}> {card}.", "Try another note.", rule="Hubris"
            )
        if own_text:
            _require_passing(table, seat.id, to.id, token)
        goods = Goods({token: 1})
        gives = Change(left_play=goods) if in_play else Change(lost=goods)
        if purged(token, to.id):
            gets = Change(gained=gained_with([token], to.id))
        elif arrives_in_play(token) and note_owner(token)[1] != to.id:
            gets = Change(entered_play=goods)
        else:
            gets = Change(gained=goods)
        moved = {seat.id: gives, to.id: gets}
        shown = own_text or in_play or public(token)
        return [
            NoteGiven(
                seat=seat.id,
                to=to.id,
                reason=reason,
                changes=moved if shown else {},
                hidden={} if shown else moved,
            )
        ]


def _require_passing(table: Table, seat: str, to: str, token: str) -> None:
    """Raise `Refused` unless this seat may pass the note to the other by its own text: Malevolency.

    It moves at the end of a tactical action of its holder, and only to a neighbour.
    """
    note, card = note_named(token), describe_token(token)
    against, _ = rules_out(table, "action", seat, note_owner(token)[1])
    if against:
        raise Refused(
            f"{card} is passed on {note.timing}, and {against}.",
            "If your table sees that otherwise, the host can say who has it: /holdings set.",
            rule=note.name,
        )
    if not meet(table, seat, to):
        raise Refused(
            f"{card} goes to a neighbour, and <seat:{to}> isn't yours.",
            "Are you neighbours on the board? **Neighbours changed** under **Menu** says so.",
            rule=note.name,
        )


class NoteGiven(GoodsOfSeat):
    """An effect made a player give a promissory note to another.

    Unless the note is public, only the two know which. ``reason`` is the effect, as the giver
    wrote it.
    """

    kind = "ti4.note.given"
    to: str
    reason: str

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat, self.to})

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the whole entry: both parties know which note it was."""
        return self

    def sentence(self, ruler: str) -> str:
        gives = self.changes.get(self.seat, Change())
        gets = self.changes.get(self.to, Change())
        notes = gives.lost + gives.left_play
        card = describe(notes) if notes else "a promissory note"
        shown = [note_named(token) for token in notes.of_kind("note")]
        if any(note.passes_on and note.name == self.reason for note in shown):
            return f"<player:{self.seat}> passes **{card}** to <seat:{self.to}> for 1 influence."
        where = ", where it is in play" if gets.entered_play else ""
        goods = gets.gained.without_kind("note")  # Black Ops
        gains = f" They gain **{describe(goods)}**." if goods else ""
        return (
            f"<player:{self.seat}> gives <seat:{self.to}> **{card}** because of an effect{where}: "
            f"“{quoted(self.reason)}”{gains}"
        )


FEATURE = Feature(commands=(GiveNote,), entries=(NoteGiven,))
