"""Boxes that come and go while people sit: their notes with them, if nobody plays with what would not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bot.api import NOTHING, Change, Entry, Goods, Refused, Seat, Table, TableSettings, TableView
from bot.games.ti4.boxes import box_name, boxes_of, in_boxes, lacks, printing, require_existing
from bot.games.ti4.components import describe, describe_token, note_owner
from bot.games.ti4.entries import NotesReprinted
from bot.games.ti4.hidden import open_goods
from bot.games.ti4.seats import start
from bot.games.ti4.state import gone
from data.ti4 import factions, promissory_notes


def printed(view: TableView, goods: Goods) -> Goods:
    """Return goods with each note in the printing that this table plays with. Raises `Refused` for what it lacks."""
    played = boxes_of(view.settings)
    require_existing(goods, view.settings)
    return Goods({_printed(token, lambda note: printing(note, played)): count for token, count in goods.items()})


def resettled(table: Table, settings: TableSettings) -> Iterable[Entry]:
    """Return how the notes in hands change with the boxes that are played with.

    Raises `Refused` when a seat, what lies open before one, or a note in play would not exist or be another. Hands
    stop nothing: a note in them goes or is exchanged, wherever it is.
    """
    if boxes_of(settings) == boxes_of(table.settings):
        return
    here = [seat for seat in table.seats.values() if seat.id not in gone(table)]
    for seat in here:
        _require_played(seat, settings)
    exchanged = _exchanged([seat.id for seat in here], table.settings, settings)
    for seat in here:
        _require_not_in_play(seat, exchanged)
    hidden = {seat.id: change for seat in here if (change := _change(seat, exchanged)) != Change()}
    for token in _new([seat.id for seat in here], table.settings, settings):
        owner = note_owner(token)[1]
        change = hidden.get(owner, Change())
        hidden[owner] = Change(lost=change.lost, gained=change.gained + Goods({token: 1}))
    if hidden:
        yield NotesReprinted(hidden=hidden)


def _require_played(seat: Seat, settings: TableSettings) -> None:
    faction = factions()[seat.id]
    if not in_boxes(faction.expansion, boxes_of(settings)):
        raise Refused(
            "", f"<faction:{seat.id}> come with {box_name(faction.expansion)}, and they are at this table.",
            "Keep that among the expansions, or take their seat out of the game: /table eliminate.",
        )  # fmt: skip
    for token, count in open_goods(seat.holdings).items():
        if box := lacks(token, settings):
            raise Refused(
                "", f"<seat:{seat.id}> has {describe(Goods({token: count}))}, which comes with {box}.",
                "/holdings set can take that away first.",
            )  # fmt: skip


def _require_not_in_play(seat: Seat, exchanged: Mapping[str, str]) -> None:
    for token in seat.in_play:
        if token in exchanged:
            raise Refused(
                "", f"{describe_token(token)} lies in play before <seat:{seat.id}>, and would not be the same then.",
                "/note return gives it back first.",
            )  # fmt: skip


def _exchanged(seats: Iterable[str], before: TableSettings, after: TableSettings) -> dict[str, str]:
    """Return the notes that are not there any more, each with the printing that takes its place, empty for none."""
    found: dict[str, str] = {}
    for seat in seats:
        was, now = start(seat, before), start(seat, after)
        for token in now.missing(was):
            other = _printed(token, lambda note: printing(note, boxes_of(after)))
            found[token] = other if other in now else ""
    return found


def _new(seats: Iterable[str], before: TableSettings, after: TableSettings) -> list[str]:
    """Return the notes that are new and take no other's place."""
    exchanged = set(_exchanged(seats, before, after).values())
    return [
        token for seat in seats for token in start(seat, before).missing(start(seat, after)) if token not in exchanged
    ]


def _change(seat: Seat, exchanged: Mapping[str, str]) -> Change:
    lost = Goods({token: 1 for token in seat.holdings.of_kind("note") if token in exchanged})
    gained = Goods({exchanged[token]: 1 for token in lost if exchanged[token]})
    return Change(lost=lost, gained=gained) if lost else Change(NOTHING)


def _printed(token: str, newest: Callable[[str], str]) -> str:
    if not token.startswith("note:"):
        return token
    note, owner = note_owner(token)
    return f"note:{newest(note)}:{owner}" if promissory_notes()[note].owner != "any" else token
