"""What lifts a rule: abilities, read from ``data/ti4/permits.toml``, and what a host grants."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Caller,
    Entry,
    Handlers,
    Refused,
    Seat,
    Table,
    Trade,
    excerpt,
    handler,
    kind_of,
    part,
    quoted,
    require_host,
    taken_seat,
)
from bot.games.ti4.boxes import boxes_of, in_boxes
from bot.games.ti4.commands import GrantCard, GrantPermit, RevokePermit
from bot.games.ti4.components import in_front_of
from bot.games.ti4.entries import PermitGranted, PermitRevoked
from bot.games.ti4.holdings import tokens_of
from bot.games.ti4.state import Combat, Permit, state_of
from data.ti4 import Ability, Lift, PermitCard, abilities, factions, find_permit_card, permit_cards

REASONS_NAMED = 5
"""The most standing permits that a refusal lists."""


def grant(table: Table, command: GrantPermit, caller: Caller) -> Iterable[Entry]:
    """Lift one rule for two seats, one with anybody, or everybody, for a reason; by default until it is used once.

    Raises `Refused` unless a host asks, for a seat named twice, and without a reason.
    """
    require_host(table, caller, "grant a permit")
    seats = _seats(table, (each for each in (command.first, command.second) if each is not None))
    if not command.reason:
        raise Refused("", "A permit needs a reason.", "Name the card, for example: Temporal Command Suite.")
    number = state_of(table).permits_granted + 1
    permit = Permit(number=number, seats=seats, lifts=(command.lifts,), once=command.once, reason=command.reason)
    return [PermitGranted(permit=permit)]


def grant_card(table: Table, command: GrantCard, caller: Caller) -> Iterable[Entry]:
    """Say that a known card is in force: it lifts exactly what data/ti4/permit_cards.toml says.

    Raises `Refused` unless a host asks, for a card that is not known or in force already, and for players whom it is
    not for.
    """
    require_host(table, caller, "say that a card is in force")
    card = permit_cards().get(command.card)
    if card is None:
        raise _unknown_card()
    seats = _players_of(table, card, _seats(table, command.seats))
    if not card.once and any(permit.card == card.id for permit in state_of(table).permits):
        raise Refused("", f"{card.name} is in force already.", "/permit revoke ends it.")
    permit = Permit(
        number=state_of(table).permits_granted + 1, seats=seats, lifts=card.lifts, once=card.once, reason=card.name,
        components=card.components, until=card.until, card=card.id,
    )  # fmt: skip
    return [PermitGranted(permit=permit)]


def revoke(table: Table, command: RevokePermit, caller: Caller) -> Iterable[Entry]:
    """End every permit for this card, or reason. Raises `Refused` unless a host asks, and when there is none."""
    require_host(table, caller, "end a permit")
    permits, named = state_of(table).permits, find_permit_card(command.reason)
    reason = command.reason.strip().casefold()
    ended = [
        permit
        for permit in permits
        if permit.reason.casefold() == reason or (named is not None and permit.card == named.id)
    ]
    if not ended:
        standing = "; ".join(dict.fromkeys(quoted(permit.reason) for permit in permits[-REASONS_NAMED:]))
        stand = f"Those that stand: {standing}." if standing else "None stands."
        raise Refused("", f"No permit for “{excerpt(command.reason)}” stands.", stand)
    return [PermitRevoked(permit=permit) for permit in ended]


def card_meant(text: str) -> str:
    """Return the id of the known card that a text names. Raises `Refused` for any other."""
    card = find_permit_card(text)
    if card is None:
        raise _unknown_card()
    return card.id


def _unknown_card() -> Refused:
    known = ", ".join(card.name for card in permit_cards().values())
    return Refused("", "I don't know that card.", f"I know {known}. For any other: /permit grant.")


def _seats(table: Table, named: Iterable[str]) -> tuple[str, ...]:
    """Return these seats in a fixed order. Raises `Refused` for one that is empty, or named twice."""
    seats = [taken_seat(table, each).id for each in named]
    if len(set(seats)) != len(seats):
        raise Refused("", "A permit is for two players.", "Name two.")
    return tuple(sorted(seats))


def _players_of(table: Table, card: PermitCard, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats that a card is for, with the faction whose card it is unless two are named."""
    if card.everybody and seats:
        raise Refused("", f"{card.name} is for everybody.", "Leave out the players.")
    if len(seats) > 2:
        raise Refused("", f"{card.name} is for two players.", "Name two.")
    if card.faction is None or card.faction in seats or len(seats) == 2:
        return seats
    if card.faction not in table.seated():
        raise Refused("", f"Nobody plays {factions()[card.faction].short} here.", "Name the two who trade.")
    return tuple(sorted((card.faction, *seats)))


def covers(permit: Permit, trade: Trade) -> bool:
    """Return whether a permit holds for this trade; while nobody has taken it up, whoever that will be."""
    return set(permit.seats) <= {trade.first, trade.second}


def granted(table: Table, trade: Trade, lift: Lift) -> list[Permit]:
    """Return the permits by which the host has lifted this rule for this trade, oldest first."""
    return [permit for permit in state_of(table).permits if lift in permit.lifts and covers(permit, trade)]


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
    if any(not permit.components or _listed(permit, token) for permit in granted(table, trade, "goods")):
        return True
    seats = [table.seats[seat] for seat in ((trade.first, trade.second) if trade.second else table.seated())]
    return any(
        _covers(ability, token, giver) and _works(table, ability, seats)
        for ability in abilities()
        if ability.lifts == "goods"
    )


def permitted(permit: Permit) -> str:
    """Return for whom a permit is."""
    if not permit.seats:
        return "All players"
    return " and ".join([f"<seat:{seat}>" for seat in permit.seats] + ["anybody"] * (2 - len(permit.seats)))


def has(seat: Seat, held: str) -> bool:
    """Return whether a card or token lies in front of this seat: a note in play, a relic, a station."""
    return bool(tokens_of(held, in_front_of(seat)))


def _covers(ability: Ability, token: str, giver: str) -> bool:
    """Return whether an ability is about this component, given by this seat ("": any)."""
    return _listed(ability, token) and (not ability.given_by_faction or giver in ("", ability.faction))


def _listed(lifting: Ability | Permit, token: str) -> bool:
    """Return whether an ability or a permit names this component or its kind."""
    return token in lifting.components or kind_of(token) in lifting.components


def _works(table: Table, ability: Ability, seats: list[Seat]) -> bool:
    """Return whether an ability is there for a trade between these, and its conditions hold."""
    if not in_boxes(ability.expansion, boxes_of(table.settings)):
        return False
    if ability.window is not None and table.window.kind != ability.window:
        return False
    if ability.not_in_combat and any(ability.faction in two for two in part(table, Combat).pairs):
        return False
    if ability.held is not None:
        having = [has(seat, ability.held) for seat in seats]
        return all(having) if ability.by_both else any(having)
    return ability.faction is None or any(seat.id == ability.faction for seat in seats)


HANDLERS: Handlers = dict([handler(GrantPermit, grant), handler(GrantCard, grant_card), handler(RevokePermit, revoke)])
