"""Seats: one person a seat, one seat a person. Where hands are hidden, nobody plays who knows another hand.

Who may take or free a seat rests on nothing that is hidden: on who sat where, and on looks, which are entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from bot.rules.access import require_host
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Sealed
from bot.rules.feature import Feature
from bot.rules.features.deals import voided as void_deals
from bot.rules.features.negotiations import closed
from bot.rules.features.offers.entries import voided
from bot.rules.game import SeatOption
from bot.rules.lookup import seat_meant
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.markup import QUOTE_MAX, quoted
from bot.rules.model.parts import with_parts
from bot.rules.model.people import Tenure
from bot.rules.model.references import Reference, reference
from bot.rules.model.replacing import replace
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of


@dataclass(frozen=True, slots=True)
class Sit(Command):
    """Take a seat, or (hosts) give it to another person. ``person`` None: the caller."""

    seat: str
    person: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Seat a person. A person who takes over an empty seat takes over what lies before it.

        Raises `Refused` for a seat that the game does not have, that this table plays without or that is taken, for a
        person who has a seat already, for one player more than the game is for, for one who may know a hand
        (`require_unknowing`), and for seating another person without being a host.
        """
        person = caller.person if self.person is None else self.person
        if person != caller.person:
            require_host(table, caller, "seat somebody else")
        game = game_of(table)
        option = game.seats.find(self.seat)
        if option is None:
            raise Refused(
                "",
                f"{game.info.name} has no seat “{quoted(self.seat[:QUOTE_MAX])}”.",
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


def require_unknowing(table: Table, option: SeatOption, person: int, caller: Caller) -> None:
    """Raise `Refused` for a person who has looked at what is hidden here, and for a player of another seat.

    The latter may take a seat that nobody has played; where somebody has, its hand is hidden. A person may go back to
    the seat they left last.
    """
    own = person == caller.person
    if person in table.looked:
        who, they = ("You have", "you can't") if own else (f"<person:{person}> has", "they can't")
        raise Refused(
            "", f"{who} looked at what is hidden at this table, so {they} play at it.",
            "That ends when the table closes." if own else "Seat somebody who has not looked.",
        )  # fmt: skip
    if game_of(table).hidden is None or option.id not in table.seats:
        return
    left = last_tenure(table, person)
    if left is not None and left.seat != option.id:
        who, whom = ("you have", "you") if own else (f"<person:{person}> has", "them")
        raise Refused(
            "", f"Somebody has played {option.name}, and {who} sat elsewhere at this table.",
            f"A seat that nobody has played yet is open to {whom}.",
        )  # fmt: skip


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


class _SeatEntry(Entry):
    """Something that happened to one seat and the person in it."""

    seat: str
    person: int

    def subject(self) -> Reference | None:
        """Return the seat."""
        return reference("seat", self.seat)

    def seats(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})


class SeatTaken(_SeatEntry):
    """A person sat down. ``start`` is what the seat holds before anything happens, empty for a seat taken before.

    A person who takes a seat over from another sees the hand but not its history: ``hand`` are the hidden goods in it
    then, for them alone; ``open`` and ``in_play`` are what everybody sees before it.

    ``interaction`` is the id that Discord gave to the command. A game that shuffles mixes it in.
    """

    kind: Literal["seat.taken"] = "seat.taken"
    start: Goods = NOTHING
    open: Goods = NOTHING
    in_play: Goods = NOTHING
    hand: Annotated[Goods | None, Sealed("parties")] = None
    takes_over: bool = False
    interaction: int | None = None

    def parties(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})

    def apply(self, table: Table) -> Table:
        """Return the table with this person in the seat. What was said there before stays with those who said it."""
        seat = table.seats.get(self.seat)
        if seat is None:  # its first holder, who has it from entry 0, see `Tenure`
            new = Seat(id=self.seat, person=self.person, last=self.person, holdings=self.start)
            return replace(table, tenures=(*table.tenures, Tenure(self.seat, self.person, 0))).with_seat(new)
        if seat.last == self.person:
            return replace(table, tenures=_reopened(table.tenures, self.seat)).with_seat(
                replace(seat, person=self.person)
            )
        taken = replace(seat, person=self.person, last=self.person)
        tenures = (*table.tenures, Tenure(self.seat, self.person, table.seq + 1))
        return replace(table, tenures=tenures).with_seat(taken)


def _reopened(tenures: tuple[Tenure, ...], seat: str) -> tuple[Tenure, ...]:
    """Return the tenures with the last one of this seat going on, as if its holder had never left."""
    last = max(number for number, each in enumerate(tenures) if each.seat == seat)
    return tuple(replace(each, until=None) if number == last else each for number, each in enumerate(tenures))


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Leave the caller's own seat (None), or (hosts) free another one."""

    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Free a seat, with all that lies before it; what was offered or proposed to its person, or by them, ends.

        Raises `Refused` for an empty seat, and for another's without being a host or (`require_no_player`) as a player.
        """
        seat = seat_meant(table, self.seat, caller)
        if seat.person != caller.person:
            require_host(table, caller, "take somebody else's seat away")
            require_no_player(table, seat, caller)
        left = [
            *(voided(offer) for offer in table.live_offers() if offer.party(seat.id)),
            *void_deals(table, seat.id),
            *(closed(each) for each in table.negotiations.values() if each.open and each.party(seat.id)),
            SeatLeft(seat=seat.id, person=seat.person or caller.person),
        ]
        return [*left, *game_of(table).seats.left(replay(left, table), seat.id)]


def require_no_player(table: Table, seat: Seat, caller: Caller) -> None:
    """Raise `Refused` for a caller who plays or has played, where hands are hidden: only its player leaves a seat."""
    if game_of(table).hidden is not None and last_tenure(table, caller.person) is not None:
        raise Refused(
            "", "Hands are hidden here, and you play at this table or have played.",
            f"<person:{seat.person}> can use /table leave, or a host or moderator who never played here can free it.",
        )  # fmt: skip


def last_tenure(table: Table, person: int) -> Tenure | None:
    """Return the seat that this person has, or else the one they left last; None if they never sat."""
    own = [tenure for tenure in table.tenures if tenure.person == person]
    return max(own, key=lambda tenure: table.seq + 1 if tenure.until is None else tenure.until, default=None)


class SeatLeft(_SeatEntry):
    """A person left their seat; what lies before it stays."""

    kind: Literal["seat.left"] = "seat.left"

    def apply(self, table: Table) -> Table:
        """Return the table with the seat empty, and without its holder's consent to offers that go on."""
        offers = {number: offer.without(self.seat) for number, offer in table.offers.items()}
        tenures = tuple(
            replace(each, until=table.seq + 1) if each.seat == self.seat and each.until is None else each
            for each in table.tenures
        )
        left = replace(table.seats[self.seat], person=None)
        table = replace(table, offers=offers, tenures=tenures).with_seat(left)
        return with_parts(table, lambda part: part.vacated(self.seat))


FEATURE = Feature(commands=(Sit, Leave), entries=(SeatTaken, SeatLeft))
