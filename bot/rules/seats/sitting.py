"""Sitting down and leaving: one person a seat, one seat a person."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.access import require_host
from bot.rules.apply import replay
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.deals.dealing import voided as deals_of
from bot.rules.entries import Entry
from bot.rules.lookup import seat_meant
from bot.rules.model.markup import QUOTE_MAX, quoted
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.negotiations.closing import closed
from bot.rules.offers.ends import voided
from bot.rules.registry import game_of
from bot.rules.seats.chairs import require_no_player, require_unknowing
from bot.rules.seats.commands import Leave, Sit
from bot.rules.seats.entries import SeatLeft, SeatTaken


def sit(table: Table, command: Sit, caller: Caller) -> Iterable[Entry]:
    """Seat a person. A person who takes over an empty seat takes over what lies before it.

    Raises `Refused` for a seat that the game does not have, that this table plays without or that is taken, for a
    person who has a seat already, for one player more than the game is for, for one who may know a hand
    (`require_unknowing`), and for seating another person without being a host.
    """
    person = caller.person if command.person is None else command.person
    if person != caller.person:
        require_host(table, caller, "seat somebody else")
    game = game_of(table)
    option = game.seats.find(command.seat)
    if option is None:
        raise Refused(
            "",
            f"{game.info.name} has no seat “{quoted(command.seat[:QUOTE_MAX])}”.",
            "Pick one from the list as you type.",
        )
    if (barred := game.seats.barred(table, option.id)) is not None:
        raise barred
    if (sits := table.seat_of(person)) is not None:
        who = "You sit" if person == caller.person else f"<person:{person}> sits"
        raise Refused("", f"{who} at this table already, as <faction:{sits.id}>.", "/table leave frees that seat.")
    taken = table.seats.get(option.id)
    if taken and taken.person is not None:
        raise Refused("", f"<person:{taken.person}> plays {option.name} already.", "Pick another seat.")
    _require_room(table)
    require_unknowing(table, option, person, caller)
    return [_taken(table, option.id, person).model_copy(update={"interaction": caller.interaction})]


def _require_room(table: Table) -> None:
    """Raise `Refused` when as many sit here as the game is for."""
    info, most = game_of(table).info, game_of(table).seats.most
    if most is not None and len(table.seated()) >= most:
        raise Refused(
            "", f"{info.name} is for {most} players at most, and {most} sit here.", "/table leave frees a seat."
        )


def _taken(table: Table, id: str, person: int) -> SeatTaken:
    """Return the entry for a new seat, for one that its last holder returns to, or for one that is taken over."""
    game, seat = game_of(table), table.seats.get(id)
    if seat is None:
        return SeatTaken(seat=id, person=person, start=game.seats.start(id, table.settings))
    if seat.last == person:
        return SeatTaken(seat=id, person=person)
    # The hand is sealed for the successor, so that the history they may see begins with it.
    return SeatTaken(
        seat=id, person=person, takes_over=True, open=game.open_goods(seat.holdings), in_play=seat.in_play,
        hand=game.open_goods(seat.holdings).missing(seat.holdings),
    )  # fmt: skip


def leave(table: Table, command: Leave, caller: Caller) -> Iterable[Entry]:
    """Free a seat, with all that lies before it; what was offered or proposed to its person, or by them, ends.

    Raises `Refused` for an empty seat, and for another's without being a host or (`require_no_player`) as a player.
    """
    seat = seat_meant(table, command.seat, caller)
    if seat.person != caller.person:
        require_host(table, caller, "take somebody else's seat away")
        require_no_player(table, seat, caller)
    left = [
        *(voided(offer) for offer in table.live_offers() if offer.party(seat.id)),
        *deals_of(table, seat.id),
        *(closed(each) for each in table.negotiations.values() if each.open and each.party(seat.id)),
        SeatLeft(seat=seat.id, person=seat.person or caller.person),
    ]
    return [*left, *game_of(table).seats.left(replay(left, table), seat.id)]


HANDLERS: Handlers = dict([handler(Sit, sit), handler(Leave, leave)])
