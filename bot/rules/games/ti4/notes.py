"""Promissory notes (rule 69): in hand and in play, played and returned. Trading them stands with the transactions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.rules.entries import Entry
from bot.rules.games.ti4.commands import PlayNote, ReturnNote
from bot.rules.games.ti4.components import note_owner, owner_of, played_version, tell
from bot.rules.games.ti4.entries import NotePlayed, NoteReturned
from bot.rules.goods import Goods
from bot.rules.ruling import Refused
from bot.rules.seats import own_seat, require_tracked, rules_the_table
from bot.rules.table import Change, Seat, Table
from bot.rules.words import typed
from data import find_note, promissory_notes


def play(table: Table, command: PlayNote) -> Iterable[Entry]:
    """A note is played from hand by who holds it. It stays in the play area, or goes back to its owner at once.

    F1: a note that came by a transaction may be played in the very window it came in.
    """
    require_tracked(table)
    seat = own_seat(table, command)
    note, owner = note_owner(command.note)
    card = Goods({command.note: 1})
    if owner == seat.id:
        raise Refused("69.1", f"{tell(card)} is your own.", "A promissory note is for somebody else to play.")
    if command.note in seat.in_play:
        raise Refused("69.5", f"{tell(card)} is in play already.", "/note return gives it back to its owner.")
    if command.note not in seat.holdings:
        raise Refused("69.5", f"You don't have {tell(card)} in hand.", "/holdings show lists the notes you hold.")
    stays = promissory_notes()[note].enters_play != "never"
    changes = (
        {seat.id: Change(lost=card, entered_play=card)}
        if stays
        else {seat.id: Change(lost=card), owner: Change(gained=card)}
    )
    return [NotePlayed(seat=seat.id, note=command.note, stays=stays, changes=changes)]


def give_back(table: Table, command: ReturnNote) -> Iterable[Entry]:
    """A note goes back to its owner: by who holds it, or for a note in play, also by its owner or the host."""
    require_tracked(table)
    _, owner = note_owner(command.note)
    card = Goods({command.note: 1})
    holder = next((s for s in table.seats.values() if command.note in s.in_play or command.note in s.holdings), None)
    asks = table.seat_of(command.by)
    in_play = holder is not None and command.note in holder.in_play
    may = asks is not None and holder is not None and (asks.id == holder.id or (in_play and asks.id == owner))
    if not may and not (in_play and rules_the_table(table, command)):
        raise Refused("", f"You don't have {tell(card)}.", "Who holds a note gives it back.")
    assert holder is not None
    if holder.id == owner:
        raise Refused("", f"{tell(card)} is with its owner.", "There is nothing to give back.")
    said_by = asks.id if asks is not None and asks.id in (holder.id, owner) else ""
    changes = _going_back(holder, owner, card, in_play)
    return [NoteReturned(seat=holder.id, note=command.note, said_by=said_by, changes=changes)]


def _going_back(holder: Seat, owner: str, card: Goods, in_play: bool) -> dict[str, Change]:
    leaves = Change(left_play=card) if in_play else Change(lost=card)
    return {holder.id: leaves, owner: Change(gained=card)}


def named(table: Table, seat: str, text: str, names: Mapping[str, str]) -> str:
    """The token of the note somebody means to play or to give back: one they hold or have in play, or that is theirs.

    ``names`` says which seat a lower-case name means. Raises `Refused` when it is none, or could be several.
    """
    what, owner = owner_of(" ".join(text.split()).casefold().replace("’", "'"), names)
    note = find_note(what.removesuffix(" note"))
    if note is None:
        raise Refused("", f"I don't know the note “{typed(text[:60])}”.", "/holdings show lists the notes you hold.")
    mine = table.seats[seat]
    tokens = [*mine.holdings, *mine.in_play, *(token for other in table.seats.values() for token in other.in_play)]
    found: list[str] = [
        token for token in dict.fromkeys(tokens) if token.startswith("note:") and _is(token, note.id, owner)
    ]
    others = [token for token in found if note_owner(token)[1] != seat or token not in mine.holdings]
    candidates = others or found
    if not candidates:
        whose = owner or (note.owner if note.owner in table.seats else seat)
        return f"note:{note.id}:{whose}"
    if len(candidates) > 1:
        told = " or ".join(tell(Goods({token: 1})) for token in candidates)
        first = note_owner(candidates[0])[1]
        raise Refused("", f"Which one: {told}?", f"For example: {first}'s {note.name.lower()}.")
    return candidates[0]


def written(token: str) -> str:
    """A note as one writes it: ``<whose:sol>'s Ceasefire``."""
    note, owner = note_owner(token)
    return f"<whose:{owner}>'s {promissory_notes()[note].name}"


def _is(token: str, note: str, owner: str | None) -> bool:
    found, whose = note_owner(token)
    return found in (note, played_version(note)) and owner in (None, whose)


def arrives_in_play(token: str) -> bool:
    """Whether a note goes to the play area as it is received: Support for the Throne, Alliance."""
    return promissory_notes()[note_owner(token)[0]].enters_play == "on_receipt"


def public(token: str) -> bool:
    """Whether everybody sees which note it is when it changes hands."""
    note = promissory_notes()[note_owner(token)[0]]
    return note.public_on_trade or note.enters_play == "on_receipt"


def purged(token: str, receiver: str) -> bool:
    """Whether a note takes effect on whoever receives it and leaves the game; its owner takes it back unharmed."""
    if not token.startswith("note:"):
        return False
    note, owner = note_owner(token)
    return promissory_notes()[note].purged_on_receipt and owner != receiver


def never_to(token: str) -> tuple[str, ...]:
    """The factions that nobody may give this note to."""
    return promissory_notes()[note_owner(token)[0]].never_to


def may_be_played_now(goods: Goods) -> list[str]:
    """F1: of these, the notes to be played from hand, each with its timing, for the card of who received them."""
    notes = (promissory_notes()[note_owner(token)[0]] for token in goods.of_kind("note"))
    return [f"{note.name}: {note.timing}" for note in notes if note.enters_play != "on_receipt"]
