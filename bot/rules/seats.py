"""Seats, hosts and holdings: who sits where, who may say so, and what each seat has."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.commands import (
    ChangeSettings,
    CloseTable,
    Command,
    Gain,
    Leave,
    OpenTable,
    SetHoldings,
    SetHost,
    SetPhase,
    Sit,
    Spend,
)
from bot.rules.entries import (
    Corrected,
    Entry,
    Gained,
    HostChanged,
    NegotiationClosed,
    PhaseSet,
    SeatLeft,
    SeatTaken,
    SettingsChanged,
    Spent,
    TableClosed,
    TableOpened,
)
from bot.rules.game import game_named
from bot.rules.goods import NOTHING
from bot.rules.offer_ends import voided, with_window
from bot.rules.ruling import Refused
from bot.rules.table import Seat, Settings, Table
from bot.rules.words import typed


def rules_the_table(table: Table, command: Command) -> bool:
    """Whether who asks is the table's host or may manage the server."""
    return command.moderator or command.by == table.host


def require_host(table: Table, command: Command, what: str) -> None:
    """Raises `Refused` unless who asks may run this table."""
    if not rules_the_table(table, command):
        raise Refused("", f"Only the host may {what}.", f"Ask <person:{table.host}>.")


def own_seat(table: Table, command: Command) -> Seat:
    """The seat of who asks. Raises `Refused` when they do not sit here."""
    return seat_of(table, command.by, "You have")


def seat_of(table: Table, person: int, whose: str = "") -> Seat:
    """The seat of a person. Raises `Refused` when they do not sit here."""
    seat = table.seat_of(person)
    if seat is None:
        raise Refused("", f"{whose or f'<person:{person}> has'} no seat at this table.", "Take one with /table sit.")
    return seat


def open_table(command: OpenTable) -> Iterable[Entry]:
    """A new table; whoever opens it is its host."""
    game = game_named(command.game)
    name = command.name.strip() or game.name
    settings = Settings(open_on_close=command.open_on_close)
    return [TableOpened(game=game.id, name=name, host=command.by, settings=settings)]


def close_table(table: Table, command: CloseTable) -> Iterable[Entry]:
    """The end of a table. Offers still open end with it."""
    require_host(table, command, "close the table")
    yield from (voided(offer) for offer in table.live_offers())
    yield from (NegotiationClosed(negotiation=each.number) for each in table.negotiations.values() if each.open)
    yield TableClosed()


def sit(table: Table, command: Sit) -> Iterable[Entry]:
    """One person a seat, one seat a person. Who takes over an empty chair takes over what lies before it."""
    if command.person != command.by:
        require_host(table, command, "seat somebody else")
    game = game_named(table.game)
    chair = game.chair(command.seat)
    if chair is None:
        raise Refused(
            "", f"{game.name} has no seat “{typed(command.seat[:60])}”.", "Pick one from the list as you type."
        )
    if (sits := table.seat_of(command.person)) is not None:
        who = "You sit" if command.person == command.by else f"<person:{command.person}> sits"
        raise Refused("", f"{who} at this table already, as <faction:{sits.id}>.", "/table leave frees that seat.")
    taken = table.seats.get(chair.id)
    if taken and taken.person is not None:
        raise Refused("", f"<person:{taken.person}> plays {chair.name} already.", "Pick another seat.")
    start = game.start(chair.id) if taken is None else NOTHING
    return [SeatTaken(seat=chair.id, person=command.person, start=start)]


def leave(table: Table, command: Leave) -> Iterable[Entry]:
    """A seat is left, with all that lies before it; the offers it is a party to end."""
    if command.person != command.by:
        require_host(table, command, "take somebody else's seat away")
    seat = seat_of(table, command.person, "You have" if command.person == command.by else "")
    yield from (voided(offer) for offer in table.live_offers() if offer.party(seat.id))
    talks = (talks for talks in table.negotiations.values() if talks.open and seat.id in (talks.seat, talks.other))
    yield from (NegotiationClosed(negotiation=each.number) for each in talks)
    yield SeatLeft(seat=seat.id, person=command.person)


def set_host(table: Table, command: SetHost) -> Iterable[Entry]:
    """The table is handed to another host."""
    require_host(table, command, "hand the table over")
    if command.person == table.host:
        raise Refused("", f"<person:{table.host}> is the host already.", "Name somebody else.")
    return [HostChanged(person=command.person)]


def change_settings(table: Table, command: ChangeSettings) -> Iterable[Entry]:
    """The host chooses how this table plays."""
    require_host(table, command, "change the settings")
    if command.settings == table.settings:
        raise Refused("", "That is how this table is set already.", "Name what should change.")
    if command.settings.open_on_close != table.settings.open_on_close:
        raise Refused("", "Whether secrets open at the end was chosen when the table opened.", "It holds to its end.")
    game, was = game_named(table.game), dict(table.settings)
    for name, value in command.settings:
        if value != was[name] and name not in game.settings:
            raise Refused("", f"{game.name} has no use for “{name}”.", f"It has {', '.join(sorted(game.settings))}.")
    if game.exchange is not None and command.settings.inventory != table.settings.inventory and table.live_offers():
        raise Refused("", "Offers stand that would be caught between.", "Change this when no offer stands.")
    return [SettingsChanged(settings=command.settings)]


def set_phase(table: Table, command: SetPhase) -> Iterable[Entry]:
    """A phase begins; a turn, agenda or trading phase that was under way is over."""
    require_host(table, command, "set the phase")
    phases = game_named(table.game).phases
    if command.phase not in phases:
        raise Refused("", f"There is no {typed(command.phase[:60])} phase.", f"The phases are {', '.join(phases)}.")
    yield from game_named(table.game).before_phase(table, command.phase)
    yield from with_window(table)
    yield PhaseSet(phase=command.phase, window=table.window.number + 1)
    yield from game_named(table.game).begins(table, command.phase, command.at)


def set_holdings(table: Table, command: SetHoldings) -> Iterable[Entry]:
    """The host says what a seat has now. Nothing else is changed by it, and everybody is told."""
    require_host(table, command, "set what somebody has")
    require_tracked(table)
    seat, game = seat_of(table, command.person), game_named(table.game)
    game.may_correct(table, command)
    moves = game.correct(table, seat.id, command.goods)
    return [
        Corrected(
            seat=seat.id, changes=moves.changes, hidden=moves.hidden, hidden_moved=moves.hidden_moved,
            reason=command.reason, before=game.open_goods(seat.holdings), after=game.open_goods(command.goods),
        )
    ]  # fmt: skip


def gain(table: Table, command: Gain) -> Iterable[Entry]:
    """Something gained outside a transaction: from a planet, a card, the supply."""
    require_tracked(table)
    seat = own_seat(table, command)
    _require_some(table, command)
    moves = game_named(table.game).gain(table, seat.id, command.goods)
    return [Gained(seat=seat.id, changes=moves.changes, hidden=moves.hidden)]


def spend(table: Table, command: Spend) -> Iterable[Entry]:
    """Something spent outside a transaction."""
    require_tracked(table)
    seat = own_seat(table, command)
    _require_some(table, command)
    moves = game_named(table.game).spend(table, seat.id, command.goods)
    return [Spent(seat=seat.id, changes=moves.changes, hidden=moves.hidden)]


def _require_some(table: Table, command: Gain | Spend) -> None:
    if not command.goods:
        raise Refused("", "That is nothing.", f"Name some, for example: {game_named(table.game).example}.")


def require_tracked(table: Table) -> None:
    """Raises `Refused` at a table that keeps no count of holdings."""
    if table.settings.inventory == "untracked":
        raise Refused("", "This table does not keep count of holdings.", "The host can change that: /table settings.")
