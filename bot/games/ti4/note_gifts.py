"""Notes that change hands because of an effect, as Diplomatic Pressure or Mindsieve say; it is no transaction.

So it is possible in every phase and however many notes it takes, and uses no transaction up. That a note moved all may
know, and why; which one only the two, unless it is one that goes into play as it is received.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    NOTHING,
    QUOTE_MAX,
    Caller,
    Change,
    Entry,
    FollowUpView,
    Goods,
    Handlers,
    Refused,
    Seat,
    Table,
    handler,
    one_line,
    own_seat,
    require_tracked,
    taken_seat,
)
from bot.games.ti4.commands import GiveNote
from bot.games.ti4.components import describe_token, note_owner, public
from bot.games.ti4.entries import NoteGiven
from bot.games.ti4.notes import arrives_in_play, never_to, passes_on, purged
from data.ti4 import promissory_notes

EFFECTS = (
    "Diplomatic Pressure", "S'ula Mentarion", "Voidwatch", "The Oracle", "Visionaria Select", "Mindsieve",
    "Malevolency",
)  # fmt: skip
"""Effects that make a player give a note away, as suggestions. Others can be written as well."""


def give(table: Table, command: GiveNote, caller: Caller) -> Iterable[Entry]:
    """Give a note to another player because an effect says so.

    Raises `Refused` without a reason, for oneself and an empty seat, by 69.5 for a note that is not in the caller's
    hand, by 69.5.1 for one in play whose text does not pass it on, and by Hubris for an Alliance to Mahact.
    """
    require_tracked(table)
    seat, to, token = own_seat(table, caller), taken_seat(table, command.to), command.note
    reason = one_line(command.reason)
    if not reason or len(reason) > QUOTE_MAX:
        raise Refused("", f"Name the effect, in {QUOTE_MAX} letters at most.", "For example: Diplomatic Pressure.")
    if to.id == seat.id:
        raise Refused("", "That would be you.", "Name who gets it.")
    _require_givable(seat, token)
    if to.id in never_to(token):
        raise Refused("Hubris", f"Nobody can give <seat:{to.id}> {describe_token(token)}.", "Another note will do.")
    moved = _moved(seat, to.id, token)
    hidden = token not in seat.in_play and not public(token)
    return [
        NoteGiven(
            seat=seat.id, to=to.id, reason=reason, changes={} if hidden else moved, hidden=moved if hidden else {}
        )
    ]


def _moved(giver: Seat, receiver: str, token: str) -> dict[str, Change]:
    """Return what changes for the two. What lay open in play lies open there, but for its owner, who takes it back."""
    card, home = Goods({token: 1}), note_owner(token)[1] == receiver
    open_there = (token in giver.in_play or arrives_in_play(token)) and not home
    left = Change(left_play=card) if token in giver.in_play else Change(lost=card)
    if purged(token, receiver):
        return {giver.id: left}
    return {giver.id: left, receiver: Change(entered_play=card) if open_there else Change(gained=card)}


def _require_givable(seat: Seat, token: str) -> None:
    card = describe_token(token)
    if token in seat.in_play:
        if not passes_on(token):
            raise Refused("69.5.1", f"{card} lies in play, and only notes in hand can be given.", "Choose another.")
    elif token not in seat.holdings:
        raise Refused("69.5", f"You don't have {card} in hand.", "/holdings show lists the notes you hold.")


def received(entry: NoteGiven) -> list[FollowUpView]:
    """Tell the receiver which note they got, and when it is played; of one that all see, everybody reads it."""
    gained = (entry.hidden or {}).get(entry.to, Change()).gained if entry.hidden else NOTHING
    return [
        FollowUpView(
            seat=entry.to, evident=True,
            text=f"<seat:{entry.seat}> gave you **{describe_token(token)}**. If now is the time of it, you may play it "
            f"at once [F1]. {note.name}: {note.timing}.",
        )
        for token in gained
        for note in (promissory_notes()[note_owner(token)[0]],)
    ]  # fmt: skip


HANDLERS: Handlers = dict([handler(GiveNote, give)])
