"""How many commodities a seat can have; and how holdings change outside of trade: gain, loss, a host's correction."""

from __future__ import annotations

from functools import cache

from bot.api import Change, Goods, Moves, Refused, Seat, Table, kind_of, replace
from bot.games.ti4.boxes import require_existing, start
from bot.games.ti4.components import COMMODITY, NAMED, describe, describe_token, in_front_of, open_goods
from bot.games.ti4.state import gone, state_of
from data.ti4 import abilities, factions

# ---------------------------------------------------------------- the commodity value (21.2)


def commodity_value(seat: Seat) -> int:
    """Return the most commodities that a seat can have now."""
    return value_with(seat.id, in_front_of(seat))


def unlimited(table: Table, seat: str) -> bool:
    """Return whether a permit has taken the upper limit from a seat's commodities: Age of Commerce."""
    return any(
        "commodities" in permit.lifts and (not permit.seats or seat in permit.seats)
        for permit in state_of(table).permits
    )


def replenishment(table: Table, seat: Seat) -> int:
    """Return how many commodities replenishing would bring now: those missing, or the value if there is no limit."""
    value = commodity_value(seat)
    return value if unlimited(table, seat.id) else max(0, value - seat.holdings.count(COMMODITY))


def value_with(seat: str, in_front: Goods) -> int:
    """Return the value on the faction sheet, and what cards add that lie in front of the seat."""
    added = sum(amount * len(tokens_of(held, in_front)) for held, amount in _adding())
    return factions()[seat].commodity_value + added


@cache
def _adding() -> tuple[tuple[str, int], ...]:
    """Return the cards and tokens that add to the value of whom they lie in front of, and how much each adds."""
    return tuple(
        (ability.held, ability.amount)
        for ability in abilities()
        if ability.lifts == "commodity_value" and ability.held is not None
    )


def tokens_of(held: str, in_front: Goods) -> list[str]:
    """Return the cards or tokens of this kind that lie in front of a seat: a note in play, a relic, a station."""
    return [token for token in in_front if token == held or token.startswith(f"{held}:")]


# ---------------------------------------------------------------- gain, loss, correction


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the changes when a seat gains these at the table. Raises `Refused` as `gained`."""
    return Moves({seat: gained(table, seat, goods)})


def gained(table: Table, seat: str, goods: Goods) -> Change:
    """Return the change when a seat gains these.

    Raises `Refused` for what this table plays without, commodities beyond the commodity value (21.2), a second copy of
    a card of which there is one, and for notes, which come by trade.
    """
    require_existing(goods, table.settings)
    if not unlimited(table, seat):
        _require_room(table.seats[seat], goods)
    for token in goods.of_kind(*NAMED):
        _require_nobody_has(table, seat, token)
    if goods.of_kind("note"):
        raise Refused("", "Promissory notes come from other players.", "The host can mend a mistake: /holdings set.")
    return Change(gained=goods)


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the changes when a seat spends these.

    With a space station or Dynamis Core go the commodities for which there is no more room (21.2). Raises `Refused` for
    commodities, which can't be spent (21.7), for promissory notes, and for what the seat does not have.
    """
    if goods.count(COMMODITY):
        raise Refused(
            "21.7", "Commodities can't be spent.", "Trade them: what another player receives is a trade good."
        )
    if goods.of_kind("note"):
        raise Refused("", "Promissory notes are not spent.", "The host can mend a mistake: /holdings set.")
    holder = table.seats[seat]
    if missing := holder.holdings.missing(goods):
        raise Refused("", f"You are short of {describe(missing)}.", "/holdings show tells what you have.")
    over = 0 if unlimited(table, seat) else _beyond(holder, goods)
    return Moves({seat: Change(lost=goods + Goods({COMMODITY: over}) if over > 0 else goods)})


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the changes after which this seat has exactly these goods, apart from notes that are not named.

    There is one card of each promissory note, planet and relic: those that are named come here from wherever they
    are. Notes that are not named stay where they are. Raises `Refused` for a note that no seat here owns or that is
    named twice, and for commodities beyond the commodity value (21.2).
    """
    holder = table.seats[seat]
    require_existing(goods.without_kind("note"), table.settings)
    _require_existing(table, goods)
    if not unlimited(table, seat):
        _require_within_value(holder, goods)
    hidden = _notes_moved(table, seat, goods.of_kind("note"))
    # How many are named, not how many move: that can be seen from the number in each hand, which is public (69.6).
    return Moves(_open_moved(table, holder, goods), hidden, hidden_named=goods.of_kind("note").total())


def _open_moved(table: Table, holder: Seat, goods: Goods) -> dict[str, Change]:
    """Return the changes in what lies open; a unique card leaves the seat that had it."""
    before, after = open_goods(holder.holdings), open_goods(goods)
    change = Change(lost=after.missing(before), gained=before.missing(after))
    changes = {holder.id: change}
    for other in table.seats.values():
        if other.id != holder.id and (
            there := Goods({token: 1 for token in change.gained if _unique_in(token, other)})
        ):
            changes[other.id] = Change(lost=there)
    return changes


def _notes_moved(table: Table, seat: str, notes: Goods) -> dict[str, Change]:
    """Return the changes by which this seat gets the notes that are not in its hand yet."""
    wanted = table.seats[seat].holdings.missing(notes)
    moved: dict[str, Change] = {}
    for other in table.seats.values():
        taken = Goods({note: 1 for note in wanted if note in other.holdings})
        out_of_play = Goods({note: 1 for note in wanted if note in other.in_play})
        if taken or out_of_play:
            moved[other.id] = Change(lost=taken, left_play=out_of_play)
    if wanted:
        moved[seat] = replace(moved.get(seat, Change()), gained=wanted)
    return moved


def _unique_in(token: str, seat: Seat) -> bool:
    """Return whether this is a card of which there is one, and this seat has it."""
    return kind_of(token) in NAMED and token in seat.holdings


def _value_with(seat: Seat, holdings: Goods) -> int:
    """Return what the commodity value of this seat will be with these holdings."""
    return value_with(seat.id, open_goods(holdings) + seat.in_play)


def _beyond(seat: Seat, spent: Goods) -> int:
    """Return how many commodities there is no more room for once a card is gone that added to the value."""
    before, after = _value_with(seat, seat.holdings), _value_with(seat, seat.holdings - spent)
    return seat.holdings.count(COMMODITY) - after if after < before else 0


def _require_room(seat: Seat, goods: Goods) -> None:
    held = seat.holdings.count(COMMODITY)
    after, most = held + goods.count(COMMODITY), _value_with(seat, seat.holdings + goods)
    if goods.count(COMMODITY) and after > most:
        raise Refused(
            "21.2", f"That would make {after} commodities, and your commodity value is {most}.",
            f"You have room for {max(0, most - held)}.",
        )  # fmt: skip


def _require_within_value(seat: Seat, goods: Goods) -> None:
    most = _value_with(seat, goods)
    if goods.count(COMMODITY) > most:
        raise Refused(
            "21.2", f"<seat:{seat.id}> can have {most} commodities at most.",
            f"What they received from others are trade goods: {goods.count(COMMODITY)} tg.",
        )  # fmt: skip


def _require_nobody_has(table: Table, seat: str, token: str) -> None:
    owner = next((other.id for other in table.seats.values() if token in other.holdings), None)
    if owner is not None:
        who = "You have" if owner == seat else f"<seat:{owner}> has"
        raise Refused(
            "", f"{who} {describe_token(token)} already, and there is only one.",
            "The host can say who has it now: /holdings set.",
        )  # fmt: skip


def _require_existing(table: Table, goods: Goods) -> None:
    """Raise `Refused` for a promissory note that nobody at the table has, or one that is named twice."""
    for token, count in goods.of_kind("note").items():
        if not any(token in start(other, table.settings) for other in table.seats if other not in gone(table)):
            raise Refused(
                "", "There is no such promissory note at this table.", "Each seat has its own: /rules show 69.1."
            )
        if count > 1:
            raise Refused("", f"There is only one {describe_token(token)}.", "Name it once.")
