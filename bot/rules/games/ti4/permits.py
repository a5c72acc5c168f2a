"""What lifts a rule: abilities, read from ``data/ti4/permits.toml``, and what a host grants to one pair."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.entries import Entry
from bot.rules.game import Trade
from bot.rules.games.ti4.commands import GrantPermit
from bot.rules.games.ti4.entries import PermitGranted
from bot.rules.games.ti4.state import Lift, Permit, state_of
from bot.rules.goods import kind_of
from bot.rules.ruling import Refused
from bot.rules.seats import require_host, seat_of
from bot.rules.table import Seat, Table, pair
from data import Ability, abilities


def grant(table: Table, command: GrantPermit) -> Iterable[Entry]:
    """The host lifts one rule for one pair, and says why; by default until it is used once."""
    require_host(table, command, "grant a permit")
    first, second = seat_of(table, command.first).id, seat_of(table, command.second).id
    if first == second:
        raise Refused("", "A permit is for two players.", "Name two.")
    if not command.reason:
        raise Refused("", "A permit needs a reason.", "Name the card, for example: Temporal Command Suite.")
    number = state_of(table).permits_granted + 1
    two = pair(first, second)
    return [
        PermitGranted(
            permit=Permit(number=number, pair=two, lifts=command.lifts, once=command.once, reason=command.reason)
        )
    ]


def granted(table: Table, trade: Trade, lift: Lift) -> list[Permit]:
    """The permits by which the host has lifted this for these two, oldest first."""
    if not trade.second:
        return []
    two = pair(trade.first, trade.second)
    return [permit for permit in state_of(table).permits if permit.pair == two and permit.lifts == lift]


def lifts_neighbors(table: Table, trade: Trade) -> bool:
    """Whether these two may trade without being neighbours."""
    seats = [table.seats[trade.first], table.seats[trade.second]]
    return bool(granted(table, trade, "neighbors")) or any(
        ability.lifts == "neighbors" and _works(table, ability, seats) for ability in abilities()
    )


def lifts_goods(table: Table, token: str, trade: Trade, giver: str) -> bool:
    """Whether this component may be given by this seat in this trade.

    While nobody has taken up an open offer, it is enough that somebody at the table could make it so.
    """
    if granted(table, trade, "goods"):
        return True
    both = [table.seats[seat] for seat in ((trade.first, trade.second) if trade.second else table.seats)]
    return any(
        ability.lifts == "goods"
        and (token in ability.components or kind_of(token) in ability.components)
        and (not ability.given_by_faction or not giver or giver == ability.faction)
        and _works(table, ability, both)
        for ability in abilities()
    )


def extra_commodity_value(seat: Seat) -> int:
    """What cards before this seat add to the commodity value on its faction sheet."""
    return sum(
        ability.amount * len(_cards(seat, ability.held))
        for ability in abilities()
        if ability.lifts == "commodity_value" and ability.held is not None
    )


def _works(table: Table, ability: Ability, seats: list[Seat]) -> bool:
    """Whether an ability is there for a trade between these, and its conditions hold."""
    if ability.window is not None and table.window.kind != ability.window:
        return False
    if ability.not_in_combat and any(ability.faction in two for two in state_of(table).combat):
        return False
    if ability.held is not None:
        having = [has(seat, ability.held) for seat in seats]
        return all(having) if ability.by_both else any(having)
    return ability.faction is None or any(seat.id == ability.faction for seat in seats)


def has(seat: Seat, held: str) -> bool:
    """Whether a card or token lies before this seat: a note in play, a relic, a station."""
    return bool(_cards(seat, held))


def _cards(seat: Seat, held: str) -> list[str]:
    tokens = [*seat.in_play, *(token for token in seat.holdings if kind_of(token) != "note")]
    return [token for token in tokens if token == held or token.startswith(f"{held}:")]
