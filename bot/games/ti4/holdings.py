"""The commodity value of a seat, and changes of holdings outside of trade: gain, loss, a host's
correction.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    NOTHING,
    Change,
    Corrected,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    Moves,
    Refused,
    Seat,
    Table,
    part,
    replace,
)
from bot.games.ti4.boxes import require_existing, start
from bot.games.ti4.components import (
    COMMODITY,
    NAMED,
    commodities,
    describe,
    describe_token,
    in_front_of,
    lying_before,
    note_named,
    note_owner,
    open_goods,
)
from bot.games.ti4.state import InForce, out_of_game
from data.ti4 import abilities, commodity_losses, factions

# ---------------------------------------------------------------- the commodity value (21.2)


def commodity_value(seat: Seat) -> int:
    """Return the most commodities that a seat can have now."""
    return value_with(seat.id, in_front_of(seat))


def unlimited(table: Table, seat: str) -> bool:
    """Return whether a permit lifts the limit of a seat's commodities (Age of Commerce)."""
    return any(
        "commodities" in permit.lifts and (not permit.seats or seat in permit.seats)
        for permit in part(table, InForce).permits
    )


def replenishment(table: Table, seat: Seat) -> int:
    """Return how many commodities replenishing would add: those missing, or the whole value if
    there is no limit.
    """
    value = commodity_value(seat)
    return value if unlimited(table, seat.id) else max(0, value - seat.holdings.count(COMMODITY))


def value_with(seat: str, in_front: Goods) -> int:
    """Return the value on the faction sheet plus that of cards in front of the seat."""
    adding = (each for each in abilities() if each.lifts == "commodity_value")
    added = sum(
        each.amount * len(tokens_of(each.held, in_front))
        for each in adding
        if each.held is not None
    )
    return factions()[seat].commodity_value + added


def tokens_of(held: str, in_front: Goods) -> list[str]:
    """Return the cards or tokens of a kind in front of a seat: a note in play, a relic, a
    station.
    """
    return [token for token in in_front if token == held or token.startswith(f"{held}:")]


# ---------------------------------------------------------------- gain, loss, correction


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the changes if a seat gains these goods. Raises `Refused` as `gained`."""
    return Moves({seat: gained(table, seat, goods)})


def gained(table: Table, seat: str, goods: Goods) -> Change:
    """Return the change if a seat gains these goods.

    Raises `Refused` for components of missing boxes, commodities beyond the commodity value (21.2),
    a second copy of a unique card, and promissory notes, which come only from other players.
    """
    require_existing(goods, table.settings)
    holder = table.seats[seat]
    held, amount = holder.holdings.count(COMMODITY), goods.count(COMMODITY)
    most = _value_after(holder, holder.holdings + goods)
    if amount and held + amount > most and not unlimited(table, seat):
        raise Refused(
            f"You would have {held + amount} commodities, and your commodity value is {most}.",
            f"You have room for {max(0, most - held)}.",
            rule="21.2",
        )
    for token in goods.of_kind(*NAMED):
        owner = next((other.id for other in table.seats.values() if token in other.holdings), None)
        if owner is not None:
            who = "You have" if owner == seat else f"<seat:{owner}> has"
            raise Refused(
                f"{who} {describe_token(token)} already, and there is only one.",
                "The host can say who has it now: /holdings set.",
            )
    if goods.of_kind("note", "any", "played"):
        raise Refused(
            "Promissory notes come from other players.",
            "The host can fix a slip: /holdings set.",
        )
    return Change(gained=goods)


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the changes if a seat spends these goods.

    Commodities beyond a value that this lowers are lost too (21.2). Raises `Refused` for
    commodities (21.7), for promissory notes, and for goods that the seat does not have.
    """
    if goods.count(COMMODITY):
        remedy = "Trade them: another player receives them as trade goods."
        for effect in commodity_losses().values():
            if effect.spent_by == seat:
                call = f"/commodities lose amount:{effect.amount} effect:{effect.name}"
                remedy = (
                    f"{effect.name} lets you spend {describe(commodities(effect.amount or 1))}: "
                    f"{call}."
                )
        raise Refused("Commodities can't be spent.", remedy, rule="21.7")
    if goods.of_kind("note", "any", "played"):
        raise Refused("Promissory notes can't be spent.", "The host can fix a slip: /holdings set.")
    holder = table.seats[seat]
    if missing := holder.holdings.missing(goods):
        raise Refused(f"You are short of {describe(missing)}.", "**My goods** lists what you have.")
    return Moves({seat: Change(lost=goods + commodities_beyond(table, seat, goods))})


def commodities_beyond(table: Table, seat: str, lost: Goods, gained: Goods = NOTHING) -> Goods:
    """Return the commodities that a seat loses besides, because ``lost`` lowers its commodity value
    (21.2).

    A space station or Dynamis Core adds to the value only of whoever has it. Where nobody counts,
    none are lost.
    """
    holder = table.seats[seat]
    if not table.tracked or holder.holdings.missing(lost) or unlimited(table, seat):
        return NOTHING
    left = holder.holdings - lost + gained
    kept = left.count(COMMODITY)
    if not kept:
        return NOTHING
    most = _value_after(holder, left)
    return commodities(max(0, kept - most) if most < commodity_value(holder) else 0)


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the changes that leave this seat with exactly these goods; notes that are not named
    stay.

    Promissory notes, planets and relics are unique: those named move here from wherever they are,
    into play if the host says so, and always for another's Support or Alliance (69). Raises
    `Refused` for a note that no seat here owns or that is named twice, for one that can't be in
    play here, and for commodities beyond the commodity value (21.2).
    """
    holder, notes = table.seats[seat], goods.of_kind("note")
    said = _as_notes(goods.of_kind("played"))
    goods = goods.without_kind("played")
    if goods.of_kind("any"):
        raise Refused(
            "“Any note” is for an offer, and its giver then chooses one.", "Name the note."
        )
    require_existing(goods.without_kind("note"), table.settings)
    _require_notes(table, seat, notes, said)
    lying = said + lying_before(notes, seat)
    notes = lying.missing(notes)
    most, amount = _value_after(holder, goods), goods.count(COMMODITY)
    if amount > most and not unlimited(table, seat):
        raise Refused(
            f"<seat:{seat}> can have {most} commodities at most.",
            f"Commodities received from others are trade goods: try {amount} tg.",
            rule="21.2",
        )
    before, after = open_goods(holder.holdings), open_goods(goods)
    wanted, new = holder.holdings.missing(notes), holder.in_play.missing(lying)
    gained = before.missing(after)
    changes = {seat: Change(lost=after.missing(before), gained=gained, entered_play=new)}
    unique, moved = gained.of_kind(*NAMED), wanted + new
    hidden: dict[str, Change] = {}
    for other in table.seats.values():
        there = Goods({token: 1 for token in unique if token in other.holdings})
        left = Goods({token: 1 for token in moved if token in other.in_play})
        if there or left:
            beyond = commodities_beyond(table, other.id, there)
            change = changes.get(other.id, Change())
            changes[other.id] = replace(change, lost=change.lost + there + beyond, left_play=left)
        taken = Goods({note: 1 for note in moved if note in other.holdings})
        if taken:
            hidden[other.id] = Change(lost=taken)
    if wanted:
        hidden[seat] = replace(hidden.get(seat, Change()), gained=wanted)
    in_play = Goods({token.replace("note:", "played:"): 1 for token in lying})
    # Report how many notes are named. How many move is visible from the public number in each hand
    # (69.6).
    return Moves(changes, hidden, hidden_named=notes.total(), after=after + in_play)


def _as_notes(played: Goods) -> Goods:
    counts = {token.replace("played:", "note:"): count for token, count in played.items()}
    return Goods(counts)


def _require_notes(table: Table, seat: str, notes: Goods, in_play: Goods) -> None:
    """Raise `Refused` for a note that no seat here owns or that is named twice, and for one that
    can't be in play before this seat.
    """
    exists = set[str]()
    for other in table.seats.keys() - out_of_game(table):
        exists |= {*start(other, table.settings)}
    for token, count in (notes + in_play).items():
        if token not in exists:
            raise Refused(
                "There is no such promissory note at this table.",
                "Each faction has its own notes [69.1].",
            )
        if count > 1:
            raise Refused(f"There is only one {describe_token(token)}.", "Name it once.")
        if token not in in_play:
            continue
        elsewhere = "Name it without “in play”."
        if note_named(token).returns == "at_once":
            raise Refused(f"{describe_token(token)} doesn't stay in play.", elsewhere, rule="69.5")
        if note_owner(token)[1] == seat:
            raise Refused(
                f"{describe_token(token)} is <seat:{seat}>'s own.", elsewhere, rule="69.5"
            )


CORRECTED = "What you have was corrected."


def hints(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a player what the host took away by saying what they have."""
    if not isinstance(entry, Corrected) or table.seats[entry.seat].person == table.host:
        return
    if lost := entry.taken_away():
        text = f"{CORRECTED} Taken away: **{describe(lost)}**."
        yield FollowUpView(seat=entry.seat, evident=True, text=text)


def notes_set(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a player which notes came to their hand because the host said what they have. Not
    evident: nobody else learns whether a note moved.
    """
    if not isinstance(entry, Corrected):
        return
    for seat, change in (entry.hidden or {}).items():
        if table.seats[seat].person == table.host:
            continue
        if came := change.gained:
            yield FollowUpView(seat, f"{CORRECTED} In your hand now: **{describe(came)}**.")


def _value_after(seat: Seat, holdings: Goods) -> int:
    """Return the commodity value of this seat with these holdings."""
    return value_with(seat.id, open_goods(holdings) + seat.in_play)


FEATURE = Feature(hears=(Corrected,), follow_ups=(hints, notes_set))
