"""Promissory notes (rule 69): in hand and in play, played and returned. Trading them is in `transactions`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.rules.access import is_host, require_tracked
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.games.ti4.commands import PlayNote, ReturnNote
from bot.rules.games.ti4.components import describe_token, note_owner
from bot.rules.games.ti4.entries import NoteAsked, NotePlayed, NoteReturned
from bot.rules.games.ti4.shorthand import played_version, read_note
from bot.rules.games.ti4.state import Request, state_of
from bot.rules.lookup import own_seat
from bot.rules.model.goods import Goods
from bot.rules.model.markup import QUOTE_MAX, quoted
from bot.rules.model.seats import Change, Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.views import SeatView, TableView
from data.ti4 import promissory_notes

# ---------------------------------------------------------------- played and returned


def play(table: Table, command: PlayNote, caller: Caller) -> Iterable[Entry]:
    """Play a note from hand. It stays in the play area, or goes back to its owner at once.

    F1: a note that came by a transaction may be played in the very window it came in. Raises `Refused` by 69.1 for the
    caller's own note, by 69.5 for one that is in play or not in their hand.
    """
    require_tracked(table)
    seat = own_seat(table, caller)
    note, owner = note_owner(command.note)
    _require_playable(seat, command.note, owner)
    card, stays = Goods({command.note: 1}), promissory_notes()[note].enters_play != "never"
    changes = (
        {seat.id: Change(lost=card, entered_play=card)}
        if stays
        else {seat.id: Change(lost=card), owner: Change(gained=card)}
    )
    return [NotePlayed(seat=seat.id, note=command.note, stays=stays, changes=changes)]


def give_back(table: Table, command: ReturnNote, caller: Caller) -> Iterable[Entry]:
    """Return a note to its owner: by its holder, or for a note in play, also by the host. Its owner asks the holder.

    Raises `Refused` for others, for a note that is with its owner, and when its holder is asked already.
    """
    require_tracked(table)
    holder, own = _holder(table, command.note), table.seat_of(caller.person)
    owner = note_owner(command.note)[1]
    speaks = own.id if own is not None else ""
    if holder is None or not _may_return(holder, command.note, speaks, is_host(table, caller)):
        raise Refused("", f"You don't have {describe_token(command.note)}.", "Who holds a note gives it back.")
    if holder.id == owner:
        raise Refused("", f"{describe_token(command.note)} is with its owner.", "There is nothing to give back.")
    if speaks == holder.id or is_host(table, caller):
        return [returned(table, holder, command.note, said_by=speaks if speaks == holder.id else "")]
    return [_asked(table, holder, command.note)]


def returned(table: Table, holder: Seat, token: str, *, said_by: str) -> NoteReturned:
    """Return that a note goes from its holder to its owner. ``said_by``: the holder, or empty for the host."""
    card = Goods({token: 1})
    leaves = Change(left_play=card) if token in holder.in_play else Change(lost=card)
    changes = {holder.id: leaves, note_owner(token)[1]: Change(gained=card)}
    return NoteReturned(seat=holder.id, note=token, said_by=said_by, changes=changes)


def _asked(table: Table, holder: Seat, token: str) -> NoteAsked:
    note, owner = note_owner(token)
    if holder.person is None:
        raise Refused("", "Nobody plays that seat any more, who could give it back.", "The host can say so.")
    if Request(seat=owner, other=holder.id, note=note) in state_of(table).requests:
        raise Refused("", f"<seat:{holder.id}> has been asked already.", "The host can have it go back at once.")
    return NoteAsked(seat=owner, other=holder.id, note=note)


def _require_playable(seat: Seat, token: str, owner: str) -> None:
    card = describe_token(token)
    if owner == seat.id:
        raise Refused("69.1", f"{card} is your own.", "A promissory note is for somebody else to play.")
    if token in seat.in_play:
        raise Refused("69.5", f"{card} is in play already.", "/note return gives it back to its owner.")
    if token not in seat.holdings:
        raise Refused("69.5", f"You don't have {card} in hand.", "/holdings show lists the notes you hold.")


def _holder(table: Table, token: str) -> Seat | None:
    return next((seat for seat in table.seats.values() if token in seat.in_play or token in seat.holdings), None)


def _may_return(holder: Seat, token: str, speaks: str, hosts: bool) -> bool:
    """Return whether this seat, or a host, may see to it that the note goes back; in a hand, only its holder."""
    if token in holder.in_play:
        return hosts or speaks in (holder.id, note_owner(token)[1])
    return speaks == holder.id


# ---------------------------------------------------------------- named and written


def note_meant(view: TableView, text: str, aliases: Mapping[str, str]) -> str:
    """Return the token of the note that the viewer means to play or to return.

    It is one that they hold or have in play, or one of theirs that lies in play elsewhere. ``aliases`` tells which
    seat a lower-case name means. Raises `Refused` when it is none, when several could be meant, and for a viewer
    without a seat.
    """
    if view.seat is None:
        raise Refused("", "You have no seat at this table.", "Take one with /table sit.")
    note, owner = read_note(text, view.seats, aliases)
    if note is None:
        unknown = quoted(text[:QUOTE_MAX])
        raise Refused("", f"I don't know the note “{unknown}”.", "/holdings show lists the notes you hold.")
    candidates = _candidates(view, view.seats[view.seat], note.id, owner)
    if not candidates:
        return f"note:{note.id}:{owner or (note.owner if note.owner in view.seats else view.seat)}"
    if len(candidates) > 1:
        which = " or ".join(describe_token(token) for token in candidates)
        raise Refused("", f"Which one: {which}?", "Write it with the faction.")
    return candidates[0]


def notes_in_hand(view: TableView) -> list[str]:
    """Return the notes of others that the viewer holds in hand."""
    return _of_others(view.seats[view.seat].known, view.seat) if view.seat else []


def notes_to_return(view: TableView) -> list[str]:
    """Return the notes of others that the viewer holds in hand or has in play."""
    return _of_others(view.seats[view.seat].known + view.seats[view.seat].in_play, view.seat) if view.seat else []


def _candidates(view: TableView, mine: SeatView, note: str, owner: str | None) -> list[str]:
    """Return the notes that could be meant; the viewer's own in their hand only when there is no other."""
    in_play = (token for seat in view.seats.values() for token in seat.in_play)
    known = dict.fromkeys((*mine.known.of_kind("note"), *mine.in_play, *in_play))
    found = [token for token in known if _is(token, note, owner)]
    return [token for token in found if note_owner(token)[1] != mine.id or token not in mine.known] or found


def _is(token: str, note: str, owner: str | None) -> bool:
    found, whose = note_owner(token)
    return found in (note, played_version(note)) and owner in (None, whose)


def _of_others(goods: Goods, seat: str) -> list[str]:
    return [token for token in goods.of_kind("note") if note_owner(token)[1] != seat]


# ---------------------------------------------------------------- what a note does as it changes hands


def arrives_in_play(token: str) -> bool:
    """Return whether a note goes to the play area as it is received: Support for the Throne, Alliance."""
    return promissory_notes()[note_owner(token)[0]].enters_play == "on_receipt"


def purged(token: str, receiver: str) -> bool:
    """Return whether a note takes effect on its receiver and leaves the game; its owner takes it back unharmed."""
    if not token.startswith("note:"):
        return False
    note, owner = note_owner(token)
    return promissory_notes()[note].purged_on_receipt and owner != receiver


def never_to(token: str) -> tuple[str, ...]:
    """Return the factions that nobody may give this note to."""
    return promissory_notes()[note_owner(token)[0]].never_to


def may_be_played_now(goods: Goods) -> list[str]:
    """F1: return the notes among these that are played from hand, each with its timing."""
    notes = (promissory_notes()[note_owner(token)[0]] for token in goods.of_kind("note"))
    return [f"{note.name}: {note.timing}" for note in notes if note.enters_play != "on_receipt"]


HANDLERS: Handlers = dict([handler(PlayNote, play), handler(ReturnNote, give_back)])
