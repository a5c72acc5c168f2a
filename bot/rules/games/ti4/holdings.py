"""What a seat has: to begin with, by gain and loss outside transactions, and by a host's correction."""

from __future__ import annotations

from bot.rules.game import Moves
from bot.rules.games.ti4 import components, notes
from bot.rules.games.ti4.components import COMMODITY, TRADE_GOOD
from bot.rules.games.ti4.permits import extra_commodity_value
from bot.rules.goods import Goods, kind_of
from bot.rules.ruling import Refused
from bot.rules.table import Change, Seat, Table
from data import factions, promissory_notes


def start(seat: str) -> Goods:
    """A seat begins with no goods and no commodities (21 note 1), and with all its own promissory notes in hand."""
    faction = factions()[seat]
    generic = [note.id for note in promissory_notes().values() if note.owner == "any" and note.id not in faction.lacks]
    own = {components.played_version(note) for note in faction.notes}
    return Goods({f"note:{note}:{seat}": 1 for note in (*generic, *own)})


def commodity_value(table: Table, seat: str) -> int:
    """The most commodities this seat can have: the value on its faction sheet (21.2), and what its cards add."""
    return _value(table.seats[seat])


def _value(seat: Seat, holdings: Goods | None = None) -> int:
    """The commodity value of this seat; or what it will be with these holdings."""
    cards = seat if holdings is None else seat.model_copy(update={"holdings": holdings})
    return factions()[seat.id].commodity_value + extra_commodity_value(cards)


def open_goods(goods: Goods) -> Goods:
    """What of these lies open at the table: all but promissory notes in hand."""
    return goods.without_kind("note")


def declarable(goods: Goods) -> Goods:
    """What of these a player may say to have, since it lies open before them: trade goods and commodities."""
    return goods.of_kind(TRADE_GOOD, COMMODITY)


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    """Something gained at the table."""
    return Moves({seat: gained(table, seat, goods)})


def gained(table: Table, seat: str, goods: Goods) -> Change:
    """What it changes to gain these. Commodities stop at the commodity value (21.2); notes come by trade."""
    holdings = table.seats[seat].holdings
    after = holdings.count(COMMODITY) + goods.count(COMMODITY)
    most = _value(table.seats[seat], holdings + goods)
    if goods.count(COMMODITY) and after > most:
        raise Refused(
            "21.2", f"That would make {after} commodities, and your commodity value is {most}.",
            f"You have room for {max(0, most - holdings.count(COMMODITY))}.",
        )  # fmt: skip
    for token in goods.of_kind(*components.NAMED):
        owner = next((other.id for other in table.seats.values() if token in other.holdings), None)
        if owner is not None:
            who = "You have" if owner == seat else f"<seat:{owner}> has"
            raise Refused(
                "", f"{who} {components.tell(Goods({token: 1}))} already, and there is only one.",
                "The host can say who has it now: /holdings set.",
            )  # fmt: skip
    if goods.of_kind("note"):
        raise Refused("", "Promissory notes come from other players.", "The host can mend a mistake: /holdings set.")
    return Change(gained=goods)


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    """Something spent at the table. Commodities can't be (21.7): they can only be traded.

    With a space station or Dynamis Core go the commodities for which there is no more room (21.2).
    """
    if goods.count(COMMODITY):
        raise Refused(
            "21.7", "Commodities can't be spent.", "Trade them: what another player receives is a trade good."
        )
    if goods.of_kind("note"):
        raise Refused("", "Promissory notes are not spent.", "The host can mend a mistake: /holdings set.")
    sits = table.seats[seat]
    if missing := sits.holdings.missing(goods):
        raise Refused("", f"You are short of {components.tell(missing)}.", "/holdings show tells what you have.")
    over = sits.holdings.count(COMMODITY) - _value(sits, sits.holdings - goods)
    return Moves({seat: Change(lost=goods + Goods({COMMODITY: over}) if over > 0 else goods)})


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    """The changes after which this seat has just these goods. Open ones first, then those that lie hidden in hands.

    There is one card of each promissory note, planet and relic: those that are named come here from wherever they
    are. Notes that are not named stay where they are.
    """
    for token, count in goods.of_kind("note").items():
        if not any(token in start(other) for other in table.seats):
            raise Refused(
                "", "There is no such promissory note at this table.", "Each seat has its own: /rules show 69.1."
            )
        if count > 1:
            raise Refused("", f"There is only one {components.tell(Goods({token: 1}))}.", "Name it once.")
    most = _value(table.seats[seat], goods)
    if goods.count(COMMODITY) > most:
        raise Refused(
            "21.2", f"<seat:{seat}> can have {most} commodities at most.",
            f"What they received from others are trade goods: {goods.count(COMMODITY)} tg.",
        )  # fmt: skip
    held = table.seats[seat].holdings
    before, after = open_goods(held), open_goods(goods)
    change = Change(lost=_minus(before, after), gained=_minus(after, before))
    changes = {seat: change}
    for other in table.seats.values():
        if other.id != seat and (there := Goods({token: 1 for token in change.gained if _unique_in(token, other)})):
            changes[other.id] = Change(lost=there)
    hidden: dict[str, Change] = {}
    wanted = _minus(goods.of_kind("note"), held)
    for other in table.seats.values():
        taken = Goods({note: 1 for note in wanted if note in other.holdings})
        out_of_play = Goods({note: 1 for note in wanted if note in other.in_play})
        if taken or out_of_play:
            hidden[other.id] = Change(lost=taken, left_play=out_of_play)
    if wanted:
        hidden[seat] = hidden.get(seat, Change()).model_copy(update={"gained": wanted})
    return Moves(changes, hidden, hidden[seat].gained.total() if seat in hidden else 0)


def _unique_in(token: str, seat: Seat) -> bool:
    """Whether this is a card of which there is one, and this seat has it."""
    return kind_of(token) in components.NAMED and token in seat.holdings


def _minus(first: Goods, second: Goods) -> Goods:
    """What is in the first beyond the second."""
    return second.missing(first)


def tell(table: Table, seat: str) -> list[str]:
    """What this seat has, a kind a line, for whoever may see it."""
    sits = table.seats[seat]
    return components.tell_holdings(sits.holdings, sits.in_play, commodity_value(table, seat))


def cards(table: Table, seat: str, own: bool) -> Goods:
    """What this seat could give card by card: its fragments, and notes; of another's hand every note that is theirs."""
    holdings = table.seats[seat].holdings
    return holdings.of_kind("fragment") + (holdings if own else start(seat)).of_kind("note")


def suggest(table: Table, seat: str | None, own: bool) -> list[str]:
    """Goods this seat could give, as one would write them: all that lies open, and notes. In one's own hand these are
    the notes one holds; of anybody else every note that is theirs, since their hand is hidden.
    """
    holdings = table.seats[seat].holdings if seat else Goods()
    lies_open = open_goods(holdings)
    words = [f"{count} {_written(token)}" for token, count in lies_open.items()]
    words += [
        f"1 {_written(token)}"
        for token in (TRADE_GOOD, COMMODITY, *(f"fragment:{kind}" for kind in components.FRAGMENTS))
        if token not in lies_open
    ]
    if seat is not None:
        words += [_written(note) for note in (holdings.of_kind("note") if own else start(seat))]
    return words


def _written(token: str) -> str:
    """A component as the shorthand writes it: ``trade goods``, ``alice's ceasefire``."""
    match kind_of(token):
        case "note":
            return notes.written(token)
        case "captured":
            unit, owner = components.captured_unit(token)
            return f"captured {unit} of <whose:{owner}>"
        case "fragment":
            return f"{token.partition(':')[2]} fragments"
        case kind if kind in components.NAMED:
            return components.NAMED[kind] + token.partition(":")[2]
        case _:
            return {TRADE_GOOD: "trade goods", COMMODITY: "commodities"}.get(token, "action cards")
