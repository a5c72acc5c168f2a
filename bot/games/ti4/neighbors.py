"""Who are neighbours on the board. The players declare it, or where the host wishes, only the host does."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Caller,
    Entry,
    Handlers,
    LabelledAction,
    PromptView,
    Refused,
    Seat,
    SettingOption,
    Table,
    Violation,
    handler,
    is_host,
    live_offer,
    own_seat,
    require_party,
    taken_seat,
)
from bot.games.ti4.actions import ClaimAnswer, ClaimNeighbors, ClaimSeat
from bot.games.ti4.commands import (
    AnswerClaim,
    ClaimNeighbor,
    ClaimTradePartner,
    JoinNeighbors,
    PartNeighbors,
)
from bot.games.ti4.entries import NeighborsClaimed, NeighborsDenied, NeighborsJoined, NeighborsParted
from bot.games.ti4.state import are_neighbors, state_of

OPTION = SettingOption(
    "declare_neighbors", ("players", "host"), "Who says who are neighbours: the players themselves, or the host only"
)
"""The table setting for who may declare neighbours."""

REMEDY = "ti4.neighbors"
"""The name that a violation gives to what cures it: that the two say they are neighbours."""


def players_declare(table: Table) -> bool:
    """Return whether players may say themselves who are neighbours, and who fights."""
    return table.settings.options.get(OPTION.name, OPTION.values[0]) == "players"


def require_one_of(table: Table, people: tuple[int | None, int | None], caller: Caller) -> None:
    """Raise `Refused` unless the caller is one of these two people, or a host."""
    if caller.person not in people and not is_host(table, caller):
        raise Refused("", "You can only speak for yourself here.", f"One of the two, or <person:{table.host}>, can.")


def require_may_speak_for(table: Table, seat: Seat, caller: Caller) -> tuple[str, ...]:
    """Return the seats that speak when this caller says who are a seat's neighbours: itself, or none for a host.

    Raises `Refused` for anyone else, and for its player where only the host may say so.
    """
    _require_may_declare(table, caller)
    require_one_of(table, (seat.person, None), caller)
    return (seat.id,) if seat.person == caller.person and not is_host(table, caller) else ()


def join(table: Table, command: JoinNeighbors, caller: Caller) -> Iterable[Entry]:
    """Record that two seats are neighbours. Raises `Refused` for a caller who may not say so, and when they are."""
    _require_may_name(table, command.first, command.second, caller)
    _require_strangers(table, command.first, command.second)
    own = None if is_host(table, caller) else table.seat_of(caller.person)
    return [NeighborsJoined(first=command.first, second=command.second, said_by=(own.id,) if own else ())]


def part(table: Table, command: PartNeighbors, caller: Caller) -> Iterable[Entry]:
    """Record that two seats are no longer neighbours. Raises `Refused` as `join`, and when they are none."""
    first, second = command.first, command.second
    _require_may_name(table, first, second, caller)
    if not are_neighbors(table, first, second):
        raise Refused("", f"<seat:{first}> and <seat:{second}> are not neighbours.", "/neighbors show lists all.")
    return [NeighborsParted(first=first, second=second)]


def claim(table: Table, command: ClaimNeighbor, caller: Caller) -> Iterable[Entry]:
    """Claim to be another seat's neighbour. That seat is asked; if it has claimed so itself, it is agreed.

    Raises `Refused` where only the host may say so, for an empty seat, when they are neighbours, and for a claim that
    waits already.
    """
    _require_may_declare(table, caller)
    seat, other, claims = own_seat(table, caller).id, command.other, state_of(table).claims
    if other not in table.seats or other == seat:
        raise Refused("", "That is no other seat of this table.", "/neighbors join names two players.")
    taken_seat(table, other)  # in an empty one nobody could answer
    _require_strangers(table, seat, other)
    if (other, seat) in claims:
        return [_agreed(other, seat)]
    if (seat, other) in claims:
        raise Refused("", f"You have said so already; <seat:{other}> has been asked.")
    return [NeighborsClaimed(seat=seat, other=other)]


def claim_trade_partner(table: Table, command: ClaimTradePartner, caller: Caller) -> Iterable[Entry]:
    """Claim to be the neighbour of the other side of an offer. Raises `Refused` for others than the two."""
    offer, own = live_offer(table, command.offer), own_seat(table, caller)
    require_party(table, offer, own)
    other = offer.other(own.id)
    if other is None:
        raise Refused("", "Nobody has taken up that offer yet.", "/neighbors join names two players.")
    return claim(table, ClaimNeighbor(other), caller)


def answer(table: Table, command: AnswerClaim, caller: Caller) -> Iterable[Entry]:
    """Confirm another's claim, so that the ledger names both; or deny it. Raises `Refused` when there is none."""
    seat = own_seat(table, caller).id
    if (command.other, seat) not in state_of(table).claims:
        raise Refused("", "That question is settled already.", "/neighbors show lists all neighbours.")
    if not command.agreed:
        return [NeighborsDenied(seat=seat, other=command.other)]
    return [_agreed(command.other, seat)]


def prompts(table: Table) -> list[PromptView]:
    """Return the claims that wait for the other's answer."""
    return [_prompt(table.id, seat, other) for seat, other in sorted(state_of(table).claims)]


def remedy(table: Table, violation: Violation, offer: int, seat: str) -> LabelledAction | None:
    """Return the button by which a seat says that it is the neighbour of the other side of an offer."""
    if violation.action != REMEDY or not players_declare(table):
        return None
    return LabelledAction("We are neighbours now", ClaimNeighbors(table.id, offer))


def pair_remedy(table: Table, violation: Violation, seat: str, other: str) -> LabelledAction | None:
    """Return the button by which a seat says that it is the neighbour of another; None once it has said so."""
    if violation.action != REMEDY or not players_declare(table) or (seat, other) in state_of(table).claims:
        return None
    return LabelledAction(f"<name:{other}> and I are neighbours", ClaimSeat(table.id, other))


def _prompt(table: int, seat: str, other: str) -> PromptView:
    yes, no = (ClaimAnswer(table, other=seat, seat=other, agreed=agreed) for agreed in (True, False))
    return PromptView(
        table=table, key=f"ti4-claim-{seat}-{other}", seat=other,
        text=f"<seat:{seat}> says that you two are neighbours now.",
        buttons=(LabelledAction("Accept", yes), LabelledAction("Not so", no)), evident=True,
    )  # fmt: skip


def _agreed(first: str, second: str) -> NeighborsJoined:
    return NeighborsJoined(first=first, second=second, said_by=(first, second))


def _require_strangers(table: Table, first: str, second: str) -> None:
    if are_neighbors(table, first, second):
        raise Refused("", f"<seat:{first}> and <seat:{second}> are neighbours already.", "/neighbors show lists all.")


def _require_may_declare(table: Table, caller: Caller) -> None:
    if not players_declare(table) and not is_host(table, caller):
        raise Refused("", "At this table only the host says who are neighbours.", f"Ask <person:{table.host}>.")


def _require_may_name(table: Table, first: str, second: str, caller: Caller) -> None:
    """Raise `Refused` unless these are two taken seats, one of which is the caller's or the caller a host."""
    if first == second:
        raise Refused("", "Nobody is their own neighbour.", "Name two players.")
    _require_may_declare(table, caller)
    people = (taken_seat(table, first).person, taken_seat(table, second).person)
    require_one_of(table, people, caller)


HANDLERS: Handlers = dict(
    [
        handler(JoinNeighbors, join),
        handler(PartNeighbors, part),
        handler(ClaimNeighbor, claim),
        handler(ClaimTradePartner, claim_trade_partner),
        handler(AnswerClaim, answer),
    ]
)
