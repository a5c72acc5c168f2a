"""Seats that leave the game: rule 33, elimination; and a faction that becomes another, as Firmament and Obsidian.

Everything that is theirs moves in one step. There is one set of notes for each colour at the table, and nothing lies
before a seat that is gone, which nobody takes again.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    NOTHING,
    Caller,
    Change,
    Command,
    Entry,
    Goods,
    Handlers,
    MarkDeal,
    Refused,
    Seat,
    SeatLeft,
    SeatTaken,
    Table,
    close_negotiations,
    handler,
    kind_of,
    require_host,
    taken_seat,
    void_deals,
    void_offers,
)
from bot.games.ti4.boxes import box_name, boxes_of, in_boxes, start
from bot.games.ti4.commands import ChangeFaction, Eliminate
from bot.games.ti4.components import captured_unit, note_owner, open_goods
from bot.games.ti4.entries import Eliminated, FactionChanged
from bot.games.ti4.previews import of_change, of_elimination, public_seats, stamp
from bot.games.ti4.state import active_seat, gone, next_seat, state_of
from bot.games.ti4.turns import TurnEnded, TurnStarted
from data.ti4 import factions

# ---------------------------------------------------------------- elimination


def eliminate(table: Table, command: Eliminate, caller: Caller) -> Iterable[Entry]:
    """Take a seat out of the game, with all that is its own [33]; a turn of theirs is over. Also an empty seat.

    Raises `Refused` unless a host asks, for no seat of this table, by 33.2 for one that is gone, and when what was
    shown is not what would happen any more.
    """
    require_host(table, caller, "take somebody out of the game")
    seat = table.seats.get(command.seat)
    if seat is None:
        raise Refused("", "Nobody plays that seat.", "/table show lists the players.")
    require_there(table, seat.id)
    _require_as_shown(command.stamp, of_elimination(public_seats(table), seat.id, tracked=table.tracked))
    yield from _ended(table, seat.id)
    changes, hidden = _cleared(table, seat)
    yield Eliminated(seat=seat.id, person=seat.person, counted=table.tracked, changes=changes, hidden=hidden)
    if seat.person is not None:
        yield SeatLeft(seat=seat.id, person=seat.person)
    yield from _turn_over(table, seat.id)


def _cleared(table: Table, seat: Seat) -> tuple[dict[str, Change], dict[str, Change]]:
    """Return what leaves the game and what goes home, in the open and in hands (33.2, 33.4, 33.4.1, 33.5, 33.11)."""
    changes = {seat.id: Change(lost=open_goods(seat.holdings), left_play=seat.in_play)}
    hidden = {seat.id: Change(lost=seat.holdings.of_kind("note"))}
    for other in table.seats.values():
        if other.id == seat.id or other.id in gone(table):
            continue
        public = Change(gained=_notes_of(seat.in_play, other.id), left_play=_notes_of(other.in_play, seat.id))
        secret = Change(lost=_notes_of(other.holdings, seat.id), gained=_notes_of(seat.holdings, other.id))
        changes |= {other.id: public} if public != Change() else {}
        hidden |= {other.id: secret} if secret != Change() else {}
    return changes, hidden


def _turn_over(table: Table, seat: str) -> Iterable[Entry]:
    """Return the end of this seat's turn, if it has one, and the beginning of the next."""
    if active_seat(table) != seat:
        return
    yield TurnEnded(seat=seat, window=table.window.number + 1)
    if (following := next_seat(table, seat)) not in (None, seat):
        yield TurnStarted(seat=following or "", window=table.window.number + 2)


# ---------------------------------------------------------------- a faction that becomes another


def change(table: Table, command: ChangeFaction, caller: Caller) -> Iterable[Entry]:
    """Make a seat the faction that it becomes: the player, goods and place in turns stay, the sheet's own note goes.

    Raises `Refused` unless a host asks, for an empty seat, for a faction that becomes no other, and when what was shown
    is not what would happen any more.
    """
    require_host(table, caller, "make a faction another")
    seat = taken_seat(table, command.seat)
    becomes = factions()[seat.id].becomes
    if becomes is None or seat.person is None:
        raise Refused("", f"<faction:{seat.id}> can't become another faction.", "/table show lists the players.")
    _require_as_shown(command.stamp, of_change(public_seats(table), seat.id, tracked=table.tracked))
    yield from _ended(table, seat.id)
    yield SeatLeft(seat=seat.id, person=seat.person)
    yield SeatTaken(seat=becomes, person=seat.person)
    changes, hidden = _moved(table, seat, becomes)
    yield FactionChanged(seat=seat.id, becomes=becomes, person=seat.person, changes=changes, hidden=hidden)


def _moved(table: Table, seat: Seat, becomes: str) -> tuple[dict[str, Change], dict[str, Change]]:
    """Return how everything moves from one seat to the other, and how what others have of it becomes the other's."""
    now = _Becomes(seat.id, becomes, start(seat.id, table.settings), start(becomes, table.settings))
    lies, hand = open_goods(seat.holdings), seat.holdings.of_kind("note")
    changes = {
        seat.id: Change(lost=lies, left_play=seat.in_play),
        becomes: Change(gained=lies, entered_play=seat.in_play),
    }
    hidden = {seat.id: Change(lost=hand), becomes: Change(gained=now.of(hand) + now.new)}
    for other in table.seats.values():
        if other.id == seat.id or other.id in gone(table):
            continue
        public = _exchange(now, now.theirs(open_goods(other.holdings)), now.theirs(other.in_play))
        secret = _exchange(now, now.theirs(other.holdings.of_kind("note")), NOTHING)
        changes |= {other.id: public} if public != Change() else {}
        hidden |= {other.id: secret} if secret != Change() else {}
    return changes, hidden


def _exchange(now: _Becomes, held: Goods, in_play: Goods) -> Change:
    return Change(lost=held, gained=now.of(held), left_play=in_play, entered_play=now.of(in_play))


class _Becomes:
    """What becomes of the components of one seat as it becomes another: the notes of both, by their tokens."""

    def __init__(self, before: str, after: str, old: Goods, new: Goods) -> None:
        self._before, self._after, self._kept = before, after, new
        named = {self._renamed(token) for token in old}
        self.new = Goods({token: 1 for token in new if token not in named})

    def theirs(self, goods: Goods) -> Goods:
        """Return those of these goods that are the seat's own, wherever they are."""
        return Goods({token: count for token, count in goods.items() if _owner(token) == self._before})

    def of(self, goods: Goods) -> Goods:
        """Return what goods are afterwards; a note that the seat does not have any more is purged."""
        after = {self._renamed(token): count for token, count in goods.items()}
        purged = {token for token in after if _is_note_of(token, self._after) and token not in self._kept}
        return Goods({token: count for token, count in after.items() if token not in purged})

    def _renamed(self, token: str) -> str:
        if _owner(token) != self._before:
            return token
        return f"{token.rpartition(':')[0]}:{self._after}"


# ---------------------------------------------------------------- both


def require_there(table: Table, seat: str) -> None:
    """Raise `Refused` for a seat that has left the game."""
    if seat in gone(table) and (refused := barred(table, seat)) is not None:
        raise refused


def barred(table: Table, seat: str) -> Refused | None:
    """Return why nobody can take this seat here: it is gone, comes out of another, or in a box that is not played."""
    faction = factions()[seat]
    if seat in state_of(table).eliminated:
        return Refused("33.2", f"{faction.name} is out of the game.", "Another seat is open, and looking on is too.")
    if (now := table.became.get(seat)) is not None:
        return Refused("", f"{faction.name} is {factions()[now].name} now.", "That seat goes on for it.")
    if not in_boxes(faction.expansion, boxes_of(table.settings)):
        box = box_name(faction.expansion)
        return Refused(
            "", f"{faction.name} comes with {box}, which this table plays without.",
            "The host can change that: /table settings expansions.",
        )  # fmt: skip
    if not faction.playable_from_start and seat not in table.became.values():
        first = next(each.name for each in factions().values() if each.becomes == seat)
        return Refused(
            "", f"Nobody begins as {faction.name}.",
            f"Sit as {first}; once they turn, the host says so: /table change.",
        )  # fmt: skip
    return None


def may(table: Table, command: Command, caller: Caller) -> None:
    """Raise `Refused` by 33.2 for the word that a promise was broken, to or by somebody who is out of the game."""
    if not isinstance(command, MarkDeal) or command.mark != "broken":
        return
    deal, own = table.deals.get(command.deal), table.seat_of(caller.person)
    if deal is None or own is None or deal.status != "agreed" or not deal.parties.include(caller.person, own.id):
        return
    if (other := deal.other(own.id)) in state_of(table).eliminated:
        raise Refused(
            "33.2", f"<faction:{other}> are out of the game, and promises ended with that.",
            f"Deal {deal.number} is nobody's to keep any more.",
        )  # fmt: skip


def _ended(table: Table, seat: str) -> Iterable[Entry]:
    """Return the end of what stands between this seat and others."""
    yield from (void_offers(offer) for offer in table.live_offers() if offer.party(seat))
    yield from void_deals(table, seat)
    yield from (close_negotiations(each) for each in table.negotiations.values() if each.open and each.party(seat))


def _require_as_shown(shown: str | None, lines: tuple[str, ...]) -> None:
    if shown is not None and shown != stamp(lines):
        raise Refused(
            "", "Something has changed since you looked.", "Type the command again and see what it means now."
        )


def _notes_of(goods: Goods, seat: str) -> Goods:
    return Goods({token: 1 for token in goods if _is_note_of(token, seat)})


def _is_note_of(token: str, seat: str) -> bool:
    return kind_of(token) == "note" and note_owner(token)[1] == seat


def _owner(token: str) -> str:
    """Return whose a note or a captured unit is, empty for anything else."""
    match kind_of(token):
        case "note":
            return note_owner(token)[1]
        case "captured":
            return captured_unit(token)[1]
    return ""


HANDLERS: Handlers = dict([handler(Eliminate, eliminate), handler(ChangeFaction, change)])
