"""Seats: one person per seat, one seat per person. If hands are hidden, nobody who knows another
hand may play.

Whether a person may take or free a seat depends only on public facts: who sat where, and recorded
looks into hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from bot.rules.access import require_host, seat_meant
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, OfSeat, Reads, Reference, Sealed, reference
from bot.rules.feature import Feature
from bot.rules.features.audits import Looked
from bot.rules.features.deals import voided as void_deals
from bot.rules.features.negotiations import closed
from bot.rules.features.offers.entries import voided
from bot.rules.game import SeatOption
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.parts import with_parts
from bot.rules.model.people import Tenure
from bot.rules.model.replacing import replace
from bot.rules.model.table import Seat, Table
from bot.rules.model.text import QUOTE_MAX, quoted
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of


class Sit(Command):
    """Take a seat, or (hosts) seat another person. ``person`` None: the caller."""

    kind = "seat.sit"
    seat: str
    person: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """A person who takes over an empty seat takes over its goods."""
        person = caller.person if self.person is None else self.person
        if person != caller.person:
            require_host(table, caller, "seat another player")
        game = game_of(table)
        option = game.seats.find(self.seat)
        if option is None:
            raise Refused(
                f"{game.info.name} has no seat “{quoted(self.seat[:QUOTE_MAX])}”.",
                "Pick one from the list as you type.",
            )
        if (barred := game.seats.barred(table, option.id)) is not None:
            raise barred
        if (sits := table.seat_of(person)) is not None:
            who = "You sit" if person == caller.person else f"<person:{person}> sits"
            raise Refused(
                f"{who} at this table already, as <faction:{sits.id}>.",
                "**Leave…** under **Menu** frees that seat.",
            )
        seat, most = table.seats.get(option.id), game.seats.most
        if seat and seat.person is not None:
            raise Refused(
                f"<person:{seat.person}> already plays {option.name}.", "Pick another seat."
            )
        if most is not None and len(table.seated()) >= most:
            full = f"{game.info.name} is for at most {most} players, and {most} sit here."
            raise Refused(full, "Once one of them leaves, you can sit down.")
        require_unknowing(table, option, person, caller)
        given = person != caller.person
        if seat is None or seat.last == person:
            start = NOTHING if seat else game.seats.start(option.id, table.settings)
            return [
                SeatTaken(
                    seat=option.id,
                    person=person,
                    start=start,
                    interaction=caller.interaction,
                    given=given,
                )
            ]
        # Record the hand, sealed for the successor: the history that they may see begins with it.
        lies_open = game.open_goods(seat.holdings)
        return [
            SeatTaken(
                seat=option.id,
                person=person,
                takes_over=True,
                open=lies_open,
                in_play=seat.in_play,
                hand=lies_open.missing(seat.holdings),
                interaction=caller.interaction,
                given=given,
            )
        ]


def require_unknowing(table: Table, option: SeatOption, person: int, caller: Caller) -> None:
    """Raise `Refused` if this person has looked at hidden goods, or has played another seat.

    A person who has played another seat may take a seat that nobody has played. Anybody may return
    to the seat they left last.
    """
    own = person == caller.person
    if person in table.looked:
        who, they = ("You have", "you can't") if own else (f"<person:{person}> has", "they can't")
        raise Refused(
            f"{who} looked at what is hidden at this table, so {they} play at it.",
            "That ends when the table closes." if own else "Seat a player who has not looked.",
        )
    played = any(each.seat == option.id and each.counts for each in table.tenures)
    if game_of(table).hidden is None or not played:
        return
    left = last_tenure(table, person)
    if left is not None and left.seat != option.id:
        who = "you have" if own else f"<person:{person}> has"
        raise Refused(
            f"Somebody has already played {option.name}, and {who} had another seat at this table.",
            "Pick a seat that nobody has played yet.",
        )


class _SeatEntry(OfSeat):
    """An entry about one seat and the person in it."""

    person: int

    def subject(self) -> Reference | None:
        return reference("seat", self.seat)


class SeatTaken(_SeatEntry):
    """A person sat down. ``start`` are the starting goods of a seat that was never taken before.

    A person who takes over a seat sees its hand but not the history: ``hand`` has the hidden goods
    at that time, sealed for them; ``open`` and ``in_play`` are the public goods.

    ``interaction`` is Discord's id of the command's interaction. Games that shuffle mix it into the
    seed. ``given``: another seated them.

    >>> taken = SeatTaken(seat="blue", person=3, start=Goods({"silk": 1}))
    >>> taken.apply(table).seats["blue"].holdings
    Goods({'silk': 1})
    """

    kind = "seat.taken"
    v: int = 2  # 2: given
    reads: ClassVar[Reads] = {("seat.taken", 1): None}
    start: Goods = NOTHING
    open: Goods = NOTHING
    in_play: Goods = NOTHING
    hand: Annotated[Goods | None, Sealed("parties")] = None
    takes_over: bool = False
    interaction: int | None = None
    given: bool = False

    def parties(self) -> frozenset[str]:
        return frozenset({self.seat})

    def sentence(self, ruler: str) -> str:
        return f"<person:{self.person}> took the seat **<faction:{self.seat}>**."

    def apply(self, table: Table) -> Table:
        seat = table.seats.get(self.seat)
        if seat is None:  # the first holder has it from entry 0, see `Tenure`
            first = Tenure(self.seat, self.person, 0, given=self.given)
            table = replace(table, tenures=(*table.tenures, first))
            table = table.with_seat(Seat(self.seat, self.person, self.person, self.start))
            return _as_earlier(table) if table.earlier else table
        tenures = list(table.tenures)
        if seat.last == self.person:  # as if they had never left
            own = (self.seat, self.person)
            [*_, last] = (
                place for place, each in enumerate(tenures) if (each.seat, each.person) == own
            )
            given = tenures[last].given and self.given
            tenures[last] = replace(tenures[last], until=None, given=given)
        else:
            tenures.append(Tenure(self.seat, self.person, table.seq + 1, given=self.given))
        last_holder = seat.last if self.given else self.person
        taken = replace(seat, person=self.person, last=last_holder)
        return replace(table, tenures=tuple(tenures)).with_seat(taken)


def _as_earlier(table: Table) -> Table:
    """Return the table with its seats in the order of the same people at the table that it
    repeats.
    """
    order = [each.person for each in table.earlier]

    def place(seat: Seat) -> int:
        return order.index(seat.last) if seat.last in order else len(order)

    seats = sorted(table.seats.values(), key=place)
    return replace(table, seats={seat.id: seat for seat in seats})


class Leave(Command):
    """Leave the caller's own seat (None), or (hosts) free another seat. ``person`` is who sits
    there, None for whoever does; ``sure``: the question has been asked.
    """

    kind = "seat.leave"
    seat: str | None = None
    person: int | None = None
    sure: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """The seat keeps its goods. Its offers, proposed deals and negotiations end."""
        seat = seat_meant(table, self.seat, caller)
        if self.person not in (None, seat.person):
            gone = f"<person:{self.person}> has left that seat already; <seat:{seat.id}> is played "
            raise Refused(f"{gone}by <person:{seat.person}>.")
        if seat.person != caller.person:
            require_host(table, caller, "free another player's seat")
            if game_of(table).hidden is not None and last_tenure(table, caller.person) is not None:
                raise Refused(
                    "Hands are hidden here, and you play at this table or have played.",
                    f"<person:{seat.person}> can press **Leave…** under **Menu**, or a host or "
                    "moderator who never played here can free it.",
                )
        ends = list[Entry]()
        for offer in table.live_offers():
            if offer.party(seat.id):
                ends.append(voided(offer, f"<person:{seat.person}> left the table."))
        ends += void_deals(table, seat.id)
        for talks in table.negotiations.values():
            if talks.open and talks.party(seat.id):
                ends.append(closed(talks))
        return [*ends, SeatLeft(seat=seat.id, person=seat.person or caller.person)]


def last_tenure(table: Table, person: int) -> Tenure | None:
    """Return this person's current tenure, or else the last one; None if they never sat."""
    last: Tenure | None = None
    for tenure in table.tenures:
        if tenure.person == person and tenure.counts:
            if tenure.until is None:
                return tenure
            if last is None or (last.until or 0) < tenure.until:
                last = tenure
    return last


class SeatLeft(_SeatEntry):
    """A person left their seat. The seat keeps its goods.

    >>> SeatLeft(seat="red", person=1).apply(table).seats["red"].person is None
    True
    """

    kind = "seat.left"

    def sentence(self, ruler: str) -> str:
        return f"<person:{self.person}> left the seat **<faction:{self.seat}>**."

    def apply(self, table: Table) -> Table:
        table = table.with_seat(replace(table.seats[self.seat], person=None))
        offers = {number: offer.without(self.seat) for number, offer in table.offers.items()}
        tenures = []
        for tenure in table.tenures:
            ends = tenure.seat == self.seat and tenure.until is None
            tenures.append(replace(tenure, until=table.seq + 1) if ends else tenure)
        table = replace(table, offers=offers, tenures=tuple(tenures))
        return with_parts(table, lambda part: part.vacated(self.seat))


# ---------------------------------------------------------------- what another gave


class TakenUp(Entry):
    """A person did something for the first time since another gave them a ``seat``, the host's part
    or both: from now on it counts as their own.

    >>> TakenUp(person=2, seat="green").apply(table).seats["green"].last
    2
    """

    kind = "seat.accepted"
    announced = False
    person: int
    seat: str | None = None

    def subject(self) -> Reference | None:
        return reference("seat", self.seat) if self.seat else None

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat} if self.seat else ())

    def sentence(self, ruler: str) -> str:
        what = f"the seat **<faction:{self.seat}>**" if self.seat else "the hosting"
        return f"<person:{self.person}> took up {what}, given by another."

    def apply(self, table: Table) -> Table:
        tenures, hosts = list(table.tenures), list(table.hosts)
        for place, tenure in enumerate(tenures):
            if tenure.person == self.person and tenure.until is None:
                tenures[place] = replace(tenure, given=False)
        if hosts and table.host == self.person:
            hosts[-1] = replace(hosts[-1], given=False)
        table = replace(table, tenures=tuple(tenures), hosts=tuple(hosts))
        if self.seat is None:
            return table
        return table.with_seat(replace(table.seats[self.seat], last=self.person))


class TakeUp(Command):
    """Take up what another gave the caller; nothing happens if that is nothing."""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        if not any(part.given for part in table.held_by(caller.person)):
            return []
        seat = table.seat_of(caller.person)
        return [TakenUp(person=caller.person, seat=seat.id if seat else None)]


def with_first_act(table: Table, entries: tuple[Entry, ...], caller: Caller) -> tuple[Entry, ...]:
    """Return the entries of a command, after that the caller takes up what was given to them.

    Who gives a seat back, or looks as a moderator, does not act in it.
    """
    for entry in entries:
        gives_back = isinstance(entry, SeatLeft) and entry.person == caller.person
        if gives_back or isinstance(entry, Looked | TakenUp):
            return entries
    return (*TakeUp().decide(table, caller), *entries) if entries else entries


FEATURE = Feature(commands=(Sit, Leave, TakeUp), entries=(SeatTaken, SeatLeft, TakenUp))
