"""Neighbours on the board [60]. Players declare them; a setting restricts this to the host."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from bot.api import (
    Action,
    Caller,
    Choice,
    Command,
    Entry,
    Feature,
    FollowUpView,
    LabelledAction,
    OfferCommand,
    Pair,
    PromptView,
    Refused,
    SettingOption,
    Since,
    Table,
    TableView,
    ToAnother,
    Violation,
    button,
    is_host,
    live_offer,
    own_seat,
    pair,
    part,
    replace,
    require_host,
    require_party,
    require_since,
    seat_meant,
    taken_seat,
    together,
    with_part,
)
from bot.games.ti4.entries import OfPair
from bot.games.ti4.state import (
    Map,
    Question,
    Questions,
    are_neighbors,
    asked,
    gone_on,
    questions,
    with_question,
    without_questions,
)

DECLARING = SettingOption(
    "declare_neighbors",
    ("players", "host"),
    "Who says who are neighbours: the players themselves, or the host only",
    question="Who may say who are neighbours?",
    answers=("Each player", "Only the host"),
)
"""The table setting for who may declare neighbours."""

NOT_NEIGHBORS = "ti4.neighbors"
"""The `Violation.action` for not being neighbours: the two can declare that they are."""


SEE_ALL = "/neighbors show lists all neighbours."


def players_declare(table: Table) -> bool:
    """Return whether players, not only hosts, may declare neighbours and combats."""
    return DECLARING.of(table.settings) == "players"


def require_one_of(table: Table, people: tuple[int | None, int | None], caller: Caller) -> None:
    """Raise `Refused` unless the caller is one of these two people, or a host."""
    if caller.person not in people and not is_host(table, caller):
        raise Refused(
            "Here you can only say who your own neighbours are.",
            f"One of those two or <person:{table.host}> can say it.",
        )


def _require_may_declare(table: Table, caller: Caller) -> None:
    if not players_declare(table) and not is_host(table, caller):
        raise Refused(
            "At this table, only the host says who the neighbours are.",
            f"Ask <person:{table.host}>.",
        )


def _require_may_name(table: Table, first: str, second: str, caller: Caller) -> None:
    """Raise `Refused` unless these are two taken seats, one of them the caller's; hosts may."""
    if first == second:
        raise Refused("A player can't be their own neighbour.", "Name two players.")
    _require_may_declare(table, caller)
    people = (taken_seat(table, first).person, taken_seat(table, second).person)
    require_one_of(table, people, caller)


def _require_strangers(table: Table, first: str, second: str) -> None:
    if are_neighbors(table, first, second):
        two = f"<seat:{first}> and <seat:{second}>"
        raise Refused(f"{two} are already neighbours.", SEE_ALL)


# ---------------------------------------------------------------- two seats


class JoinNeighbors(Command):
    """Declare two seats neighbours. ``already``: they were so before it was said."""

    first: str
    second: str
    already: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        _require_may_name(table, self.first, self.second, caller)
        if not self.already:
            _require_strangers(table, self.first, self.second)
        said_by = () if is_host(table, caller) else (own_seat(table, caller).id,)
        first, second, already = self.first, self.second, self.already
        return [NeighborsJoined(first=first, second=second, said_by=said_by, already=already)]


class NeighborsJoined(OfPair):
    """Two seats became neighbours, or (``already``) were so before it was said. The board shows it.

    ``said_by`` are the seats that declared it, none for the host.
    """

    announced = False
    kind = "ti4.neighbors.joined"
    said_by: tuple[str, ...] = ()
    already: bool = False

    def sentence(self, ruler: str) -> str:
        how = ", and were so already" if self.already else " now"
        return f"<seat:{self.first}> and <seat:{self.second}> are neighbours{how}."

    def apply(self, table: Table) -> Table:
        map = _changed(table, joined=[pair(self.first, self.second)])
        return with_part(table, map.with_declared(self.first, self.second))


class PartNeighbors(Command):
    """Declare two seats neighbours no longer."""

    first: str
    second: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        _require_may_name(table, self.first, self.second, caller)
        if not are_neighbors(table, self.first, self.second):
            two = f"<seat:{self.first}> and <seat:{self.second}>"
            raise Refused(f"{two} are not neighbours.", SEE_ALL)
        return [NeighborsParted(first=self.first, second=self.second)]


class NeighborsParted(OfPair):
    """Two seats are no longer neighbours. The board shows it."""

    announced = False
    kind = "ti4.neighbors.parted"

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.first}> and <seat:{self.second}> are no longer neighbours."

    def apply(self, table: Table) -> Table:
        map = _changed(table, parted=[pair(self.first, self.second)])
        return with_part(table, map.with_declared(self.first, self.second))


def _changed(table: Table, *, joined: Collection[Pair] = (), parted: Collection[Pair] = ()) -> Map:
    """Return the map after these pairs became neighbours, and those are so no longer."""
    map = part(table, Map)
    neighbors = map.neighbors.union(joined).difference(parted)
    changed = map.changed ^ map.neighbors ^ neighbors
    parted = map.parted.union(parted)
    return replace(map, neighbors=neighbors, parted=parted, changed=changed, since=table.seq + 1)


# ---------------------------------------------------------------- all neighbours of a seat


class NeighborsAction(Action):
    """The board's button **Neighbours**, which asks who are a seat's neighbours now.

    ``since`` is that of the `Map`, None in the menu.
    """

    name = "ti4.neighbors"
    since: Since = None


class ChooseNeighbors(Choice):
    """The select with the possible neighbours of a seat. Its current neighbours are preselected."""

    name = "ti4.meets"
    seat: str


class SetNeighbors(Command):
    """Declare all neighbours of a seat, None for the caller's own. The others are so no longer.

    After the seat's turn, the command may also confirm that they have stayed the same.
    """

    seat: str | None
    others: tuple[str, ...]

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = seat_meant(table, self.seat, caller)
        _require_may_declare(table, caller)
        require_one_of(table, (seat.person, None), caller)
        said_by = () if is_host(table, caller) else (seat.id,)
        others = tuple(dict.fromkeys(taken_seat(table, other).id for other in self.others))
        if seat.id in others:
            raise Refused("A player can't be their own neighbour.", "Name the others.")
        wanted = {pair(seat.id, other) for other in others}
        own = {two for two in between_seated(table) if seat.id in two}
        if wanted == own and part(table, Map).moved != seat.id:
            exactly = f"<seat:{seat.id}>'s neighbours are already exactly those."
            raise Refused(exactly, SEE_ALL)
        return [_set(own, wanted, seat=seat.id, order=others, said_by=said_by)]


class PickNeighbors(Command):
    """`SetNeighbors` for a button.

    ``picked`` has a digit for each other seat, in order of their ids: 1 for a neighbour, else 0.
    ``among`` is the `seats_digest` of those seats. ``since`` is that of the `Map`.
    """

    kind = "ti4.meet"
    seat: str
    picked: str
    among: str
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` as `SetNeighbors`, and if the players have changed."""
        require_map(table, self.since, part(table, Map))
        others = sorted(table.others(self.seat))
        picked = picked_seats(others, self.picked, self.among, "Neighbours")
        return SetNeighbors(self.seat, picked).decide(table, caller)


def seats_digest(others: Sequence[str]) -> str:
    """Return a digest of the other seats. If they change, the digits would mean other seats."""
    return hashlib.sha256(",".join(others).encode()).hexdigest()[:6]


def pick_neighbors(
    seat: str, others: Sequence[str], met: Collection[str], since: int
) -> PickNeighbors:
    """Return the command that those in ``met`` are a seat's neighbours. ``others``: in order."""
    picked = "".join("1" if other in met else "0" for other in others)
    return PickNeighbors(seat, picked, seats_digest(others), since)


def require_map(table: Table | TableView, since: Since, map: Map) -> None:
    """Raise `Refused` if neighbours, or whose ships may have moved, have changed since."""
    window = table.window
    # A turn that was given back began before its end, which changed the map.
    given_back = map.moved is not None and map.moved == window.holder
    declared = map.since > window.since and not given_back
    over = "Neighbours have changed since." if declared else gone_on(table)
    ask = LabelledAction("Neighbours", NeighborsAction(table.id))
    require_since(since, map.since, over, ask)


SAT_DOWN = "Somebody has sat down or left since."


def picked_seats(others: Sequence[str], picked: str, among: str, button: str) -> tuple[str, ...]:
    """Return the seats with a 1 in ``picked``. Raises `Refused` if the players have changed."""
    if among != seats_digest(others) or len(picked) != len(others):
        raise Refused(SAT_DOWN, f"Press {button} again.")
    return tuple(other for other, digit in zip(others, picked, strict=True) if digit == "1")


# ---------------------------------------------------------------- all seats


class NobodyYet(Command):
    """Say that nobody is a neighbour, since no units have met [60.1]. Needs the host.

    ``since`` is that of the `Map`.
    """

    kind = "ti4.nobody"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "set the neighbours of everybody")
        require_map(table, self.since, part(table, Map))
        there = between_seated(table)
        if not there and part(table, Map).said:
            raise Refused(
                "Nobody is a neighbour of anybody already.",
                "**Neighbours changed** under **Menu** says who are.",
            )
        return [NeighborsCleared(parted=tuple(sorted(there)))]


class NeighborsCleared(Entry):
    """Nobody is a neighbour yet. ``parted`` were neighbours."""

    kind = "ti4.neighbors.cleared"
    parted: tuple[Pair, ...] = ()

    def seats(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(self.parted))

    def sentence(self, ruler: str) -> str:
        return "Nobody is a neighbour of anybody yet."

    def apply(self, table: Table) -> Table:
        map = _changed(table, parted=self.parted)
        return with_part(table, replace(map, moved=None, said=True))


class SeatNeighbors(Command):
    """`SeatAround` in the order in which the seats were taken.

    ``among`` is the `seats_digest` of that order. ``since`` is that of the `Map`.
    """

    kind = "ti4.ring"
    since: Since = None
    among: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` as `SeatAround`, and if the players have changed."""
        require_map(table, self.since, part(table, Map))
        seated = tuple(table.seated())
        if self.among not in ("", seats_digest(seated)):
            raise Refused(SAT_DOWN, "Press Neighbours again.")
        return SeatAround(seated).decide(table, caller)


class SeatAround(Command):
    """Make everybody the neighbour of only the two who sit beside them. Needs the host.

    ``order`` goes round the table; it says nothing about the order of play.
    """

    order: tuple[str, ...]

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "set the neighbours of everybody")
        order, seated = self.order, table.seated()
        if len(seated) < 2:
            raise Refused(
                "There must be two players before anybody has a neighbour.",
                "/table sit takes a seat.",
            )
        if sorted(order) != sorted(seated):
            listed = " ".join(f"<name:{seat}>" for seat in seated)
            raise Refused(
                "Name every player once, as you sit round the table.", f"For example: {listed}."
            )
        wanted, there = ring_pairs(order), between_seated(table)
        if wanted == there:
            raise Refused(
                "They are already neighbours in exactly that way.",
                "/neighbors show lists them.",
            )
        return [_set(there, wanted, order=order)]


class NeighborsSet(Entry):
    """All neighbours of ``seat`` were declared; if it is empty, those of all, by how they sit.

    ``order`` are the neighbours of ``seat``, or all seats in order. ``joined`` and ``parted`` are
    the new and the former pairs of neighbours. ``said_by`` are the seats that declared it, none for
    the host. The board shows what changes for one seat.
    """

    kind = "ti4.neighbors.set"
    seat: str = ""
    order: tuple[str, ...] = ()
    joined: tuple[Pair, ...] = ()
    parted: tuple[Pair, ...] = ()
    said_by: tuple[str, ...] = ()

    def is_news(self) -> bool:
        return not self.seat

    def seats(self) -> frozenset[str]:
        """Return the seat and the neighbours that it gained or lost, or all seats."""
        others = (self.seat,) if self.seat else self.order
        return frozenset(chain(others, *self.joined, *self.parted))

    def sentence(self, ruler: str) -> str:
        if not self.seat:
            return f"Neighbours by the order of seats: {ring(self.order)}."
        sentences = [f"<seat:{self.seat}>'s neighbours now: {together(self.order)}."]
        for what, pairs in (("New", self.joined), ("No longer", self.parted)):
            others = [second if first == self.seat else first for first, second in pairs]
            if others:
                sentences.append(f"{what}: {together(others)}.")
        return " ".join(sentences)

    def apply(self, table: Table) -> Table:
        map = _changed(table, joined=self.joined, parted=self.parted)
        if self.seat:
            return with_part(table, map.with_declared(self.seat))
        map = map.with_declared(*self.order)
        return with_part(table, replace(map, said=False, around=self.order))


def nobody_moved(table: Table, seat: str) -> PickNeighbors:
    """Return the command that a seat's neighbours are still the same."""
    others = sorted(table.others(seat))
    met = [other for other in others if are_neighbors(table, seat, other)]
    return pick_neighbors(seat, others, met, part(table, Map).since)


def between_seated(table: Table) -> set[Pair]:
    """Return the pairs of neighbours in which both seats are taken."""
    seated = table.seated()
    return {two for two in part(table, Map).neighbors if two[0] in seated and two[1] in seated}


def _set(
    there: set[Pair],
    wanted: set[Pair],
    *,
    order: tuple[str, ...],
    seat: str = "",
    said_by: tuple[str, ...] = (),
) -> NeighborsSet:
    joined, parted = tuple(sorted(wanted - there)), tuple(sorted(there - wanted))
    return NeighborsSet(seat=seat, order=order, joined=joined, parted=parted, said_by=said_by)


def ring_pairs(order: Sequence[str]) -> set[Pair]:
    """Return the pairs of seats that sit beside each other."""
    return {pair(order[place - 1], seat) for place, seat in enumerate(order)}


def ring(order: Sequence[str]) -> str:
    """Return mentions of the seats around the table, with the first repeated at the end."""
    around = (*order, order[0]) if len(order) > 2 else order
    return " – ".join(f"<=seat:{seat}>" for seat in around)


# ---------------------------------------------------------------- claims


class ClaimNeighbor(Command):
    """Claim to be this seat's neighbour, which its player confirms, if only by the same claim."""

    kind = "ti4.claim"
    private_reply = True
    other: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        _require_may_declare(table, caller)
        seat, other = own_seat(table, caller).id, self.other
        if other not in table.seats or other == seat:
            not_another = "That isn't another player at this table."
            raise Refused(not_another, "**Neighbours changed** under **Menu** asks you whom.")
        taken_seat(table, other)  # nobody could answer for an empty seat
        _require_strangers(table, seat, other)
        if claims(table, other, seat):
            return [NeighborsJoined(first=other, second=seat, said_by=(other, seat))]
        if claims(table, seat, other):
            raise Refused(f"You have already said so; I have asked <seat:{other}>.")
        return [NeighborsClaimed(seat=seat, other=other)]

    def reply(self, entries: Sequence[Entry]) -> str:
        if isinstance(entries[-1], NeighborsJoined):
            return entries[-1].sentence("")
        return "I have asked the other player. Once they agree, you can trade."


class ClaimTradePartner(OfferCommand):
    """`ClaimNeighbor` for the other side of an offer, as a button on 1.0.0's cards says it."""

    kind = "ti4.claim.offer"
    private_reply = True

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        offer, own = live_offer(table, self.offer), own_seat(table, caller)
        require_party(table, offer, own)
        other = offer.other(own.id)
        if other is None:
            how = "**Neighbours changed** under **Menu** asks you whom."
            raise Refused("Nobody has accepted that offer yet.", how)
        return ClaimNeighbor(other).decide(table, caller)

    def reply(self, entries: Sequence[Entry]) -> str:
        return ClaimNeighbor("").reply(entries)


def claims(table: Table, seat: str, other: str) -> bool:
    """Return whether a seat claims to be another's neighbour, and that one has not answered."""
    return Question("neighbors", seat, other) in part(table, Questions).waiting


def after(table: Table, entry: Entry) -> Table:
    """Settle the claims of seats that are neighbours now. If nobody moved, the board is quiet."""
    if not isinstance(entry, NeighborsJoined | NeighborsSet):
        return table
    if isinstance(entry, NeighborsSet) and entry.seat and not (entry.joined or entry.parted):
        table = with_part(table, replace(part(table, Map), quiet=True))
    claims = questions(table, "neighbors")
    true = [claim for claim in claims if are_neighbors(table, claim.seat, claim.other)]
    return without_questions(table, *true)


class NeighborsClaimed(ToAnother):
    """A player claimed to be another's neighbour, who is asked to confirm."""

    announced = False
    kind = "ti4.neighbors.claimed"

    def sentence(self, ruler: str) -> str:
        seat = self.seat
        return f"<seat:{seat}> said that <they:{seat}> are <seat:{self.other}>'s neighbour."

    def apply(self, table: Table) -> Table:
        return with_question(table, Question("neighbors", self.seat, self.other))


class AnswerClaim(Command):
    """Confirm or deny this seat's claim, of the entry ``since``, to be the caller's neighbour."""

    kind = "ti4.claim.answer"
    private_reply = True
    other: str
    agreed: bool
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """If confirmed, the ledger names both as declaring it."""
        seat = own_seat(table, caller).id
        claim = asked(table, Question("neighbors", self.other, seat))
        if claim is None:
            raise Refused("That question is already answered.", SEE_ALL)
        label = "Accept" if self.agreed else "Not so"
        again = button(label, table, replace(self, since=claim.since))
        require_since(self.since, claim.since, claim.asked_again, again)
        if not self.agreed:
            return [NeighborsDenied(seat=seat, other=self.other)]
        return [NeighborsJoined(first=self.other, second=seat, said_by=(self.other, seat))]

    def reply(self, entries: Sequence[Entry]) -> str:
        now = "neighbours now" if self.agreed else "not neighbours"
        return f"You and <seat:{self.other}> are {now}."


class NeighborsDenied(ToAnother):
    """The player who was asked denied the claim, and who claimed it is told."""

    announced = False
    kind = "ti4.neighbors.denied"

    def sentence(self, ruler: str) -> str:
        seat = self.seat
        return f"<seat:{seat}> said that <they:{seat}> are not <seat:{self.other}>'s neighbour."

    def apply(self, table: Table) -> Table:
        return without_questions(table, Question("neighbors", self.other, self.seat))


def prompts(table: Table) -> Iterable[PromptView]:
    """Yield the questions about claims that wait for an answer."""
    for each in questions(table, "neighbors"):
        yield PromptView(
            table=table.id,
            key=f"ti4-claim-{each.seat}-{each.other}",
            seat=each.other,
            evident=True,
            text=f"<seat:{each.seat}> says that you two are neighbours now.",
            buttons=(
                button("Accept", table, AnswerClaim(each.seat, agreed=True, since=each.since)),
                button("Not so", table, AnswerClaim(each.seat, agreed=False, since=each.since)),
            ),
        )


def follow_ups(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell who claimed to be another's neighbour that it was denied."""
    if isinstance(entry, NeighborsDenied):
        yield FollowUpView(seat=entry.other, text=entry.sentence(""), evident=True)


def remedy(table: Table, violation: Violation, seat: str, other: str) -> LabelledAction | None:
    """Return the button by which a seat claims to be another's neighbour; None if it did so."""
    if violation.action != NOT_NEIGHBORS or not players_declare(table):
        return None
    if claims(table, seat, other):
        return None
    return button(f"<name:{other}> and I are neighbours", table, ClaimNeighbor(other))


FEATURE = Feature(
    state=Map,
    commands=(
        JoinNeighbors,
        PartNeighbors,
        SetNeighbors,
        PickNeighbors,
        NobodyYet,
        SeatNeighbors,
        SeatAround,
        ClaimNeighbor,
        ClaimTradePartner,
        AnswerClaim,
    ),
    entries=(
        NeighborsClaimed,
        NeighborsCleared,
        NeighborsDenied,
        NeighborsJoined,
        NeighborsParted,
        NeighborsSet,
    ),
    opens=(NeighborsAction, ChooseNeighbors),
    options=(DECLARING,),
    hears=(NeighborsDenied, NeighborsJoined, NeighborsSet),
    after=after,
    follow_ups=follow_ups,
    prompts=prompts,
)
