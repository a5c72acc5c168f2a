"""Tables without a ledger: commands are decided and applied, and views made as the service makes
them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

from bot.delivery.desired import Way
from bot.games.ti4.agendas import RevealAgenda
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.permits import GrantPermit
from bot.games.ti4.requests import Replenish
from bot.games.ti4.turns import StartTurn
from bot.rules.apply import apply
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry, Recorded
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.negotiations import CloseNegotiation, OpenNegotiation
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer, PostOffer
from bot.rules.features.offers.signing import Agree, EndOffer, PickTaker, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings, OpenTable, SetPhase
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled
from bot.rules.viewers import everybody, person_viewer, room
from bot.rules.views import EntryView, OfferView, PairView, TableView, Viewer
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import see, see_pairs
from bot.show.accounts import Move
from bot.show.cards import Button, Card, Select
from bot.testing.world import look_by
from tests.drawn import WAYS, message, refused

USER = 10**18
"""Discord's ids are that long; person 3 is user USER + 3."""

NOON = 1_767_355_200_000
"""2026-01-02, twelve o'clock UTC, in milliseconds since 1970."""

MINUTE = 60_000


class World:
    """A table with people 1 to 10, and what happened at it. ``called`` names people; the others are
    p1 to p10.
    """

    def __init__(self, called: Mapping[int, str] | None = None) -> None:
        self.table = Table(id=1)
        self.recorded: list[Recorded] = []
        self._by_subject: dict[str, list[Recorded]] = {}
        self.called(called or {})

    def called(self, names: Mapping[int, str]) -> None:
        """Name the people from here on."""
        self.people = {}
        for n in range(1, 11):
            self.people[n] = Person(n, USER + n, names.get(n, f"p{n}"))

    def do(self, command: Command, by: int = 1, *, moderator: bool = False) -> tuple[Entry, ...]:
        """Decide and apply. Raises `Refused`, and then nothing has changed."""
        at = NOON + len(self.recorded) * MINUTE
        about = {
            each: self._by_subject[each] for each in command.subjects() if each in self._by_subject
        }
        table = recalled(self.table, about) if about else self.table
        entries = decide(table, command, Caller(by, moderator, at))
        for entry in entries:
            self.adds(entry, by, at)
        return entries

    def adds(self, entry: Entry, by: int = 1, at: int = NOON) -> None:
        """Apply an entry, whether or not anything would be decided that leads to it."""
        self.table = apply(self.table, entry)
        recorded = Recorded(1, self.table.seq, at, by, entry, f"{self.table.seq:064x}")
        self.recorded.append(recorded)
        if (subject := entry.subject()) is not None:
            self._by_subject.setdefault(subject, []).append(recorded)

    def tries(self, command: Command, by: int = 1) -> None:
        """Do it, if it may be done."""
        try:
            self.do(command, by)
        except Refused:
            return

    def seat(self, person: int) -> str:
        """Return the seat of a person."""
        seat = self.table.seat_of(person)
        assert seat is not None
        return seat.id

    # ------------------------------------------------------------ as people see it

    def viewer(self, person: int = 0, *, audits: bool = False, shared: bool = False) -> Viewer:
        """Return a person as a viewer, 0 for everybody. ``audits``: as a moderator who looks into
        the ledger.
        """
        if not person:
            return everybody(self.table, self.people.values())
        seen = person_viewer(
            self.table,
            self.people.values(),
            Caller(person, moderator=audits),
            look=look_by(person) if audits else None,
        )
        return replace(seen, shared=shared)

    def view(self, person: int = 0, *, audits: bool = False, shared: bool = False) -> TableView:
        """Return the table as a person sees it, with all its offers and deals, over or not."""
        return see(self.whole, self.viewer(person, audits=audits, shared=shared))

    def room(self, negotiation: int) -> TableView:
        """Return the table as a negotiation's thread shows it."""
        return see(self.whole, room(self.table, self.people.values(), negotiation))

    def offer(
        self, number: int, person: int = 0, *, shared: bool = False
    ) -> tuple[TableView, OfferView]:
        """Return the table and one of its offers as a person sees them."""
        view = self.view(person, shared=shared)
        return view, view.offers[number]

    def pairs(self, person: int = 0) -> tuple[PairView, ...]:
        """Return who can trade with whom, as a person sees it."""
        return see_pairs(self.table, self.viewer(person))

    def entries(self, person: int = 0, *, audits: bool = False) -> list[EntryView]:
        """Return everything that happened, as a person sees it."""
        viewer = self.viewer(person, audits=audits)
        return [see_entry(each, viewer, self.table.game) for each in self.recorded]

    @property
    def whole(self) -> Table:
        """The table with every offer and deal that was ever made."""
        return recalled(self.table, self._by_subject)


def with_changes(offer: OfferView, **changes: Any) -> OfferView:
    """Return an offer with these fields changed, each in the group that has it."""
    for name, value in changes.items():
        if name in OfferView.__slots__:
            offer = replace(offer, **{name: value})
            continue
        [group] = [each for each in GROUPS if name in getattr(offer, each).__slots__]
        part = replace(getattr(offer, group), **{name: value})
        offer = replace(offer, **{group: part})
    return offer


GROUPS = ("links", "progress", "ruling", "buttons", "own")

# ---------------------------------------------------------------- tables

SEATS = ("hacan", "sol", "letnev", "mahact", "xxcha", "l1z1x", "nekro", "naaz")

DEALT = Goods({"trade_good": 4, "commodity": 1, "fragment:unknown": 1})
"""What each seat of `table_of` begins with, besides its promissory notes."""


def table_of(seats: int, called: Mapping[int, str] | None = None) -> World:
    """Return a table at which people 1, 2 ... sit in the first seats, each a neighbour of the
    next.
    """
    world = World(called)
    world.do(OpenTable("ti4", "Friday"))
    for person, seat in enumerate(SEATS[:seats], start=1):
        world.do(Sit(seat, person))
        world.do(SetHoldings(seat, DEALT))
    for first, second in pairwise(SEATS[:seats]):
        world.do(JoinNeighbors(first, second))
    return world


def traded(seats: int, called: Mapping[int, str] | None = None) -> World:
    """Return a table at which it is person 1's turn, who has traded with person 2."""
    world = table_of(seats, called)
    world.do(StartTurn(SEATS[0]))
    trade(world, 1, 2)
    return world


def trade(world: World, first: int, second: int) -> None:
    """Have a person give another a trade good."""
    gift = Goods({"trade_good": 1})
    world.do(PostOffer(world.seat(second), gift), first)
    world.do(Sign(world.table.offers_posted), second)


def lived(
    seed: int, commands: int = 200, called: Mapping[int, str] | None = None, *, tracked: bool = True
) -> World:
    """Return a table at which all sorts of things have happened. ``tracked``: where goods are
    counted.
    """
    dice = Random(seed)
    world = table_of(dice.randint(3, 6), called)
    if not tracked:
        world.do(ChangeSettings({"inventory": "untracked"}))
    world.do(StartTurn(SEATS[0]))
    for _ in range(commands):
        first, second = dice.choice(_seated(world)), dice.choice(_seated(world))
        if dice.random() < 0.3 and first != second:
            world.tries(
                PostOffer(
                    world.seat(second), _held(world, first, dice), _held(world, second, dice)
                ),
                first,
            )
            world.tries(Sign(world.table.offers_posted), second)
        else:
            world.tries(_command(world, dice), first)
    return world


def _held(world: World, person: int, dice: Random) -> Goods:
    """Return one or none of what a person has."""
    held = list(world.table.seats[world.seat(person)].holdings)
    count = min(len(held), dice.randint(0, 1))
    return Goods.of(dice.sample(held, count))


def _seated(world: World) -> list[int]:
    people = [seat.person for seat in world.table.seats.values()]
    return [person for person in people if person is not None]


def _command(world: World, dice: Random) -> Command:
    """Return a random command; who gives it is up to the caller."""
    table = world.table
    seat = dice.choice(table.seated())
    other = dice.choice(table.seated())
    offer = dice.choice([*table.offers, 1])
    deal = dice.randint(1, table.deals_proposed + 1)
    to = dice.choice((None, seat, other))
    posted = PostOffer(to, _some(world, dice), _some(world, dice), "x")
    made: list[Command] = [
        *(posted,) * 4,
        *(Sign(offer),) * 9,
        CounterOffer(offer, give=_some(world, dice)),
        AlterOffer(offer, terms="better"),
        Agree(offer, 1),
        PauseOffer(offer, dice.random() < 0.5),
        EndOffer(offer, dice.choice(("withdraw", "decline"))),
        PickTaker(offer, 1, other),
        PostOffer(other, _some(world, dice), negotiation=table.negotiations_opened or None),
        Gain(_some(world, dice)),
        Spend(_some(world, dice)),
        SetHoldings(seat, DEALT, dice.choice(("", "a miscount"))),
        StartTurn(seat),
        StartTurn(seat),
        RevealAgenda("Mutiny"),
        SetPhase(dice.choice(("strategy", "action"))),
        JoinNeighbors(seat, other),
        Replenish(seat),
        GrantPermit(seat, other, "neighbors", "a card"),
        ProposeDeal(other, "peace", later=True),
        AnswerDeal(deal, dice.random() < 0.8),
        MarkDeal(deal, "kept"),
        MarkDeal(deal, "broken"),
        OpenNegotiation(other, "planets"),
        CloseNegotiation(table.negotiations_opened or 1),
        Sit(dice.choice(SEATS), dice.randint(1, 9)),
    ]
    if len(table.seated()) > 3:
        made.append(Leave())
    return dice.choice(made)


def _some(world: World, dice: Random) -> Goods:
    """Return some of what lies at the table."""
    seat = dice.choice(list(world.table.seats.values()))
    count = min(len(seat.holdings), dice.randint(0, 2))
    tokens = dice.sample(list(seat.holdings), count)
    return Goods(dict.fromkeys(tokens, 1)) if tokens else NOTHING


# ---------------------------------------------------------------- cards


def balances(moves: Iterable[Move]) -> dict[tuple[str, str], Goods]:
    """Return the sum of the moves, by seat and place. Raises ``ValueError`` when more was lost than
    gained.
    """
    sums = defaultdict[tuple[str, str], Counter[str]](Counter)
    for move in moves:
        sums[move.seat, move.area][move.token] += move.gained - move.lost
    balance = dict[tuple[str, str], Goods]()
    for area, counts in sums.items():
        left = {token: count for token, count in counts.items() if count}
        balance[area] = Goods(left)
    return balance


def problems(*cards: Card) -> list[str]:
    """Return what Discord would hold against these cards."""
    found = []
    for card in cards:
        # what may ring is shown in private replies, too
        ways: Sequence[Way] = WAYS if card.line else ("v2",)
        for way in ways:
            found += refused(message(card, way))
    return found


def text_problems(text: str) -> list[str]:
    """Return what Discord would hold against a plain message."""
    return refused({"content": text})


def buttons_of(card: Card) -> list[list[Button]]:
    """Return the rows of buttons of a card."""
    return [list(row) for row in card.rows if isinstance(row, tuple)]


def selects_of(card: Card) -> list[Select]:
    """Return the menus of a card."""
    return [row for row in card.rows if isinstance(row, Select)]


def labels_of(card: Card) -> list[list[str]]:
    """Return the labels of a card's buttons, row by row."""
    return [labels_in(row) for row in buttons_of(card)]


def labels_in(row: Sequence[Button]) -> list[str]:
    return [button.label for button in row]
