"""What it means when a seat leaves the game or becomes another, in lines, before it happens and afterwards.

The lines rest on what everybody may know: that notes leave the game wherever they are, but not in whose hand. A
preview's *stamp* is a short hash of its lines; the command that follows does only what was shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from bot.api import NOTHING, Goods, LabelledAction, Preview, Refused, SeatOption, SeatView, Table, TableView
from bot.games.ti4.actions import ChangeAction, EliminateAction
from bot.games.ti4.boxes import start
from bot.games.ti4.components import ACTION_CARD, captured_unit, describe, note_owner, open_goods
from bot.games.ti4.entries import Eliminated
from data.ti4 import factions, find_faction, promissory_notes

Seats = Mapping[str, SeatView]
"""The seats as everybody sees them."""

UNCOUNTED = "I keep no count of holdings here: what is theirs is yours to clear [33.4] [33.5]."

ENDS = "Offers, proposed deals and negotiations with them end"


def elimination(view: TableView, seat: str) -> Preview:
    """Return what it means when this seat is eliminated. Raises `Refused` for others than the host, as the rules do."""
    _require_host(view, "take somebody out of the game")
    lines = of_elimination(view.seats, seat, tracked=view.tracked)
    return Preview(lines, LabelledAction(f"Eliminate <name:{seat}>", EliminateAction(view.id, seat, stamp(lines))))


def change(view: TableView, text: str) -> Preview:
    """Return what it means when a seat becomes another. Raises `Refused` for others than the host, and for no seat."""
    _require_host(view, "make a faction another")
    seat = _meant(view, text)
    lines = of_change(view.seats, seat, tracked=view.tracked)
    becomes = factions()[factions()[seat].becomes or seat].short
    return Preview(lines, LabelledAction(f"Become {becomes}", ChangeAction(view.id, seat, stamp(lines))))


def changeable(view: TableView) -> Sequence[SeatOption]:
    """Return the seats at a table that can become another."""
    seats = [seat for seat in view.seated() if factions()[seat].becomes]
    return [
        SeatOption(seat, f"{factions()[seat].name} → {factions()[factions()[seat].becomes or seat].name}", seat)
        for seat in seats
    ]


def stamp(lines: Sequence[str]) -> str:
    """Return a short hash of what was shown."""
    return sha256("\n".join(lines).encode()).hexdigest()[:12]


def public_seats(table: Table) -> dict[str, SeatView]:
    """Return the seats of a table as everybody sees them."""
    return {
        seat.id: SeatView(
            seat.id, "", "", seat.person, open_goods(seat.holdings), seat.in_play, settings=table.settings
        )
        for seat in table.seats.values()
    }  # fmt: skip


# ---------------------------------------------------------------- elimination


def of_elimination(seats: Seats, seat: str, *, tracked: bool) -> tuple[str, ...]:
    """Return what leaves the game with a seat, and what goes back to whom, as far as everybody may know."""
    mine = seats[seat]
    who = f"<player:{seat}>" if mine.person is not None else f"<faction:{seat}>"
    lines = [f"**{who} leaves the game** [33.2]: no more turns, transactions or neighbours, and nobody takes the seat."]
    lines += _leaves(seats, seat) if tracked else [UNCOUNTED]
    stay = {other.id: _captured_from(other.open, seat) for other in seats.values() if other.id != seat}
    kept = [f"<seat:{other}> {describe(units)}" for other, units in stay.items() if units]
    if kept and tracked:
        lines.append(f"Their units that others captured stay there until they would be returned: {'; '.join(kept)}.")
    return (*lines, f"{ENDS}, and no promise to them or by them is left to keep.")


def told_of_elimination(entry: Eliminated) -> str:
    """Return what left the game with a seat, as everybody may read it afterwards."""
    gone = {seat: SeatView(seat, "", "", None, change.lost, change.left_play) for seat, change in entry.changes.items()}
    gone.setdefault(entry.seat, SeatView(entry.seat, "", "", None))
    who = f"<player:{entry.seat}>" if entry.person is not None else f"<faction:{entry.seat}>"
    leaves = _leaves(gone, entry.seat) if entry.counted else (UNCOUNTED,)
    return "\n".join((f"**{who} is out of the game** [33.2].", *leaves))


def _leaves(seats: Seats, seat: str) -> Iterator[str]:
    """Yield what leaves with a seat, a kind a line, each with its rule."""
    mine = seats[seat]
    in_play = sum((_notes_of(other.in_play, seat) for other in seats.values() if other.id != seat), NOTHING)
    yield f"Their own promissory notes leave the game, wherever they are [33.4.1]{_listed(in_play, ', from play')}."
    yield f"Notes of others that they hold go back to their owners [33.4]{_listed(mine.in_play, ', from play')}."
    units, others = mine.open.of_kind("captured"), mine.open.without_kind("captured")
    discarded, purged = others.of_kind(ACTION_CARD, "fragment"), others.of_kind("relic")
    rest = others.without_kind(ACTION_CARD, "fragment", "relic")
    if discarded:
        yield f"Discarded [33.5]: {describe(discarded)}."
    if purged:
        yield f"Purged: {describe(purged)}."
    if units:
        yield f"Back to their owners [33.11]: {describe(units)}."
    if rest:
        yield f"Back to the box: {describe(rest)}."


def _listed(goods: Goods, where: str) -> str:
    return f"{where}: {describe(goods)}" if goods else ""


def _notes_of(goods: Goods, seat: str) -> Goods:
    return Goods({token: 1 for token in goods.of_kind("note") if note_owner(token)[1] == seat})


def _captured_from(goods: Goods, seat: str) -> Goods:
    return Goods({token: n for token, n in goods.of_kind("captured").items() if captured_unit(token)[1] == seat})


# ---------------------------------------------------------------- a faction that becomes another


def of_change(seats: Seats, seat: str, *, tracked: bool) -> tuple[str, ...]:
    """Return what stays, leaves and comes when a seat becomes another, as far as everybody may know."""
    mine, faction = seats[seat], factions()[seat]
    becomes = factions()[faction.becomes or seat]
    has = describe(mine.open + mine.in_play)
    left, new = (
        ", ".join(promissory_notes()[note].name for note in sorted(own))
        for own in (
            _own(seat, mine) - _own(becomes.id, mine),
            _own(becomes.id, mine) - _own(seat, mine),
        )
    )
    lines = [
        f"**<player:{seat}> becomes {becomes.name}**: the same player, neighbours and place in turns.",
        f"Leaves the game, wherever it is: {left}. Comes to their hand: {new} [Puppets of the Blade].",
        f"All other notes of {faction.short} are {becomes.short}'s from now on, wherever they are.",
    ]
    if tracked and mine.open + mine.in_play:
        lines.append(f"They keep what lies before them: {has}.")
    return (*lines, f"{ENDS}; agreed deals go on.")


def _own(seat: str, view: SeatView) -> set[str]:
    return {note_owner(token)[0] for token in start(seat, view.settings)}


def _meant(view: TableView, text: str) -> str:
    """Return the seat that a text names, by what it is or what it becomes. Raises `Refused` when there is none."""
    meant = find_faction(text)
    for seat in view.seated():
        if meant is not None and (becomes := factions()[seat].becomes) and meant.id in (seat, becomes):
            return seat
    can = [f"{each.name} becomes {factions()[each.becomes].name}" for each in factions().values() if each.becomes]
    if meant is None:
        raise Refused("", "I don't know that faction.", f"{'; '.join(can)}.")
    raise Refused("", f"{meant.name} can't become another faction here.", f"{'; '.join(can)}, if somebody plays it.")


def _require_host(view: TableView, what: str) -> None:
    if not view.hosts:
        raise Refused("", f"Only the host may {what}.", f"Ask <person:{view.host}>.")
