"""What lifts a rule: abilities, read from ``data/ti4/permits.toml``, and what a host grants to one pair."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.access import require_host
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.game import Trade
from bot.rules.games.ti4.boxes import boxes_of, in_boxes
from bot.rules.games.ti4.commands import GrantPermit
from bot.rules.games.ti4.entries import PermitGranted
from bot.rules.games.ti4.hidden import in_front_of
from bot.rules.games.ti4.limits import tokens_of
from bot.rules.games.ti4.state import Lift, Permit, state_of
from bot.rules.lookup import taken_seat
from bot.rules.model.goods import kind_of
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.model.windows import pair
from data.ti4 import Ability, abilities


def grant(table: Table, command: GrantPermit, caller: Caller) -> Iterable[Entry]:
    """Lift one rule for one pair, for a reason; by default until it is used once.

    Raises `Refused` unless a host asks, names two seats, and gives a reason.
    """
    require_host(table, caller, "grant a permit")
    first, second = taken_seat(table, command.first).id, taken_seat(table, command.second).id
    if first == second:
        raise Refused("", "A permit is for two players.", "Name two.")
    if not command.reason:
        raise Refused("", "A permit needs a reason.", "Name the card, for example: Temporal Command Suite.")
    number, two = state_of(table).permits_granted + 1, pair(first, second)
    permit = Permit(number=number, pair=two, lifts=command.lifts, once=command.once, reason=command.reason)
    return [PermitGranted(permit=permit)]


def granted(table: Table, trade: Trade, lift: Lift) -> list[Permit]:
    """Return the permits by which the host has lifted this rule for these two, oldest first."""
    if not trade.second:
        return []
    two = pair(trade.first, trade.second)
    return [permit for permit in state_of(table).permits if permit.pair == two and permit.lifts == lift]


def lifts_neighbors(table: Table, trade: Trade) -> bool:
    """Return whether these two may trade without being neighbours."""
    seats = [table.seats[trade.first], table.seats[trade.second]]
    return bool(granted(table, trade, "neighbors")) or any(
        ability.lifts == "neighbors" and _works(table, ability, seats) for ability in abilities()
    )


def lifts_goods(table: Table, token: str, trade: Trade, giver: str) -> bool:
    """Return whether this component may be given by this seat in this trade.

    While nobody has taken up an open offer, it is enough that one seat at the table could make it so.
    """
    if granted(table, trade, "goods"):
        return True
    seats = [table.seats[seat] for seat in ((trade.first, trade.second) if trade.second else table.seated())]
    return any(
        _covers(ability, token, giver) and _works(table, ability, seats)
        for ability in abilities()
        if ability.lifts == "goods"
    )


def has(seat: Seat, held: str) -> bool:
    """Return whether a card or token lies in front of this seat: a note in play, a relic, a station."""
    return bool(tokens_of(held, in_front_of(seat)))


def _covers(ability: Ability, token: str, giver: str) -> bool:
    """Return whether an ability is about this component, given by this seat ("": any)."""
    listed = token in ability.components or kind_of(token) in ability.components
    return listed and (not ability.given_by_faction or giver in ("", ability.faction))


def _works(table: Table, ability: Ability, seats: list[Seat]) -> bool:
    """Return whether an ability is there for a trade between these, and its conditions hold."""
    if not in_boxes(ability.expansion, boxes_of(table.settings)):
        return False
    if ability.window is not None and table.window.kind != ability.window:
        return False
    if ability.not_in_combat and any(ability.faction in two for two in state_of(table).combat):
        return False
    if ability.held is not None:
        having = [has(seat, ability.held) for seat in seats]
        return all(having) if ability.by_both else any(having)
    return ability.faction is None or any(seat.id == ability.faction for seat in seats)


HANDLERS: Handlers = dict([handler(GrantPermit, grant)])
